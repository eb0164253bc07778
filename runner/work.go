package runner

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// work runs the workers, then tears down what no worker did.
func (r *run) work(ctx context.Context) {
	owed := r.staticSkips(r.suites)
	var workers sync.WaitGroup
	for n := range min(r.o.Workers, max(1, len(r.plan.Tests))) {
		workers.Go(func() { r.worker(ctx, n+1) })
	}
	workers.Wait()
	for _, s := range r.sched.rest() {
		workers.Go(func() { r.guard("tearing down "+s.plan.File, func() { s.stop(ctx) }) })
	}
	workers.Wait()
	for _, s := range owed {
		r.guard("tearing down "+s.plan.File, func() { s.start(ctx); s.stop(ctx) })
	}
	r.stopShared(ctx)
	if r.sched.stuck {
		r.broke(errors.New("scheduling: tests are left that nothing can make run"))
	}
}

// staticSkips ends the tests whose skip is known, so that a suite of skipped tests starts no service. What it gives are
// suites that have no test to run and must be torn down all the same.
func (r *run) staticSkips(suites []*suiteRun) (owed []*suiteRun) {
	var left []*suiteRun
	for _, s := range suites {
		s.tests = make([]*plan.Test, 0, len(s.plan.Tests))
		var skipped []*plan.Test
		for _, t := range s.takeKept(s.plan.Tests) {
			if reason, skip := t.StaticSkip(); skip {
				r.end(t, journal.TestEnd{Status: steps.Skipped, Reason: reason})
				skipped = append(skipped, t)
			} else {
				s.tests = append(s.tests, t)
			}
		}
		if s.rules != nil && len(skipped) > 0 {
			lost := s.rules.without(skipped)
			r.lose(nil, lost)
			s.tests = slices.DeleteFunc(s.tests, func(t *plan.Test) bool {
				return slices.ContainsFunc(lost, func(x lostTest) bool { return x.test == t })
			})
		}
		switch {
		case len(s.tests) > 0:
			left = append(left, s)
		case s.owes():
			owed = append(owed, s)
		default:
			s.ended()
		}
	}
	r.sched.admit(left)
	return owed
}

// lose ends tests that cannot run any more, once the end of the one that kept them from it is told.
func (r *run) lose(by *plan.Test, lost []lostTest) {
	if len(lost) == 0 {
		return
	}
	r.mu.Lock()
	told := r.told[by]
	r.mu.Unlock()
	if told != nil {
		<-told
	}
	for _, x := range lost {
		r.end(x.test, journal.TestEnd{Status: x.status, Reason: x.reason, Because: &x.root.Key})
	}
}

func (r *run) worker(ctx context.Context, n int) {
	for {
		j, more := r.sched.take(n)
		if !more {
			return
		}
		var tearDown bool
		if j.test == nil {
			up := false
			r.guard("starting "+j.suite.plan.File, func() { up = j.suite.start(ctx) })
			tearDown = r.sched.started(j.suite, up)
		} else {
			r.guard("running "+j.test.Key.String(), func() { j.suite.test(ctx, j.test, n) })
			r.sched.loggedIn(j.suite, j.test)
			var lost []lostTest
			lost, tearDown = r.sched.ended(j.suite, j.test, r.ending(j.suite, j.test), n)
			r.lose(j.test, lost)
		}
		if tearDown {
			r.guard("tearing down "+j.suite.plan.File, func() { j.suite.stop(ctx) })
			r.sched.down(j.suite)
		}
	}
}

// ending tells those that wait for a test how it ended.
func (r *run) ending(s *suiteRun, t *plan.Test) ending {
	r.mu.Lock()
	v := ending{status: r.over[t.Key]}
	r.mu.Unlock()
	switch v.status {
	case steps.Passed, steps.Flaky:
		v.passed = true
	case steps.Quarantined:
		v.passed = s.passed(t)
	}
	return v
}
