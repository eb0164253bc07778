package runner

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// shared are the run-wide services of one project file: each is started by the first suite that needs it, once, and ends
// with the run.
type shared struct {
	host *suiteRun // stands for the project file; its services are those that were started

	mu     sync.Mutex
	states map[*plan.Service]*sharedState
}

// sharedState is one run-wide service from its first need on.
type sharedState struct {
	done chan struct{} // closed when the rest is there
	x    *service      // nil: its `if` is false, or it failed
	bad  *journal.Failure
}

// shared gives the run-wide services of a project.
func (r *run) shared(p *plan.Suite) *shared {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.projects {
		if s.host.plan == p {
			return s
		}
	}
	s := &shared{host: newSuiteRun(r, p), states: map[*plan.Service]*sharedState{}}
	s.host.base = s.host.values()
	r.projects = append(r.projects, s)
	return s
}

// need gives a service that is up. A suite that comes while another one's need starts it waits for it; one that failed is
// not tried again, and every suite that needs it fails for the same reason. others holds the addresses of those before it.
func (s *shared) need(ctx context.Context, svc *plan.Service, others map[string]any) (*service, *journal.Failure) {
	s.mu.Lock()
	st := s.states[svc]
	if st != nil {
		s.mu.Unlock()
		<-st.done // whoever starts it is bounded by the service's own limit
		return st.x, st.bad
	}
	st = &sharedState{done: make(chan struct{})}
	s.states[svc] = st
	s.mu.Unlock()
	defer close(st.done)
	st.x, st.bad = s.start(ctx, svc, others)
	return st.x, st.bad
}

func (s *shared) start(ctx context.Context, svc *plan.Service, others map[string]any) (*service, *journal.Failure) {
	h := s.host
	vars, err := evalVars(ctx, h.base, [][]plan.Var{h.plan.Vars}, true)
	if err != nil {
		return nil, h.broken(diag.Pos{File: h.plan.File}, journal.PhaseServices, steps.Environment, err)
	}
	vals := maps.Clone(h.base)
	vals["vars"], vals["services"] = vars, maps.Clone(others)
	x, err := h.startService(ctx, svc, vals)
	if x != nil && x.process != nil {
		s.mu.Lock()
		h.services = append(h.services, x)
		s.mu.Unlock()
	}
	if err != nil {
		return nil, h.serviceFailure(svc, x, err)
	}
	return x, nil
}

// stopShared ends the run-wide services when no suite is up any more.
func (r *run) stopShared(ctx context.Context) {
	r.mu.Lock()
	list := slices.Clone(r.projects)
	r.mu.Unlock()
	for _, s := range list {
		s.host.stopServices(ctx)
	}
}
