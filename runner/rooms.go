package runner

import (
	"context"
	"fmt"
	"sync"

	"github.com/checkrow/checkrow/steps"
)

// rooms are the sessions that may be open at a time. Whoever opens some takes room for all of them at once, so that nobody
// holds one while it waits for another; who came first is served first.
type rooms struct {
	mu    sync.Mutex
	free  int
	queue []*guest
}

// guest waits for n rooms.
type guest struct {
	n    int
	come chan struct{} // closed when it has them
}

// newRooms makes n rooms; nil, which has room for everybody, if n is 0.
func newRooms(n int) *rooms {
	if n <= 0 {
		return nil
	}
	return &rooms{free: n}
}

// take waits until n are free and gives what gives them back. When ctx ends first nothing is taken.
func (r *rooms) take(ctx context.Context, n int) (leave func()) {
	if r == nil || n <= 0 {
		return func() {}
	}
	g := &guest{n: n, come: make(chan struct{})}
	r.mu.Lock()
	r.queue = append(r.queue, g)
	r.serve()
	r.mu.Unlock()
	select {
	case <-g.come:
	case <-ctx.Done():
		if r.quit(g) {
			return func() {}
		}
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.free += n
		r.serve()
	}
}

// serve lets those in who fit, in their order. The caller holds the lock.
func (r *rooms) serve() {
	for len(r.queue) > 0 && r.queue[0].n <= r.free {
		r.free -= r.queue[0].n
		close(r.queue[0].come)
		r.queue = r.queue[1:]
	}
}

// quit takes a guest out of the queue; false: it was served meanwhile.
func (r *rooms) quit(g *guest) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, x := range r.queue {
		if x == g {
			r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
			r.serve() // who stood behind it may fit
			return true
		}
	}
	return false
}

// crowded is the failure of a session that the plan did not know of and that there is no room for; nil: there is.
func (p *player) crowded() *steps.Observation {
	if p.run.rooms == nil || p.room == 0 {
		return nil
	}
	open := 0
	for _, s := range p.seats {
		if s.session != nil {
			open++
		}
	}
	if open < p.room {
		return nil
	}
	o := steps.Fail(steps.PolicyDenied, "max-sessions", fmt.Sprintf("the session %q is one more than the %s known of before the run, and there is no room for it: max_sessions",
		p.seat.name, plural(p.room, "session that was", "sessions that were")))
	return &o
}

// lodge waits until there is room for the sessions of a player, before its clock runs.
func (p *player) lodge(ctx context.Context, n int, needs bool) (leave func()) {
	if p.run.rooms == nil || !needs {
		return func() {}
	}
	p.room = max(n, 1)
	wctx, le := p.run.life.enter(ctx, running, 0, nil)
	defer le.end()
	return p.run.rooms.take(wctx, p.room)
}
