package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/vault"
	"github.com/checkrow/checkrow/steps"
)

// defaultDeadline ends a run before a CI of one hour does (DESIGN §6).
const defaultDeadline = 55 * time.Minute

// run is one run while it lasts.
type run struct {
	o        Options
	plan     *plan.Plan
	life     life
	store    *artifact.Store
	procs    *Procs
	suites   []*suiteRun
	sched    *scheduler
	env      map[string]any
	rooms    *rooms         // nil: sessions are not counted
	children []string       // environment of every child
	helpers  sync.WaitGroup // goroutines beside the workers
	syncing  chan struct{}  // bounds test ends on their way to the disk
	ports    ports
	vault    *vault.Vault

	originals originals
	rows      atomic.Int64 // that a policy counts

	leftovers error // private files of a killed run that could not be removed

	mu       sync.Mutex
	over     map[steps.TestKey]steps.Status // tests with a verdict
	failures int
	fault    error
	projects []*shared // run-wide services, by project file
	told     map[*plan.Test]chan struct{}
	saved    map[steps.TestKey]bool // tests that have a checkpoint
}

// Run executes a plan and gives the exit code. The journal is complete when it returns and nothing that the run started
// is left: no process, goroutine or open file. An error is a fault of the runner or of its disk, told beside the code.
func Run(ctx context.Context, p *plan.Plan, o Options) (exit int, err error) {
	start := time.Now()
	r, err := begin(p, o)
	if err != nil {
		return ExitInternal, err
	}
	stopWatching := r.watch(ctx)
	if err := r.append(journal.Event{Body: r.opening(start)}, journal.Disk); err == nil {
		r.procs.begin()
		if r.leftovers != nil {
			_ = r.append(journal.Event{Body: journal.Warning{Text: r.leftovers.Error()}}, journal.Buffered)
		}
		r.work(ctx)
	}
	reason := r.notRun()
	r.helpers.Wait()
	r.closeEngine(ctx)
	stopWatching()
	r.life.close()
	exit = r.exit()
	endErr := r.o.Journal.Append(journal.Event{Body: journal.RunEnd{Exit: exit, Reason: reason, Took: time.Since(start)}}, journal.Disk)
	r.cost()
	err = errors.Join(r.fault, r.procs.close(), r.vault.Close(), r.store.Close())
	if r.fault == nil && endErr != nil {
		return ExitEnvironment, errors.Join(err, endErr)
	}
	return exit, err
}

func begin(p *plan.Plan, o Options) (*run, error) {
	if o.Journal == nil {
		return nil, errors.New("running a plan: there is no journal")
	}
	if o.Workers <= 0 {
		o.Workers = min(4, runtime.NumCPU())
	}
	if o.Deadline <= 0 {
		o.Deadline = defaultDeadline
		if p.Run > 0 {
			o.Deadline = p.Run
		}
	}
	o.Deadline = capped(p, o.Deadline)
	if o.Procs == nil {
		o.Procs = NewProcs(o.Self, o.Journal)
	}
	store, err := artifact.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	r := &run{o: o, plan: p, store: store, procs: o.Procs, env: environMap(o.Environ), syncing: make(chan struct{}, 32),
		over: make(map[steps.TestKey]steps.Status, len(p.Tests))}
	if r.vault, err = vault.Open(o.Private); err != nil {
		r.leftovers = err
	}
	store.Scrub, store.Bare, store.Secret = r.scrub, r.bare, r.secretName
	r.children = r.childEnv(nil)
	r.suites = make([]*suiteRun, len(p.Suites))
	for i, s := range p.Suites {
		r.suites[i] = newSuiteRun(r, s)
		for _, name := range s.Secrets {
			if v, ok := r.env[name].(string); ok {
				r.secret(v)
			}
		}
	}
	r.sched, r.rooms = newScheduler(r.suites), newRooms(o.MaxSessions)
	return r, nil
}

// planned is the first event: everything that is going to run.
func (r *run) planned(start time.Time) journal.Planned {
	info := r.o.Info
	info.Hash, info.Workers, info.Dir = r.plan.Hash, r.o.Workers, r.store.Dir()
	if info.Started.IsZero() {
		info.Started = start
	}
	out := journal.Planned{Run: info, Others: r.o.Others}
	for _, x := range r.plan.Inputs {
		out.Inputs = append(out.Inputs, journal.Input(x))
	}
	for _, s := range r.plan.Suites {
		out.Suites = append(out.Suites, journal.PlannedSuite{File: s.File, Name: s.Name, SHA256: s.Spec.SHA256,
			Setup: len(s.Setup) > 0, Teardown: len(s.Teardown) > 0, Services: len(s.Services)})
	}
	for _, t := range r.plan.Tests {
		out.Tests = append(out.Tests, plannedTest(t))
	}
	for _, b := range r.plan.Broken {
		f := journal.BrokenFile{File: b.File}
		for _, e := range b.Errors {
			f.Errors = append(f.Errors, e.Error())
		}
		out.Broken = append(out.Broken, f)
	}
	return out
}

// watch stops the run on a signal, at its deadline, or when the caller's ctx ends. The returned function ends the watch.
func (r *run) watch(ctx context.Context) (end func()) {
	deadline := time.AfterFunc(r.o.Deadline, func() { r.stop(&Limit{"run", r.o.Deadline}) })
	off := context.AfterFunc(ctx, func() { r.stop(&Stopped{By: caller(ctx), Exit: 130}) })
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		signals := r.o.Signals
		for seen := 0; ; {
			select {
			case s, open := <-signals:
				if !open {
					signals = nil
					continue
				}
				why := &Stopped{By: s.Name, Exit: s.Exit}
				if seen++; seen > 1 {
					r.life.abort(why)
					continue
				}
				r.stop(why)
			case <-quit:
				return
			}
		}
	}()
	return func() { deadline.Stop(); off(); close(quit); <-done }
}

