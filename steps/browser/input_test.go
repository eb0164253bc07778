package browser_test

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("input", Label("browser"), func() {
	It("holds and lets go of keys and buttons, moves the mouse and turns its wheel", func(ctx SpecContext) {
		t := at(ctx, "/input")
		t.ok(ctx, "keydown", "Shift")
		t.ok(ctx, "press", "KeyA")
		Expect(t.ok(ctx, "keyup", "Shift").Value).To(Equal("Shift"))
		t.ok(ctx, "expect", "text", "#log", "+Shift +A -A -Shift")
		t.ok(ctx, "eval", "document.getElementById('log').textContent=''")
		t.ok(ctx, "mouse", "move", "20", "60", "--steps", "3")
		Expect(t.ok(ctx, "eval", "moved").Value).To(Equal("20,60"))
		t.ok(ctx, "mouse", "down")
		t.ok(ctx, "mouse", "up")
		t.ok(ctx, "mouse", "down", "right")
		t.ok(ctx, "mouse", "up", "right")
		Expect(t.ok(ctx, "mouse", "wheel", "150").Data).To(HaveKeyWithValue("deltaY", 150))
		t.ok(ctx, "expect", "text", "#log", "down0 up0 click down2 up2 wheel150")
		t.ok(ctx, "wait", "--fn", "scrollY === 150")
	})

	It("uses the clipboard", func(ctx SpecContext) {
		t := at(ctx, "/input")
		t.ok(ctx, "focus", "#t")
		t.ok(ctx, "press", "Control+a")
		t.ok(ctx, "clipboard", "copy")
		Expect(t.ok(ctx, "clipboard", "read").Value).To(Equal("clip text"))
		o := t.ok(ctx, "clipboard", "write", "it's \"new\"\n")
		Expect(o.Argv).To(Equal([]string{"clipboard", "write", "•••"}))
		t.ok(ctx, "press", "Control+a")
		t.ok(ctx, "clipboard", "paste")
		t.ok(ctx, "expect", "value", "#t", `it's "new"`)
	})

	It("has no fingers without a touch screen, and fingers with one", func(ctx SpecContext) {
		t := at(ctx, "/input")
		t.fails(ctx, steps.Validation, "no-touch", "tap", "#menu")
		t.fails(ctx, steps.Validation, "no-touch", "swipe", "up")
		t.ok(ctx, "highlight", "#menu")
		o := options()
		o.Touch, o.Mobile = true, true
		t = openOn(ctx, eng, o)
		t.ok(ctx, "open", "/input")
		t.ok(ctx, "tap", "#pad")
		t.ok(ctx, "expect", "text", "#log", "touch", "--contains")
		t.ok(ctx, "expect", "text", "#log", "click", "--contains")
		t.ok(ctx, "tap", "role=button Menu")
		t.ok(ctx, "expect", "text", "#log", "menu", "--contains")
		t.fails(ctx, steps.NotFound, "not-found", "tap", "#nope")
		t.ok(ctx, "swipe", "up", "300")
		t.ok(ctx, "wait", "--fn", "scrollY > 100")
	})

	It("goes on without loading, opens windows and names tabs", func(ctx SpecContext) {
		t := at(ctx, "/input")
		t.ok(ctx, "eval", "window.kept = 1; addEventListener('popstate', () => window.popped = location.pathname)")
		Expect(t.ok(ctx, "pushstate", "/input/two?x=1").Value).To(Equal(srv.URL + "/input/two?x=1"))
		Expect(t.ok(ctx, "eval", "[kept, popped]").Value).To(Equal([]any{1, "/input/two"}))
		t.fails(ctx, steps.Navigation, "pushstate", "pushstate", "https://example.test/")
		Expect(t.ok(ctx, "window", "new").Data).To(Equal(map[string]any{"tabId": "t2", "total": 2}))
		Expect(t.ok(ctx, "tab", "new", "/two", "--label", "docs").Data).To(HaveKeyWithValue("label", "docs"))
		t.ok(ctx, "tab", "t1")
		Expect(t.ok(ctx, "tab", "docs").Data).To(And(HaveKeyWithValue("tabId", "t3"), HaveKeyWithValue("title", "Test")))
		t.fails(ctx, steps.Validation, "label", "tab", "new", "--label", "docs")
		list, _ := t.ok(ctx, "tab", "list").Value.([]any)
		Expect(list).To(ConsistOf(HaveKeyWithValue("label", BeNil()), HaveKeyWithValue("label", BeNil()), HaveKeyWithValue("label", "docs")))
		t.ok(ctx, "tab", "close", "docs")
	})

	It("chooses frames by name and URL", func(ctx SpecContext) {
		t := at(ctx, "/named")
		Expect(t.ok(ctx, "frame", "--name", "pay").Value).To(Equal("pay"))
		t.ok(ctx, "click", "#ib")
		t.ok(ctx, "expect", "text", "#ib", "done")
		t.ok(ctx, "frame", "--url", "/inner?x=1")
		t.ok(ctx, "expect", "text", "#ib", "Inner button")
		t.ok(ctx, "click", "role=button Inner")
		t.fails(ctx, steps.NotActionable, "ambiguous", "frame", "--url", "/inner")
		Expect(t.fails(ctx, steps.NotFound, "no-frame", "frame", "--name", "nope").Error).To(ContainSubstring(`"pay"`))
		t.ok(ctx, "frame", "main")
	})
})

var _ = Describe("downloads", Label("browser"), func() {
	It("saves what a click downloads, and what has come before", func(ctx SpecContext) {
		t := at(ctx, "/downloads")
		o := t.ok(ctx, "download", "#csv", "sub/r.csv")
		Expect(o.Data).To(And(HaveKeyWithValue("filename", "report.csv"), HaveKeyWithValue("url", srv.URL+"/file/report.csv"),
			HaveKeyWithValue("path", filepath.Join(t.files.dir, "sub/r.csv"))))
		Expect(o.Artifacts).To(ConsistOf(HaveField("Kind", "download")))
		Expect(os.ReadFile(filepath.Join(t.files.dir, "sub/r.csv"))).To(Equal([]byte("a,b\n1,2\n")))
		t.ok(ctx, "click", "#late")
		t.ok(ctx, "wait", "--download", "late.csv")
		t.ok(ctx, "click", "#csv")
		Expect(t.ok(ctx, "wait", "--download").Value).To(Equal(filepath.Join(t.files.dir, "report.csv")))
		t.fails(ctx, steps.Timeout, "download", "wait", "--download", "--timeout", "200ms")
		Expect(t.ok(ctx, "pdf", "page.pdf").Artifacts).To(ConsistOf(HaveField("Kind", "pdf")))
		head, err := os.ReadFile(filepath.Join(t.files.dir, "page.pdf"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(head[:5])).To(Equal("%PDF-"))
	})

	It("fails when nothing is downloaded, or not to its end", func(ctx SpecContext) {
		o := options()
		o.Limits.Wait = 1500 * time.Millisecond // the download has begun by then
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/downloads")
		t.fails(ctx, steps.NotFound, "not-found", "download", "#nope", "a.csv")
		Expect(t.fails(ctx, steps.Timeout, "download", "download", "#slow", "a.csv").Error).To(ContainSubstring("did not end"))
		t.fails(ctx, steps.DialogBlocked, "dialog-blocked", "download", "#ask", "a.csv")
		t.ok(ctx, "dialog", "dismiss")
		Expect(t.fails(ctx, steps.Timeout, "download", "download", "#none", "a.csv").Error).To(ContainSubstring("nothing was downloaded"))
		Expect(os.ReadDir(t.files.dir)).To(BeEmpty())
	})
})
