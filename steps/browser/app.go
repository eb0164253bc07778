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
	// freshTime is how long it may take to see whether the element of a ref is still there.
	freshTime = 250 * time.Millisecond
	// emptyTries and emptyPause are how often, and after which pause, a first snapshot without a ref is taken again.
	emptyTries = 2
	emptyPause = 250 * time.Millisecond
)

// inApp completes the outcome of a row in an app: its text may be that of the whole window (R179), and the window may have
// gone (R175).
func (s *session) inApp(ctx context.Context, r *row, o steps.Observation) steps.Observation {
	if o.Success && r.a.Command.Name() == "get text" && broad(r.a.Operand(0)) {
		o.Warnings = append(o.Warnings, fmt.Sprintf("get text %s reads the whole window of the app, menus and all: name the part that is meant", r.a.Operand(0)))
		o.NextActions = append(o.NextActions, next("snapshot-for-electron-text-scope", "see what parts there are", "snapshot", "-i"))
	}
	t := s.active()
	if t == nil || s.fate(nil) != nil {
		return o
	}
	o = s.freshness(ctx, r, o)
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
	return s.drifted(o)
}

// freshness says in an app, whose windows render anew without a new URL, that the refs of the last snapshot may be those
// of before: behind a row that used one and changed the page in place so that its element is gone, and behind one whose ref
// was stale (R48).
func (s *session) freshness(ctx context.Context, r *row, o steps.Observation) steps.Observation {
	again := next("refresh-electron-refs-after-rerender", "the app has rendered anew, its refs are new ones: take a new snapshot", "snapshot", "-i")
	if o.Category == steps.StaleRef {
		o.NextActions = slices.DeleteFunc(o.NextActions, func(a steps.NextAction) bool { return a.ID == "refresh-interactive-refs" })
		o.NextActions = append(o.NextActions, again)
		return o
	}
	if !o.Success || !r.a.Command.Traits.Has(argv.Mutates) || s.page().URL() != s.lastURL {
		return o
	}
	for i := range r.a.Operands {
		t := r.a.Target(i)
		if !t.HasRef() {
			continue
		}
		gone := false
		told := s.within(ctx, freshTime, func() { // it may go on, and then nobody reads what it says
			if e, err := s.element(ctx, t); err == nil {
				n, err := e.any().Count()
				gone = err == nil && n == 0
			}
		})
		if told && gone {
			o.Warnings = append(o.Warnings, fmt.Sprintf("the app rendered anew: %s is gone, though the URL is the same", t.Source))
			o.NextActions = append(o.NextActions, again)
			return o
		}
	}
	return o
}

// firstTree is tree in an app: the first snapshot of a window may come before the app has drawn anything, so one without
// a ref is taken again (R177).
func (s *session) firstTree(ctx context.Context, r *row, sh shape) (whole, part string, err error) {
	whole, part, err = s.tree(ctx, r, sh)
	for i := 0; i < emptyTries && err == nil && len(readRefs(whole).refs) == 0 && time.Until(r.until) > emptyPause; i++ {
		if !r.pause(ctx, emptyPause) {
			break
		}
		whole, part, err = s.tree(ctx, r, sh)
	}
	return whole, part, err
}

// drifted is the outcome of a row after which the window of the app is blank, though it was not before.
func (s *session) drifted(o steps.Observation) steps.Observation {
	bad := steps.Fail(steps.Crash, "tab-drift", "the window of the app has become about:blank")
	if !o.Success {
		bad.Error += ": " + o.Error
	}
	bad.Warnings, bad.Argv, bad.Page, bad.Sent, bad.Started, bad.Took = o.Warnings, o.Argv, o.Page, o.Sent, o.Started, o.Took
	bad.NextActions = []steps.NextAction{
		{ID: "status-electron-launch", Reason: "see whether it runs, and what its windows are", Step: "electron: { status: true }"},
		next("list-tabs-for-about-blank-recovery", "another of its windows may be the one that is meant", "tab", "list"),
	}
	if other := s.shownTab(); other != "" {
		bad.NextActions = append(bad.NextActions,
			next("reattach-electron-launch", "another window of the app shows something: go on in it", "tab", other))
	}
	return bad
}

// shownTab gives the newest window of the app that is not blank, "" if there is none.
func (s *session) shownTab() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range slices.Backward(s.tabs) {
		if t != s.cur && !t.page.IsClosed() && t.page.URL() != blankPage {
			return t.id
		}
	}
	return ""
}

// roots are elements that usually hold the whole of a window.
var roots = strings.Fields("* html body main div :root #root #app #__next #__nuxt [role=application] [role=main] role=application role=main")

// broad tells a target that means the whole window.
func broad(target string) bool {
	t := strings.ToLower(strings.NewReplacer(`"`, "", `'`, "").Replace(strings.TrimSpace(target)))
	return slices.Contains(roots, strings.TrimSpace(strings.TrimPrefix(t, "css=")))
}
