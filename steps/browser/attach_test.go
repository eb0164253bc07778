package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// desk is a browser that somebody else has started.
type desk struct {
	cmd *exec.Cmd
	url string
}

// startDesk starts a Chromium with a debugging port and a tab on each URL.
func startDesk(urls ...string) *desk {
	GinkgoHelper()
	needBrowser()
	dir := GinkgoT().TempDir()
	argv := append([]string{"--remote-debugging-port=0", "--user-data-dir=" + dir, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"}, urls[:1]...)
	cmd := exec.Command(found.Browser.Path, argv...)
	Expect(cmd.Start()).To(Succeed())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	DeferCleanup(func() {
		_ = cmd.Process.Kill()
		Eventually(ended).Should(BeClosed())
	})
	var port string
	Eventually(func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(text), "\n")
		return port
	}).ShouldNot(BeEmpty())
	b := &desk{cmd, "http://127.0.0.1:" + port}
	for _, u := range urls[1:] {
		b.ask(http.MethodPut, "/json/new?"+u)
	}
	Eventually(b.tabs).Should(ConsistOf(urls))
	return b
}

// ask asks the debugging port.
func (b *desk) ask(method, path string) []byte {
	GinkgoHelper()
	q, err := http.NewRequest(method, b.url+path, nil)
	Expect(err).NotTo(HaveOccurred())
	resp, err := http.DefaultClient.Do(q)
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	Expect(err).NotTo(HaveOccurred())
	return body
}

// tabs lists the URLs of its tabs, as it tells them itself.
func (b *desk) tabs() []string {
	GinkgoHelper()
	list, err := browser.Tabs(context.Background(), b.url)
	Expect(err).NotTo(HaveOccurred())
	out := []string{}
	for _, t := range list {
		out = append(out, t.URL)
	}
	return out
}

var _ = Describe("a browser that runs already (R187)", Label("browser"), func() {
	It("lends a tab, or gives one of its own, and is left as it was", func(ctx SpecContext) {
		needBrowser()
		one, two := srv.URL+"/logs", srv.URL+"/two"
		user := startDesk(one, two)
		e := newEngine()
		DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
		o := options()
		o.Attach = user.url

		By("working in a tab of its own, which is told nothing of the others")
		own := openOn(ctx, e, o)
		own.ok(ctx, "open", "/form")
		own.ok(ctx, "fill", "#q", "7")
		own.ok(ctx, "click", "role=button Send")
		own.ok(ctx, "expect", "text", "#out", "submit 7")
		own.ok(ctx, "press", "9")
		own.ok(ctx, "tab", "new", "/")
		own.ok(ctx, "eval", "document.cookie = 'mine=1; path=/'; open('/two'); true")
		Eventually(func() int { return len(own.ok(ctx, "tab", "list").Data["tabs"].([]any)) }).Should(Equal(3))
		Expect(own.ok(ctx, "console").Data["messages"]).To(BeEmpty())
		Expect(own.fails(ctx, steps.Validation, "attached", "set", "viewport", "300", "300").Error).To(ContainSubstring("sets up every tab"))
		own.fails(ctx, steps.Validation, "attached", "cookies", "clear")
		Eventually(user.tabs).Should(HaveLen(5))

		By("adopting the one tab whose URL has a text")
		o.Adopt = srv.URL
		_, err := e.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("2 tabs of the browser at " + user.url + " have ")))
		o.Adopt = "/two"
		own.Close()
		Eventually(user.tabs).Should(ConsistOf(one, two)) // it returns before its tabs are gone
		far := options()
		far.Connect = user.url
		guest := openOn(ctx, e, far)
		guest.ok(ctx, "open", "/two") // in a context of its own
		lent := openOn(ctx, e, o)
		Expect(lent.ok(ctx, "get", "url").Value).To(Equal(two))
		Expect(lent.ok(ctx, "eval", "document.cookie").Value).To(ContainSubstring("mine=1"))
		lent.ok(ctx, "eval", "window.kept = 5; document.hasFocus()")
		lent.fails(ctx, steps.Validation, "borrowed", "tab", "close")
		_, err = e.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("is used by another session")))
		o.Adopt = "/nowhere"
		_, err = e.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("has \"/nowhere\" in its URL; it shows " + one + ", " + two)))
		lent.Close()
		guest.Close()
		Eventually(user.tabs).Should(ConsistOf(one, two))
		o.Adopt = "/two"
		again := openOn(ctx, e, o)
		Expect(again.ok(ctx, "eval", "window.kept").Value).To(BeEquivalentTo(5))
		again.ok(ctx, "expect", "text", "h1", "Two")

		By("letting go of a page that hangs")
		again.ok(ctx, "open", "/hang")
		began := time.Now()
		Expect(again.timed(ctx, time.Second, "click", "#hang").Success).To(BeFalse())
		Expect(time.Since(began)).To(BeNumerically("<", patience))
		Expect(e.Close(ctx)).To(Succeed())
		Eventually(user.tabs).Should(ConsistOf(one, srv.URL+"/hang"))
		Expect(user.cmd.ProcessState).To(BeNil())
	})

	DescribeTable("is reached from afar, in contexts of its own", func(ctx SpecContext, start func(SpecContext) (string, *exec.Cmd)) {
		needBrowser()
		o := options()
		at, process := start(ctx)
		o.Connect = at
		o.Locale = "de-DE"
		e := newEngine()
		DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
		t := openOn(ctx, e, o)
		t.ok(ctx, "open", "/form")
		Expect(t.ok(ctx, "eval", "navigator.language + ' ' + innerWidth").Value).To(Equal("de-DE 1280"))
		t.ok(ctx, "click", "role=button Send")
		t.ok(ctx, "expect", "text", "#out", "submit")
		t.put("a.txt", "a")
		t.ok(ctx, "upload", "#file", "a.txt")
		t.ok(ctx, "expect", "text", "#out", "a.txt")
		t.ok(ctx, "screenshot", "a.png")
		t.ok(ctx, "eval", "document.body.innerHTML = `<a id=dl download=x.txt href='data:text/plain,hello'>get</a>`; true")
		t.ok(ctx, "download", "#dl", "x.txt")
		Expect(os.ReadFile(filepath.Join(t.files.dir, "x.txt"))).To(BeEquivalentTo("hello"))

		Expect(process.Process.Kill()).To(Succeed())
		gone := t.fails(ctx, steps.Crash, "browser-crashed", "wait", "--text", "never")
		Expect(gone.Error).To(Equal("the connection to the browser at " + strings.TrimSuffix(at, "/") + " ended"))
		_, err := e.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring(strings.TrimSuffix(at, "/"))))
		o = options()
		openOn(ctx, e, o).ok(ctx, "open", "/two") // the driver has not gone with it
	},
		Entry("by its debugging port", func(SpecContext) (string, *exec.Cmd) {
			d := startDesk("about:blank")
			return d.url, d.cmd
		}),
		Entry("through a Playwright server", startServer))

	DescribeTable("says what is wrong with what answers", func(ctx SpecContext, answer http.HandlerFunc, scheme, says string) {
		needBrowser()
		far := httptest.NewServer(answer)
		DeferCleanup(far.Close)
		o := options()
		o.Connect = scheme + strings.TrimPrefix(far.URL, "http") + "/secret-token-of-32-characters-and-more"
		_, err := eng.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring(says)))
		Expect(err.Error()).NotTo(ContainSubstring("secret-token"))
	},
		Entry("a web page", http.HandlerFunc(http.NotFound), "http", "is no debugging port of a browser: 404"),
		Entry("a blank name", says(200, `{"Browser":"  "}`), "http", "its /json/version names none"),
		Entry("a Firefox", says(200, `{"Browser":"Firefox/150.0"}`), "http", "by a debugging port only Chromium can be driven"),
		Entry("another protocol", says(200, `{"Browser":"Chrome/300.0","Protocol-Version":"2.0"}`), "http", "speaks version 2.0 of the protocol, not 1"),
		Entry("an older server", says(428, "Playwright version mismatch:\n  - server version: v1.40\n  - client version: v1.64\n"), "ws",
			"is of version 1.40 and the driver here of 1.64: they must be the same"),
		Entry("no server", says(500, "no"), "ws", "cannot be reached: "))

	It("says that nothing answers", func(ctx SpecContext) {
		needBrowser()
		o := options()
		for scheme, want := range map[string]string{"http": "no browser answers at http://127.0.0.1:1: ", "ws": "the browser at ws://127.0.0.1:1 cannot be reached: "} {
			o.Connect = scheme + "://127.0.0.1:1"
			_, err := eng.Open(ctx, o)
			Expect(err).To(MatchError(ContainSubstring(want)))
		}
		o.Connect, o.Browser = "http://127.0.0.1:1", browser.Firefox
		_, err := eng.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("by which only Chromium can be driven, not firefox")))
	})
})

