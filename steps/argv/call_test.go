package argv_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

var _ = DescribeTable("what a row does",
	func(row []string, readsOnly, mutates, repeatable, rereads, loads bool, value string) {
		c, l := parse(row...)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(c.ReadsOnly()).To(Equal(readsOnly), "reads only")
		Expect(c.Mutates()).To(Equal(mutates), "mutates")
		Expect(c.Repeatable()).To(Equal(repeatable), "repeatable")
		Expect(c.Rereads()).To(Equal(rereads), "rereads")
		Expect(c.Loads()).To(Equal(loads), "loads")
		Expect(c.ValueKey()).To(Equal(value))
		if value != "" {
			Expect(c.DataKeys()).To(ContainElement(HaveField("Name", value)))
		}
	},
	Entry("get text", []string{"get", "text", "#a"}, true, false, true, true, false, "text"),
	Entry("console", []string{"console"}, true, false, true, true, false, "messages"),
	Entry("console --clear", []string{"console", "--clear"}, false, false, false, false, false, "messages"),
	Entry("eval", []string{"eval", "1"}, false, true, false, false, false, "result"),
	Entry("find text", []string{"find", "role", "button", "text"}, true, false, true, true, false, "text"),
	Entry("find click", []string{"find", "role", "button", "click"}, false, true, false, false, false, "clicked"),
	Entry("find hover", []string{"find", "role", "button", "hover"}, false, true, true, false, false, "hovered"),
	Entry("click", []string{"click", "#a"}, false, true, false, false, false, "clicked"),
	Entry("check", []string{"check", "#a"}, false, true, true, false, false, "checked"),
	Entry("open", []string{"open", "/"}, false, true, true, false, true, "url"),
	Entry("back", []string{"back"}, false, true, false, false, true, "url"),
	Entry("tab new", []string{"tab", "new"}, false, true, false, false, false, "tabId"),
	Entry("screenshot", []string{"screenshot"}, false, false, true, false, false, "path"),
	Entry("expect", []string{"expect", "visible", "#a"}, false, false, true, true, false, "value"),
	Entry("wait --fn", []string{"wait", "--fn", "1"}, false, false, true, true, false, "result"),
	Entry("wait for a target", []string{"wait", "#a"}, false, false, true, true, false, "selector"),
	Entry("a pause", []string{"wait", "5"}, false, false, true, true, false, ""),
	Entry("wait for a download", []string{"wait", "--download"}, false, false, true, false, false, "path"),
	Entry("download", []string{"download", "#a", "b"}, false, true, false, false, false, "path"),
	Entry("diff snapshot", []string{"diff", "snapshot"}, true, false, true, true, false, "changed"),
	Entry("diff screenshot", []string{"diff", "screenshot", "-b", "a.png"}, true, false, true, true, false, "match"),
	Entry("diff screenshot written", []string{"diff", "screenshot", "-b", "a.png", "-o", "b.png"}, true, false, true, false, false, "match"),
	Entry("diff url", []string{"diff", "url", "/a", "/b"}, false, true, true, false, true, "diff"),
	Entry("a11y", []string{"a11y"}, true, false, true, true, false, "violations"),
	Entry("a11y of a page", []string{"a11y", "/a"}, true, true, true, false, true, "violations"),
	Entry("record start", []string{"record", "start", "a.webm"}, false, false, false, false, false, "path"),
	Entry("record start of a page", []string{"record", "start", "a.webm", "/a"}, false, true, false, false, true, "path"),
	Entry("cookies", []string{"cookies"}, true, false, true, true, false, "cookies"),
	Entry("a route", []string{"network", "route", "/a", "--abort"}, false, true, true, false, false, "routed"),
	Entry("snapshot", []string{"snapshot"}, false, false, true, true, false, "snapshot"),
)

