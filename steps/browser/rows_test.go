package browser_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

func replacePort(body, host string) string {
	_, port, _ := strings.Cut(host, ":")
	return strings.ReplaceAll(body, "PORT", port)
}

var _ = Describe("rows", Label("browser"), func() {
	Describe("navigation", func() {
		It("opens pages, resolves paths and reports url, title and status", func(ctx SpecContext) {
			t := at(ctx, "/")
			o := t.ok(ctx, "open", "/redirect")
			Expect(o.Data).To(And(HaveKeyWithValue("url", srv.URL+"/two"), HaveKeyWithValue("status", 200), HaveKeyWithValue("title", "Test")))
			Expect(o.Page.URL).To(Equal(srv.URL + "/two"))
			Expect(t.ok(ctx, "back").Value).To(Equal(srv.URL + "/"))
			Expect(t.ok(ctx, "forward").Value).To(Equal(srv.URL + "/two"))
			Expect(t.ok(ctx, "forward").Warnings).To(ContainElement(ContainSubstring("no later page")))
			Expect(t.ok(ctx, "reload").Value).To(Equal(srv.URL + "/two"))
		})

		It("fails on a status of 400 and more unless it is expected", func(ctx SpecContext) {
			t := at(ctx, "/")
			o := t.fails(ctx, steps.Navigation, "http-status", "open", "/status/503")
			Expect(o.Error).To(ContainSubstring("answered 503"))
			Expect(o.NextActions[0].Row).To(Equal([]string{"open", "/status/503", "--status", "503"}))
			t.ok(ctx, "open", "/status/404", "--status", "404")
			t.fails(ctx, steps.Navigation, "http-status", "open", "/", "--status", "404")
		})

		It("fails on what cannot be reached and on what never answers", func(ctx SpecContext) {
			t := at(ctx, "/")
			Expect(t.fails(ctx, steps.Navigation, "net", "open", "http://127.0.0.1:1/").Error).To(ContainSubstring("net::ERR_"))
			o := t.timed(ctx, 300e6, "open", "/never")
			Expect(o.Category).To(Equal(steps.Timeout))
			t.ok(ctx, "open", "/two")
		})
	})

	Describe("clicking", func() {
		It("clicks by every kind of target", func(ctx SpecContext) {
			t := at(ctx, "/")
			for _, target := range []string{"#b", "xpath=//button[@id='b']", "role=button Press", `role=button "Press me"`, "text=Press me", "testid=go"} {
				t.ok(ctx, "click", target)
			}
			t.ok(ctx, "expect", "text", "#log", "b b b b b b")
		})

		It("waits for a target that comes late", func(ctx SpecContext) {
			t := at(ctx, "/late")
			t.ok(ctx, "click", "#l")
			t.ok(ctx, "expect", "text", "#l", "clicked")
		})

		DescribeTable("refuses what cannot be clicked", func(ctx SpecContext, target, sub, part string) {
			t := at(ctx, "/")
			o := t.fails(ctx, steps.NotActionable, sub, "click", target)
			Expect(o.Error).To(ContainSubstring(part))
			Expect(o.Sent).To(Equal(steps.NotSent))
			t.ok(ctx, "expect", "text", "#log", "")
		},
			Entry("covered", "#under", "covered", "overlay"),
			Entry("covered, by role", "role=button Under", "covered", "overlay"),
			Entry("disabled", "#dis", "disabled", "dis"),
			Entry("invisible", "#hid", "invisible", "nothing of it is visible"),
			Entry("several", "role=button", "ambiguous", "visible elements match"))

		It("names what is near when nothing matches", func(ctx SpecContext) {
			t := at(ctx, "/")
			o := t.fails(ctx, steps.NotFound, "not-found", "click", "role=button Savee")
			Expect(o.Detail.Target.Near).To(ContainElement("role=button Save"))
			o = t.fails(ctx, steps.NotFound, "not-found", "click", "#naem")
			Expect(o.Detail.Target.Near).To(ContainElement("#name"))
			Expect(o.NextActions[0].Row).To(Equal([]string{"click", "#name"}))
		})

		It("takes the first of several only when not strict", func(ctx SpecContext) {
			t := at(ctx, "/strict")
			o := t.fails(ctx, steps.NotActionable, "ambiguous", "click", ".dup")
			Expect(o.Detail.Target.List).To(HaveLen(2))
			loose := options()
			loose.Strict = false
			t = openOn(ctx, eng, loose)
			t.ok(ctx, "open", "/strict")
			Expect(t.ok(ctx, "click", ".dup").Warnings).NotTo(BeEmpty())
			t.ok(ctx, "expect", "text", "#log", "1")
			t.ok(ctx, "click", ".dup >> nth=1")
			t.ok(ctx, "expect", "text", "#log", "12")
			t.fails(ctx, steps.NotActionable, "ambiguous", "select", "role=combobox List", "a")
			t.fails(ctx, steps.NotActionable, "ambiguous", "select", "label=List", "a")
			t.ok(ctx, "select", "select", "a")
		})

		It("follows links, hovers, focuses and drags", func(ctx SpecContext) {
			t := at(ctx, "/")
			t.ok(ctx, "hover", "#b")
			t.ok(ctx, "dblclick", "#b")
			t.ok(ctx, "expect", "text", "#log", "b b")
			t.ok(ctx, "focus", "#name")
			t.ok(ctx, "expect", "focused", "#name")
			t.ok(ctx, "click", "#slow")
			t.ok(ctx, "expect", "text", "h1", "Slow", "--within", "3s")
			t.ok(ctx, "open", "/drag")
			t.ok(ctx, "drag", "#src", "#dst")
			t.ok(ctx, "expect", "text", "#dst", "dropped")
		})
	})

	Describe("controls", func() {
		DescribeTable("fills", func(ctx SpecContext, target, text string) {
			t := at(ctx, "/form")
			t.ok(ctx, "fill", target, text)
			if target != "#ce" {
				t.ok(ctx, "expect", "value", target, text)
			}
		},
			Entry("text", "#q", "two  words"), Entry("by label", "label=Quantity", "7"), Entry("empty", "#q", ""),
			Entry("date", "#date", "2026-02-03"), Entry("colour", "#color", "#ff0000"), Entry("range", "#range", "7"),
			Entry("contenteditable", "#ce", "new text"), Entry("textarea", "#ta", "a\nb"), Entry("late", "#late", "x"))

		It("fails on a mismatch and on what takes no text", func(ctx SpecContext) {
			t := at(ctx, "/form")
			Expect(t.fails(ctx, steps.NotActionable, "value-mismatch", "fill", "#max", "abcdef").Error).To(ContainSubstring(`"abc"`))
			t.fails(ctx, steps.NotActionable, "readonly", "fill", "#ro", "x")
			t.fails(ctx, steps.NotActionable, "disabled", "fill", "#off", "x")
			t.fails(ctx, steps.NotActionable, "wrong-element", "fill", "#bad", "x")
			t.fails(ctx, steps.Validation, "malformed-value", "fill", "#date", "tomorrow")
			Expect(t.ok(ctx, "get", "value", "#ro").Value).To(Equal("fixed"))
		})

		It("masks what goes into a password field", func(ctx SpecContext) {
			t := at(ctx, "/form")
			for _, cmd := range []string{"fill", "type"} {
				o := t.ok(ctx, cmd, "#pw", "hunter22")
				Expect(o.Argv).To(Equal([]string{cmd, "#pw", "•••"}))
				Expect(o.Data).NotTo(ContainElement("hunter22"))
			}
			Expect(t.ok(ctx, "get", "value", "#pw").Value).To(Equal("•••"))
			t.ok(ctx, "focus", "#pw")
			Expect(t.ok(ctx, "keyboard", "type", "hunter22").Argv).To(ContainElement("•••"))
			Expect(t.ok(ctx, "keyboard", "type", "hunter22\t").Argv).To(ContainElement("•••")) // the tab leaves the field
		})

		It("types, presses and inserts", func(ctx SpecContext) {
			t := at(ctx, "/form")
			t.ok(ctx, "type", "#q", "ab")
			t.ok(ctx, "keyboard", "type", "cd")
			t.ok(ctx, "keyboard", "inserttext", "日本")
			t.ok(ctx, "press", "Shift+Home")
			t.ok(ctx, "press", "x")
			t.ok(ctx, "press", "Enter")
			t.ok(ctx, "expect", "text", "#out", "submit x")
		})

		It("checks, selects and uploads", func(ctx SpecContext) {
			t := at(ctx, "/form")
			for range 2 {
				t.ok(ctx, "check", "label=Agree")
				t.ok(ctx, "expect", "checked", "#box")
			}
			t.ok(ctx, "uncheck", "#box")
			t.ok(ctx, "expect", "unchecked", "#box")
			t.fails(ctx, steps.NotActionable, "unchanged", "check", "#stuck")
			t.fails(ctx, steps.NotActionable, "wrong-element", "check", "#q")
			Expect(t.ok(ctx, "select", "#one", "Chocolate").Value).To(Equal([]any{"c"}))
			Expect(t.ok(ctx, "select", "#many", "a", "c").Value).To(Equal([]any{"a", "c"}))
			Expect(t.fails(ctx, steps.NotFound, "no-option", "select", "#one", "Mint").Error).To(ContainSubstring("Vanilla"))
			Expect(os.WriteFile(filepath.Join(t.files.dir, "cat.txt"), []byte("x"), 0o600)).To(Succeed())
			t.ok(ctx, "upload", "#file", "cat.txt")
			t.ok(ctx, "expect", "text", "#out", "cat.txt")
			t.ok(ctx, "upload", "#files", "cat.txt", "cat.txt")
			t.fails(ctx, steps.Validation, "no-file", "upload", "#file", "dog.txt")
			t.fails(ctx, steps.NotActionable, "wrong-element", "upload", "#q", "cat.txt")
			t.fails(ctx, steps.NotActionable, "one-file", "upload", "#file", "cat.txt", "cat.txt")
		})

		It("scrolls and says when nothing moved", func(ctx SpecContext) {
			t := at(ctx, "/scroll")
			t.ok(ctx, "scroll", "down", "500")
			Expect(t.ok(ctx, "eval", "scrollY").Value).To(Equal(500))
			t.ok(ctx, "scroll", "up", "500")
			t.fails(ctx, steps.NotActionable, "not-moved", "scroll", "up")
			t.ok(ctx, "scrollintoview", "#foot")
			t.ok(ctx, "scroll", "down", "10", "-s", "#box")
			t.fails(ctx, steps.NotActionable, "not-moved", "scroll", "right", "-s", "#box")
		})
	})
})
