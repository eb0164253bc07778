package runner

import (
	"context"
	"runtime"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// forerunner is an engine that can open a context before it is asked for.
type forerunner interface {
	Ahead(ctx context.Context, o steps.SessionOptions)
}

// ahead lets the engine open the context of the next test while this one runs, once its first row is done: a page that is
// still loading would only be slowed down. It is done only where a core is likely idle, the next test is known and what
// its context begins with does not depend on what runs before it (DECISIONS 14).
func (p *player) ahead(ctx context.Context) {
	p.early = false
	engine, can := p.run.o.Engine.(forerunner)
	if !can || p.run.rooms != nil || p.run.o.Workers > runtime.GOMAXPROCS(0) || p.run.life.stopped() != nil {
		return
	}
	if t := p.run.sched.coming(); t != nil {
		o := t.Browser
		o.Record = recordOf(o.Capture, 1)
		engine.Ahead(ctx, o)
	}
}

// coming gives the test that a worker takes next, if that is certain and its context can be opened before it runs; else
// nil.
func (s *scheduler) coming() *plan.Test {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.halted || len(s.ready) == 0 {
		return nil
	}
	r := s.ready[0]
	if r.rules != nil || r.untaken() == 0 {
		return nil
	}
	t := r.tests[r.next]
	if r := recordOf(t.Browser.Capture, 1); r.Trace || r.Video {
		return nil // it belongs to the attempt from its first moment
	}
	if !t.NeedsBrowser || r.logins[t.Session] != nil || t.If != nil || t.HasSkip || t.Browser.StorageState != "" || t.Browser.Attach != "" || t.App {
		return nil
	}
	return t
}
