package browser

import (
	"context"
	"sync"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// auth is the user and password that a set credentials row gave.
type auth struct {
	mu             sync.Mutex
	set            bool
	user, password string
	armed          map[playwright.CDPSession]bool
	asked          map[string]int // how often a request asked
}

func (a *auth) ready() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.set
}

// answerAuth answers the HTTP authentication of a tab. The driver takes credentials only when a context is made, so the
// browser's own protocol does it. It asks only about requests that it has stopped: each is let go on at once.
func (s *session) answerAuth(cdp playwright.CDPSession) error {
	a := &s.extra.auth
	a.mu.Lock()
	done := cdp == nil || a.armed[cdp]
	if a.armed == nil {
		a.armed, a.asked = map[playwright.CDPSession]bool{}, map[string]int{}
	}
	a.armed[cdp] = true
	a.mu.Unlock()
	if done {
		return nil
	}
	cdp.On("Fetch.authRequired", func(m map[string]any) {
		safely(func() { s.spawn(func() { s.authorize(cdp, m) }) })
	})
	cdp.On("Fetch.requestPaused", func(m map[string]any) {
		safely(func() {
			s.spawn(func() { _, _ = cdp.Send("Fetch.continueRequest", map[string]any{"requestId": m["requestId"]}) })
		})
	})
	_, err := cdp.Send("Fetch.enable", map[string]any{"handleAuthRequests": true,
		"patterns": []any{map[string]any{"urlPattern": "*"}}})
	return err
}

// authorize answers one question; one that comes again for the same request means that the answer was wrong.
func (s *session) authorize(cdp playwright.CDPSession, m map[string]any) {
	id, _ := m["requestId"].(string)
	a := &s.extra.auth
	a.mu.Lock()
	a.asked[id]++
	answer := map[string]any{"response": "ProvideCredentials", "username": a.user, "password": a.password}
	if a.asked[id] > 1 {
		answer = map[string]any{"response": "CancelAuth"}
		delete(a.asked, id)
	}
	a.mu.Unlock()
	_, _ = cdp.Send("Fetch.continueWithAuth", map[string]any{"requestId": id, "authChallengeResponse": answer})
}

func setCredentials(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	a := &s.extra.auth
	a.mu.Lock()
	a.set, a.user, a.password = true, r.op(0), r.op(1)
	clear(a.asked)
	a.mu.Unlock()
	if _, err := s.protocol(ctx); err != nil {
		return steps.Observation{}, err
	}
	r.sent()
	s.mu.Lock() // one trip for each tab that is open
	tabs := append([]*tab(nil), s.tabs...)
	s.mu.Unlock()
	for _, t := range tabs {
		if err := s.answerAuth(t.session()); err != nil {
			return steps.Observation{}, err
		}
	}
	o := steps.OK(map[string]any{"set": true}, "set")
	o.Argv = conceal(r, r.op(1))
	return o, nil
}
