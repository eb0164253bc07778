package browser

import (
	"context"
	"reflect"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// aheadTime is how long a context that nobody has asked for yet may take to open.
const aheadTime = 20 * time.Second

// spare is a context that is opened before anybody asks for it; done is closed when s is set, or could not be had.
type spare struct {
	o    steps.SessionOptions
	done chan struct{}
	s    *session
}

// Ahead begins to open the context that the next [Engine.Open] with the same options takes over: starting a renderer is
// half of what a short test costs, and while a row waits for the page a core is idle (DECISIONS 14). It returns at once.
// At most one such context exists: one that the next test cannot take makes room for one that it can, and the last is
// closed with the engine.
func (e *Engine) Ahead(ctx context.Context, o steps.SessionOptions) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.spare != nil && sameContext(e.spare.o, o) {
		return
	}
	if e.spare != nil {
		e.discard(e.spare)
	}
	p := &spare{o: o, done: make(chan struct{})}
	e.spare = p
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		defer close(p.done)
		octx, cancel := context.WithTimeout(context.WithoutCancel(ctx), aheadTime)
		defer cancel()
		if s, err := e.fresh(octx, o, true); err == nil {
			p.s = s
		}
	}()
}

// takeSpare gives the context that was opened ahead, if it is what o asks for and still lives.
func (e *Engine) takeSpare(ctx context.Context, o steps.SessionOptions) *session {
	e.mu.Lock()
	p := e.spare
	if p == nil || !sameContext(p.o, o) {
		e.mu.Unlock()
		return nil
	}
	e.spare = nil
	e.mu.Unlock()
	select {
	case <-p.done:
	case <-ctx.Done():
		e.discard(p)
		return nil
	}
	if p.s == nil {
		return nil
	}
	p.s.chr.adopt(p.s)
	if p.s.fate(nil) != nil {
		p.s.Close()
		return nil
	}
	p.s.mu.Lock()
	p.s.o = o
	p.s.mu.Unlock()
	return p.s
}

// discard closes a spare that nobody takes any more, as soon as it is open.
func (e *Engine) discard(p *spare) {
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		<-p.done
		p.close()
	}()
}

// close ends a spare that is opened.
func (p *spare) close() {
	if p.s != nil {
		p.s.Close()
	}
}

// sameContext tells that two sessions begin with equal contexts: what is only looked at later does not count.
func sameContext(a, b steps.SessionOptions) bool {
	for _, o := range []*steps.SessionOptions{&a, &b} {
		o.BaseURL, o.Limits, o.Strict = "", steps.Limits{}, false
	}
	return reflect.DeepEqual(a, b)
}

// adopt makes a spare a session like the others.
func (c *chrome) adopt(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.parked = false
}
