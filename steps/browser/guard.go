package browser

import (
	"context"
	"time"

	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// The ladder of the guard: how long each rung is given. Their sum stays below two seconds.
const (
	rungProbe     = 50 * time.Millisecond
	rungLook      = 180 * time.Millisecond // the probe of a row that only looks
	rungTerminate = 150 * time.Millisecond
	rungPage      = 850 * time.Millisecond
	rungBrowser   = 450 * time.Millisecond
	rungDriver    = 400 * time.Millisecond
)

// rescue ends a call that did not return by its deadline: script that loops is terminated, then the page is closed,
// then the browser killed, then the driver. It returns when a rung has done what it should; stage names it. From the
// second rung on it does not matter whether the call itself returned: a call over the browser's protocol is never
// answered once its page is gone.
//
// The CDP session must have been made together with the page: on a page that hangs it is too late.
func (s *session) rescue(returned <-chan struct{}) (stage string) {
	return s.rescueFrom(returned, false)
}

// rescueFrom is rescue after a call of which it is known whether it only looks: one that does may go on in a page that
// reacts, for it harms nobody and ends with the page. So a wait that a stop cuts off leaves a page to take evidence from.
func (s *session) rescueFrom(returned <-chan struct{}, looks bool) (stage string) {
	tab := s.active()
	if cdp := tab.session(); cdp != nil || s.bare() && tab != nil {
		alive := make(chan struct{})
		s.spawn(func() {
			if s.reacts(tab, cdp) == nil {
				close(alive)
			}
		})
		stage, probe := "none", rungProbe
		if looks { // a busy machine may take longer, and a page that is closed tells nothing
			probe = rungLook
		}
		if !await(alive, probe) && cdp != nil {
			stage = "script"
			s.spawn(func() { _, _ = cdp.Send("Runtime.terminateExecution", nil) })
		}
		// a page that reacts may stay, but only if the call is over: one that still waits in the driver might act later
		if await(alive, rungTerminate-rungProbe) && (await(returned, rungTerminate-rungProbe) || looks && stage == "none") {
			return stage
		}
	}
	hung := death{sub: subHung, text: "the page hung and was closed"}
	if tab != nil && !tab.borrowed {
		closed := make(chan struct{})
		s.spawn(func() {
			if tab.page.Close() == nil {
				close(closed)
			}
		})
		if await(closed, rungPage) {
			s.die(hung)
			return "page"
		}
	}
	s.chr.doom(s)
	s.die(hung)
	if s.chr.remote { // what is somebody else's is left, not ended
		s.spawn(func() { _ = s.chr.b.Close() })
	}
	kill(s.chr.pid)
	if await(s.chr.gone, rungBrowser) {
		return "browser"
	}
	s.chr.drv.died(s)
	kill(s.chr.drv.pid)
	await(returned, rungDriver)
	return "driver"
}

// reacts asks the page for a sign of life.
func (s *session) reacts(t *tab, cdp playwright.CDPSession) (err error) {
	if cdp != nil {
		_, err = cdp.Send("Runtime.evaluate", map[string]any{"expression": "0"})
	} else {
		_, err = t.page.MainFrame().Evaluate("0")
	}
	return err
}

// await waits for a channel to be closed, at most d.
func await(c <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}

// within runs fn and waits for it until d has passed or ctx ends; fn goes on in a goroutine of the session if it does
// not return in time, and ends with the page at the latest. It is for calls that may be given up: titles, settling,
// evidence.
func (s *session) within(ctx context.Context, d time.Duration, fn func()) bool {
	done := make(chan struct{})
	s.spawn(func() {
		defer close(done)
		fn()
	})
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
	case <-s.deadCh:
	case <-ctx.Done():
	}
	return false
}

// spawn runs fn in a goroutine that the engine waits for when it closes.
func (s *session) spawn(fn func()) {
	s.e.wg.Add(1)
	go func() {
		defer s.e.wg.Done()
		defer func() { _ = recover() }()
		fn()
	}()
}

// send sends a command over the browser's protocol. Such calls are never answered once the page or the browser is gone,
// so they are given up when the session dies or ctx ends; the goroutine that is left ends with the driver.
func (s *session) send(ctx context.Context, cdp playwright.CDPSession, method string, params map[string]any) (any, error) {
	type reply struct {
		v   any
		err error
	}
	got := make(chan reply, 1)
	s.spawn(func() {
		v, err := cdp.Send(method, params)
		got <- reply{v, err}
	})
	select {
	case r := <-got:
		return r.v, r.err
	case <-s.deadCh:
		return nil, world.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
