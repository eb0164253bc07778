package journal

import (
	"fmt"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// maxValue is how long a text value of a step may be to stay in the fold.
const maxValue = 1 << 10

// NewState is the state before the first event.
func NewState() *State {
	return &State{Procs: map[int]ProcStart{}, bySuite: map[string]*Suite{}, byTest: map[steps.TestKey]*Test{}}
}

// Test finds a test's state, or nil.
func (s *State) Test(k steps.TestKey) *Test { return s.byTest[k] }

// Suite finds a suite's state by its file, or nil.
func (s *State) Suite(file string) *Suite { return s.bySuite[file] }

// Apply folds one event. An event of a suite or test that is not planned is an error and changes nothing.
func (s *State) Apply(e Event) error {
	if err := s.check(e); err != nil {
		return err
	}
	s.apply(e)
	return nil
}

// check tells whether e can be folded.
func (s *State) check(e Event) error {
	if _, ok := e.Body.(Planned); ok {
		if len(s.byTest) > 0 || len(s.bySuite) > 0 {
			return fmt.Errorf("a run is planned once")
		}
		return nil
	}
	if _, ok := e.Body.(Resumed); ok {
		if len(s.byTest) == 0 && len(s.bySuite) == 0 && s.Run.ID == "" {
			return fmt.Errorf("a run that was not planned cannot go on")
		}
		return nil
	}
	if s.Ended {
		return fmt.Errorf("the run has ended")
	}
	if e.Test != nil {
		if s.byTest[*e.Test] == nil {
			return fmt.Errorf("test %q is not planned", e.Test.String())
		}
		return nil
	}
	switch e.Body.(type) {
	case AttemptStart, AttemptEnd, TestEnd:
		return fmt.Errorf("it names no test")
	case SetupEnd, TeardownEnd, LoginEnd:
		if s.bySuite[e.Suite] == nil {
			return fmt.Errorf("suite %q is not planned", e.Suite)
		}
	}
	return nil
}

// apply folds an event that was checked.
func (s *State) apply(e Event) {
	s.LastAt = e.At
	if _, again := e.Body.(Resumed); !again { // between two lives nobody worked
		s.pass(e.At)
	}
	suite := s.bySuite[e.Suite]
	if suite != nil && suite.Started.IsZero() {
		suite.Started = e.At
	}
	switch b := e.Body.(type) {
	case Planned:
		s.live(e.At, b.Run.Version, b.Run.Workers)
		s.plan(b)
	case ProcStart:
		s.Procs[b.PID] = b
	case ProcEnd:
		delete(s.Procs, b.PID)
	case SetupEnd:
		suite.SetupDone, suite.SetupOffset, suite.SetupTook = true, s.elapsed(e.At.Add(-b.Took)), b.Took
		if b.Failure != nil { // of a merged run: one shard's success does not hide the failure of another
			suite.SetupFailure = b.Failure
		}
	case LoginEnd:
		l := suite.login(b.Session, e.At)
		l.Done, l.Failure, l.Took, l.Offset = true, b.Failure, b.Took, s.elapsed(e.At.Add(-b.Took))
	case TeardownEnd:
		suite.TeardownDone, suite.Ended = true, e.At
		suite.TeardownOffset, suite.TeardownTook = s.elapsed(e.At.Add(-b.Took)), b.Took
		suite.TeardownFail = append(suite.TeardownFail, b.Failures...)
	case Warning:
		s.warn(e, b.Text)
	case Resumed:
		s.resume(b)
		s.live(e.At, b.Version, b.Workers)
	case RunEnd:
		s.Ended, s.End = true, b
		if l := s.life(); l != nil {
			l.Ended, l.End, l.Took = true, b, b.Took
		}
		s.settle()
	case Intent:
		s.intend(e, b)
	case Done:
		s.done(e, b)
	default:
		if e.Test != nil {
			s.byTest[*e.Test].apply(e, s)
		}
	}
}

func (s *State) plan(p Planned) {
	s.Run, s.Broken, s.Inputs, s.Others = p.Run, p.Broken, p.Inputs, p.Others
	suites := make([]Suite, len(p.Suites))
	for i := range p.Suites {
		suites[i].Planned = p.Suites[i]
		s.Suites = append(s.Suites, &suites[i])
		s.bySuite[p.Suites[i].File] = &suites[i]
	}
	tests := make([]Test, len(p.Tests))
	for i := range p.Tests {
		tests[i].Planned, tests[i].Status = p.Tests[i], steps.NotRun
		s.Tests = append(s.Tests, &tests[i])
		s.byTest[p.Tests[i].Key] = &tests[i]
	}
}

func (s *State) warn(e Event, text string) {
	if e.Test != nil {
		if a := s.byTest[*e.Test].attempt(e.Attempt); a != nil {
			a.Warnings = append(a.Warnings, text)
			return
		}
	}
	s.Warnings = append(s.Warnings, text)
}

// apply folds what belongs to one test.
func (t *Test) apply(e Event, s *State) {
	if t.Started.IsZero() && e.Attempt > 0 {
		t.Started = e.At
	}
	switch b := e.Body.(type) {
	case AttemptStart:
		t.Attempts = append(t.Attempts, &Attempt{N: e.Attempt, Worker: b.Worker, Life: len(s.Lives), Started: e.At,
			Offset: s.elapsed(e.At)})
	case AttemptEnd:
		a := t.attempt(e.Attempt)
		if a == nil {
			a = &Attempt{N: e.Attempt, Life: len(s.Lives), Started: e.At.Add(-b.Took), Offset: s.elapsed(e.At.Add(-b.Took))}
			t.Attempts = append(t.Attempts, a)
		}
		a.Status, a.Failure, a.Cleanup, a.Collateral = b.Status, b.Failure, b.Cleanup, b.Collateral
		a.Warnings = append(a.Warnings, b.Warnings...)
		a.Artifacts, a.Took, a.More, a.Apps = b.Artifacts, b.Took, b.More, b.Apps
	case TestEnd:
		t.Done, t.Status, t.Reason, t.Took, t.Because, t.Life = true, b.Status, b.Reason, b.Took, b.Because, len(s.Lives)
	}
}

// attempt finds an attempt by number. A rerun after a collateral crash may carry the number of its first try, so the
// newest wins.
func (t *Test) attempt(n int) *Attempt {
	for i := len(t.Attempts) - 1; i >= 0; i-- {
		if t.Attempts[i].N == n {
			return t.Attempts[i]
		}
	}
	return nil
}

// Running gives the attempt that runs now, or nil.
func (t *Test) Running() *Attempt {
	if n := len(t.Attempts); n > 0 && !t.Done && t.Attempts[n-1].Status == "" {
		return t.Attempts[n-1]
	}
	return nil
}

// Last gives the newest attempt, or nil.
func (t *Test) Last() *Attempt {
	if n := len(t.Attempts); n > 0 {
		return t.Attempts[n-1]
	}
	return nil
}

// stepsOf finds the list that a step belongs to.
func (s *State) stepsOf(e Event) *[]*Step {
	if e.Test != nil {
		if a := s.byTest[*e.Test].attempt(e.Attempt); a != nil {
			return &a.Steps
		}
		return nil
	}
	suite := s.bySuite[e.Suite]
	switch {
	case suite == nil:
		return nil
	case e.Phase == PhaseTeardown:
		return &suite.Teardown
	case e.Phase == PhaseLogin:
		return &suite.login(e.Session, e.At).Steps
	}
	return &suite.Setup
}

// login finds the login of a session that goes on, or begins one.
func (s *Suite) login(session string, at time.Time) *Login {
	for i := len(s.Logins) - 1; i >= 0; i-- {
		if l := s.Logins[i]; l.Session == session && !l.Done {
			return l
		}
	}
	l := &Login{Session: session, Started: at}
	s.Logins = append(s.Logins, l)
	return l
}

func (s *State) intend(e Event, b Intent) {
	if list := s.stepsOf(e); list != nil {
		*list = append(*list, &Step{Phase: e.Phase, Path: e.Step, Name: b.Name, Pos: e.Pos, State: steps.RowSentUnknown, Sent: e.At,
			Session: e.Session})
	}
}

func (s *State) done(e Event, b Done) {
	list := s.stepsOf(e)
	if list == nil {
		return
	}
	var step *Step
	for i := len(*list) - 1; i >= 0 && step == nil; i-- {
		if c := (*list)[i]; c.Obs == nil && c.Path == e.Step && c.Phase == e.Phase {
			step = c
		}
	}
	if step == nil {
		step = &Step{Phase: e.Phase, Path: e.Step, Sent: e.At.Add(-b.Obs.Took), Session: e.Session}
		*list = append(*list, step)
	}
	if b.Name != "" {
		step.Name = b.Name
	}
	step.Title = b.Title
	if !e.Pos.IsZero() {
		step.Pos = e.Pos
	}
	step.State = steps.RowCompleted
	if !b.Obs.Success && !b.Wanted {
		step.State = steps.RowFailed
	}
	step.Tries = b.Tries
	step.Obs = slim(b.Obs)
}

// slim is what the fold keeps of an observation. The bulk of one that succeeded (data, long values) stays in the journal,
// so that memory does not grow with what pages and processes say.
func slim(o steps.Observation) *steps.Observation {
	o.Set, o.Secret = nil, nil
	if !o.Success {
		return &o
	}
	o.Data, o.Detail = nil, nil
	switch v := o.Value.(type) {
	case string:
		if len(v) > maxValue {
			o.Value = nil
		}
	case map[string]any, []any, []string:
		o.Value = nil
	}
	return &o
}

// settle gives a verdict to what had not ended when the run did, or when its journal stops.
func (s *State) settle() {
	for _, t := range s.Tests {
		if t.Done {
			continue
		}
		if !t.Started.IsZero() {
			t.Status = steps.StatusInterrupted
		}
		for _, a := range t.Attempts {
			if a.Status == "" {
				a.Status = steps.StatusInterrupted
				s.cutOff(a)
			}
		}
	}
}
