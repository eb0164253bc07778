package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// element is a target made ready to be asked and acted on.
type element struct {
	s     *session
	t     target.Target
	w     *world.World
	q     world.Query
	via   bool // q goes through the driver's engines
	frame playwright.Frame

	in      []steps.ScopePart // the scopes around it
	way     string            // to it, for the driver's engines: see sel
	over    []world.Query     // overlays of the row
	foreign bool              // one of them only the driver's engines find
}

// element compiles a target for the selected frame of the active tab. CSS and XPath go to the own world, in one call;
// role, label, text and refs are found by the driver's engines and handed to it.
func (s *session) element(ctx context.Context, t target.Target) (*element, error) {
	return s.elementAt(ctx, t, s.where())
}

// elementAt compiles a target for a place of the active tab.
func (s *session) elementAt(ctx context.Context, t target.Target, at spot) (*element, error) {
	tab := s.active()
	select {
	case <-tab.ready:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if tab.fast == nil {
		return nil, problem(steps.Crash, "page-closed", "the page was closed")
	}
	e := &element{s: s, t: t, w: tab.fast.w}
	if t.HasRef() { // refs of frames name their frame themselves
		if s.book(tab) == nil {
			return nil, stale(t, "there was no snapshot yet")
		}
		e.frame = tab.page.MainFrame()
		e.useDriver()
		return e, nil
	}
	e.in, e.way = at.in, way(at.in)
	e.frame = tab.page.MainFrame()
	var path []target.Target
	if f := s.scope(tab); f != nil && !at.top {
		path = f.path
		var err error
		if e.frame, err = s.base(ctx, tab); err != nil {
			return nil, err
		}
	}
	ok := false
	if !slices.ContainsFunc(path, target.Target.HasRef) {
		e.q, ok = world.CompileIn(t, path, levels(at.in))
	}
	if !ok {
		e.useDriver()
	}
	return e, nil
}

func (e *element) useDriver() {
	e.q, e.via = world.Via(finder(e.frame, e.sel())), true
	if len(e.over) > 0 {
		e.q = e.q.Under(e.over)
	}
}

// locator is the driver's way to the one visible match.
func (e *element) locator() playwright.Locator {
	return e.frame.Locator(e.sel() + " >> visible=true >> nth=0")
}

// any is the driver's way to the first match, visible or not.
func (e *element) any() playwright.Locator { return e.frame.Locator(e.sel() + " >> nth=0") }

// try performs an op once.
func (e *element) try(ctx context.Context, op world.Op) (world.Answer, error) {
	a, err := e.ask(ctx, op)
	if err == nil && a.Reason == world.InFrame && !e.via {
		e.useDriver()
		a, err = e.ask(ctx, op)
	}
	if err == nil && beyond(a) {
		return e.slow(nil, op, world.Until{})
	}
	return a, err
}

// ask performs an op once where its scopes are.
func (e *element) ask(ctx context.Context, op world.Op) (world.Answer, error) {
	if a, err := e.outside(); err != nil || a.Outside() {
		return a, err
	}
	return e.w.Do(ctx, e.q, op)
}

// beyond tells that only the driver's own actions reach the element.
func beyond(a world.Answer) bool { return a.Reason == world.InFrame || a.Reason == world.NoWorld }

// wait performs an op as soon as the element is ready for it, or until u holds, as long as the row may wait.
func (e *element) wait(ctx context.Context, r *row, op world.Op, u world.Until) (world.Answer, error) {
	if r.limit <= 0 {
		return e.try(ctx, op)
	}
	if e.t.HasRef() { // a ref never comes back: what is not there now is stale
		if a, err := e.try(ctx, op); err != nil || !a.Refused() || a.Reason == world.Missing || final(a.Reason) {
			return a, err
		}
	}
	ctx, cancel := context.WithDeadline(ctx, r.until)
	defer cancel()
	if a, err := e.inside(ctx, r); err != nil || a.Outside() {
		return a, err
	}
	a, err := e.w.Wait(ctx, e.q, op, u)
	if err == nil && a.Reason == world.InFrame && !e.via {
		e.useDriver()
		if a, err := e.inside(ctx, r); err != nil || a.Outside() {
			return a, err
		}
		a, err = e.w.Wait(ctx, e.q, op, u)
	}
	if err == nil && beyond(a) {
		return e.slowWait(ctx, r, op, u)
	}
	return a, err
}

// final tells that no waiting makes an op possible.
func final(why world.Reason) bool {
	switch why {
	case world.BadTarget, world.NotThis, world.Malformed, world.ReadOnly:
		return true
	}
	return false
}

// act performs an op on the target of a row once it is ready and turns a refusal into its failure. The op needs exactly
// one visible match; a session that is not strict takes the first, with a warning.
func (s *session) act(ctx context.Context, r *row, t target.Target, op world.Op) (world.Answer, error) {
	return s.actOn(ctx, r, t, op, s.o.Strict)
}

// actOn is act that is strict or not, whatever the session is.
func (s *session) actOn(ctx context.Context, r *row, t target.Target, op world.Op, strict bool) (world.Answer, error) {
	e, err := s.element(ctx, t)
	if err != nil {
		return world.Answer{}, err
	}
	if !strict {
		op = op.First()
	}
	e.watch(r)
	a, err := e.wait(ctx, r, op, world.Until{})
	if err != nil {
		return a, err
	}
	if a.Refused() {
		r.unsent()
		return a, e.refuseFor(ctx, r, a)
	}
	if a.Visible > 1 {
		r.warning(fmt.Sprintf("%d visible elements match %q: the first was taken", a.Visible, t.Source))
	}
	return a, nil
}

// read performs a reading op on the first match once there is one.
func (s *session) read(ctx context.Context, r *row, t target.Target, op world.Op) (world.Answer, error) {
	e, err := s.element(ctx, t)
	if err != nil {
		return world.Answer{}, err
	}
	a, err := e.wait(ctx, r, op, world.Until{})
	if err == nil && a.Refused() {
		err = e.refuse(ctx, r, a)
	}
	return a, err
}

// stale is the failure of a ref that does not lead to an element any more.
func stale(t target.Target, why string) error {
	return problem(steps.StaleRef, "stale-ref", fmt.Sprintf("%s is not valid: %s", t.Source, why),
		next("refresh-interactive-refs", "refs are valid until the next navigation or re-render: take a new snapshot", "snapshot", "-i"))
}

// refuse says why an op was not performed.
func (e *element) refuse(ctx context.Context, r *row, a world.Answer) error {
	src, one := e.t.Source, a.Element
	if one == "" {
		one = src
	}
	info := &steps.TargetInfo{Source: src, Matches: a.Matches, Visible: a.Visible, List: a.List}
	acting := func(sub, text string, acts ...steps.NextAction) *failed {
		f := problem(steps.NotActionable, sub, text+": waited "+r.waited(), acts...)
		f.obs.Detail = &steps.Detail{Target: info}
		return f
	}
	look := next("inspect-current-page", "see what the page shows", "snapshot", "-i")
	switch a.Reason {
	case world.NoScope, world.ManyScopes:
		return e.unscoped(ctx, r, a)
	case world.Overlay:
		return obstructed(r, a)
	case world.Missing:
		if e.t.HasRef() {
			return stale(e.t, "its element is gone or was renamed")
		}
		return e.missing(ctx, r, info)
	case world.Multiple:
		return acting("ambiguous", fmt.Sprintf("%d visible elements match %q, one is needed", a.Visible, src),
			append(fallback(r, e.t, e.s.around(ctx, e)), next("try-first-match", "take one of them", rowAt(r, src, src+" >> nth=0")...))...)
	case world.Invisible:
		return acting("invisible", fmt.Sprintf("%q matches %s, but nothing of it is visible", src, elements(a.Matches)), append(fallback(r, e.t, e.s.around(ctx, e)), look)...)
	case world.Disabled:
		return acting("disabled", fmt.Sprintf("%s is disabled", one), look)
	case world.ReadOnly:
		return acting("readonly", fmt.Sprintf("%s is read-only", one))
	case world.NotThis:
		return acting("wrong-element", fmt.Sprintf("%q cannot be used so: it is %s", src, a.Detail))
	case world.Moving:
		return acting("moving", fmt.Sprintf("%s did not stop moving", one))
	case world.Covered:
		f := acting("covered", fmt.Sprintf("%s is covered by %s", one, a.Detail),
			next("inspect-overlay-state", "see what the page shows", "snapshot", "-i"),
			next("see-overlay", "see what covers it", "screenshot", "covered.png"))
		f.obs.Detail.Covered = a.Detail
		f.obs.NextActions = append(f.obs.NextActions, e.s.overlayClosers(ctx)...)
		return f
	case world.Offscreen:
		return acting("offscreen", fmt.Sprintf("%s cannot be scrolled into the viewport", one))
	case world.Unfocused:
		return acting("unfocused", fmt.Sprintf("%s does not keep the focus", one))
	case world.Malformed:
		return problem(steps.Validation, "malformed-value", fmt.Sprintf("%s does not accept this value: %s", one, a.Detail))
	case world.NoOption:
		f := problem(steps.NotFound, "no-option", fmt.Sprintf("no option of %s is %q; there are %s", one, a.Detail,
			strings.Join(a.List, ", ")))
		info.List = nil
		return f
	case world.BadTarget:
		return problem(steps.Validation, "bad-target", fmt.Sprintf("the target %q cannot be understood: %s", src, a.Detail))
	}
	return acting(string(a.Reason), fmt.Sprintf("%s is not ready (%s)", one, a.Reason))
}

// missing is the failure of a target that nothing matches; it names the nearest things that are there.
func (e *element) missing(ctx context.Context, r *row, info *steps.TargetInfo) error {
	text := fmt.Sprintf("nothing matches %q", e.t.Source)
	if r.limit > 0 {
		text += ": waited " + r.waited()
	}
	f := problem(steps.NotFound, "not-found", text)
	tree := e.s.around(ctx, e)
	info.Near = e.s.nearIn(ctx, e, tree)
	f.obs.Detail = &steps.Detail{Target: info}
	f.obs.NextActions = fallback(r, e.t, tree)
	if len(f.obs.NextActions) == 0 && len(info.Near) > 0 {
		f.obs.NextActions = append(f.obs.NextActions, nearest(r, e.t.Source, info.Near[0]))
	}
	f.obs.NextActions = append(f.obs.NextActions, next("refresh-interactive-refs", "see what is on the page", "snapshot", "-i"))
	e.s.shutCombobox(ctx, r, &f.obs)
	return f
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return fmt.Sprintf("%d elements", n)
}

// parse reads a target that is known to be well-formed from compile time, or comes from a page function.
func parse(src string) (target.Target, error) {
	var l diag.List
	t := target.Parse(src, diag.Pos{}, &l)
	if all := l.All(); len(all) > 0 {
		text := all[0].Msg
		if all[0].Hint != "" {
			text += " (" + all[0].Hint + ")"
		}
		return t, problem(steps.Validation, "bad-target", text)
	}
	return t, nil
}
