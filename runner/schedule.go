package runner

import (
	"sync"

	"github.com/checkrow/checkrow/runner/plan"
)

// scheduler hands tests to workers. A suite is started by the worker that takes it first; meanwhile the others take tests
// of suites that are up, or start the next one. The worker that ends a suite's last test tears it down.
type scheduler struct {
	mu       sync.Mutex
	change   *sync.Cond
	suites   []*suiteRun
	fresh    int         // the first suite that nobody has started
	ready    []*suiteRun // up, perhaps with tests left
	starting int
	halted   bool
}

func newScheduler(suites []*suiteRun) *scheduler {
	s := &scheduler{suites: suites}
	s.change = sync.NewCond(&s.mu)
	return s
}

// job is what a worker does next: start a suite, or run one of its tests.
type job struct {
	suite *suiteRun
	test  *plan.Test // nil: start the suite
}

// take gives the next job and waits for one if a suite is being started; false if there is none any more.
func (s *scheduler) take() (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.halted {
		for len(s.ready) > 0 {
			if r := s.ready[0]; r.next < len(r.tests) {
				t := r.tests[r.next]
				r.next++
				r.running++
				return job{r, t}, true
			}
			s.ready = s.ready[1:]
		}
		if s.fresh < len(s.suites) {
			r := s.suites[s.fresh]
			s.fresh++
			s.starting++
			r.begun = true
			return job{suite: r}, true
		}
		if s.starting == 0 {
			break
		}
		s.change.Wait()
	}
	return job{}, false
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
	r.torn = true
	if !s.halted {
		r.next = len(r.tests)
	}
	return true
}

// ended says that a test of a suite has ended; true if the caller is to tear the suite down.
func (s *scheduler) ended(r *suiteRun) (tearDown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.running--
	if r.running > 0 || r.torn || (r.next < len(r.tests) && !s.halted) {
		return false
	}
	r.torn = true
	return true
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