// says answers everything with a text.
func says(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text)
	}
}

// startServer starts a Playwright server and gives its address.
func startServer(ctx SpecContext) (string, *exec.Cmd) {
	GinkgoHelper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	port := l.Addr().(*net.TCPAddr).Port
	Expect(l.Close()).To(Succeed())
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(found.Driver, "node"), filepath.Join(found.Driver, "package", "cli.js"), "run-server",
		"--host", "127.0.0.1", "--port", fmt.Sprint(port))
	cmd.Env = append(os.Environ(), "PLAYWRIGHT_BROWSERS_PATH="+serverBrowsers())
	Expect(cmd.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	at := fmt.Sprintf("127.0.0.1:%d", port)
	Eventually(func() error {
		c, err := net.Dial("tcp", at)
		if err == nil {
			_ = c.Close()
		}
		return err
	}).Should(Succeed())
	return "ws://" + at + "/", cmd
}

// serverBrowsers makes a folder in which a Playwright server finds the browser of this machine as its own.
func serverBrowsers() string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(found.Driver, "package", "browsers.json"))
	Expect(err).NotTo(HaveOccurred())
	var list struct {
		Browsers []struct{ Name, Revision string }
	}
	Expect(json.Unmarshal(text, &list)).To(Succeed())
	dir := GinkgoT().TempDir()
	for _, b := range list.Browsers {
		if b.Name != "chromium-headless-shell" {
			continue
		}
		for _, name := range []string{"chrome-headless-shell-linux64/chrome-headless-shell", "chrome-linux/headless_shell"} {
			at := filepath.Join(dir, "chromium_headless_shell-"+b.Revision, filepath.FromSlash(name))
			Expect(os.MkdirAll(filepath.Dir(at), 0o700)).To(Succeed())
			Expect(os.WriteFile(at, []byte("#!/bin/sh\nexec '"+found.Browser.Path+"' \"$@\"\n"), 0o700)).To(Succeed())
		}
	}
	return dir
}
