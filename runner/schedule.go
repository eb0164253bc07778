package runner

import (
	"sync"

	"github.com/checkrow/checkrow/runner/plan"
)

// scheduler hands tests to workers. A suite is started by the worker that takes it first; meanwhile the others take tests
// of suites that are up, or start the next one. The worker that ends a suite's last test tears it down.
//
// A test that may not run yet, for a lock, a need or the order of a serial suite, holds no worker: it stays where it is and
// the worker looks on. A suite is started only when one of its tests could run.
type scheduler struct {
	mu       sync.Mutex
	change   *sync.Cond
	suites   []*suiteRun
	fresh    []*suiteRun // that nobody has started, in order
	ready    []*suiteRun // up, perhaps with tests left
	todo     int         // tests that nobody has taken
	starting int
	running  int
	tearing  int               // suites that hold locks until they are down
	kept     map[int]*suiteRun // worker -> the serial suite whose next test is its
	locks    lockTable
	halted   bool
	stuck    bool // tests are left that nothing can make run: a fault of the rules
}

func newScheduler(suites []*suiteRun) *scheduler {
	s := &scheduler{kept: map[int]*suiteRun{}}
	s.change = sync.NewCond(&s.mu)
	for _, r := range suites {
		r.rules = newRules(r.plan, &s.locks)
	}
	return s
}

// admit takes the suites that have tests to run.
func (s *scheduler) admit(suites []*suiteRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.suites, s.fresh = suites, append([]*suiteRun(nil), suites...)
	for _, r := range suites {
		s.todo += r.untaken()
	}
}

// job is what a worker does next: start a suite, or run one of its tests.
type job struct {
	suite *suiteRun
	test  *plan.Test // nil: start the suite
}

// take gives a worker its next job and waits for one while something runs that may set one free; false if there is none
// any more.
func (s *scheduler) take(worker int) (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.halted {
		if j, ok := s.next(worker); ok {
			return j, true
		}
		if s.todo == 0 {
			break
		}
		if s.starting+s.running+s.tearing+len(s.kept) == 0 {
			s.stuck = true
			break
		}
		s.change.Wait()
	}
	return job{}, false
}

// next finds a job. A test does not take a lock that an earlier one waits for, unless the worker would have nothing else
// to do: nobody waits for ever, and nobody idles.
func (s *scheduler) next(worker int) (job, bool) {
	if r := s.kept[worker]; r != nil {
		delete(s.kept, worker)
		r.rules.keeper = 0
		s.locks.look(true)
		if t := s.pick(r, worker); t != nil {
			return job{r, t}, true
		}
		s.change.Broadcast() // another worker may take it as well
	}
	for _, fair := range []bool{true, false} {
		s.locks.look(fair)
		if j, ok := s.search(worker); ok {
			return j, true
		}
		if !s.locks.denied {
			break
		}
	}
	return job{}, false
}

// search looks at the suites that are up, then at those that could be started.
func (s *scheduler) search(worker int) (job, bool) {
	for i := 0; i < len(s.ready); i++ {
		r := s.ready[i]
		if t := s.pick(r, worker); t != nil {
			return job{r, t}, true
		}
		if r.untaken() == 0 {
			s.ready = append(s.ready[:i], s.ready[i+1:]...)
			i--
		}
	}
	for i, r := range s.fresh {
		if r.rules != nil && !r.rules.startable(r, &s.locks) {
			continue
		}
		if i == 0 {
			s.fresh = s.fresh[1:]
		} else {
			s.fresh = append(s.fresh[:i:i], s.fresh[i+1:]...)
		}
		if r.rules != nil {
			s.locks.takeSuite(r)
		}
		s.starting++
		r.begun = true
		return job{suite: r}, true
	}
	return job{}, false
}

// pick takes a test of a suite that is up; nil if none may run.
func (s *scheduler) pick(r *suiteRun, worker int) *plan.Test {
	var t *plan.Test
	if r.rules == nil {
		if r.next == len(r.tests) {
			return nil
		}
		t = r.tests[r.next]
		r.next++
	} else if t = r.rules.pick(r, worker, &s.locks); t == nil {
		return nil
	}
	r.running++
	s.running++
	s.todo--
	return t
}

// untaken counts the tests that nobody has taken.
func (r *suiteRun) untaken() int {
	if r.rules != nil {
		return len(r.rules.waiting)
	}
	return len(r.tests) - r.next
}

// started says that a suite is up, or that it failed to come up and its tests have ended. It is true if the caller is to
// tear it down.
func (s *scheduler) started(r *suiteRun, up bool) (tearDown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starting--
	s.change.Broadcast()
	if up {
		s.ready = append(s.ready, r)
		return false
	}
	s.todo -= r.untaken()
	r.next = len(r.tests)
	if r.rules != nil {
		r.rules.waiting = nil
	}
	s.tear(r)
	return true
}

// ended says that a test of a suite has ended and how. lost are the tests that cannot run any more because of it; tearDown
// is true if the caller is to tear the suite down.
func (s *scheduler) ended(r *suiteRun, t *plan.Test, v ending, worker int) (lost []lostTest, tearDown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.running--
	s.running--
	s.change.Broadcast()
	if q := r.rules; q != nil {
		w := q.of[t]
		s.locks.give(w.locks)
		lost = q.settle(w, v)
		s.todo -= len(lost)
		if q.serial && len(q.waiting) > 0 && !s.halted {
			q.keeper = worker
			s.kept[worker] = r
		}
	}
	if r.running > 0 || r.torn || (r.untaken() > 0 && !s.halted) {
		return lost, false
	}
	s.tear(r)
	return lost, true
}

// tear notes that somebody is about to tear the suite down.
func (s *scheduler) tear(r *suiteRun) {
	r.torn = true
	if r.rules != nil && len(r.rules.locks) > 0 {
		s.tearing++
	}
}

// down says that a suite is torn down: it gives its locks back.
func (s *scheduler) down(r *suiteRun) {
	if r.rules == nil || len(r.rules.locks) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tearing--
	s.locks.giveSuite(r)
	s.change.Broadcast()
}

// halt stops dispatching: what runs goes on, nothing new starts.
func (s *scheduler) halt() {
	s.mu.Lock()
	s.halted = true
	s.mu.Unlock()
	s.change.Broadcast()
}

// rest gives the suites that are up and that no worker is going to tear down. It is asked when all workers have ended.
func (s *scheduler) rest() []*suiteRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*suiteRun
	for _, r := range s.suites {
		if r.begun && !r.torn {
			r.torn = true
			out = append(out, r)
		}
	}
	return out
}
