package runner

import (
	"context"
	"time"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// Hands is the scheduler without a run around it: a simulation says how long everything takes and how it ends.
type Hands struct {
	s      *scheduler
	suites map[*plan.Suite]*suiteRun
}

// NewHands makes the scheduler of suites.
func NewHands(list []*plan.Suite) *Hands {
	h := &Hands{suites: map[*plan.Suite]*suiteRun{}}
	var runs []*suiteRun
	for _, p := range list {
		r := &suiteRun{plan: p, tests: p.Tests}
		h.suites[p] = r
		runs = append(runs, r)
	}
	h.s = newScheduler(runs)
	h.s.admit(runs)
	return h
}

// Next gives a worker a suite to start, or a test to run; false if it would have to wait.
func (h *Hands) Next(worker int) (s *plan.Suite, t *plan.Test, ok bool) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	j, ok := h.s.next(worker)
	if !ok {
		return nil, nil, false
	}
	return j.suite.plan, j.test, true
}

// Started ends the start of a suite.
func (h *Hands) Started(s *plan.Suite) { h.s.started(h.suites[s], true) }

// Ended ends a test and gives those that are lost by it; tearDown asks for Down.
func (h *Hands) Ended(s *plan.Suite, t *plan.Test, passed bool, worker int) (lost []*plan.Test, tearDown bool) {
	status := steps.Failed
	if passed {
		status = steps.Passed
	}
	list, tearDown := h.s.ended(h.suites[s], t, ending{status, passed}, worker)
	for _, x := range list {
		lost = append(lost, x.test)
	}
	return lost, tearDown
}

// Down ends the teardown of a suite.
func (h *Hands) Down(s *plan.Suite) { h.s.down(h.suites[s]) }

// LateHold gives a context whose limit runs out in the moment in which it is held, before its timer has fired.
func LateHold(ctx context.Context, why error) context.Context {
	var l life
	ctx, le := l.enter(ctx, running, time.Hour, why)
	le.since = le.since.Add(-2 * time.Hour)
	le.hold()
	le.resume()
	return ctx
}

// NoTimeLeft gives a context whose limit has run out before it began.
func NoTimeLeft(ctx context.Context, why error) context.Context {
	var l life
	ctx, _ = l.enter(ctx, running, spent, why)
	return ctx
}
