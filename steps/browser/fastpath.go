package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// fastPath is the own world of one tab.
type fastPath struct {
	w *world.World
}

// findTime is how long the way to a frame that was selected may take to be found again.
const findTime = 250 * time.Millisecond

// newFastPath installs the world on a page; nil if the page is gone already.
func newFastPath(page playwright.Page, cdp playwright.CDPSession, note func(playwright.Page, point)) *fastPath {
	w, err := world.Attach(wire{cdp}, mouse{page, note})
	if err != nil {
		return nil
	}
	return &fastPath{w}
}

func (f *fastPath) close() { f.w.Close() }

// wire lets the world talk through the driver's CDP session.
type wire struct{ s playwright.CDPSession }

// Send sends one command and waits for its answer.
func (w wire) Send(method string, params map[string]any) (any, error) {
	return w.s.Send(method, params)
}

// On registers a handler; a panic in it would end the process.
func (w wire) On(event string, fn func(map[string]any)) {
	w.s.On(event, func(m map[string]any) { safely(func() { fn(m) }) })
}

// mouse clicks through the driver, which answers when the browser has dealt with the last event.
type mouse struct {
	p    playwright.Page
	note func(playwright.Page, point) // hears of each click before it is sent
}

// Click moves to a point and clicks count times.
func (m mouse) Click(x, y float64, count int) error {
	m.note(m.p, point{x, y})
	if count == 1 {
		return m.p.Mouse().Click(x, y)
	}
	return m.p.Mouse().Click(x, y, playwright.MouseClickOptions{ClickCount: &count})
}

// finder lets the driver's engines hand an element to the world.
func finder(f playwright.Frame, selector string) world.Finder {
	return func(_ context.Context, suffix string, patience time.Duration) (string, error) {
		v, err := f.Locator(selector+" >> "+suffix).GetAttribute("v", playwright.LocatorGetAttributeOptions{
			Timeout: playwright.Float(float64(max(patience.Milliseconds(), 1)))})
		if isTimeout(err) {
			err = fmt.Errorf("%w: %w", world.ErrNoMatch, err)
		}
		return v, err
	}
}
