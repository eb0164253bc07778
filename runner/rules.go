package runner

import (
	"slices"
	"strconv"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// rules is what the scheduler keeps of a suite whose tests depend on each other or on the run: serial, lock, needs. Other
// suites have none.
type rules struct {
	serial  bool
	locks   []int     // held by the suite from its start until it is down
	waiting []*waiter // tests that nobody has taken, in file order
	keeper  int       // worker that is about to take the next test of a serial suite; 0: any may
	of      map[*plan.Test]*waiter
}

// waiter is one test of such a suite.
type waiter struct {
	test  *plan.Test
	locks []int
	needs int       // tests that it still waits for
	after []*waiter // tests that wait for it
	unmet map[*waiter]unmet
	gone  bool // it cannot run any more
}

// unmet is a need that ended without passing.
type unmet struct {
	root   *waiter // where it began: the test itself, or one that it needed
	status steps.Status
}

// ending is how a test ended, as far as others care.
type ending struct {
	status steps.Status
	passed bool // those that need it may run
}

// lostTest is a test that cannot run any more, and why.
type lostTest struct {
	test   *plan.Test
	status steps.Status // not-run, or skipped if nothing failed
	reason string
	root   *plan.Test // with which it began
}

// newRules makes the rules of a suite; nil if its tests are free.
func newRules(s *plan.Suite, locks *lockTable) *rules {
	bound := s.Serial || len(s.Locks) > 0
	for _, t := range s.Tests {
		bound = bound || len(t.Locks) > 0 || len(t.Needs) > 0 || len(t.Logins) > 0
	}
	if !bound {
		return nil
	}
	q := &rules{serial: s.Serial, of: make(map[*plan.Test]*waiter, len(s.Tests))}
	for _, t := range s.Tests {
		w := &waiter{test: t, locks: locks.list(t.Locks)}
		q.of[t] = w
		q.waiting = append(q.waiting, w)
		if len(s.Locks) > 0 {
			q.locks = append(q.locks, w.locks...)
		}
	}
	q.locks = append(q.locks, locks.list(s.Locks)...)
	slices.Sort(q.locks)
	q.locks = slices.Compact(q.locks)
	for _, w := range q.waiting {
		for _, n := range w.test.Needs {
			for _, other := range n.Tests {
				if first := q.of[other]; first != nil {
					first.after = append(first.after, w)
					w.needs++
				}
			}
		}
	}
	return q
}

// pick takes the first test that may run now; nil if none may.
func (q *rules) pick(r *suiteRun, worker int, locks *lockTable) *plan.Test {
	if q.keeper != 0 && q.keeper != worker || q.serial && r.running > 0 {
		return nil
	}
	for i, w := range q.waiting {
		if w.needs == 0 && r.free(w.test) && locks.free(w.locks, r, false) {
			locks.take(w.locks)
			r.claim(w.test)
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			return w.test
		}
		if q.serial {
			return nil
		}
	}
	return nil
}

// startable tells that the suite may start and one of its tests could then run.
func (q *rules) startable(r *suiteRun, locks *lockTable) bool {
	if len(q.locks) > 0 {
		return locks.free(q.locks, r, true)
	}
	for _, w := range q.waiting {
		if w.needs == 0 && locks.free(w.locks, r, false) {
			return true
		}
		if q.serial {
			return false
		}
	}
	return false
}

// without takes the tests out that are skipped for sure, and gives those that are skipped because of them.
func (q *rules) without(skipped []*plan.Test) []lostTest {
	for _, t := range skipped {
		q.of[t].gone = true
	}
	var lost []lostTest
	for _, t := range skipped {
		lost = append(lost, q.settle(q.of[t], ending{status: steps.Skipped})...)
	}
	q.sweep()
	return lost
}

// settle tells those that waited for a test that it has ended. A test whose last need has ended and that cannot run for
// one of them is lost; so are, in a serial suite, all that come after a failure.
func (q *rules) settle(w *waiter, v ending) []lostTest {
	lost := q.tell(w, v, w)
	if q.serial && !v.passed && !excused(v.status) {
		for _, next := range q.waiting {
			if !next.gone {
				next.gone = true
				lost = append(lost, lostTest{next.test, steps.NotRun,
					"the suite is serial, and " + strconv.Quote(w.test.Key.Name) + " before it " + outcomeWords(v.status), w.test})
			}
		}
	}
	if len(lost) > 0 {
		q.sweep()
	}
	return lost
}

// tell passes on how w ended; root is the test that did not pass and with which it began.
func (q *rules) tell(w *waiter, v ending, root *waiter) []lostTest {
	var lost []lostTest
	for _, next := range w.after {
		next.needs--
		if !v.passed {
			if next.unmet == nil {
				next.unmet = map[*waiter]unmet{}
			}
			next.unmet[w] = unmet{root, v.status}
		}
		if next.needs > 0 || len(next.unmet) == 0 || next.gone {
			continue
		}
		next.gone = true
		out, why := q.loss(next)
		lost = append(lost, out)
		lost = append(lost, q.tell(next, ending{status: why.status}, why.root)...)
	}
	return lost
}

// loss says why a test cannot run: for the first of its needs that failed, else for the first that did not pass.
func (q *rules) loss(w *waiter) (lostTest, unmet) {
	var by *waiter
	for _, n := range w.test.Needs {
		for _, t := range n.Tests {
			need := q.of[t]
			bad, is := w.unmet[need]
			if is && (by == nil || excused(w.unmet[by].status) && !excused(bad.status)) {
				by = need
			}
		}
	}
	why := w.unmet[by]
	out := lostTest{test: w.test, status: steps.NotRun, reason: needWords(by, why), root: why.root.test}
	if excused(why.status) {
		out.status = steps.Skipped
	}
	return out, why
}

// sweep forgets the tests that cannot run any more.
func (q *rules) sweep() {
	q.waiting = slices.DeleteFunc(q.waiting, func(w *waiter) bool { return w.gone })
}

// excused tells that a test which did not pass is no failure of the run: what depends on it is none either.
func excused(s steps.Status) bool {
	return s == steps.Skipped || s == steps.Quarantined || s == steps.KnownBug
}

func needWords(by *waiter, why unmet) string {
	out := "it needs " + strconv.Quote(by.test.Key.Name)
	if why.root != by {
		out += " and through it " + strconv.Quote(why.root.test.Key.Name)
	}
	return out + ", which " + outcomeWords(why.status)
}

func outcomeWords(s steps.Status) string {
	switch s {
	case steps.Failed:
		return "failed"
	case steps.Errored:
		return "ended in an error"
	case steps.Skipped:
		return "was skipped"
	case steps.Quarantined:
		return "is in quarantine and did not pass"
	case steps.KnownBug:
		return "failed by a known bug"
	case steps.StatusInterrupted:
		return "was interrupted"
	}
	return "did not run"
}
