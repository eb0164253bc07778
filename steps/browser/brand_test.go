package browser_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
	"github.com/checkrow/checkrow/steps/browser/install"
)

// All specs may be run by hand in the way of other browsers: with CHECKROW_TEST_BARE on Chromium without its own
// protocol, with CHECKROW_TEST_BROWSER=firefox on Firefox. Those that need Chromium then fail.
var (
	bare  = os.Getenv("CHECKROW_TEST_BARE") != ""
	brand = cmp.Or(os.Getenv("CHECKROW_TEST_BROWSER"), browser.Chromium)
)

// other finds a browser that is no Chromium.
func other(ctx context.Context, brand, executable string) (browser.Program, error) {
	p, err := install.FindOther(ctx, install.Env{Environ: os.Environ()}, brand, executable)
	if err != nil {
		return browser.Program{}, fmt.Errorf("looking for %s: %w", brand, err)
	}
	return browser.Program{Path: p.Path, Stock: p.Source != install.SourcePlaywright}, nil
}

// core are rows that every browser must be able to execute, in the order in which a test would use them.
func core(ctx context.Context, t *tester) {
	GinkgoHelper()
	refused := func(c steps.Category, sub string, cells ...string) steps.Observation {
		GinkgoHelper()
		o := t.timed(ctx, 600*time.Millisecond, cells...)
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{string(c), sub}), "%v: %s", cells, o.Error)
		return o
	}
	t.ok(ctx, "open", "/form")
	t.ok(ctx, "fill", "label=Quantity", "7")
	t.ok(ctx, "fill", "#ce", "new text")
	t.ok(ctx, "type", "#ta", "ab")
	t.ok(ctx, "press", "Control+a")
	t.ok(ctx, "check", "#box")
	t.ok(ctx, "check", "#box")
	t.ok(ctx, "uncheck", "#on")
	refused(steps.NotActionable, "unchanged", "check", "#stuck")
	Expect(t.ok(ctx, "select", "#one", "Chocolate").Value).To(Equal([]any{"c"}))
	t.put("a.txt", "a")
	t.ok(ctx, "upload", "#file", "a.txt")
	t.ok(ctx, "expect", "text", "#out", "a.txt")
	t.ok(ctx, "click", "role=button Send")
	t.ok(ctx, "expect", "text", "#out", "submit 7")
	t.ok(ctx, "expect", "checked", "#box")
	t.ok(ctx, "expect", "value", "#ta", "ab")
	Expect(t.ok(ctx, "get", "styles", "#out").Data["styles"]).To(HaveKeyWithValue("display", "block"))

	t.ok(ctx, "open", "/")
	Expect(t.Read(ctx, "text", []any{"h1"})).To(Equal("Home"))
	for _, target := range []string{"#b", "xpath=//button[@id='b']", "role=button Press", "text=Press me", "testid=go"} {
		t.ok(ctx, "click", target)
	}
	t.ok(ctx, "dblclick", "#b")
	t.ok(ctx, "expect", "text", "#log", "b b b b b b b")
	refused(steps.NotActionable, "covered", "click", "#under")
	refused(steps.NotActionable, "invisible", "click", "#hid")
	refused(steps.NotActionable, "ambiguous", "click", "role=button")
	Expect(refused(steps.NotFound, "not-found", "click", "#bb").Detail.Target.Near).To(ContainElement("#b"))
	Expect(refused(steps.Assertion, "assertion-failed", "expect", "text", "h1", "Away").Detail.Got).To(Equal(`"Home"`))
	t.ok(ctx, "expect", "count", ".item", "== 3")
	Expect(t.ok(ctx, "get", "count", ".item").Value).To(Equal(3))
	ref := refOf(t.ok(ctx, "snapshot", "-i"), "button", "Save")
	t.ok(ctx, "click", ref)
	t.ok(ctx, "hover", "#b")
	t.ok(ctx, "eval", "setTimeout(()=>{document.title='Late'},100)")
	t.ok(ctx, "expect", "title", "Late")
	t.ok(ctx, "screenshot", "#b", "b.png")
	t.ok(ctx, "click", "#two")
	t.ok(ctx, "wait", "--url", "/two")
	Expect(t.ok(ctx, "back").Value).To(Equal(srv.URL + "/"))
	t.fails(ctx, steps.Navigation, "http-status", "open", "/status/503")
	t.fails(ctx, steps.Navigation, "net", "open", "http://127.0.0.1:1/")

	t.ok(ctx, "open", "/frames")
	t.ok(ctx, "frame", "#x") // of another origin
	t.ok(ctx, "click", "#ib")
	t.ok(ctx, "expect", "text", "#ib", "done")
	t.ok(ctx, "open", "/scroll")
	t.ok(ctx, "scrollintoview", "#foot")
	Expect(t.ok(ctx, "eval", "scrollY > 100").Value).To(BeTrue())
	t.ok(ctx, "open", "/dialogs")
	Expect(t.ok(ctx, "click", "#confirm").Data).To(HaveKeyWithValue("dialogOpened", true))
	t.ok(ctx, "dialog", "accept")
	t.ok(ctx, "expect", "text", "#out", "true")
	t.ok(ctx, "open", "/logs")
	t.ok(ctx, "wait", "--load", "networkidle")
	Expect(t.ok(ctx, "console").Data["messages"]).To(ContainElement(HaveKeyWithValue("text", "bad thing")))
	Expect(t.ok(ctx, "errors").Data["errors"]).To(ContainElement(HaveKeyWithValue("text", ContainSubstring("boom"))))
	Expect(t.fails(ctx, steps.Validation, "chromium-only", "swipe", "up").Error).To(HavePrefix("this row needs Chromium"))
	ev := t.Evidence(ctx)
	Expect(ev.Problems).To(BeEmpty())
	Expect(ev.Snapshot).To(ContainSubstring("logs"))
}

var _ = Describe("without Chromium's own protocol", Label("browser"), func() {
	DescribeTable("rows work", func(ctx SpecContext, brand string) {
		needBrowser()
		o := options()
		o.Limits = steps.Limits{Action: 700 * time.Millisecond, Expect: 700 * time.Millisecond, Wait: 5 * time.Second, Open: patience, Row: 20 * time.Second}
		o.Touch = true
		if brand != browser.Chromium {
			if _, err := other(ctx, brand, ""); err != nil {
				Skip("not run: " + err.Error())
			}
			o.Browser = brand
			o.Limits.Action, o.Limits.Expect = 4*time.Second, 4*time.Second
		}
		e := browser.New(browser.Options{Driver: found.Driver, Executable: found.Browser.Path, Bare: true, Other: other,
			OnProcess: func(what, _ string, pid int) { started(what, pid) }, OnExit: func(pid int) { pids.Delete(pid) }})
		DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
		t := openOn(ctx, e, o)
		core(ctx, t)
		t.ok(ctx, "open", "/hang")
		began := time.Now()
		Expect(t.timed(ctx, time.Second, "click", "#hang").Success).To(BeFalse())
		Expect(time.Since(began)).To(BeNumerically("<", 8*time.Second))
	},
		Entry("in Chromium", browser.Chromium), Entry("in Firefox", browser.Firefox), Entry("in WebKit", browser.WebKit))

	It("says which browser is missing", func(ctx SpecContext) {
		needBrowser()
		e := newEngine()
		DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
		o := options()
		o.Browser, o.Executable = browser.Firefox, "/nowhere/firefox"
		_, err := e.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring(`browser.executable is "/nowhere/firefox", which is not a program`)))
	})
})
