package browser

import (
	"context"
	"fmt"
	"strconv"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

func keyDown(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"keydown": r.op(0)}
	r.sending(data)
	return steps.OK(data, "keydown"), s.page().Keyboard().Down(r.op(0))
}

func keyUp(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"keyup": r.op(0)}
	r.sending(data)
	return steps.OK(data, "keyup"), s.page().Keyboard().Up(r.op(0))
}

// number gives operand i as a number; the command table has checked it.
func (r *row) number(i, otherwise int) int {
	if n, err := strconv.Atoi(r.op(i)); err == nil {
		return n
	}
	return otherwise
}

func mouseMove(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	x, y := r.number(0, 0), r.number(1, 0)
	data := map[string]any{"moved": true, "x": x, "y": y}
	if r.a.Has("--human") || r.a.Has("--duration") {
		return s.travel(ctx, r, point{float64(x), float64(y)}, data)
	}
	s.extra.mouse = point{float64(x), float64(y)}
	var o playwright.MouseMoveOptions
	if v, ok := r.a.Flag("--steps"); ok {
		n, err := strconv.Atoi(v)
		if err != nil {
			return steps.Observation{}, problem(steps.Validation, "steps", err.Error())
		}
		o.Steps = &n
	}
	r.sending(data)
	s.moved(s.extra.mouse)
	return steps.OK(data, "moved"), s.page().Mouse().Move(float64(x), float64(y), o)
}

func button(r *row) *playwright.MouseButton {
	if b := playwright.MouseButton(r.op(0)); b != "" {
		return &b
	}
	return playwright.MouseButtonLeft
}

func mouseDown(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"pressed": true}
	r.sending(data)
	s.presses(true)
	return steps.OK(data, "pressed"), s.page().Mouse().Down(playwright.MouseDownOptions{Button: button(r)})
}

func mouseUp(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"released": true}
	r.sending(data)
	s.presses(false)
	return steps.OK(data, "released"), s.page().Mouse().Up(playwright.MouseUpOptions{Button: button(r)})
}

func mouseWheel(_ context.Context, s *session, r *row) (steps.Observation, error) {
	dy, dx := r.number(0, 100), r.number(1, 0)
	data := map[string]any{"scrolled": true, "deltaX": dx, "deltaY": dy}
	r.sending(data)
	return steps.OK(data, "scrolled"), s.page().Mouse().Wheel(float64(dx), float64(dy))
}

// touchable fails where the page has no touch screen: its handlers would not expect fingers.
func (s *session) touchable() error {
	if s.o.Touch || s.extra.look.get().touch {
		return nil
	}
	return problem(steps.Validation, "no-touch", "the browser has no touch screen",
		next("set-touch-device", "look like a phone", "set", "device", "iPhone 15"))
}

// tap puts a finger on the middle of the target and lifts it.
func tap(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if err := s.touchable(); err != nil {
		return steps.Observation{}, err
	}
	t := r.a.Target(0)
	e, err := s.element(ctx, t)
	if err != nil {
		return steps.Observation{}, err
	}
	op := world.Point()
	if !s.o.Strict {
		op = op.First()
	}
	a, err := e.wait(ctx, r, op, world.Until{})
	if err != nil {
		return steps.Observation{}, err
	}
	data := map[string]any{"tapped": t.Source}
	if a.Refused() && !beyond(a) {
		return steps.Observation{}, e.refuse(ctx, r, a)
	}
	if a.X == 0 && a.Y == 0 { // the own world does not reach it, or the viewport is scaled
		if a.X, a.Y, err = e.middle(r); err != nil {
			return steps.Observation{}, e.whyNot(ctx, r, err)
		}
	}
	if s.bare() {
		r.sending(data)
		return steps.OK(data, "tapped"), s.page().Touchscreen().Tap(int(a.X), int(a.Y))
	}
	cdp, err := s.protocol(ctx)
	if err != nil {
		return steps.Observation{}, err
	}
	r.sending(data)
	at := []any{map[string]any{"x": a.X, "y": a.Y, "id": 1}}
	if _, err := s.send(ctx, cdp, "Input.dispatchTouchEvent", map[string]any{"type": "touchStart", "touchPoints": at}); err != nil {
		return steps.Observation{}, err
	}
	_, err = s.send(ctx, cdp, "Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []any{}})
	return steps.OK(data, "tapped"), err
}

// middle gives the middle of the element as the driver sees it.
func (e *element) middle(r *row) (x, y float64, err error) {
	if err := e.locator().ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: r.ms()}); err != nil {
		return 0, 0, err
	}
	box, err := e.locator().BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: r.ms()})
	if err != nil {
		return 0, 0, err
	}
	if box == nil {
		return 0, 0, problem(steps.NotActionable, "invisible", fmt.Sprintf("%q has no place on the page", e.t.Source))
	}
	return box.X + box.Width/2, box.Y + box.Height/2, nil
}

