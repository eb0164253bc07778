package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// slow performs an op through the driver's own locators: in documents that the own world does not reach, such as frames that
// run in a process of their own. The driver finds the matches and hands them to what the world would have done with them.
func (e *element) slow(r *row, op world.Op, u world.Until) (world.Answer, error) {
	ask, err := world.Ask(op, u)
	if err != nil {
		return world.Answer{}, err
	}
	v, err := e.overAll(world.Elsewhere(), ask)
	if err != nil {
		return world.Answer{}, err
	}
	a, err := world.Answered(fmt.Sprint(v))
	switch {
	case err != nil:
	case a.Reason == "type": // an editor must see the browser's own events
		a.Reason = world.OK
		if err = e.locator().Fill(op.Text, playwright.LocatorFillOptions{Timeout: patience(r)}); err == nil {
			a.Value, err = e.locator().InnerText(playwright.LocatorInnerTextOptions{Timeout: patience(r)})
		}
	case a.Box != nil: // it is the place in its frame
		var at *playwright.Rect
		at, err = e.any().BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: patience(r)})
		if a.Box, a.Null = nil, true; err == nil && at != nil {
			a.Box, a.Null = &world.Box{X: at.X, Y: at.Y, Width: at.Width, Height: at.Height}, false
		}
	}
	return a, err
}

// overAll calls a function of a list of elements and an argument with what the target matches. What a ref leads to is known
// to the driver's own world only, not to that of the page in which its EvaluateAll looks: so it is handed over.
func (e *element) overAll(fn, arg string) (any, error) {
	l := e.frame.Locator(e.sel())
	if !e.t.HasRef() {
		return l.EvaluateAll(fn, arg)
	}
	list, err := l.ElementHandles()
	if err != nil || len(list) == 0 {
		if err != nil {
			return nil, err
		}
		return l.EvaluateAll(fn, arg)
	}
	defer func() {
		for _, h := range list {
			_ = h.Dispose()
		}
	}()
	return list[0].Evaluate("(_, [list, arg]) => ("+fn+")(list, arg)", []any{list, arg})
}

// patience is how long the driver may take for an element that is there.
func patience(r *row) *float64 {
	if r == nil {
		return milliseconds(minRow)
	}
	return r.ms()
}

// slowWait repeats an op until it is possible, or until what a wait wants holds.
func (e *element) slowWait(ctx context.Context, r *row, op world.Op, u world.Until) (world.Answer, error) {
	for {
		a, err := e.slow(r, op, u)
		var f *failed
		switch {
		case err != nil && (!transient(err) || errors.As(err, &f)):
			return a, err
		case err == nil && (u.Compare == "" && !a.Refused() || u.Compare != "" && a.Met || final(a.Reason)):
			return a, nil
		case !r.pause(ctx, pollEach):
			return a, nil
		}
	}
}

// foreseen waits until the driver's own action is possible on an element that the own world does not reach.
func (e *element) foreseen(ctx context.Context, r *row) error {
	op := world.Point()
	if !e.s.o.Strict {
		op = op.First()
	}
	a, err := e.slowWait(ctx, r, op, world.Until{})
	if err != nil {
		return err
	}
	if a.Refused() {
		r.unsent()
		return e.refuseFor(ctx, r, a)
	}
	if a.Visible > 1 {
		r.warning(fmt.Sprintf("%d visible elements match %q: the first was taken", a.Visible, e.t.Source))
	}
	return nil
}
