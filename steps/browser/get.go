package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

func getText(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	return s.textOf(t, func() (world.Answer, error) { return s.read(ctx, r, t, world.Text()) })
}

// textOf answers with a text as it is, and normalised as the row's value.
func (s *session) textOf(t target.Target, read func() (world.Answer, error)) (steps.Observation, error) {
	a, err := read()
	if err != nil {
		return steps.Observation{}, err
	}
	o := steps.OK(map[string]any{"origin": s.page().URL(), "text": a.Value}, "")
	o.Value = squash(a.Value)
	oneOfMany(t, a, &o)
	return o, nil
}

func getHTML(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	op := world.HTML(r.a.Has("--outer"))
	if r.a.Has("--ancestors") {
		op = world.Lineage(op)
	}
	a, err := s.read(ctx, r, r.a.Target(0), op)
	data := map[string]any{"html": a.Value}
	if html, tags, ok := strings.Cut(a.Value, "\x00"); ok {
		list := []any{}
		for tag := range strings.SplitSeq(tags, "\x00") {
			list = append(list, tag)
		}
		data["html"], data["ancestors"] = html, list
	}
	return steps.OK(data, "html"), err
}

func getValue(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	a, err := s.read(ctx, r, r.a.Target(0), world.Value())
	v := a.Value
	if a.Field == password && v != "" {
		v = masked
	}
	return steps.OK(map[string]any{"value": v}, "value"), err
}

func getAttr(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	a, err := s.read(ctx, r, r.a.Target(0), world.Attr(r.op(1)))
	data := map[string]any{"origin": s.page().URL(), "value": any(a.Value)}
	if a.Null {
		data["value"] = nil
	}
	return steps.OK(data, "value"), err
}

func getTitle(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	title, err := s.readTitle(ctx)
	return steps.OK(map[string]any{"title": title}, "title"), err
}

// getURL asks the page: the driver's own notion may lag behind a history.pushState.
func getURL(ctx context.Context, s *session, _ *row) (steps.Observation, error) {
	if err := s.equipped(ctx); err != nil {
		return steps.Observation{}, err
	}
	at := s.page().URL()
	if u, err := s.askPage(ctx, "location.href"); err == nil && u != "" {
		at = u
	}
	return steps.OK(map[string]any{"url": at}, "url"), nil
}

func getCount(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	e, err := s.element(ctx, t)
	if err != nil {
		return steps.Observation{}, err
	}
	a, err := e.once(ctx, world.Count())
	if err == nil && a.Reason == world.BadTarget {
		err = e.refuse(ctx, r, a)
	}
	return steps.OK(map[string]any{"count": a.Matches, "selector": t.Source}, "count"), err
}

func getBox(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	a, err := s.read(ctx, r, r.a.Target(0), world.BoxOf())
	b := world.Box{}
	if a.Box != nil {
		b = *a.Box
	}
	return steps.OK(map[string]any{"x": b.X, "y": b.Y, "width": b.Width, "height": b.Height}, ""), err
}

// allStyles lists the properties that computed styles have.
const allStyles = `[...getComputedStyle(document.documentElement)].join(' ')`

// getStyles reads every computed property. Their names are asked for once per browser.
func getStyles(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	names := s.chr.styles.Load()
	if names == nil {
		text, err := s.askPage(ctx, allStyles)
		if err != nil {
			return steps.Observation{}, err
		}
		list := strings.Fields(text)
		names = &list
		s.chr.styles.Store(names)
	}
	a, err := s.read(ctx, r, r.a.Target(0), world.Styles(*names...))
	m := make(map[string]any, len(a.Styles))
	for k, v := range a.Styles {
		m[k] = v
	}
	return steps.OK(map[string]any{"styles": m}, "styles"), err
}

// isState asks once: nothing there is false, never a failure.
func isState(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	state := r.a.Command.Words[1]
	e, err := s.element(ctx, r.a.Target(0))
	if err != nil {
		return steps.Observation{}, err
	}
	a, err := e.once(ctx, world.Is(world.State(state)))
	if err == nil && a.Reason == world.BadTarget {
		err = e.refuse(ctx, r, a)
	}
	if err == nil && a.Reason == world.Missing && e.t.HasRef() {
		err = stale(e.t, "its element is gone or was renamed")
	}
	o := steps.OK(map[string]any{"origin": s.page().URL(), state: a.True}, state)
	o.Summary = fmt.Sprintf("%s is %s: %t", e.t.Source, state, a.True)
	return o, err
}

func find(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t, action, text := r.a.Find()
	if r.a.Has("--resolve") {
		return s.findRef(ctx, r, t, action, text)
	}
	return s.findAt(ctx, r, t, action, text)
}

// findAt does what a find row does to its element.
func (s *session) findAt(ctx context.Context, r *row, t target.Target, action, text string) (steps.Observation, error) {
	switch action {
	case "click":
		return s.click(ctx, r, t, 1, "clicked")
	case "fill":
		return s.fill(ctx, r, t, text)
	case "check":
		return s.check(ctx, r, t, true, "checked")
	case "hover":
		return s.hover(ctx, r, t)
	case "text":
		return s.textOf(t, func() (world.Answer, error) { return s.read(ctx, r, t, world.Text()) })
	}
	return steps.Observation{}, problem(steps.Validation, "action", fmt.Sprintf("find cannot %q", action))
}
