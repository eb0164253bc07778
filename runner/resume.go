package runner

import (
	"fmt"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// Resume says how a run that was cut off goes on: which verdicts stay, and what is still owed (DESIGN §7). Nothing is taken
// from the journal but that: its values are masked, so that setup always runs again, and a test that hands outputs to one
// that runs again does too (DECISIONS 5).
type Resume struct {
	Event journal.Resumed // what the journal says of it; Rerun is filled in

	replan   bool                           // the plan is not the one of the journal
	round    int                            // 2 when the run is taken up for the first time
	kept     map[steps.TestKey]kept         // tests whose verdict stays
	attempts map[steps.TestKey]int          // attempts that each test had
	owed     map[string]bool                // suites that began and were not torn down
	open     map[string]bool                // suites whose end the journal does not say
	stopped  map[steps.TestKey]string       // tests that a person must decide on, and why
	started  map[steps.TestKey]*savedState  // tests that go on at a checkpoint
	unsure   map[steps.TestKey]journal.Step // the last row of a test that may have changed something
}

// ResumeOptions say where to look for what a run kept outside its folder.
type ResumeOptions struct {
	Run     string // id of the run
	Private string // see Options.Private
}

// kept is the verdict of a test that does not run again.
type kept struct {
	status steps.Status
	passed bool // those that need it may run
}

// NewResume reads what became of a plan's tests from the state of its journal. keys are the names of the tests there, in
// the order of the plan, see journal.Keys.
func NewResume(p *plan.Plan, s *journal.State, keys []steps.TestKey, o ResumeOptions) (*Resume, error) {
	r := &Resume{round: len(s.Resumes) + 2, kept: map[steps.TestKey]kept{}, attempts: map[steps.TestKey]int{},
		owed: map[string]bool{}, open: map[string]bool{}, stopped: map[steps.TestKey]string{},
		started: map[steps.TestKey]*savedState{}, unsure: map[steps.TestKey]journal.Step{}}
	r.replan = len(keys) != len(s.Tests)
	for i := range keys {
		r.replan = r.replan || s.Tests[i].Planned.Key != keys[i]
	}
	began := map[string]bool{}
	for i, t := range p.Tests {
		was := s.Test(keys[i])
		if was == nil {
			continue
		}
		for _, a := range was.Attempts {
			r.attempts[t.Key] = max(r.attempts[t.Key], a.N)
			began[t.Suite.File] = true
		}
		if was.Done && journal.Final(was.Status) {
			last := was.Last()
			r.kept[t.Key] = kept{was.Status, was.Status == steps.Passed || was.Status == steps.Flaky ||
				was.Status == steps.Quarantined && last != nil && last.Status == steps.Passed}
			continue
		}
		if last := lastMutation(was.Last()); last != nil {
			r.unsure[t.Key] = *last
		}
	}
	for _, t := range p.Tests {
		if _, ok := r.kept[t.Key]; !ok {
			r.demand(t)
		}
	}
	for _, u := range p.Suites {
		was := s.Suite(suiteKey(p, u, keys))
		if was == nil || !was.TeardownDone {
			r.open[u.File] = true
			r.owed[u.File] = was != nil && len(u.Teardown) > 0 && (began[u.File] || was.SetupDone || len(was.Setup) > 0)
		}
	}
	for i, t := range p.Tests {
		if _, ok := r.kept[t.Key]; !ok {
			r.Event.Rerun = append(r.Event.Rerun, i)
		}
	}
	return r, r.load(p, o)
}

// suiteKey gives the name of a suite in the journal, which is masked as those of its tests are.
func suiteKey(p *plan.Plan, u *plan.Suite, keys []steps.TestKey) string {
	for i, t := range p.Tests {
		if t.Suite == u {
			return keys[i].Suite
		}
	}
	return u.File
}

// demand has the tests run again whose outputs a test reads that runs again.
func (r *Resume) demand(t *plan.Test) {
	for _, n := range t.Needs {
		for _, other := range n.Tests {
			if k, ok := r.kept[other.Key]; ok && k.passed && len(other.Outputs) > 0 {
				delete(r.kept, other.Key)
				r.demand(other)
			}
		}
	}
}

// Idle tells that nothing is left to do: no test, no teardown, and the journal says that the run has ended.
func (r *Resume) Idle(s *journal.State) bool {
	for _, owed := range r.owed {
		if owed {
			return false
		}
	}
	return s.Ended && len(r.Event.Rerun) == 0
}

// Kept counts the tests whose verdict stays.
func (r *Resume) Kept() int { return len(r.kept) }

// keeps gives the verdict of a test that does not run again.
func (r *Resume) keeps(t *plan.Test) (kept, bool) {
	if r == nil {
		return kept{}, false
	}
	k, ok := r.kept[t.Key]
	return k, ok
}

// before counts the attempts that a test had before the run was taken up.
func (r *Resume) before(t *plan.Test) int {
	if r == nil {
		return 0
	}
	return r.attempts[t.Key]
}

// opening is the first event of a run, or of its going on.
func (r *run) opening(start time.Time) journal.Body {
	c := r.o.Resume
	if c == nil {
		return r.planned(start)
	}
	e := c.Event
	e.At, e.Workers = start.UTC(), r.o.Workers
	if c.replan || len(e.Changed) > 0 {
		p := r.planned(start)
		e.Plan = &p
	}
	for _, t := range r.plan.Tests {
		if k, ok := c.keeps(t); ok {
			r.over[t.Key] = k.status
			if k.status == steps.Failed || k.status == steps.Errored {
				r.failures++
			}
		}
	}
	if r.o.MaxFailures > 0 && r.failures >= r.o.MaxFailures {
		r.sched.halt()
	}
	return e
}

// takeKept leaves the tests out whose verdict stays, and ends those that cannot run because of one.
func (s *suiteRun) takeKept(tests []*plan.Test) []*plan.Test {
	c := s.run.o.Resume
	if c == nil {
		return tests
	}
	left := make([]*plan.Test, 0, len(tests))
	var over []*plan.Test
	for _, t := range tests {
		k, ok := c.keeps(t)
		if !ok {
			left = append(left, t)
			continue
		}
		over = append(over, t)
		if t.Needed && k.passed {
			s.keep(t, nil)
		}
	}
	if s.rules != nil && len(over) > 0 {
		lost := s.rules.over(over, func(t *plan.Test) ending {
			k, _ := c.keeps(t)
			return ending{status: k.status, passed: k.passed}
		})
		s.run.lose(nil, lost)
		left = minus(left, lost)
	}
	return s.holdBack(left)
}

// holdBack ends the tests that a person must decide on.
func (s *suiteRun) holdBack(tests []*plan.Test) []*plan.Test {
	c := s.run.o.Resume
	left := make([]*plan.Test, 0, len(tests))
	var held []*plan.Test
	for _, t := range tests {
		why, ok := c.stopped[t.Key]
		if !ok {
			left = append(left, t)
			continue
		}
		s.run.end(t, journal.TestEnd{Status: steps.StatusInterrupted, Reason: why})
		held = append(held, t)
	}
	if s.rules != nil && len(held) > 0 {
		lost := s.rules.over(held, func(*plan.Test) ending { return ending{status: steps.StatusInterrupted} })
		s.run.lose(nil, lost)
		left = minus(left, lost)
	}
	return left
}

func minus(tests []*plan.Test, lost []lostTest) []*plan.Test {
	out := tests[:0:0]
	for _, t := range tests {
		gone := false
		for _, x := range lost {
			gone = gone || x.test == t
		}
		if !gone {
			out = append(out, t)
		}
	}
	return out
}

// over takes tests out that have ended before the run was taken up, and gives those that cannot run because of them.
func (q *rules) over(tests []*plan.Test, how func(*plan.Test) ending) []lostTest {
	for _, t := range tests {
		q.of[t].gone = true
	}
	var lost []lostTest
	for _, t := range tests {
		lost = append(lost, q.settle(q.of[t], how(t))...)
	}
	q.sweep()
	return lost
}

// ended journals the end of a suite that has nothing to run, unless the journal says it already.
func (s *suiteRun) ended() {
	if c := s.run.o.Resume; c != nil && !c.open[s.plan.File] {
		return
	}
	s.event(journal.TeardownEnd{}, journal.Buffered)
}

// owes tells that a suite without a test to run must still be torn down.
func (s *suiteRun) owes() bool {
	c := s.run.o.Resume
	return c != nil && c.owed[s.plan.File]
}

// suffix sets the folders of setup, login and teardown apart from those of the run before, and of other shards.
func (r *run) suffix() string {
	out := ""
	if s := r.o.Info.Shard; s != nil {
		out = "-shard-" + strconv.Itoa(s.Index)
	}
	if r.o.Resume != nil {
		out += fmt.Sprintf("-resumed-%d", r.o.Resume.round-1)
	}
	return out
}