var _ = DescribeTable("the ref latch",
	func(ok bool, rows ...[]string) {
		var calls []*argv.Call
		for _, r := range rows {
			c, l := parse(r...)
			Expect(l.Err()).NotTo(HaveOccurred())
			calls = append(calls, c)
		}
		var l diag.List
		argv.Latch(calls, &l)
		Expect(l.Len() == 0).To(Equal(ok), "%v", l.All())
	},
	Entry("no snapshot", false, []string{"click", "@e3"}),
	Entry("a snapshot before", true, []string{"snapshot"}, []string{"click", "@e3"}),
	Entry("a snapshot after", false, []string{"click", "@e3"}, []string{"snapshot"}),
	Entry("a click between", false, []string{"snapshot"}, []string{"click", "@e3"}, []string{"click", "@e4"}),
	Entry("fills between", true, []string{"snapshot"}, []string{"fill", "@e3", "a"}, []string{"fill", "@e4", "b"}, []string{"click", "@e5"}),
	Entry("a check by ref between", true, []string{"snapshot"}, []string{"check", "@e3"}, []string{"select", "@e4", "x"}, []string{"check", "@e5"}),
	Entry("a check by CSS between", false, []string{"snapshot"}, []string{"check", "#a"}, []string{"check", "@e5"}),
	Entry("an open between", false, []string{"snapshot"}, []string{"open", "/"}, []string{"get", "text", "@e3"}),
	Entry("a new snapshot", true, []string{"snapshot"}, []string{"open", "/"}, []string{"snapshot"}, []string{"get", "text", "@e3"}),
	Entry("a ref in a chain", false, []string{"get", "count", "@f1e2 >> li"}),
	Entry("a ref as text", true, []string{"fill", "#a", "@e3"}),
	Entry("a ref in a flag", false, []string{"scroll", "down", "--selector", "@e3"}),
	Entry("a dynamic target", true, []string{"click", "$${{ steps.s.value }}"}),
	Entry("reads between", true, []string{"snapshot"}, []string{"get", "url"}, []string{"expect", "visible", "#a"}, []string{"click", "@e3"}),
	Entry("find click between", false, []string{"snapshot"}, []string{"find", "text", "x", "click"}, []string{"click", "@e3"}),
	Entry("find fill between", true, []string{"snapshot"}, []string{"find", "label", "x", "fill", "y"}, []string{"click", "@e3"}),
)

var _ = Describe("arguments", func() {
	args := func(row ...string) argv.Args {
		GinkgoHelper()
		c, l := parse(row...)
		Expect(l.Err()).NotTo(HaveOccurred())
		a, err := c.Bind(row)
		Expect(err).NotTo(HaveOccurred())
		return a
	}

	DescribeTable("find rows compile to targets", func(want, action, text string, row ...string) {
		t, a, x := args(append([]string{"find"}, row...)...).Find()
		Expect(t.String()).To(Equal(want))
		Expect(a).To(Equal(action))
		Expect(x).To(Equal(text))
		var l diag.List
		Expect(target.Parse(t.String(), diag.Pos{}, &l).Parts).To(Equal(t.Parts))
	},
		Entry(nil, "role=button", "click", "", "role", "button", "click"),
		Entry(nil, "role=button Buy", "click", "", "role", "button", "click", "--name", "Buy"),
		Entry(nil, `role=button "Buy"`, "hover", "", "role", "button", "hover", "--name", "Buy", "--exact"),
		Entry(nil, "label=E-mail", "fill", "a", "label", "E-mail", "fill", "a"),
		Entry(nil, `text="Terms"`, "click", "", "text", "Terms", "click", "--exact"),
		Entry(nil, ".item >> nth=0", "text", "", "first", ".item", "text"),
		Entry(nil, ".item >> nth=-1", "text", "", "last", ".item", "text"),
		Entry(nil, ".item >> nth=-2", "check", "", "nth", "-2", ".item", "check"),
		Entry(nil, "testid=cart", "click", "", "testid", "cart", "click"),
		Entry(nil, "placeholder=Search", "click", "", "placeholder", "Search", "click"),
	)

	DescribeTable("screenshot rows", func(element, path string, row ...string) {
		a := args(append([]string{"screenshot"}, row...)...)
		e, p := a.Screenshot()
		Expect(e).To(Equal(element))
		Expect(p).To(Equal(path))
		Expect(a.Target(0).Source).To(Equal(element))
	},
		Entry(nil, "", ""),
		Entry(nil, "", "a.png", "a.png"),
		Entry(nil, "", "./x/a.jpg", "./x/a.jpg", "--full"),
		Entry(nil, "#a", "", "#a"),
		Entry(nil, "img.png-like", "a.png", "img.png-like", "a.png"),
	)

	It("are parsed once for a row without dynamic cells", func() {
		c, _ := parse("click", "role=button Buy")
		a, err := c.Bind(nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Target(0).Parts).To(HaveLen(1))
		Expect(a.Argv).To(Equal([]string{"click", "role=button Buy"}))
	})

	It("read counts", func() {
		op, n, err := argv.ParseCount(">= 2")
		Expect(err).NotTo(HaveOccurred())
		Expect(op).To(Equal(">="))
		Expect(n).To(Equal(2))
		op, _, _ = argv.ParseCount("3")
		Expect(op).To(Equal("=="))
	})

	It("are spelled so that they can be pasted", func() {
		Expect(argv.Row([]string{"expect", "text", "#total", "", "a: b", "plain text"})).
			To(Equal(`[expect, text, "#total", "", "a: b", plain text]`))
	})
})
