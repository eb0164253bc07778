package world_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

func TestWorld(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(patience) // what must come, comes late on a busy machine
	RunSpecs(t, "world")
}

// bench is what all browser specs share: one driver, one browser, one server.
type bench struct {
	pw      *playwright.Playwright
	browser playwright.Browser
	server  *httptest.Server
	tab     *tab
}

var shared *bench

var _ = AfterSuite(func() {
	if shared == nil {
		return
	}
	shared.server.CloseClientConnections()
	shared.server.Close()
	_ = shared.browser.Close()
	_ = shared.pw.Stop()
})

// start opens the browser once; without one the spec is skipped, on CI it fails.
func start() *bench {
	GinkgoHelper()
	if shared != nil {
		return shared
	}
	exe, dir := executable(), driver()
	if exe == "" || dir == "" {
		if os.Getenv("CI") == "true" {
			Fail("no browser or no driver on CI")
		}
		Skip("no browser or no driver")
	}
	b := &bench{}
	var err error
	b.pw, err = playwright.Run(&playwright.RunOptions{SkipInstallBrowsers: true, DriverDirectory: dir})
	Expect(err).NotTo(HaveOccurred())
	source := world.Probe()
	Expect(b.pw.Selectors.Register(world.ProbeName, playwright.Script{Content: &source},
		playwright.SelectorsRegisterOptions{ContentScript: playwright.Bool(true)})).To(Succeed())
	b.browser, err = b.pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &exe})
	Expect(err).NotTo(HaveOccurred())
	b.server = httptest.NewServer(http.HandlerFunc(b.serve))
	shared = b
	return b
}

// patience is how long a spec waits for what must come.
const patience = 30 * time.Second

func executable() string {
	for _, name := range []string{"chromium-headless-shell", "chromium"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	return ""
}

func driver() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	for _, dir := range []string{filepath.Join(cache, "checkrow", "driver", "1.64.1"), filepath.Join(cache, "ms-playwright-go", "1.64.1")} {
		if _, err := os.Stat(filepath.Join(dir, "package", "cli.js")); err == nil {
			return dir
		}
	}
	return ""
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch r.URL.Path {
	case "/favicon.ico":
		w.WriteHeader(http.StatusNoContent)
	case "/two":
		fmt.Fprint(w, "<h1>two</h1>")
	case "/slow":
		select {
		case <-time.After(300 * time.Millisecond):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "<h1>slow</h1>")
	case "/inner":
		fmt.Fprint(w, `<button id=b onclick="parent.postMessage('in','*')">z</button>`)
	default:
		var i int
		if n, _ := fmt.Sscanf(r.URL.Path, "/case/%d", &i); n == 1 {
			k := cases[i]
			if k.csp != "" {
				w.Header().Set("Content-Security-Policy", k.csp)
				fmt.Fprint(w, "<!doctype html>"+k.html)
				return
			}
			_, port, _ := strings.Cut(strings.TrimPrefix(b.server.URL, "http://"), ":")
			fmt.Fprint(w, "<!doctype html>"+logScript+strings.ReplaceAll(k.html, "PORT", port))
		}
	}
}

// tab is one page in a context of its own, with its world. The calls of the driver are counted.
type tab struct {
	*world.World
	page  playwright.Page
	ctx   playwright.BrowserContext
	calls atomic.Int32
}

type session struct {
	playwright.CDPSession
	t *tab
}

func (s session) Send(method string, params map[string]any) (any, error) {
	s.t.calls.Add(1)
	return s.CDPSession.Send(method, params)
}

func (s session) On(event string, fn func(map[string]any)) { s.CDPSession.On(event, fn) }

type mouse struct{ t *tab }

func (m mouse) Click(x, y float64, count int) error {
	m.t.calls.Add(1)
	if count == 2 {
		return m.t.page.Mouse().Dblclick(x, y)
	}
	return m.t.page.Mouse().Click(x, y)
}

// open gives the tab that the specs share, with html as its content, unless that is a path of the server ("/case/3").
func open(html string) *tab {
	GinkgoHelper()
	b := start()
	if b.tab == nil || b.tab.page.IsClosed() {
		b.tab = b.newTab(playwright.BrowserNewContextOptions{})
	}
	for _, p := range b.tab.ctx.Pages() {
		if p != b.tab.page {
			Expect(p.Close()).To(Succeed())
		}
	}
	b.tab.goTo(html)
	return b.tab
}

// fresh makes a tab in a context of its own; html may be empty.
func fresh(html string, o playwright.BrowserNewContextOptions) *tab {
	GinkgoHelper()
	t := start().newTab(o)
	DeferCleanup(func() { _ = t.ctx.Close() })
	DeferCleanup(t.World.Close)
	if html != "" {
		t.goTo(html)
	}
	return t
}

func (b *bench) newTab(o playwright.BrowserNewContextOptions) *tab {
	GinkgoHelper()
	c, err := b.browser.NewContext(o)
	Expect(err).NotTo(HaveOccurred())
	page, err := c.NewPage()
	Expect(err).NotTo(HaveOccurred())
	page.SetDefaultTimeout(5000)
	t := &tab{page: page, ctx: c}
	t.attach()
	return t
}

func (t *tab) attach() {
	GinkgoHelper()
	cdp, err := t.ctx.NewCDPSession(t.page)
	Expect(err).NotTo(HaveOccurred())
	t.World, err = world.Attach(session{cdp, t}, mouse{t})
	Expect(err).NotTo(HaveOccurred())
}

func (t *tab) goTo(html string) {
	GinkgoHelper()
	if strings.HasPrefix(html, "/") {
		_, err := t.page.Goto(start().server.URL + html)
		Expect(err).NotTo(HaveOccurred())
	} else {
		_, err := t.page.Goto(start().server.URL + "/empty")
		Expect(err).NotTo(HaveOccurred())
		Expect(t.page.SetContent("<!doctype html>" + logScript + html)).To(Succeed())
	}
	t.calls.Store(0)
}

// log is what the page has logged.
func (t *tab) log() string {
	GinkgoHelper()
	v, err := t.page.Evaluate("() => (window.log || ['?']).join(' ')")
	Expect(err).NotTo(HaveOccurred())
	return fmt.Sprint(v)
}

// via is a query through the driver's locator.
func (t *tab) via(l playwright.Locator) world.Query {
	return world.Via(func(_ context.Context, suffix string, patience time.Duration) (string, error) {
		t.calls.Add(1)
		s, err := l.Locator(suffix).GetAttribute("v", playwright.LocatorGetAttributeOptions{
			Timeout: playwright.Float(float64(patience.Milliseconds()))})
		if errors.Is(err, playwright.ErrTimeout) {
			return "", fmt.Errorf("%w: %w", world.ErrNoMatch, err)
		}
		return s, err
	})
}

// q compiles a target, in frames if there are any.
func q(src string, frames ...string) world.Query {
	GinkgoHelper()
	var fs []target.Target
	for _, f := range frames {
		fs = append(fs, parse(f))
	}
	query, ok := world.Compile(parse(src), fs...)
	Expect(ok).To(BeTrue(), "the world does not resolve %q by itself", src)
	return query
}

func parse(src string) target.Target {
	GinkgoHelper()
	var l diag.List
	t := target.Parse(src, diag.Pos{}, &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return t
}
