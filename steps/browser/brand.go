package browser

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// The brands of browser, as browser.name has them.
const (
	Chromium = "chromium"
	Firefox  = "firefox"
	WebKit   = "webkit"
)

// Program is an executable of a browser that is no Chromium.
type Program struct {
	Path  string
	Stock bool // as its makers publish it, not Playwright's build: it is driven over WebDriver BiDi
}

// brandOf gives the brand that a session asks for.
func brandOf(o steps.SessionOptions) string {
	if o.Browser == "" {
		return Chromium
	}
	return o.Browser
}

// kind is the brand of a running browser.
func (c *chrome) kind() string { return c.brand }

// launchOther starts a Firefox or WebKit. What such a browser can do is what the driver offers for it: see World.Bare.
func launchOther(e *Engine, drv *driver, o steps.SessionOptions) (playwright.Browser, string, error) {
	if o.Hosts != nil {
		return nil, "", problem(steps.Validation, "domains", "allowed_domains can be enforced in Chromium only, not in "+o.Browser)
	}
	if e.o.Other == nil {
		return nil, "", fmt.Errorf("starting %s: nobody knows where it is", o.Browser)
	}
	limit, stop := context.WithTimeout(context.Background(), launchTime)
	defer stop()
	p, err := e.o.Other(limit, o.Browser, o.Executable)
	if err != nil {
		return nil, "", err
	}
	lo := playwright.BrowserTypeLaunchOptions{
		Headless: playwright.Bool(o.Headless), Args: o.Args, ExecutablePath: &p.Path,
		HandleSIGINT: playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
		Timeout: milliseconds(launchTime),
	}
	kind := drv.pw.WebKit
	if o.Browser == Firefox {
		kind = drv.pw.Firefox
		if p.Stock {
			lo.Channel, lo.FirefoxUserPrefs = playwright.String("moz-firefox"), stockPrefs
		}
	}
	b, err := kind.Launch(lo)
	if err != nil && targetClosed(err) && !connectionClosed(err) { // as a Chromium that ended while it was starting
		b, err = kind.Launch(lo)
	}
	return b, p.Path, err
}

// stockPrefs make a stock Firefox do over WebDriver BiDi what the driver expects: without a cache of whole pages the driver
// sees history moves, and with all pages in one process presses reach frames of other origins.
var stockPrefs = map[string]any{"browser.sessionhistory.max_total_viewers": 0, "fission.bfcacheInParent": false,
	"fission.webContentIsolationStrategy": 0}

// self registers the selector engine of worlds without a CDP session, once; a run on Chromium alone is spared it.
func (d *driver) self() error {
	d.selfOnce.Do(func() {
		src := world.Self()
		d.selfErr = d.pw.Selectors.Register(world.SelfName, playwright.Script{Content: &src},
			playwright.SelectorsRegisterOptions{ContentScript: playwright.Bool(true)})
	})
	return d.selfErr
}

// childPID finds the process of a browser that does not tell it: the youngest child of the driver that runs its program.
func childPID(driver int, program string) int {
	if at, err := filepath.EvalSymlinks(program); err == nil {
		program = at
	}
	return youngestChild(driver, func(exe, first string) bool {
		return exe == program || first == program || filepath.Dir(exe) == filepath.Dir(program)
	})
}

// bare tells that the browser's own protocol is out of reach: all goes through the driver's actions.
func (s *session) bare() bool { return s.chr.bare }

// equipBare gives a tab a world that lives in the driver's own one.
func (s *session) equipBare(t *tab) {
	t.fast = &fastPath{world.Bare(finder(t.page.MainFrame(), ":root"), t.page.Keyboard().InsertText)}
	s.dress(t)
}

// onlyChromium is the failure of a row that needs what only Chromium's own protocol offers. Where the browser is known
// when the suite is compiled, it is an error there already.
func (s *session) onlyChromium(what string) error {
	return problem(steps.Validation, "chromium-only", fmt.Sprintf("%s needs Chromium, and the browser is %s", what, s.chr.brand))
}

// equipped waits until the active tab can be asked.
func (s *session) equipped(ctx context.Context) error {
	tab := s.active()
	select {
	case <-tab.ready:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if tab.fast == nil {
		return problem(steps.Crash, "page-closed", "the page was closed")
	}
	return nil
}

// askPage reads a text from the main frame.
func (s *session) askPage(ctx context.Context, js string) (string, error) {
	if s.bare() {
		return s.askBare(ctx, s.active(), js)
	}
	cdp, err := s.protocol(ctx)
	if err != nil {
		return "", err
	}
	return s.ask(ctx, cdp, js)
}

// titleOf reads the title of a tab that may be in the background.
func (s *session) titleOf(ctx context.Context, t *tab) (string, error) {
	const js = "document.title"
	if s.bare() {
		return s.askBare(ctx, t, js)
	}
	cdp := t.session()
	if cdp == nil {
		return "", errClosed
	}
	return s.ask(ctx, cdp, js)
}

func (s *session) askBare(ctx context.Context, t *tab, js string) (string, error) {
	v, err := s.evaluateBare(ctx, t, js)
	text, _ := v.(string)
	return text, err
}

// evaluateBare runs JavaScript in the main frame through the driver. It is given up when ctx ends or the session dies, as
// such a call hangs with its page.
func (s *session) evaluateBare(ctx context.Context, t *tab, js string) (any, error) {
	type answer struct {
		v   any
		err error
	}
	got := make(chan answer, 1)
	s.spawn(func() {
		v, err := t.page.MainFrame().Evaluate(js)
		got <- answer{v, err}
	})
	select {
	case a := <-got:
		return a.v, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-s.deadCh:
		return nil, world.ErrClosed
	}
}

// shootBare takes a picture through the driver.
func (s *session) shootBare(format string, full bool, box *world.Box) ([]byte, error) {
	if format == "webp" {
		return nil, s.onlyChromium("a picture in WebP")
	}
	o := playwright.PageScreenshotOptions{Type: playwrightType(format), FullPage: &full, Timeout: milliseconds(shotLimit)}
	if box != nil {
		o.Clip = &playwright.Rect{X: box.X, Y: box.Y, Width: box.Width, Height: box.Height}
	}
	return s.page().Screenshot(o)
}

// shotLimit bounds a picture; the row's own limit ends it before as a rule.
const shotLimit = 20 * time.Second