// swipeMoves is how many moves a swipe is made of: enough for pages to see a way, and no more calls than needed.
const swipeMoves = 6

// swipe draws a finger through the middle of the viewport.
func swipe(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if err := s.touchable(); err != nil {
		return steps.Observation{}, err
	}
	px := float64(r.number(1, 300))
	dx, dy := 0.0, 0.0
	switch r.op(0) {
	case "up":
		dy = -px
	case "down":
		dy = px
	case "left":
		dx = -px
	case "right":
		dx = px
	}
	cdp, err := s.protocol(ctx)
	if err != nil {
		return steps.Observation{}, err
	}
	w, h := s.size()
	data := map[string]any{"swiped": r.op(0)}
	r.sending(data)
	touch := func(kind string, part float64) error {
		points := []any{}
		if kind != "touchEnd" {
			points = []any{map[string]any{"x": float64(w)/2 + dx*(part-0.5), "y": float64(h)/2 + dy*(part-0.5), "id": 1}}
		}
		_, err := s.send(ctx, cdp, "Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points})
		return err
	}
	err = touch("touchStart", 0)
	for i := 1; i <= swipeMoves && err == nil; i++ {
		err = touch("touchMove", float64(i)/swipeMoves)
	}
	if err == nil {
		err = touch("touchEnd", 1)
	}
	return steps.OK(data, "swiped"), err
}

// size is the viewport of the active tab in CSS pixels.
func (s *session) size() (w, h int) {
	if v := s.extra.look.get().size; v[0] > 0 {
		return v[0], v[1]
	}
	if v := s.page().ViewportSize(); v != nil {
		return v.Width, v.Height
	}
	return s.o.Viewport[0], s.o.Viewport[1]
}

// highlight lets the driver draw a frame over the target.
func highlight(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	e, err := s.ready(ctx, r, t, world.ScrollIntoView())
	if err != nil {
		return steps.Observation{}, err
	}
	data := map[string]any{"highlighted": t.Source}
	r.sending(data)
	return steps.OK(data, "highlighted"), e.locator().Highlight()
}

// permitted lets pages use the clipboard, once in a session.
func (s *session) permitted() error {
	if s.extra.clipboard {
		return nil
	}
	err := s.ctx.GrantPermissions([]string{"clipboard-read", "clipboard-write"})
	s.extra.clipboard = err == nil
	return err
}

func clipboardRead(ctx context.Context, s *session, _ *row) (steps.Observation, error) {
	if err := s.permitted(); err != nil {
		return steps.Observation{}, err
	}
	v, err := s.evaluate(ctx, "navigator.clipboard.readText()")
	if err != nil {
		return steps.Observation{}, clipboardProblem(err)
	}
	return steps.OK(map[string]any{"text": v}, "text"), nil
}

func clipboardWrite(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if err := s.permitted(); err != nil {
		return steps.Observation{}, err
	}
	r.sent()
	_, err := s.evaluate(ctx, "navigator.clipboard.writeText("+literal(r.op(0))+")")
	if err != nil {
		err = clipboardProblem(err)
	}
	o := steps.OK(map[string]any{"written": true}, "written")
	o.Argv = conceal(r, r.op(0))
	return o, err
}

// clipboardProblem says why a page cannot use the clipboard: it must be loaded over https or from this machine.
func clipboardProblem(err error) error {
	var f *failed
	if asFailed(err, &f) && f.obs.Category == steps.Assertion {
		return problem(steps.NotActionable, "clipboard", "the page cannot use the clipboard (it needs https or localhost): "+f.obs.Error)
	}
	return err
}

func clipboardCopy(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"copied": true}
	r.sending(data)
	return steps.OK(data, "copied"), s.page().Keyboard().Press("ControlOrMeta+c")
}

func clipboardPaste(_ context.Context, s *session, r *row) (steps.Observation, error) {
	data := map[string]any{"pasted": true}
	r.sending(data)
	return steps.OK(data, "pasted"), s.page().Keyboard().Press("ControlOrMeta+v")
}
