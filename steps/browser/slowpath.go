package browser

import (
	"context"
	"errors"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// slow performs an op with the driver's own actions: for documents that the own world does not reach, such as frames that
// run in a process of their own. It waits as long as the row may.
func (e *element) slow(ctx context.Context, limit time.Duration, op world.Op) (world.Answer, error) {
	n, err := e.frame.Locator(e.sel()).Count()
	if err != nil {
		return world.Answer{}, err
	}
	a := world.Answer{Matches: n}
	if op.Name == "count" {
		return a, nil
	}
	if op.Name == "describe" {
		a.Visible, err = e.frame.Locator(e.sel() + onlyVisible).Count()
		return a, err
	}
	if op.Name == "is" {
		return e.slowState(a, world.State(op.Text))
	}
	if n == 0 {
		a.Reason = world.Missing
		return a, nil
	}
	ms := playwright.Float(float64(max(limit, 300*time.Millisecond).Milliseconds()))
	a, err = e.slowOp(a, op, ms)
	if isTimeout(err) && ctx.Err() == nil {
		a.Reason, err = world.Invisible, nil
	}
	return a, err
}

func (e *element) slowOp(a world.Answer, op world.Op, ms *float64) (world.Answer, error) {
	l, vis := e.any(), e.locator()
	var err error
	switch op.Name {
	case "text":
		a.Value, err = l.InnerText(playwright.LocatorInnerTextOptions{Timeout: ms})
	case "value":
		a.Value, err = l.InputValue(playwright.LocatorInputValueOptions{Timeout: ms})
		if err != nil && !isTimeout(err) {
			a.Reason, a.Detail, err = world.NotThis, "no form field", nil
		}
	case "html":
		a.Value, err = l.InnerHTML(playwright.LocatorInnerHTMLOptions{Timeout: ms})
	case "attr":
		var v any
		v, err = l.Evaluate("(e, n) => e.getAttribute(n)", op.Text, playwright.LocatorEvaluateOptions{Timeout: ms})
		a.Value, a.Null = textOr(v)
	case "href":
		var v any
		v, err = l.Evaluate("e => e.closest('a[href],area[href]')?.href ?? null", nil, playwright.LocatorEvaluateOptions{Timeout: ms})
		a.Value, a.Null = textOr(v)
	case "box":
		var r *playwright.Rect
		if r, err = l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: ms}); err == nil && r != nil {
			a.Box = &world.Box{X: r.X, Y: r.Y, Width: r.Width, Height: r.Height}
		}
	case "fill":
		var field any
		if field, err = vis.Evaluate("e => e.isContentEditable ? 'contenteditable' : e.type || ''", nil, playwright.LocatorEvaluateOptions{Timeout: ms}); err == nil {
			a.Field, _ = textOr(field)
			if err = vis.Fill(op.Text, playwright.LocatorFillOptions{Timeout: ms}); err == nil {
				a.Value, err = readBack(vis, a.Field, ms)
			}
		}
	case "focus", "selectall":
		if err = vis.Focus(playwright.LocatorFocusOptions{Timeout: ms}); err == nil && op.Name == "selectall" {
			err = vis.SelectText(playwright.LocatorSelectTextOptions{Timeout: ms})
		}
	case "select":
		values := op.List
		a.Values, err = vis.SelectOption(playwright.SelectOptionValues{ValuesOrLabels: &values}, playwright.LocatorSelectOptionOptions{Timeout: ms})
	case "scroll":
		err = vis.ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: ms})
	case "point": // the driver's own action checks
	default:
		err = problem(steps.Internal, "not-built", "the "+op.Name+" of an element in a frame of another process is not built yet")
	}
	return a, err
}

func (e *element) slowState(a world.Answer, state world.State) (world.Answer, error) {
	l := e.any()
	var err error
	if a.Matches == 0 {
		a.Reason = world.Missing
		a.True = state == world.Hidden || state == world.Detached
		a.Met = a.True
		return a, nil
	}
	at := playwright.Float(300)
	switch state {
	case world.Attached:
		a.True = true
	case world.Detached:
	case world.Visible, world.Hidden:
		a.True, err = l.IsVisible()
		a.True = a.True == (state == world.Visible)
	case world.Enabled, world.IsDisabled:
		a.True, err = l.IsEnabled(playwright.LocatorIsEnabledOptions{Timeout: at})
		a.True = a.True == (state == world.Enabled)
	case world.Checked, world.Unchecked:
		a.True, err = l.IsChecked(playwright.LocatorIsCheckedOptions{Timeout: at})
		a.True = a.True == (state == world.Checked)
	case world.Editable:
		a.True, err = l.IsEditable(playwright.LocatorIsEditableOptions{Timeout: at})
	case world.Focused:
		var v any
		v, err = l.Evaluate("e => e.getRootNode().activeElement === e", nil, playwright.LocatorEvaluateOptions{Timeout: at})
		a.True = v == true
	}
	a.Met = a.True
	return a, err
}

// slowWait repeats an op with the driver's own actions until it is possible, or until what a wait wants holds.
func (e *element) slowWait(ctx context.Context, r *row, op world.Op, u world.Until) (world.Answer, error) {
	for {
		a, err := e.slow(ctx, r.left(), op)
		var f *failed
		if err != nil && (!transient(err) || errors.As(err, &f)) {
			return a, err
		}
		switch u.Compare {
		case "":
			if err == nil && !a.Refused() {
				return a, nil
			}
		case "contains":
			a.Met = contains(a.Value, u.Want)
		case "true":
			a.Met = a.True
		}
		if err == nil && a.Met || !r.pause(ctx, pollEach) {
			return a, nil
		}
	}
}

// readBack reads what a field holds.
func readBack(l playwright.Locator, field string, ms *float64) (string, error) {
	if field == "contenteditable" {
		return l.InnerText(playwright.LocatorInnerTextOptions{Timeout: ms})
	}
	return l.InputValue(playwright.LocatorInputValueOptions{Timeout: ms})
}

func textOr(v any) (text string, null bool) {
	text, ok := v.(string)
	return text, !ok
}
