package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// launchArgs are passed to every browser beside Playwright's own; headlessArgs to those without a window: with nothing
// but software to draw with, a process of its own for it only costs (13 % of the CPU of a test with a screenshot), and so
// does one for the network (2 %, and some 15 MB). The first feature is one that Playwright asks for itself, see
// [joinFeatures].
var (
	launchArgs   = []string{"--disable-gpu", enableFeatures + "CDPScreenshotNewSurface"}
	headlessArgs = []string{"--in-process-gpu", enableFeatures + "NetworkServiceInProcess2"}
)

const enableFeatures = "--enable-features="

// joinFeatures makes one of the --enable-features arguments: the browser takes only the last, so that a suite that asks
// for a feature would take all others away.
func joinFeatures(args []string) []string {
	var rest, features []string
	for _, a := range args {
		if list, ok := strings.CutPrefix(a, enableFeatures); ok {
			features = append(features, list)
		} else {
			rest = append(rest, a)
		}
	}
	return append(rest, enableFeatures+strings.Join(features, ","))
}

// launchTime is how long a browser may take to start.
const launchTime = 30 * time.Second

// The finer names of a crash.
const (
	subBrowser  = "browser-crashed"
	subDriver   = "driver-crashed"
	subRenderer = "renderer-crashed"
	subHung     = "page-hung"
)

// death is why a session can do nothing any more.
type death struct {
	sub        string
	collateral bool
	text       string
}

// chrome is one running browser with the sessions on it.
type chrome struct {
	b    playwright.Browser
	drv  *driver
	pid  int // 0 if the browser would not say
	name string
	// brand is chromium, firefox or webkit; bare: its own protocol is not used.
	brand  string
	bare   bool
	remote bool                     // somebody else has started it
	hub    *hub                     // of a browser that is attached to
	styles atomic.Pointer[[]string] // the names of all computed properties, once they were asked for

	mu       sync.Mutex
	dead     bool
	closing  bool
	sessions map[*session]struct{}
	guilty   *session      // whose hang made the guard kill it
	gone     chan struct{} // closed when dead is set
}

// launchKey names the browser that a session needs: sessions that agree on it share one.
func launchKey(o steps.SessionOptions) string {
	key := fmt.Sprintf("%s\x00%t\x00%s\x00%s", brandOf(o), o.Headless, o.Executable, strings.Join(o.Args, "\x00"))
	if o.Hosts != nil {
		key += fmt.Sprintf("\x00hosts %t %s", o.Public, strings.Join(o.Hosts, "\x00"))
	}
	if gated(o) {
		key += "\x00schemes " + strings.Join(o.Schemes, " ")
	}
	if remote(o) {
		key += "\x00at " + o.Connect + "\x00" + o.Attach
	}
	return key
}

// launchBrowser starts a browser for the launch key of o.
func launchBrowser(e *Engine, drv *driver, o steps.SessionOptions) (*chrome, error) {
	brand := brandOf(o)
	bare := e.o.Bare || brand != Chromium
	if bare {
		if err := drv.self(); err != nil {
			return nil, fmt.Errorf("registering the selector engine: %w", err)
		}
	}
	launch := launchChromium
	switch {
	case remote(o):
		launch = connect
	case brand != Chromium:
		launch = launchOther
	}
	b, path, err := launch(e, drv, o)
	if err != nil {
		if connectionClosed(err) && (!remote(o) || drv.lost()) {
			drv.died(nil)
		}
		if path == "" {
			return nil, err
		}
		return nil, fmt.Errorf("starting the browser %q: %w", path, brief{err})
	}
	c := &chrome{b: b, drv: drv, name: path, brand: brand, bare: bare, sessions: map[*session]struct{}{}, gone: make(chan struct{})}
	b.OnDisconnected(func(playwright.Browser) { // before anything else is asked of it: it may die at any moment
		defer func() { _ = recover() }()
		c.died(subBrowser, nil, c.count() == 1)
	})
	switch {
	case remote(o): // its processes are not ours, and maybe not on this machine
		if err := c.settle(o); err != nil {
			return nil, err
		}
	case brand == Chromium:
		c.pid = e.browserPID(c)
	default:
		c.pid = childPID(drv.pid, path)
	}
	drv.mu.Lock()
	drv.chrs[c] = struct{}{}
	lost := drv.dead
	drv.mu.Unlock()
	switch {
	case lost:
		c.died(subDriver, nil, false)
	case !b.IsConnected():
		c.died(subBrowser, nil, false)
	}
	if e.o.OnProcess != nil && c.pid != 0 {
		e.o.OnProcess("browser", path, c.pid)
	}
	return c, nil
}