// caller names who has cancelled the run's ctx.
func caller(ctx context.Context) string {
	if why := context.Cause(ctx); why != nil && !errors.Is(why, context.Canceled) && !errors.Is(why, context.DeadlineExceeded) {
		return why.Error()
	}
	return "its caller"
}

// stop begins the orderly stop.
func (r *run) stop(why error) {
	r.life.stop(why)
	r.sched.halt()
}

// guard turns a panic into a fault of the run: the others end in order and the reports are written.
func (r *run) guard(what string, fn func()) {
	defer func() {
		if v := recover(); v != nil {
			r.broke(fmt.Errorf("%s: panic: %v\n%s", what, v, debug.Stack()))
		}
	}()
	fn()
}

// broke records a fault and stops the run.
func (r *run) broke(err error) {
	r.mu.Lock()
	if r.fault == nil {
		r.fault = err
	}
	r.mu.Unlock()
	r.stop(&Stopped{By: "a fault of the runner", Exit: ExitInternal})
}

// append journals an event. A journal that cannot be written ends the run.
func (r *run) append(e journal.Event, d journal.Durability) error {
	err := r.o.Journal.Append(e, d)
	if err != nil {
		r.broke(fmt.Errorf("journaling: %w", err))
	}
	return err
}

// end journals the verdict on a test: it is there before the worker goes on with the next one, so that a run that is killed
// then does not do it again. It waits for the disk beside the worker: many ends then share one sync.
func (r *run) end(t *plan.Test, e journal.TestEnd) {
	r.mu.Lock()
	r.over[t.Key] = e.Status
	if e.Status == steps.Failed || e.Status == steps.Errored {
		r.failures++
	}
	full := r.o.MaxFailures > 0 && r.failures >= r.o.MaxFailures
	r.mu.Unlock()
	if full {
		r.sched.halt()
	}
	event := journal.Event{Suite: t.Suite.File, Test: &t.Key, Pos: t.Pos, Body: e}
	if e.Status == steps.NotRun || (e.Status == steps.Skipped && e.Took == 0) {
		_ = r.append(event, journal.Buffered)
		return
	}
	r.syncing <- struct{}{}
	told := r.telling(t, e.Status)
	wait, err := r.o.Journal.Begin(event, journal.Disk)
	r.helpers.Go(func() {
		if err == nil {
			err = wait()
		}
		if err != nil {
			r.broke(fmt.Errorf("journaling: %w", err))
		}
		r.forgetCheckpoint(t, e.Status)
		<-r.syncing
		if told != nil {
			close(told)
		}
	})
}

// telling gives what is closed when the end of a test is journaled, for one that may keep others from running; else nil.
func (r *run) telling(t *plan.Test, status steps.Status) chan struct{} {
	if !t.Needed && !t.Suite.Serial || status == steps.Passed || status == steps.Flaky {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.told == nil {
		r.told = map[*plan.Test]chan struct{}{}
	}
	r.told[t] = make(chan struct{})
	return r.told[t]
}

// notRun gives the tests without a verdict theirs, and says why the run ended early.
func (r *run) notRun() (reason string) {
	why := r.life.stopped()
	switch {
	case r.fault != nil:
		reason = r.fault.Error()
	case why != nil:
		reason = why.Error()
	case r.o.MaxFailures > 0 && r.failures >= r.o.MaxFailures:
		reason = "stopped after " + plural(r.failures, "failure", "failures")
	}
	for _, t := range r.plan.Tests {
		r.mu.Lock()
		done := r.over[t.Key] != ""
		r.mu.Unlock()
		if !done {
			r.end(t, journal.TestEnd{Status: steps.NotRun, Reason: reason})
		}
	}
	return reason
}

// closeEngine ends browsers and drivers.
func (r *run) closeEngine(ctx context.Context) {
	if r.o.Engine == nil {
		return
	}
	const limit = 10 * time.Second
	cctx, le := r.life.enter(ctx, closing, limit, &Limit{"end of the browsers", limit})
	defer le.end()
	if err := r.o.Engine.Close(cctx); err != nil {
		_ = r.append(journal.Event{Body: journal.Warning{Text: "ending the browsers: " + err.Error()}}, journal.Buffered)
	}
}

// exit gives the exit code by the precedence of DECISIONS 12.
func (r *run) exit() int {
	why := r.life.stopped()
	var stop *Stopped
	var limit *Limit
	var disk *journal.WriteError
	switch {
	case errors.As(why, &stop) && stop.Exit > ExitFlaky:
		return stop.Exit
	case errors.As(r.fault, &disk):
		return ExitEnvironment
	case r.fault != nil:
		return ExitInternal
	case errors.As(why, &limit):
		return ExitDeadline
	}
	code := ExitInternal
	r.o.Journal.Read(func(s *journal.State) { code = journal.Exit(s, r.o.FailFlaky) })
	return code
}

// secret has a value masked from now on.
func (r *run) secret(v string) {
	if r.o.Secrets != nil && v != "" {
		r.o.Secrets.Add(v)
	}
}

// abs resolves the name of a file as diagnostics have it.
func (r *run) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.plan.Dir, name)
}
