package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

func click(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	switch {
	case r.a.Has("--new-tab"):
		return s.clickNewTab(ctx, r)
	case r.a.Has("--human"):
		if err := s.approach(ctx, r, r.a.Target(0)); err != nil {
			return steps.Observation{}, err
		}
	}
	return s.click(ctx, r, r.a.Target(0), 1, "clicked")
}

func dblclick(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.click(ctx, r, r.a.Target(0), 2, "clicked")
}

// click clicks the one visible match: the fast click, judged by what the page's own event saw; the driver's click only
// where nothing was delivered and the fast one cannot judge.
func (s *session) click(ctx context.Context, r *row, t target.Target, count int, key string) (steps.Observation, error) {
	data := map[string]any{key: t.Source}
	c, e, err := s.fastClick(ctx, r, t, world.ClickOptions{Count: count}, data)
	if err != nil {
		return steps.Observation{}, err
	}
	if c.Fallback() {
		if err := e.unlaid(ctx, r, c); err != nil {
			return steps.Observation{}, err
		}
		r.sending(data)
		e.aims(r, true)
		err = e.locator().Click(playwright.LocatorClickOptions{Timeout: r.ms(), ClickCount: &count})
		return steps.OK(data, key), e.whyNot(ctx, r, err)
	}
	if err := e.judge(ctx, r, c); err != nil {
		return steps.Observation{}, err
	}
	if c.Held {
		data["dialogOpened"] = true
	}
	return steps.OK(data, key), nil
}

// fastClick clicks in the own world.
func (s *session) fastClick(ctx context.Context, r *row, t target.Target, o world.ClickOptions, data map[string]any) (world.Click, *element, error) {
	e, err := s.element(ctx, t)
	if err != nil {
		return world.Click{}, nil, err
	}
	if t.HasRef() {
		a, err := e.try(ctx, world.Count())
		if err != nil {
			return world.Click{}, nil, err
		}
		if a.Matches == 0 {
			return world.Click{}, nil, stale(t, "its element is gone or was renamed")
		}
	}
	o.Wait, o.First, o.Held = r.left(), !s.o.Strict, s.talk.heldNow()
	if r.limit <= 0 {
		o.Wait = 0
	}
	e.watch(r)
	if a, err := e.inside(ctx, r); err != nil || a.Outside() {
		return world.Click{Answer: a}, e, err
	}
	r.sending(data)
	c, err := e.w.Click(ctx, e.q, o)
	if err == nil && c.Verdict == world.NotSent && c.Answer.Reason == world.InFrame && !e.via {
		e.useDriver()
		if a, err := e.inside(ctx, r); err != nil || a.Outside() {
			return world.Click{Answer: a}, e, err
		}
		c, err = e.w.Click(ctx, e.q, o)
	}
	if err == nil && !s.o.Strict && c.Answer.Visible > 1 {
		r.warning(fmt.Sprintf("%d visible elements match %q: the first was taken", c.Answer.Visible, t.Source))
	}
	return c, e, err
}

// judge turns the verdict on a click into the row's failure, or a warning.
func (e *element) judge(ctx context.Context, r *row, c world.Click) error {
	switch c.Verdict {
	case world.Hit:
		return nil
	case world.Pressed:
		if !c.Held {
			r.warning("the press reached " + orSource(c.Answer.Element, e.t) + ", but no click followed: it moved or was replaced meanwhile")
		}
		return nil
	case world.Missed:
		a := c.Answer
		a.Reason = world.Covered
		return e.refuse(ctx, r, a)
	case world.Unknown:
		if c.Held {
			return nil
		}
		return problem(steps.Navigation, "click-unknown",
			"the mouse was pressed, but no event reached the document: another document or frame may have got it",
			next("inspect-click-dispatch-miss", "look before the click is repeated", "snapshot", "-i"))
	}
	if c.Answer.Reason == world.Already {
		return nil
	}
	r.unsent()
	return e.refuseFor(ctx, r, c.Answer)
}

// whyNot turns the failure of a driver's own action into what the own world sees of the target: why it is not ready.
func (e *element) whyNot(ctx context.Context, r *row, err error) error {
	if err == nil || e.s.fate(err) != nil || ctx.Err() != nil || !isTimeout(err) {
		return err
	}
	a, werr := e.try(ctx, world.Point())
	if werr != nil || a.Reason == world.OK {
		return err
	}
	r.unsent()
	return e.refuseFor(ctx, r, a)
}

func orSource(s string, t target.Target) string {
	if s != "" {
		return s
	}
	return t.Source
}

func hover(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.hover(ctx, r, r.a.Target(0))
}

// hover uses the driver's own: moving the mouse waits for a frame anyway.
func (s *session) hover(ctx context.Context, r *row, t target.Target) (steps.Observation, error) {
	e, err := s.ready(ctx, r, t, world.Point())
	if err != nil {
		return steps.Observation{}, err
	}
	data := map[string]any{"hovered": t.Source}
	r.sending(data)
	e.aims(r, false)
	err = e.locator().Hover(playwright.LocatorHoverOptions{Timeout: r.ms()})
	return steps.OK(data, "hovered"), e.whyNot(ctx, r, err)
}

