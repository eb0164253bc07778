package browser_test

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/browser"
)

var _ = Describe("table", func() {
	It("holds exactly the commands of the row grammar", func() {
		var names []string
		for _, c := range argv.Commands() {
			names = append(names, c.Name())
		}
		Expect(browser.Commands()).To(ConsistOf(names))
	})
})

var _ = Describe("reading and judging", Label("browser"), func() {
	It("reads", func(ctx SpecContext) {
		t := at(ctx, "/")
		o := t.ok(ctx, "get", "text", "#nb")
		Expect(o.Value).To(Equal("a b c"))
		Expect(o.Data["text"]).To(ContainSubstring("\u00a0"))
		Expect(o.Data["origin"]).To(Equal(srv.URL + "/"))
		Expect(t.ok(ctx, "get", "html", "h1").Value).To(Equal("Home"))
		Expect(t.ok(ctx, "get", "html", "h1", "--outer").Value).To(Equal("<h1>Home</h1>"))
		Expect(t.ok(ctx, "get", "attr", "#two", "href").Value).To(Equal("/two"))
		Expect(t.ok(ctx, "get", "attr", "#two", "nope").Value).To(BeNil())
		Expect(t.ok(ctx, "get", "title").Value).To(Equal("Test"))
		Expect(t.ok(ctx, "get", "url").Value).To(Equal(srv.URL + "/"))
		Expect(t.ok(ctx, "get", "count", ".item").Value).To(Equal(3))
		Expect(t.ok(ctx, "get", "count", ".none").Value).To(Equal(0))
		Expect(t.ok(ctx, "get", "count", "role=button").Value).To(BeNumerically(">=", 3))
		Expect(t.ok(ctx, "get", "box", "#b").Data["width"]).To(BeNumerically(">", 10))
		Expect(t.ok(ctx, "get", "styles", "#cov").Value).To(HaveKeyWithValue("width", "120px"))
		t.fails(ctx, steps.NotFound, "not-found", "get", "text", "#nope")
	})

	It("answers on a page that was never opened", func(ctx SpecContext) {
		t := openOn(ctx, eng, options())
		Expect(t.ok(ctx, "is", "visible", "#b").Value).To(BeFalse())
		Expect(t.ok(ctx, "get", "url").Value).To(Equal("about:blank"))
		t.fails(ctx, steps.NotFound, "not-found", "click", "#b")
		Expect(t.ok(ctx, "eval", "1").Value).To(Equal(1))
		t.ok(ctx, "screenshot", "blank.png")
		Expect(t.ok(ctx, "snapshot", "-i").Value).To(Equal("(no interactive elements)"))
	})

	It("answers is at once, false for what is missing", func(ctx SpecContext) {
		t := at(ctx, "/")
		start := time.Now() // each row has more time than all of them may take
		Expect(t.ok(ctx, "is", "visible", "#b").Value).To(BeTrue())
		Expect(t.ok(ctx, "is", "visible", "#hid").Value).To(BeFalse())
		Expect(t.ok(ctx, "is", "visible", "#nope").Value).To(BeFalse())
		Expect(t.ok(ctx, "is", "enabled", "#dis").Value).To(BeFalse())
		Expect(t.ok(ctx, "is", "checked", "role=checkbox Nope").Value).To(BeFalse())
		Expect(time.Since(start)).To(BeNumerically("<", 650*time.Millisecond))
	})

	It("finds with every locator and verb", func(ctx SpecContext) {
		t := at(ctx, "/")
		Expect(t.ok(ctx, "find", "role", "button", "click", "--name", "Press").Data["clicked"]).To(Equal("role=button Press"))
		t.ok(ctx, "find", "text", "Press me", "click")
		t.ok(ctx, "find", "testid", "go", "click")
		t.ok(ctx, "expect", "text", "#log", "b b b")
		t.ok(ctx, "find", "label", "Full name", "fill", "Ada")
		t.ok(ctx, "expect", "value", "#name", "Ada")
		t.ok(ctx, "find", "placeholder", "Your name", "fill", "Bob")
		t.ok(ctx, "find", "alt", "Logo", "hover")
		t.ok(ctx, "find", "title", "Our logo", "hover")
		Expect(t.ok(ctx, "find", "first", ".item", "text").Value).To(Equal("one"))
		Expect(t.ok(ctx, "find", "nth", "1", ".item", "text").Value).To(Equal("two"))
		Expect(t.ok(ctx, "find", "last", ".item", "text").Data["text"]).To(ContainSubstring("three"))
		t.ok(ctx, "open", "/form")
		t.ok(ctx, "find", "label", "Agree", "check")
		t.ok(ctx, "expect", "checked", "#box")
	})

	DescribeTable("expects", func(ctx SpecContext, path string, cells ...string) {
		t := at(ctx, path)
		t.ok(ctx, append([]string{"expect"}, cells...)...)
	},
		Entry("text", "/", "text", "#nb", "a b c"), Entry("part", "/", "text", "h1", "om", "--contains"),
		Entry("regexp", "/", "text", "h1", "^H.me$", "--matches"), Entry("not", "/", "text", "h1", "Else", "--not"),
		Entry("visible", "/", "visible", "#b"), Entry("hidden", "/", "hidden", "#hid"), Entry("missing is hidden", "/", "hidden", "#nope"),
		Entry("not visible", "/", "visible", "#nope", "--not"), Entry("enabled", "/", "enabled", "#b"), Entry("disabled", "/", "disabled", "#dis"),
		Entry("editable", "/form", "editable", "#q"), Entry("not editable", "/form", "editable", "#ro", "--not"),
		Entry("unchecked", "/form", "unchecked", "#box"), Entry("count", "/", "count", ".item", ">= 3"), Entry("number", "/", "count", ".item", "3"),
		Entry("value", "/form", "value", "#ro", "fixed"), Entry("attr", "/", "attr", "#two", "href", "/two"),
		Entry("no attr", "/", "attr", "#two", "nope", "x", "--not"), Entry("url", "/two?x=1", "url", "/two"),
		Entry("url with query", "/two?x=1", "url", "/two?x=*"), Entry("url end", "/two", "url", "**/two"), Entry("whole url", "/two", "url", "http://*/two"),
		Entry("title", "/", "title", "Test"), Entry("late", "/late", "text", "role=button Late", "Late"),
		Entry("stays", "/", "visible", "#b", "--stays", "150ms"))

	DescribeTable("fails as an assertion", func(ctx SpecContext, path, want, got string, cells ...string) {
		t := at(ctx, path)
		o := t.fails(ctx, steps.Assertion, "assertion-failed", append([]string{"expect"}, cells...)...)
		Expect(o.Detail.Want).To(Equal(want))
		Expect(o.Detail.Got).To(Equal(got))
		Expect(o.Detail.Seen).NotTo(BeEmpty())
		Expect(o.Took).To(BeNumerically("~", 600*time.Millisecond, 250*time.Millisecond))
	},
		Entry("text", "/", `"House"`, `"Home"`, "text", "h1", "House"), Entry("not", "/", `not "Home"`, `"Home"`, "text", "h1", "Home", "--not"),
		Entry("missing", "/", `"x"`, "no such element", "text", "#nope", "x"), Entry("missing and not", "/", `not "x"`, "no such element", "text", "#nope", "x", "--not"),
		Entry("visible", "/", "visible", "not visible", "visible", "#hid"), Entry("enabled", "/", "enabled", "no such element", "enabled", "#nope"),
		Entry("count", "/", "== 5", "3", "count", ".item", "== 5"), Entry("attr", "/", `"x"`, "no such attribute", "attr", "#two", "nope", "x"),
		Entry("title", "/", `"Nope"`, `"Test"`, "title", "Nope"))

	It("shows the values seen and how often", func(ctx SpecContext) {
		t := at(ctx, "/late")
		o := t.fails(ctx, steps.Assertion, "assertion-failed", "expect", "title", "never", "--within", "2s")
		Expect(len(o.Detail.Seen)).To(BeNumerically(">", 2))
		Expect(o.Detail.Seen[0].Times).To(BeNumerically(">=", 1))
	})

	It("fails when something does not stay so", func(ctx SpecContext) {
		t := at(ctx, "/")
		t.ok(ctx, "eval", "setTimeout(() => document.body.append(Object.assign(document.createElement('i'), {id: 'l'})), 1500); true")
		o := t.fails(ctx, steps.Assertion, "assertion-failed", "expect", "count", "#l", "0", "--stays", "4s")
		Expect(o.Error).To(ContainSubstring("for 4s, it held"))
	})

	It("judges URLs and says when that proves nothing", func(ctx SpecContext) {
		t := at(ctx, "/spa")
		Expect(t.ok(ctx, "expect", "url", "/spa").Warnings).To(BeEmpty())
		t.ok(ctx, "click", "#push")
		Expect(t.ok(ctx, "wait", "--url", "/spa/*").Warnings).To(BeEmpty())
		Expect(t.ok(ctx, "get", "url").Value).To(Equal(srv.URL + "/spa/next?x=1#y"))
		t.ok(ctx, "click", "#push")
		Expect(t.ok(ctx, "expect", "url", "/spa/next?x=1").Warnings).To(ContainElement(ContainSubstring("proves nothing")))
		t.fails(ctx, steps.Assertion, "assertion-failed", "expect", "url", "/other")
	})

	It("waits", func(ctx SpecContext) {
		t := at(ctx, "/late")
		t.ok(ctx, "wait", "#l")
		t.ok(ctx, "wait", "--text", "Late")
		t.ok(ctx, "wait", "--fn", "document.querySelector('#l')")
		t.ok(ctx, "wait", "--load", "load")
		t.ok(ctx, "wait", "--load", "networkidle")
		t.ok(ctx, "wait", "#nope", "--state", "detached")
		t.ok(ctx, "wait", "role=button Late", "--state", "visible")
		Expect(t.ok(ctx, "wait", "30").Data["ms"]).To(Equal(30))
		for _, cells := range [][]string{{"#nope"}, {"#l", "--state", "hidden"}, {"--text", "Nope"}, {"--url", "/nope"}, {"--fn", "false"}} {
			o := t.fails(ctx, steps.Timeout, "wait", append([]string{"wait", "--timeout", "150ms"}, cells...)...)
			Expect(o.Took).To(BeNumerically("<", 900*time.Millisecond), "%v", cells)
		}
		t.fails(ctx, steps.Assertion, "js-syntax", "wait", "--fn", "((")
	})

	It("evaluates", func(ctx SpecContext) {
		t := at(ctx, "/")
		Expect(t.ok(ctx, "eval", "1+1").Value).To(Equal(2))
		Expect(t.ok(ctx, "eval", "Promise.resolve({a:[1,'x',null]})").Value).To(Equal(map[string]any{"a": []any{1, "x", nil}}))
		Expect(t.ok(ctx, "eval", "NaN").Data["unserializable"]).To(Equal("NaN"))
		Expect(t.ok(ctx, "eval", "undefined").Data["unserializable"]).To(Equal("undefined"))
		Expect(t.fails(ctx, steps.Assertion, "js-error", "eval", "nope.x").Error).To(ContainSubstring("ReferenceError"))
	})

	It("takes pictures", func(ctx SpecContext) {
		t := at(ctx, "/colors")
		for _, cells := range [][]string{{"a.png"}, {"sub/b.jpg"}, {"full.png", "--full"}, {"#red", "red.png"}} {
			o := t.ok(ctx, append([]string{"screenshot"}, cells...)...)
			path, _ := o.Value.(string)
			Expect(filepath.IsAbs(path)).To(BeTrue())
			info, err := os.Stat(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Size()).To(BeNumerically(">", 100))
			Expect(o.Artifacts).To(HaveLen(1))
		}
		w, h := size(filepath.Join(t.files.dir, "red.png"))
		Expect([]int{w, h}).To(Equal([]int{50, 40}))
		w, h = size(filepath.Join(t.files.dir, "full.png"))
		Expect(w).To(Equal(1280))
		Expect(h).To(BeNumerically(">", 2000))
		t.fails(ctx, steps.NotFound, "not-found", "screenshot", "#nope", "n.png")
	})

	It("answers page functions at once", func(ctx SpecContext) {
		t := at(ctx, "/?k=v")
		for fn, want := range map[string]struct {
			args []any
			v    any
		}{
			"visible": {[]any{"#b"}, true}, "exists": {[]any{"#hid"}, true}, "hidden": {[]any{"#hid"}, true}, "enabled": {[]any{"#dis"}, false},
			"checked": {[]any{"#nope"}, false}, "text": {[]any{"#nb"}, "a b c"}, "count": {[]any{".item"}, 3}, "attr": {[]any{"#two", "href"}, "/two"},
			"path": {nil, "/"}, "query": {[]any{"k"}, "v"}, "title": {nil, "Test"}, "js": {[]any{"1+2"}, 3}, "input": {[]any{"#name"}, ""},
		} {
			v, err := t.Read(ctx, fn, want.args)
			Expect(err).NotTo(HaveOccurred())
			Expect(v).To(Equal(want.v), fn)
		}
		v, err := t.Read(ctx, "text", []any{"#nope"})
		Expect(err).NotTo(HaveOccurred())
		Expect(v).To(Equal(""))
		v, err = t.Read(ctx, "attr", []any{"#nope", "x"})
		Expect(err).NotTo(HaveOccurred())
		Expect(v).To(BeNil())
	})
})
