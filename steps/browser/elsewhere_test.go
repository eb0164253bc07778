package browser_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// What can be done with an element in a document can be done in a frame that runs in a process of its own, with the same
// outcome.
var _ = DescribeTable("rows in a frame", Label("browser"), func(ctx SpecContext, frame string, switches ...string) {
	o := options()
	o.Args = switches
	t := openOn(ctx, eng, o)
	fails := func(c steps.Category, sub string, cells ...string) steps.Observation { // soon: most are looked at until the limit
		GinkgoHelper()
		o := t.timed(ctx, 200*time.Millisecond, cells...)
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{string(c), sub}), "%v: %s", cells, o.Error)
		return o
	}
	t.ok(ctx, "open", "/around")
	t.ok(ctx, "frame", frame)
	t.ok(ctx, "expect", "visible", "#go")

	By("reading")
	Expect(t.ok(ctx, "get", "text", "#styled").Value).To(Equal("Styled"))
	Expect(t.ok(ctx, "get", "html", "#link").Value).To(Equal("<i id=\"deep\">deep</i>"))
	Expect(t.ok(ctx, "get", "html", "#deep", "--outer").Value).To(Equal("<i id=\"deep\">deep</i>"))
	Expect(t.ok(ctx, "get", "attr", "#styled", "data-k").Value).To(Equal("v"))
	Expect(t.ok(ctx, "get", "attr", "#styled", "nope").Value).To(BeNil())
	Expect(t.ok(ctx, "get", "value", "#name").Value).To(Equal("old"))
	Expect(t.ok(ctx, "get", "value", "#pw").Value).To(Equal("•••"))
	Expect(t.ok(ctx, "get", "count", "button").Value).To(Equal(4))
	Expect(t.ok(ctx, "get", "styles", "#styled").Value).To(And(HaveKeyWithValue("color", "rgb(1, 2, 3)"), HaveKeyWithValue("font-weight", "700")))
	box := t.ok(ctx, "get", "box", "#roll").Data
	Expect(box).To(And(HaveKeyWithValue("width", 90.0), HaveKeyWithValue("height", 40.0)))
	Expect(box["y"]).To(BeNumerically(">", 60), "on the page, not in the frame")
	for _, state := range [][]string{{"visible", "#go"}, {"hidden", "#none"}, {"disabled", "#dead"}, {"enabled", "#name"}, {"unchecked", "#box"}, {"editable", "#name"}} {
		t.ok(ctx, "expect", state[0], state[1])
	}
	fails(steps.NotActionable, "wrong-element", "get", "value", "#styled")
	fails(steps.Assertion, "assertion-failed", "expect", "text", "#styled", "Other")

	By("filling")
	for target, text := range map[string]string{"#name": "Ada", "label=Name": "Bob", "#note": "two\nlines", "#day": "2031-05-04"} {
		t.ok(ctx, "fill", target, text)
		Expect(t.ok(ctx, "get", "value", target).Value).To(Equal(text), target)
	}
	Expect(t.ok(ctx, "fill", "#pw", "swordfish1").Argv).To(Equal([]string{"fill", "#pw", "•••"}))
	Expect(t.ok(ctx, "type", "#pw", "swordfish2", "--clear").Argv).To(ContainElement("•••"))
	t.ok(ctx, "fill", "#ed", "words of mine")
	t.ok(ctx, "expect", "text", "#ed", "words of mine")
	t.ok(ctx, "type", "#name", "Eve", "--clear")
	t.ok(ctx, "expect", "value", "#name", "Eve")
	t.ok(ctx, "expect", "focused", "#name")
	Expect(fails(steps.NotActionable, "readonly", "fill", "#fixed", "x").Error).To(ContainSubstring("read-only"))
	fails(steps.NotActionable, "disabled", "fill", "#dead", "x")
	fails(steps.Validation, "malformed-value", "fill", "#day", "soon")
	fails(steps.NotActionable, "wrong-element", "fill", "#box", "x")

	By("choosing and pressing")
	t.ok(ctx, "select", "#size", "Large")
	t.ok(ctx, "expect", "value", "#size", "l")
	Expect(fails(steps.NotFound, "no-option", "select", "#size", "Tiny").Error).To(ContainSubstring("Small = s"))
	fails(steps.NotActionable, "disabled", "select", "#size", "Huge")
	t.ok(ctx, "check", "#box")
	t.ok(ctx, "expect", "checked", "#box")
	t.ok(ctx, "uncheck", "#box")
	t.ok(ctx, "hover", "#hov")
	t.ok(ctx, "expect", "text", "#hov", "over")
	t.ok(ctx, "click", "#go")
	t.ok(ctx, "expect", "text", "#go", "went true")
	amb := fails(steps.NotActionable, "ambiguous", "click", ".two")
	Expect(amb.Error).To(ContainSubstring("2 visible elements match"))
	Expect(amb.Detail.Target.List).To(HaveLen(2))
	fails(steps.NotActionable, "ambiguous", "check", ".two")
	fails(steps.NotActionable, "invisible", "click", "#none")
	t.put("a.txt", "x")
	t.ok(ctx, "upload", "#file", "a.txt")
	fails(steps.NotActionable, "wrong-element", "upload", "#name", "a.txt")

	By("scrolling")
	t.ok(ctx, "scroll", "down", "60", "--selector", "#roll")
	Expect(t.ok(ctx, "eval", "roll.scrollTop").Value).To(BeNumerically("==", 60))
	fails(steps.NotActionable, "not-moved", "scroll", "left", "60", "--selector", "#roll")
	t.ok(ctx, "scrollintoview", "#foot")
	Expect(t.ok(ctx, "eval", "foot.getBoundingClientRect().top < innerHeight").Value).To(Equal(true))
	t.ok(ctx, "screenshot", "#styled", "styled.png")

	By("waiting")
	t.ok(ctx, "eval", "setTimeout(() => { styled.textContent = 'Later' }, 100)")
	t.ok(ctx, "wait", "--text", "Later")
	t.ok(ctx, "eval", "setTimeout(() => { styled.remove() }, 100)")
	t.ok(ctx, "wait", "#styled", "--state", "detached")
	Expect(strings.Join(fails(steps.NotFound, "not-found", "click", "#styled").Argv, " ")).To(Equal("click #styled"))
},
	Entry("of the page's own origin", "#f"),
	Entry("in a process of its own", "#x", "--site-per-process"))
