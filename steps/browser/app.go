package browser

import (
	"errors"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// moveIn begins a session in an app that was launched for it. Every window is a tab of the session, those to come too, and
// none is ever closed from here: the app ends as a whole. It begins in the window that it was told.
func (s *session) moveIn() error {
	h := s.chr.hub
	h.mu.Lock()
	taken := h.all != nil
	if !taken {
		h.all = s
	}
	h.mu.Unlock()
	if taken {
		return errors.New("the app has a session already")
	}
	var tabs []*tab
	for _, p := range h.ctx.Pages() {
		if p.IsClosed() || strings.HasPrefix(p.URL(), "devtools:") {
			continue
		}
		t := s.tabOf(p)
		t.borrowed = true
		tabs = append(tabs, t)
	}
	var first *tab
	for _, t := range tabs {
		select {
		case <-t.ready:
		case <-s.deadCh:
			return errors.New(s.fate(nil).text)
		}
		if first == nil && t.cdp != nil && targetID(t.cdp) == s.o.Window {
			first = t
		}
	}
	if first == nil {
		return problem(steps.Environment, "no-window", "the app shows no window that can be driven: what its pages embed as a webview is none")
	}
	s.mu.Lock()
	s.cur = first
	s.mu.Unlock()
	_, _ = first.cdp.Send("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	return nil
}

// targetID gives the id of the target that a CDP session is of.
func targetID(near playwright.CDPSession) string {
	raw, err := near.Send("Target.getTargetInfo", nil)
	m, _ := raw.(map[string]any)
	if inner, is := m["targetInfo"].(map[string]any); is {
		m = inner
	}
	id, _ := m["targetId"].(string)
	if err != nil {
		return ""
	}
	return id
}
