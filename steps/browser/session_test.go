package browser_test

import (
	"context"
	"image"
	_ "image/png" // decodes the pictures
	"os"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// size decodes a picture.
func size(path string) (w, h int) {
	GinkgoHelper()
	f, err := os.Open(path)
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = f.Close() }()
	img, _, err := image.Decode(f)
	Expect(err).NotTo(HaveOccurred())
	return img.Bounds().Dx(), img.Bounds().Dy()
}

var _ = Describe("sessions", Label("browser"), func() {
	Describe("snapshots and refs", func() {
		It("gives refs that rows can use", func(ctx SpecContext) {
			t := at(ctx, "/")
			o := t.ok(ctx, "snapshot", "-i")
			Expect(o.Value).To(ContainSubstring(`button "Press me" [ref=`))
			Expect(o.Value).NotTo(ContainSubstring("heading"))
			ref := refOf(o, "button", "Press me")
			t.ok(ctx, "click", ref)
			t.ok(ctx, "expect", "text", "#log", "b")
			Expect(t.ok(ctx, "get", "text", ref).Value).To(Equal("Press me"))
			Expect(t.ok(ctx, "snapshot").Value).To(ContainSubstring(`heading "Home"`))
		})

		It("refuses stale refs at once", func(ctx SpecContext) {
			t := at(ctx, "/")
			t.fails(ctx, steps.StaleRef, "stale-ref", "click", "@e3")
			ref := refOf(t.ok(ctx, "snapshot"), "button", "Press me")
			t.ok(ctx, "reload")
			start := time.Now()
			for _, row := range [][]string{{"click", ref}, {"get", "text", ref}, {"fill", ref, "x"}, {"hover", ref}, {"expect", "visible", ref}} {
				o := t.fails(ctx, steps.StaleRef, "stale-ref", row...)
				Expect(o.NextActions[0].Row).To(Equal([]string{"snapshot", "-i"}))
			}
			Expect(time.Since(start)).To(BeNumerically("<", 3*time.Second))
		})
	})

	Describe("frames", func() {
		It("selects a frame for the rows after it", func(ctx SpecContext) {
			t := at(ctx, "/frames")
			t.ok(ctx, "frame", "#f")
			t.ok(ctx, "expect", "text", "h2", "Inner")
			t.ok(ctx, "click", "#ib")
			t.ok(ctx, "expect", "text", "#ib", "done")
			t.ok(ctx, "fill", "#in", "x")
			t.ok(ctx, "wait", "--text", "Inner")
			t.ok(ctx, "find", "role", "button", "text")
			Expect(t.ok(ctx, "eval", "who").Value).To(Equal("inner"))
			t.ok(ctx, "frame", "main")
			t.ok(ctx, "expect", "text", "h1", "Outer")
			t.fails(ctx, steps.NotActionable, "wrong-element", "frame", "h1")
		})

		DescribeTable("works in a frame of another origin", func(ctx SpecContext, switches ...string) {
			o := options()
			o.Args = switches
			t := openOn(ctx, eng, o)
			t.ok(ctx, "open", "/frames")
			t.ok(ctx, "frame", "#x")
			t.ok(ctx, "expect", "text", "h2", "Inner")
			t.ok(ctx, "click", "#ib")
			t.ok(ctx, "expect", "text", "#ib", "done")
			t.ok(ctx, "click", "role=button done")
			t.ok(ctx, "fill", "#in", "x")
			t.ok(ctx, "expect", "value", "#in", "x")
			Expect(t.ok(ctx, "eval", "who").Value).To(Equal("inner"))
			t.fails(ctx, steps.NotFound, "not-found", "click", "#nope")
			Expect(t.ok(ctx, "get", "count", "button").Value).To(Equal(1))
			Expect(t.ok(ctx, "is", "visible", "#ib").Value).To(BeTrue())
		}, Entry("in the same process"), Entry("in a process of its own", "--site-per-process"))

		It("takes refs into frames", func(ctx SpecContext) {
			t := at(ctx, "/frames")
			t.ok(ctx, "wait", "--load", "networkidle")
			o := t.ok(ctx, "snapshot")
			t.ok(ctx, "click", refOf(o, "button", "Inner button"))
		})
	})

	Describe("tabs", func() {
		It("lists, opens, switches and closes them", func(ctx SpecContext) {
			t := at(ctx, "/popups")
			t.ok(ctx, "click", "#pop")
			Expect(t.ok(ctx, "tab", "t2").Data["url"]).To(Equal(srv.URL + "/two"))
			t.ok(ctx, "expect", "text", "h1", "Two")
			t.ok(ctx, "tab", "t1")
			t.ok(ctx, "expect", "text", "h1", "Opener")
			Expect(t.ok(ctx, "tab", "new", "/form").Value).To(Equal("t3"))
			Expect(t.ok(ctx, "tab", "list").Value).To(HaveLen(3))
			t.ok(ctx, "tab", "close", "t3")
			t.ok(ctx, "tab", "close", "t2")
			t.fails(ctx, steps.Validation, "last-tab", "tab", "close")
			t.fails(ctx, steps.NotFound, "no-tab", "tab", "t9")
			t.ok(ctx, "expect", "text", "h1", "Opener")
		})
	})

	Describe("dialogs", func() {
		It("accepts alerts and keeps them", func(ctx SpecContext) {
			t := at(ctx, "/dialogs")
			t.ok(ctx, "click", "#alert")
			t.ok(ctx, "expect", "dialog", "hello")
			t.ok(ctx, "expect", "text", "#out", "after")
			t.fails(ctx, steps.Assertion, "assertion-failed", "expect", "dialog", "hello")
		})

		It("holds confirm and prompt until they are answered", func(ctx SpecContext) {
			t := at(ctx, "/dialogs")
			o := t.ok(ctx, "click", "#confirm")
			Expect(o.Data).To(HaveKeyWithValue("dialogOpened", true))
			Expect(o.Took).To(BeNumerically("<", 500*time.Millisecond))
			o = t.fails(ctx, steps.DialogBlocked, "dialog-blocked", "get", "text", "#out")
			Expect(o.NextActions[0].Row).To(Equal([]string{"dialog", "accept"}))
			Expect(o.Took).To(BeNumerically("<", 200*time.Millisecond))
			Expect(t.ok(ctx, "dialog", "status").Data).To(HaveKeyWithValue("message", "sure?"))
			t.ok(ctx, "expect", "dialog", "sure?")
			t.ok(ctx, "dialog", "dismiss")
			t.ok(ctx, "expect", "text", "#out", "false")
			t.ok(ctx, "click", "#prompt")
			t.ok(ctx, "dialog", "accept", "Ada")
			t.ok(ctx, "expect", "text", "#out", "Ada")
			t.ok(ctx, "click", "#later")
			t.ok(ctx, "dialog", "accept")
			t.ok(ctx, "expect", "text", "#out", "true")
			t.fails(ctx, steps.NotFound, "no-dialog", "dialog", "accept")
			Expect(t.ok(ctx, "eval", "confirm('e')").Data).To(HaveKeyWithValue("dialogOpened", true))
			t.ok(ctx, "dialog", "accept")
			t.ok(ctx, "focus", "#confirm")
			Expect(t.ok(ctx, "press", "Enter").Data).To(HaveKeyWithValue("dialogOpened", true))
			t.ok(ctx, "dialog", "accept")
		})

		It("fails a waiting row when a dialog opens meanwhile", func(ctx SpecContext) {
			t := at(ctx, "/dialogs")
			t.ok(ctx, "click", "#later")
			o := t.row(ctx, "wait", "#nope")
			Expect(o.Category).To(Equal(steps.DialogBlocked))
			Expect(o.Detail.Dialog).To(ContainSubstring("later?"))
			d, _ := t.Session.(interface{ DismissDialog(context.Context) bool })
			Expect(d.DismissDialog(ctx)).To(BeTrue())
			Expect(d.DismissDialog(ctx)).To(BeFalse())
			t.ok(ctx, "expect", "text", "#out", "false")
		})
	})

	Describe("logs", func() {
		It("keeps console, errors and requests with seq, location and failure", func(ctx SpecContext) {
			t := at(ctx, "/logs")
			t.ok(ctx, "wait", "--load", "networkidle")
			m, _ := t.ok(ctx, "console").Value.([]any)
			Expect(m).To(ContainElement(And(HaveKeyWithValue("type", "error"), HaveKeyWithValue("text", "bad thing"), HaveKeyWithValue("line", BeNumerically(">", 0)))))
			e, _ := t.ok(ctx, "errors").Value.([]any)
			Expect(e).To(ContainElement(HaveKeyWithValue("message", "TypeError: boom")))
			Expect(e).To(ContainElement(HaveKeyWithValue("message", "Error: nope")))
			n, _ := t.ok(ctx, "network", "requests", "--filter", "127.0.0.1:1/").Value.([]any)
			Expect(n).To(ContainElement(And(HaveKeyWithValue("failed", true), HaveKeyWithValue("error", ContainSubstring("ERR_")),
				HaveKeyWithValue("initiator", ContainSubstring("script")))))
			n, _ = t.ok(ctx, "network", "requests", "--status", "4xx", "--type", "fetch", "--method", "get").Value.([]any)
			Expect(n).To(ConsistOf(HaveKeyWithValue("status", 404)))
			sig, mark := t.Signals(ctx, steps.Mark{})
			kinds := map[string]int{}
			for _, f := range sig.Faults {
				kinds[f.Kind]++
			}
			Expect(kinds).To(And(HaveKeyWithValue("page_error", 2), HaveKey("console"), HaveKey("request"), HaveKey("http")))
			sig, _ = t.Signals(ctx, mark)
			Expect(sig.Faults).To(BeEmpty())
			t.ok(ctx, "console", "--clear")
			Expect(t.ok(ctx, "console").Value).To(BeEmpty())
		})

		It("bounds them and counts what fell out", func(ctx SpecContext) {
			t := at(ctx, "/flood")
			o := t.ok(ctx, "console")
			m, _ := o.Value.([]any)
			Expect(m).To(HaveLen(1000))
			Expect(o.Data["dropped"]).To(Equal(501))
			Expect(m[0]).To(HaveKeyWithValue("text", "m501"))
			last, _ := m[999].(map[string]any)
			Expect(len(last["text"].(string))).To(BeNumerically("<", 9000))
			sig, _ := t.Signals(ctx, steps.Mark{})
			Expect(sig.Dropped).To(BeZero(), "no message of these is a fault")
		})
	})

	It("shows evidence", func(ctx SpecContext) {
		t := at(ctx, "/logs")
		ev := t.Evidence(ctx)
		Expect(ev.Screenshot).NotTo(BeEmpty())
		Expect(ev.Snapshot).To(ContainSubstring("logs"))
		Expect(ev.Snapshot).NotTo(ContainSubstring("[ref="))
		Expect([]string{ev.URL, ev.Title}).To(Equal([]string{srv.URL + "/logs", "Test"}))
		Expect(ev.Console).To(ContainElement(ContainSubstring("bad thing")))
		Expect(ev.Network).NotTo(BeEmpty())
		Expect(ev.Problems).To(BeEmpty())
	})
})

// refOf gives the ref of a role and name in a snapshot row's answer.
func refOf(o steps.Observation, role, name string) string {
	GinkgoHelper()
	refs, _ := o.Data["refs"].(map[string]any)
	for ref, v := range refs {
		if e, _ := v.(map[string]any); e["role"] == role && e["name"] == name {
			return "@" + ref
		}
	}
	Fail("no ref for " + role + " " + name)
	return ""
}
