package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// masked stands for a text that went into a password field.
const masked = "•••"

const password = "password"

func fill(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.fill(ctx, r, r.a.Target(0), r.op(1))
}

// fill replaces the value of a control and compares what it holds afterwards.
func (s *session) fill(ctx context.Context, r *row, t target.Target, text string) (steps.Observation, error) {
	data := map[string]any{"filled": t.Source}
	r.sending(data)
	a, err := s.act(ctx, r, t, world.Fill(text))
	if err != nil {
		var f *failed
		if asFailed(err, &f) {
			f.obs.Argv = hide(r, a, text)
		}
		return steps.Observation{}, err
	}
	o := steps.OK(data, "filled")
	if !sameValue(a.Field, text, a.Value) {
		want, got := quoted(text), quoted(a.Value)
		if a.Field == password {
			want, got = masked, masked
		}
		o = steps.Fail(steps.NotActionable, "value-mismatch", fmt.Sprintf("%s holds %s after it was filled with %s",
			orSource(a.Element, t), got, want))
		o.Detail = &steps.Detail{Want: want, Got: got}
		o.NextActions = []steps.NextAction{next("inspect-after-fill-verification", "see what the page made of it", "snapshot", "-i"),
			next("verify-filled-value", "read it again", "get", "value", t.Source)}
	}
	o.Argv = hide(r, a, text)
	return o, nil
}

// hide gives the row with the text masked if the field is a password, or nil.
func hide(r *row, a world.Answer, text string) []string {
	if a.Field != password || text == "" {
		return nil
	}
	out := slices.Clone(r.a.Argv)
	for i := len(out) - 1; i > 0; i-- {
		if out[i] == text {
			out[i] = masked
			break
		}
	}
	return out
}

// sameValue compares what was filled in with what the field holds; fields that spell values their own way are compared
// in that way.
func sameValue(field, want, got string) bool {
	if want == got {
		return true
	}
	norm := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n") }
	switch field {
	case "color":
		return strings.EqualFold(want, got)
	case "contenteditable":
		return strings.TrimRight(squash(want), " ") == strings.TrimRight(squash(got), " ")
	case "textarea":
		return norm(want) == norm(got)
	case "number", "range", "date", "time", "datetime-local", "month", "week", "email", "url":
		return strings.TrimSpace(want) == got
	}
	return false
}

func typeText(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t, text := r.a.Target(0), r.op(1)
	op := world.Focus()
	if r.a.Has("--clear") {
		op = world.SelectAll()
	}
	a, err := s.act(ctx, r, t, op)
	if err != nil {
		return steps.Observation{}, err
	}
	shown := text
	if a.Field == password {
		shown = masked
	}
	data := map[string]any{"typed": shown}
	r.sending(data)
	err = s.keys(r, text)
	o := steps.OK(data, "typed")
	o.Argv = hide(r, a, text)
	return o, err
}

// keys types a text key by key; a tab in it is the key that goes to the next control, as a line end is Enter.
func (s *session) keys(r *row, text string) error {
	for i, part := range strings.Split(text, "\t") {
		if i > 0 {
			if err := s.page().Keyboard().Press("Tab"); err != nil {
				return err
			}
		}
		if part == "" {
			continue
		}
		if err := s.page().Keyboard().Type(part, playwright.KeyboardTypeOptions{Delay: delay(r)}); err != nil {
			return err
		}
	}
	return nil
}

// delay is the pause between keys in ms.
func delay(r *row) *float64 {
	if d := r.a.Duration("--delay", 0); d > 0 {
		return playwright.Float(float64(d) / float64(time.Millisecond))
	}
	return nil
}

func press(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"pressed": r.op(0)}
	r.sending(data)
	return steps.OK(data, "pressed"), s.page().Keyboard().Press(r.op(0))
}

func keyboardType(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	text := r.op(0)
	data := map[string]any{"typed": text}
	secret := strings.ContainsAny(text, "\t\r\n") && s.focusIsPassword(ctx) // a tab or Enter leaves the field
	r.sending(data)
	err := s.keys(r, text)
	o := steps.OK(data, "typed")
	if err == nil && (secret || s.focusIsPassword(ctx)) {
		data["typed"], o.Value = masked, masked
		o.Argv = hide(r, world.Answer{Field: password}, text)
	}
	return o, err
}

func insertText(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"inserted": true}
	r.sending(data)
	err := s.page().Keyboard().InsertText(r.op(0))
	o := steps.OK(data, "inserted")
	if err == nil && s.focusIsPassword(ctx) {
		o.Argv = hide(r, world.Answer{Field: password}, r.op(0))
	}
	return o, err
}

// focusIsPassword tells that the keyboard writes into a password field.
func (s *session) focusIsPassword(ctx context.Context) bool {
	t, err := parse("input[type=password]:focus")
	if err != nil {
		return false
	}
	e, err := s.elementAt(ctx, t, spot{}) // wherever the focus is
	if err != nil {
		return false
	}
	a, err := e.try(ctx, world.Count())
	return err == nil && a.Matches > 0
}

// accessible tells that a target names what it means by role or label. A select of it needs exactly one in every session:
// an action step says so, and an option of the same name may stand in several lists (CONTRACT R64).
func accessible(t target.Target) bool {
	if len(t.Parts) == 0 {
		return false
	}
	by := t.Parts[len(t.Parts)-1].Engine
	return by == target.Role || by == target.Label
}

func selectOption(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	data := map[string]any{}
	r.sending(data)
	a, err := s.actOn(ctx, r, t, world.Select(r.a.Operands[1:]...), s.o.Strict || accessible(t))
	if err != nil {
		return steps.Observation{}, err
	}
	values := make([]any, len(a.Values))
	for i, v := range a.Values {
		values[i] = v
	}
	return steps.OK(map[string]any{"selected": values}, "selected"), nil
}
