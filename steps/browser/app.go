package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
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
		t.borrowed, t.shown = true, p.URL() != blankPage
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
		return problem(steps.Environment, "no-window", "the app shows no window that can be driven")
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

const (
	blankPage = "about:blank"
	// driftSettle is how long a window of an app that became blank may take to show something again.
	driftSettle = 250 * time.Millisecond
)

// inApp completes the outcome of a row in an app: its text may be that of the whole window, and the window may have gone.
func (s *session) inApp(ctx context.Context, r *row, o steps.Observation) steps.Observation {
	if o.Success && r.a.Command.Name() == "get text" && broad(r.a.Operand(0)) {
		o.Warnings = append(o.Warnings, fmt.Sprintf("get text %s reads the whole window of the app, menus and all: name the part that is meant", r.a.Operand(0)))
		o.NextActions = append(o.NextActions, next("snapshot-for-electron-text-scope", "see what parts there are", "snapshot", "-i"))
	}
	t := s.active()
	if t == nil || s.fate(nil) != nil {
		return o
	}
	was := t.shown
	t.shown = t.page.URL() != blankPage
	if !was || t.shown || o.Category == steps.Interrupted || r.a.Command.Traits.Has(argv.Navigates) || slices.Contains(r.a.Argv, blankPage) {
		return o
	}
	select {
	case <-ctx.Done():
		return o
	case <-s.deadCh:
		return s.finish(ctx, r, crashed(*s.fate(nil)))
	case <-time.After(driftSettle):
	}
	if t.shown = t.page.URL() != blankPage; t.shown || t.page.IsClosed() {
		return o
	}
	return drifted(o)
}

// drifted is the outcome of a row after which the window of the app is blank, though it was not before.
func drifted(o steps.Observation) steps.Observation {
	bad := steps.Fail(steps.Crash, "tab-drift", "the window of the app has become about:blank")
	if !o.Success {
		bad.Error += ": " + o.Error
	}
	bad.Warnings, bad.Argv, bad.Page, bad.Sent, bad.Started, bad.Took = o.Warnings, o.Argv, o.Page, o.Sent, o.Started, o.Took
	bad.NextActions = []steps.NextAction{
		{ID: "status-electron-launch", Reason: "see whether it runs, and what its windows are", Step: "electron: { status: true }"},
		next("list-tabs-for-about-blank-recovery", "another of its windows may be the one that is meant", "tab", "list"),
	}
	return bad
}

// roots are elements that usually hold the whole of a window.
var roots = strings.Fields("* html body main div :root #root #app #__next #__nuxt [role=application] [role=main] role=application role=main")

// broad tells a target that means the whole window.
func broad(target string) bool {
	t := strings.ToLower(strings.NewReplacer(`"`, "", `'`, "").Replace(strings.TrimSpace(target)))
	return slices.Contains(roots, strings.TrimSpace(strings.TrimPrefix(t, "css=")))
}