// launchChromium starts a Chromium.
func launchChromium(e *Engine, drv *driver, o steps.SessionOptions) (playwright.Browser, string, error) {
	path := o.Executable
	switch {
	case path != "":
	case !o.Headless && e.o.Headed != "":
		path = e.o.Headed
	default:
		path = e.o.Executable
	}
	lo := playwright.BrowserTypeLaunchOptions{
		Headless:     playwright.Bool(o.Headless),
		Args:         joinFeatures(slices.Concat(launchArgs, o.Args)),
		HandleSIGINT: playwright.Bool(false), HandleSIGTERM: playwright.Bool(false), HandleSIGHUP: playwright.Bool(false),
		Timeout: playwright.Float(float64(launchTime.Milliseconds())),
	}
	if o.Headless {
		lo.Args = joinFeatures(slices.Concat(launchArgs, headlessArgs, o.Args))
	}
	if path != "" {
		lo.ExecutablePath = playwright.String(path)
	}
	reach, err := e.reachArgs(context.Background(), o)
	if err != nil {
		return nil, "", err
	}
	lo.Args = append(lo.Args, reach...)
	b, err := drv.pw.Chromium.Launch(lo)
	if err != nil && targetClosed(err) && !connectionClosed(err) {
		// It ended while it was starting, which a loaded machine makes happen now and then: no page was there yet, so
		// nothing is lost by another start.
		b, err = drv.pw.Chromium.Launch(lo)
	}
	return b, path, err
}

// browserPID asks the browser for its own process id, which the driver does not tell. A wrapper script that started it
// leads the same group. It is 0 if the browser does not say, or died first: then the call may never return, and ends with
// the driver.
func (e *Engine) browserPID(c *chrome) int {
	got := make(chan int, 1)
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		got <- askPID(c.b)
	}()
	select {
	case pid := <-got:
		return pid
	case <-c.gone:
		return 0
	}
}

func askPID(b playwright.Browser) int {
	s, err := b.NewBrowserCDPSession()
	if err != nil {
		return 0
	}
	defer func() { _ = s.Detach() }()
	raw, err := s.Send("SystemInfo.getProcessInfo", nil)
	if err != nil {
		return 0
	}
	m, _ := raw.(map[string]any)
	list, ok := m["processInfo"].([]any)
	if !ok {
		list, _ = raw.([]any)
	}
	for _, x := range list {
		p, _ := x.(map[string]any)
		if id, ok := p["id"].(float64); ok && p["type"] == "browser" {
			return int(id)
		}
	}
	return 0
}

func (c *chrome) isDead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead || c.closing
}

// count is how many sessions are open on it.
func (c *chrome) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for s := range c.sessions {
		if !s.parked {
			n++
		}
	}
	return n
}

func (c *chrome) add(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[s] = struct{}{}
	if c.dead { // it died after it was chosen
		s.die(death{sub: subBrowser, collateral: true, text: "the browser ended unexpectedly"})
	}
}

func (c *chrome) drop(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, s)
}

// doom names the session that is to blame for what comes next, before the guard kills the browser.
func (c *chrome) doom(guilty *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.dead && c.guilty == nil {
		c.guilty = guilty
	}
}

// died tells every session on the browser that it is gone. A session whose hang made the guard kill it is guilty and so
// is one that was alone on it; all others are collateral: the runner runs their attempts once more (DECISIONS 7).
func (c *chrome) died(sub string, guilty *session, alone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return
	}
	c.dead = true
	close(c.gone)
	if guilty == nil {
		guilty = c.guilty
	}
	if c.closing {
		return
	}
	for s := range c.sessions {
		what := "the browser ended unexpectedly"
		if c.remote {
			what = "the connection to the browser at " + c.name + " ended"
		}
		if sub == subDriver {
			what = "the browser driver ended unexpectedly"
		}
		if guilty != nil && guilty != s {
			what = "the browser was ended because a page of another test hung"
		}
		s.die(death{sub: sub, collateral: guilty != s && (guilty != nil || !alone), text: what})
	}
}

// close ends the browser, in order if it does so in time.
func (c *chrome) close(ctx context.Context) {
	c.mu.Lock()
	c.closing = true
	dead := c.dead
	c.mu.Unlock()
	if !dead && !c.drv.isDead() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = c.b.Close()
		}()
		select {
		case <-done:
		case <-ctx.Done():
		case <-time.After(closeTime):
		}
		for until := time.Now().Add(closeTime); alive(c.pid) && time.Now().Before(until); {
			time.Sleep(time.Millisecond)
		}
		if alive(c.pid) {
			kill(c.pid)
		}
		select { // the killed browser, at the latest the killed driver, ends the call
		case <-done:
		case <-time.After(closeTime):
			kill(c.drv.pid)
			<-done
		}
	}
	if c.drv.o.OnExit != nil && c.pid != 0 {
		c.drv.o.OnExit(c.pid)
	}
}
