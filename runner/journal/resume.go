package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// Input is something that a plan was made of, with its digest: what a resume holds the present against.
type Input struct {
	What   string `json:"what"` // suite, fragment, project, data, var, policy, version
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Resumed says that a run which was cut off goes on: the tests that had ended keep their verdict, the others run again.
type Resumed struct {
	Version string    `json:"version"` // of checkrow, now
	At      time.Time `json:"at"`
	Command []string  `json:"command"`
	Workers int       `json:"workers"`
	// Rerun are the tests that run again, as places in the plan that holds from here.
	Rerun []int `json:"rerun"`
	// Plan is the plan as it is now, if --allow-changed let it differ from the one before.
	Plan    *Planned `json:"plan,omitempty"`
	Changed []string `json:"changed,omitempty"` // what differs
}

// Kind implements Body.
func (Resumed) Kind() string { return "resumed" }

// ErrBusy says that the journal belongs to a run that goes on.
var ErrBusy = errors.New("its run goes on in another process")

// Reopen opens the journal of a run that was cut off, to go on in it. A torn last line is removed; other damage is an
// error. observe is told of every event that is there already, before Reopen returns, and then as Create has it. planned is
// the plan as the run had it, with its names unmasked.
func Reopen(dir string, m Masker, planned Planned, observe func(Event, *State)) (*Writer, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", err)
	}
	w := newWriter(f, path, m, observe)
	if err := w.takeUp(f, planned); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return w, nil
}

// Busy tells that the run of a folder goes on, in this process or another one.
func Busy(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, FileName), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // gives the lock back
	return errors.Is(lock(f), ErrBusy)
}

// takeUp reads what is there and places the writer behind it.
func (w *Writer) takeUp(f *os.File, planned Planned) error {
	if err := lock(f); err != nil {
		return fmt.Errorf("opening %q: %w", w.path, err)
	}
	seq, whole, err := foldInto(w.state, f, w.path, w.observe)
	w.state.settle()
	if err != nil {
		return err
	}
	w.seq, w.synced, w.good = seq, seq, whole
	if err := f.Truncate(whole); err != nil {
		return fmt.Errorf("removing the torn line of %q: %w", w.path, err)
	}
	if _, err := f.Seek(whole, io.SeekStart); err != nil {
		return fmt.Errorf("going to the end of %q: %w", w.path, err)
	}
	w.names, err = namesOf(planned, w.mask)
	return err
}

// namesOf gives how the identities of a plan are masked; nil if none is.
func namesOf(p Planned, m Masker) (*names, error) {
	l := newLine()
	defer l.release()
	_, known, err := l.body(p, m)
	return known, err
}

// Keys gives the identities of the tests of a plan as its journal has them, secrets masked, in order.
func Keys(p Planned, m Masker) ([]steps.TestKey, error) {
	known, err := namesOf(p, m)
	if err != nil {
		return nil, fmt.Errorf("masking the names of tests: %w", err)
	}
	out := make([]steps.TestKey, len(p.Tests))
	for i, t := range p.Tests {
		out[i] = t.Key
		if known == nil {
			continue
		}
		if key, ok := known.tests[t.Key]; ok {
			out[i] = key
		}
	}
	return out, nil
}

// Final tells a verdict that a resume keeps. One that a stop gave is none.
func Final(s steps.Status) bool {
	switch s {
	case steps.NotRun, steps.StatusInterrupted, steps.Unknown, "":
		return false
	}
	return true
}

// resume folds the going on of a run.
func (s *State) resume(b Resumed) {
	if b.Plan != nil {
		s.replan(*b.Plan)
	}
	s.Ended, s.End = false, RunEnd{}
	s.Procs = map[int]ProcStart{}
	s.Resumes = append(s.Resumes, b)
	again := map[string]bool{}
	for _, i := range b.Rerun {
		if i < 0 || i >= len(s.Tests) {
			continue
		}
		t := s.Tests[i]
		again[t.Planned.Key.Suite] = true
		t.again(s)
	}
	for _, u := range s.Suites {
		if again[u.Planned.File] {
			*u = Suite{Planned: u.Planned, Started: u.Started}
		}
	}
}

// again forgets the verdict of a test. Its attempts stay: one that was cut off is not counted.
func (t *Test) again(s *State) {
	for _, a := range t.Attempts {
		if a.Status == "" || a.Status == steps.StatusInterrupted {
			a.Status, a.CutOff = steps.StatusInterrupted, true
			s.cutOff(a)
		}
	}
	t.Done, t.Status, t.Reason, t.Because, t.Took, t.Started, t.Life = false, steps.NotRun, "", nil, 0, time.Time{}, 0
}

// replan takes a changed plan. A test that is in it no more stays as it was, at the end: what it has shown is not taken
// back.
func (s *State) replan(p Planned) {
	old := *s
	s.Suites, s.Tests = nil, nil
	s.bySuite, s.byTest = map[string]*Suite{}, map[steps.TestKey]*Test{}
	info := s.Run
	s.plan(p)
	info.Hash = p.Run.Hash
	s.Run = info
	for i, u := range s.Suites {
		if was := old.bySuite[u.Planned.File]; was != nil {
			planned := u.Planned
			s.Suites[i], s.bySuite[planned.File] = was, was
			was.Planned = planned
		}
	}
	for i, t := range s.Tests {
		if was := old.byTest[t.Planned.Key]; was != nil {
			planned := t.Planned
			s.Tests[i], s.byTest[planned.Key] = was, was
			was.Planned = planned
		}
	}
	for _, u := range old.Suites {
		if s.bySuite[u.Planned.File] == nil {
			s.Suites, s.bySuite[u.Planned.File] = append(s.Suites, u), u
		}
	}
	for _, t := range old.Tests {
		if s.byTest[t.Planned.Key] == nil {
			s.Tests, s.byTest[t.Planned.Key] = append(s.Tests, t), t
		}
	}
}
