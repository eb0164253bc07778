package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// spot is where the targets of a row are looked for, beside the tab and its selected frame.
type spot struct {
	in   []steps.ScopePart
	over []target.Target // overlays that may be in the way
	top  bool            // from the main frame, whatever is selected
}

// enter sets the place of the row or page function that begins; the zero spot is the whole page.
func (s *session) enter(p spot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = p
}

func (s *session) where() spot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

var _ steps.ScopedReader = (*session)(nil)

// ReadIn answers a page function inside scopes.
func (s *session) ReadIn(ctx context.Context, in []steps.ScopePart, fn string, args []any) (any, error) {
	s.enter(spot{in: in})
	defer s.enter(spot{})
	return s.Read(ctx, fn, args)
}

// levels are the scopes as the own world takes them.
func levels(in []steps.ScopePart) []world.Level {
	if len(in) == 0 {
		return nil
	}
	out := make([]world.Level, len(in))
	for i, p := range in {
		out[i] = world.Level{Target: p.Target, Frame: p.Frame}
	}
	return out
}

// intoFrame makes a selector of the driver go on inside the frame that it has found.
const intoFrame = "internal:control=enter-frame"

// way spells scopes for the driver's engines, to be followed by what is looked for in them.
func way(in []steps.ScopePart) string {
	var b strings.Builder
	for _, p := range in {
		b.WriteString(selector(p.Target) + " >> ")
		if p.Frame {
			b.WriteString(intoFrame + " >> ")
		}
	}
	return b.String()
}

// sel spells the element for the driver's engines; a target without parts is the innermost scope itself.
func (e *element) sel() string {
	if len(e.t.Parts) > 0 || len(e.in) == 0 {
		return e.way + selector(e.t)
	}
	if e.in[len(e.in)-1].Frame {
		return e.way + ":root"
	}
	return strings.TrimSuffix(e.way, " >> ")
}

// framed tells that a scope of the element is a frame.
func (e *element) framed() bool {
	return slices.ContainsFunc(e.in, func(p steps.ScopePart) bool { return p.Frame })
}

// outside tells what the scopes lack where the driver's engines look for the element: each must have one match, or one
// that is visible. The own world sees to that by itself.
func (e *element) outside() (world.Answer, error) {
	if !e.via || len(e.in) == 0 || e.t.HasRef() {
		return world.Answer{}, nil
	}
	at := ""
	for i, p := range e.in {
		at += selector(p.Target)
		n, err := e.frame.Locator(at).Count()
		if err != nil {
			return world.Answer{}, err
		}
		if n > 1 {
			vis, err := e.frame.Locator(at + onlyVisible).Count()
			if err != nil {
				return world.Answer{}, err
			}
			if vis != 1 {
				return world.Answer{Reason: world.ManyScopes, Matches: n, Visible: vis, Index: i, List: e.s.list(e.frame, at, n)}, nil
			}
			at += onlyVisible
		}
		if n == 0 {
			return world.Answer{Reason: world.NoScope, Index: i}, nil
		}
		at += " >> "
		if p.Frame {
			at += intoFrame + " >> "
			if e.loads(at) {
				return world.Answer{Reason: world.NoScope, Detail: stillLoading, Matches: n, Index: i}, nil
			}
		}
	}
	if at != e.way {
		e.way = at
		e.useDriver()
	}
	return world.Answer{}, nil
}

// loads tells that the document of a frame is still being parsed, so that its scripts have yet to run. What is no frame at
// all is told by what is done in it.
func (e *element) loads(into string) bool {
	limit := float64(rootTime.Milliseconds())
	state, err := e.frame.Locator(into+":root").Evaluate("e => e.ownerDocument.readyState", nil, playwright.LocatorEvaluateOptions{Timeout: &limit})
	return isTimeout(err) || err == nil && state == "loading"
}

// rootTime is how long the driver may take to say how far a frame's document is. A loaded one answers in a millisecond; on
// a machine that is saturated it may take much longer, and then a shorter wait would take it for one that still loads.
const rootTime = time.Second

// stillLoading is the detail of a frame that is not parsed yet; the own world says the same.
const stillLoading = "loading"

const onlyVisible = " >> visible=true"