// ready waits until op is possible on the target, for actions that the driver does itself.
func (s *session) ready(ctx context.Context, r *row, t target.Target, op world.Op) (*element, error) {
	e, err := s.element(ctx, t)
	if err != nil {
		return nil, err
	}
	if !s.o.Strict {
		op = op.First()
	}
	e.watch(r)
	a, err := e.wait(ctx, r, op, world.Until{})
	if err != nil {
		return nil, err
	}
	if a.Refused() && a.Reason != world.InFrame {
		return nil, e.refuseFor(ctx, r, a)
	}
	return e, nil
}

func focus(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	data := map[string]any{"focused": t.Source}
	r.sending(data)
	if _, err := s.act(ctx, r, t, world.Focus()); err != nil {
		return steps.Observation{}, err
	}
	return steps.OK(data, "focused"), nil
}

func check(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.check(ctx, r, r.a.Target(0), true, "checked")
}

func uncheck(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.check(ctx, r, r.a.Target(0), false, "unchecked")
}

// check checks or unchecks a box, and fails if it is not so afterwards.
func (s *session) check(ctx context.Context, r *row, t target.Target, want bool, key string) (steps.Observation, error) {
	data := map[string]any{key: t.Source}
	c, e, err := s.fastClick(ctx, r, t, world.ClickOptions{Want: &want}, data)
	if err != nil {
		return steps.Observation{}, err
	}
	if c.Fallback() {
		if err := e.unlaid(ctx, r, c); err != nil {
			return steps.Observation{}, err
		}
		if c.Aimed {
			return s.checkAimed(ctx, r, e, c, want, data, key)
		}
		e.aims(r, true)
		err = e.locator().SetChecked(want, playwright.LocatorSetCheckedOptions{Timeout: r.ms()})
		if err != nil && strings.Contains(err.Error(), "did not change its state") {
			err = unchanged(c, t, want)
		}
		return steps.OK(data, key), e.whyNot(ctx, r, err)
	}
	if err := e.judge(ctx, r, c); err != nil {
		return steps.Observation{}, err
	}
	switch {
	case c.Held:
		data["dialogOpened"] = true
	case c.Verdict != world.NotSent && !c.Gone && c.Answer.Checked != want:
		return steps.Observation{}, unchanged(c, t, want)
	}
	return steps.OK(data, key), nil
}

// checkAimed presses a box that is not as wanted, and looks. The driver's own way looks too, and takes a page that left on
// the press for one that has no such box.
func (s *session) checkAimed(ctx context.Context, r *row, e *element, c world.Click, want bool, data map[string]any, key string) (steps.Observation, error) {
	e.aims(r, true)
	if err := e.locator().Click(playwright.LocatorClickOptions{Timeout: r.ms()}); err != nil {
		return steps.Observation{}, e.whyNot(ctx, r, err)
	}
	state := world.Unchecked
	if want {
		state = world.Checked
	}
	limited, stop := context.WithTimeout(ctx, pollEach)
	defer stop()
	a, err := e.w.Wait(limited, e.q, world.Is(state), world.Until{Compare: "true"})
	if err == nil && a.Reason == world.OK && !a.True {
		err = unchanged(c, e.t, want)
	}
	return steps.OK(data, key), err
}

// unchanged is the failure of a box that stayed as it was.
func unchanged(c world.Click, t target.Target, want bool) error {
	word := map[bool]string{true: "checked", false: "unchecked"}
	return problem(steps.NotActionable, "unchanged",
		fmt.Sprintf("%s was clicked and is still not %s", orSource(c.Answer.Element, t), word[want]))
}

// unlaid refuses a press of the driver's where an overlay is in its way. One that was aimed has been found to reach its
// target.
func (e *element) unlaid(ctx context.Context, r *row, c world.Click) error {
	if c.Aimed {
		return nil
	}
	if beyond(c.Answer) {
		if err := e.foreseen(ctx, r); err != nil {
			return err
		}
	}
	return e.clear(ctx, r)
}

func drag(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	from, err := s.ready(ctx, r, r.a.Target(0), world.Point())
	if err != nil {
		return steps.Observation{}, err
	}
	to, err := s.ready(ctx, r, r.a.Target(1), world.Point())
	if err != nil {
		return steps.Observation{}, err
	}
	if r.a.Has("--human") {
		return s.dragByHand(ctx, r, from, to)
	}
	data := map[string]any{"dragged": true, "source": from.t.Source, "target": to.t.Source}
	r.sending(data)
	from.aims(r, true)
	err = from.locator().DragTo(to.locator(), playwright.LocatorDragToOptions{Timeout: r.ms()})
	to.aims(r, false)
	return steps.OK(data, ""), from.whyNot(ctx, r, err)
}
