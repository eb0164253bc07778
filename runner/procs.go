package runner

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/proc"
)

// Procs knows the processes of a run: it feeds the watchdog, which ends them when the runner dies, and journals their
// start and end. The engine tells it of drivers and browsers; services and exec children are started through it.
type Procs struct {
	journal *journal.Writer
	self    string
	mark    string

	dog     sync.Once
	watch   *proc.Watchdog // nil without self
	dogErr  error
	mu      sync.Mutex
	planned bool
	early   []journal.Event // of processes that started before the run was planned
	names   map[int]journal.ProcStart
}

// NewProcs makes the table of a run. self is the path of the checkrow binary for the watchdog; without it no watchdog
// runs, and processes die with the runner only when it ends in order.
func NewProcs(self string, w *journal.Writer) *Procs {
	var r [16]byte
	_, _ = rand.Read(r[:]) // never fails, see crypto/rand
	return &Procs{journal: w, self: self, mark: hex.EncodeToString(r[:]), names: map[int]journal.ProcStart{}}
}

// Mark is the run's random mark, see proc.MarkEnv.
func (p *Procs) Mark() string { return p.mark }

// watchdog starts the watchdog at the first process that needs it.
func (p *Procs) watchdog() (*proc.Watchdog, error) {
	p.dog.Do(func() {
		if p.self == "" {
			return
		}
		w, err := proc.StartWatchdog(p.self, p.mark)
		if err != nil {
			p.dogErr = fmt.Errorf("starting the watchdog: %w", err)
			return
		}
		p.watch = w
	})
	return p.watch, p.dogErr
}

// Started is told of a process that runs, the leader of its own group. The watchdog is fed here: what runs elsewhere, a
// browser, is not known to it otherwise.
func (p *Procs) Started(what, name string, pid int) {
	if w, err := p.watchdog(); err == nil && w != nil {
		_ = w.Feed(pid)
	}
	p.note(what, name, pid)
}

// note journals the start of a process.
func (p *Procs) note(what, name string, pid int) {
	id, err := proc.StartIdentity(pid)
	if err != nil {
		id = "" // it has ended already
	}
	s := journal.ProcStart{What: what, Name: name, PID: pid, Start: id}
	p.mu.Lock()
	p.names[pid] = s
	p.mu.Unlock()
	p.append(journal.Event{Body: s})
}

// Ended is told that a process was reaped.
func (p *Procs) Ended(pid int) {
	if w, err := p.watchdog(); err == nil && w != nil {
		w.Forget(pid)
	}
	p.gone(pid, journal.ProcEnd{})
}

// gone journals the end of a process.
func (p *Procs) gone(pid int, e journal.ProcEnd) {
	p.mu.Lock()
	s, known := p.names[pid]
	delete(p.names, pid)
	p.mu.Unlock()
	if !known {
		return
	}
	e.What, e.Name, e.PID = s.What, s.Name, pid
	p.append(journal.Event{Body: e})
}

// append journals an event; what comes before the plan waits for it.
func (p *Procs) append(e journal.Event) {
	p.mu.Lock()
	if !p.planned {
		p.early = append(p.early, e)
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	// A journal that cannot be written ends the run at its next event; there is nobody here to tell.
	_ = p.journal.Append(e, journal.Buffered)
}

// begin lets events through once the plan is journaled.
func (p *Procs) begin() {
	p.mu.Lock()
	early := p.early
	p.early, p.planned = nil, true
	p.mu.Unlock()
	for _, e := range early {
		_ = p.journal.Append(e, journal.Buffered)
	}
}

// close ends the watchdog.
func (p *Procs) close() error {
	p.dog.Do(func() {})
	if p.watch == nil {
		return nil
	}
	if err := p.watch.Close(); err != nil {
		return fmt.Errorf("ending the watchdog: %w", err)
	}
	return nil
}

// spawner starts the children of exec steps.
type spawner struct{ procs *Procs }

var _ steps.Spawner = spawner{}

// Run implements steps.Spawner.
func (s spawner) Run(ctx context.Context, c steps.Command) (steps.Exit, error) {
	dog, err := s.procs.watchdog()
	if err != nil {
		return steps.Exit{}, err
	}
	x, err := proc.Run(ctx, proc.Spec{Argv: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: c.Stdin, Limit: c.Limit, Grace: c.Grace,
		In: c.In, Out: c.Out}, dog)
	return steps.Exit{Code: x.Code, Signal: x.Signal, Stdout: x.Stdout, Stderr: x.Stderr, Dropped: x.Dropped, PID: x.PID,
		Took: x.Took}, err
}

// exitWords says how a process ended.
func exitWords(x proc.Exit) string {
	if x.Signal != "" {
		return "signal: " + x.Signal
	}
	return strconv.Itoa(x.Code)
}

var errNoEngine = errors.New("no browser engine: this run was started without one")