// list names the first matches of a selector, for a failure.
func (s *session) list(f playwright.Frame, sel string, n int) []string {
	var out []string
	limit := float64(findTime.Milliseconds())
	for i := range min(n, 5) {
		v, err := f.Locator(fmt.Sprintf("%s >> nth=%d", sel, i)).Evaluate(
			"e => e.localName + (e.id ? '#' + e.id : '') + ' ' + JSON.stringify((e.innerText || '').trim().slice(0, 40))", nil,
			playwright.LocatorEvaluateOptions{Timeout: &limit})
		if err != nil {
			return out
		}
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// inside waits until the scopes are there, as long as the row may wait.
func (e *element) inside(ctx context.Context, r *row) (world.Answer, error) {
	for {
		a, err := e.outside()
		if err != nil && !transient(err) || err == nil && a.Reason == world.OK {
			return a, err
		}
		if r.limit <= 0 || !r.pause(ctx, pollEach) {
			return a, err
		}
	}
}

// once performs a reading op that does not wait for its target. For the scopes around it it does, up to timeouts.action:
// a place that is not there yet says nothing about what is in it.
func (e *element) once(ctx context.Context, op world.Op) (world.Answer, error) {
	a, err := e.try(ctx, op)
	if err != nil || !a.Outside() {
		return a, err
	}
	r := &row{started: time.Now(), limit: e.s.o.Limits.Action}
	r.until = r.started.Add(r.limit)
	if end, ok := ctx.Deadline(); ok && end.Before(r.until) {
		r.until, r.limit = end, time.Until(end)
	}
	if a, err = e.wait(ctx, r, op, world.Until{Compare: "scope"}); err == nil && a.Outside() {
		err = e.refuse(ctx, r, a)
	}
	return a, err
}

// unscoped is the failure of a row whose scope is not there, or not the only one of its kind.
func (e *element) unscoped(ctx context.Context, r *row, a world.Answer) error {
	p := e.in[min(a.Index, len(e.in)-1)]
	src, what := p.Target.Source, "scope"
	if p.Frame {
		what = "frame"
	}
	info := &steps.TargetInfo{Source: src, Matches: a.Matches, Visible: a.Visible, List: a.List}
	waited := ""
	if r.limit > 0 {
		waited = ": waited " + r.waited()
	}
	var f *failed
	if a.Detail == stillLoading {
		f = problem(steps.NotFound, noScope, fmt.Sprintf("the frame %q is still loading%s", src, waited))
	} else if a.Reason == world.NoScope {
		f = problem(steps.NotFound, noScope, fmt.Sprintf("nothing matches the %s %q%s", what, src, waited))
		around := &element{s: e.s, t: p.Target, frame: e.frame, in: e.in[:min(a.Index, len(e.in))]}
		info.Near = e.s.near(ctx, around)
	} else {
		f = problem(steps.NotActionable, manyScopes, fmt.Sprintf("%s match the %s %q, one is needed%s", elements(a.Matches), what, src, waited))
	}
	f.obs.Detail = &steps.Detail{Target: info}
	f.obs.NextActions = []steps.NextAction{next("refresh-interactive-refs", "see what is on the page", "snapshot", "-i")}
	return f
}

const (
	noScope    = "scope-not-found"
	manyScopes = "scope-ambiguous"
)

// isUnscoped tells the failure of a row that did nothing because its scope is not there.
func isUnscoped(err error) bool {
	var f *failed
	return errors.As(err, &f) && (f.obs.Sub == noScope || f.obs.Sub == manyScopes)
}

// outsideErr is what an expect row read while a scope was not there: it goes on reading.
type outsideErr struct {
	e *element
	a world.Answer
}

// Error says which scope is missing.
func (o *outsideErr) Error() string {
	src := o.e.in[min(o.a.Index, len(o.e.in)-1)].Target.Source
	if o.a.Reason == world.NoScope {
		return fmt.Sprintf("no scope %q", src)
	}
	return fmt.Sprintf("%d scopes %q", o.a.Matches, src)
}

// failure is what the row ends with if the scope does not come.
func (o *outsideErr) failure(ctx context.Context, r *row, seen []steps.Seen) error {
	err := o.e.refuse(ctx, r, o.a)
	var f *failed
	if errors.As(err, &f) && f.obs.Detail != nil {
		f.obs.Detail.Seen = seen
	}
	return err
}

func asOutside(err error) *outsideErr {
	var o *outsideErr
	if errors.As(err, &o) {
		return o
	}
	return nil
}

// innermost gives the innermost scope as an element for the driver's engines, once all scopes are there.
func (s *session) innermost(ctx context.Context) (*element, error) {
	e, err := s.element(ctx, target.Target{})
	if err != nil {
		return nil, err
	}
	a, err := e.once(ctx, world.Count())
	if err == nil && a.Reason == world.OK {
		e.useDriver()
		a, err = e.outside()
	}
	if err == nil && a.Reason != world.OK {
		err = e.refuse(ctx, &row{started: time.Now()}, a)
	}
	return e, err
}

// scopedScript runs JavaScript in the document of the innermost scope, which the script sees as scope: its element, or
// the root element of a frame.
func (s *session) scopedScript(ctx context.Context, js string) (any, error) {
	e, err := s.innermost(ctx)
	if err != nil {
		return nil, err
	}
	code, err := json.Marshal(js)
	if err != nil { // a string always marshals
		return nil, fmt.Errorf("encoding a script: %w", err)
	}
	limit := readTime
	if end, ok := ctx.Deadline(); ok {
		limit = time.Until(end)
	}
	v, err := e.frame.Locator(e.sel()).Evaluate("scope => eval("+string(code)+")", nil, playwright.LocatorEvaluateOptions{Timeout: milliseconds(limit)})
	if err != nil && s.fate(nil) == nil && !transient(err) && !targetClosed(err) && !connectionClosed(err) {
		return nil, jsProblem(cleanError(err))
	}
	return plain(v), err
}

// ariaIn takes the snapshot of what is in a scope; it must be there.
func (e *element) ariaIn(limit *float64) (string, error) {
	return e.frame.Locator(e.sel()).AriaSnapshot(playwright.LocatorAriaSnapshotOptions{Mode: playwright.AriaSnapshotModeAi, Timeout: limit})
}
