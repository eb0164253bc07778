package target_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

var at = diag.Pos{File: "a.yaml", Line: 3, Col: 10}

var _ = DescribeTable("what a target means",
	func(src string, want ...target.Part) {
		var l diag.List
		t := target.Parse(src, at, &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(t.Source).To(Equal(src))
		Expect(t.Parts).To(Equal(want))
	},
	Entry("CSS", "#buy", target.Part{Engine: target.CSS, Value: "#buy"}),
	Entry("CSS with a child combinator", "ul > li.a", target.Part{Value: "ul > li.a"}),
	Entry("CSS in a chain", "#a >> .b", target.Part{Value: "#a"}, target.Part{Value: ".b"}),
	Entry(">> in an attribute", `[title="a >> b"]`, target.Part{Value: `[title="a >> b"]`}),
	Entry(">> in a pseudo-class", `li:has-text("a >> b")`, target.Part{Value: `li:has-text("a >> b")`}),
	Entry("an escape", `#a\:b`, target.Part{Value: `#a\:b`}),
	Entry("XPath", `xpath=//a[text()="x"]`, target.Part{Engine: target.XPath, Value: `//a[text()="x"]`}),
	Entry("ref", "@e12", target.Part{Engine: target.Ref, Value: "e12"}),
	Entry("ref in a frame", "@f1e2", target.Part{Engine: target.Ref, Value: "f1e2"}),
	Entry("role", "role=button", target.Part{Engine: target.Role, Value: "button"}),
	Entry("role and name", "role=button Buy now", target.Part{Engine: target.Role, Value: "button", Name: "Buy now", Named: true}),
	Entry("role and exact name", `role=button "Buy"`,
		target.Part{Engine: target.Role, Value: "button", Name: "Buy", Named: true, Exact: true}),
	Entry("single quotes", `label='E-mail'`, target.Part{Engine: target.Label, Value: "E-mail", Exact: true}),
	Entry("quotes in quotes", `text="say \"hi\" \\ "`, target.Part{Engine: target.TextIs, Value: `say "hi" \ `, Exact: true}),
	Entry("an apostrophe", "text=Don't >> nth=-1", target.Part{Engine: target.TextIs, Value: "Don't"},
		target.Part{Engine: target.Nth, N: -1}),
	Entry(">> in an exact name", `text="a >> b"`, target.Part{Engine: target.TextIs, Value: "a >> b", Exact: true}),
	Entry("= in a name", "text=a=b", target.Part{Engine: target.TextIs, Value: "a=b"}),
	Entry("the attributes", "testid=cart >> placeholder=Search >> alt=Logo >> title=Close",
		target.Part{Engine: target.TestID, Value: "cart"}, target.Part{Engine: target.Placeholder, Value: "Search"},
		target.Part{Engine: target.Alt, Value: "Logo"}, target.Part{Engine: target.Title, Value: "Close"}),
	Entry("nth", "role=row Ada >> role=button Delete >> nth=2",
		target.Part{Engine: target.Role, Value: "row", Name: "Ada", Named: true},
		target.Part{Engine: target.Role, Value: "button", Name: "Delete", Named: true}, target.Part{Engine: target.Nth, N: 2}),
)

var _ = DescribeTable("what is wrong with a target",
	func(src string, col int, msg, hint string) {
		var l diag.List
		target.Parse(src, at, &l)
		Expect(l.All()).To(HaveLen(1))
		e := l.All()[0]
		Expect(e.Pos).To(Equal(diag.Pos{File: "a.yaml", Line: 3, Col: col}))
		Expect(e.Msg).To(ContainSubstring(msg))
		Expect(e.Hint).To(ContainSubstring(hint))
	},
	Entry("empty", " ", 10, "empty", "role="),
	Entry("bare XPath", "//a[1]", 10, "XPath needs its prefix", "xpath=//a[1]"),
	Entry("bracketed XPath", "(//a)[1]", 10, "XPath needs its prefix", "xpath=(//a)[1]"),
	Entry("unknown engine", "lable=Name", 10, `"lable="`, "label="),
	Entry("css=", "css=#a", 10, `"css="`, "write #a"),
	Entry("a role as an engine", "button=Buy", 10, `"button="`, "role=button Buy"),
	Entry("data-testid", "data-testid=x", 10, `"data-testid="`, "testid=x"),
	Entry("an attribute", "hrefs=x", 10, `"hrefs="`, `[hrefs="…"]`),
	Entry("getByRole", "getByRole('button', { name: 'Buy' })", 10, "getByRole() is no target", "role=button Buy"),
	Entry("getByText", `page.getByText("Hi")`, 10, "getByText()", "text=Hi"),
	Entry("locator", `page.locator('#a')`, 10, "without a call", "write #a"),
	Entry("text()", "text('Hi')", 10, "text() is no target", "text=Hi"),
	Entry("an empty name", "#a >> label= ", 16, "the name is empty", ""),
	Entry("an empty exact name", `label=""`, 16, "the name is empty", ""),
	Entry("an open quote", `role=button "Buy`, 22, "not closed", ""),
	Entry("text after the quote", `text="Buy" now`, 20, "after the closing quote", ""),
	Entry("an unknown role", "role=buton Buy", 15, `"buton" is no ARIA role`, "role=button"),
	Entry("Playwright's role syntax", `role=button[name="Buy"]`, 21, "in brackets", `role=button "Buy"`),
	Entry("no role", "role= ", 10, "names no role", "role=button"),
	Entry("a bad ref", "@x3", 10, `"@x3" is no ref`, "@e3"),
	Entry("a ref without @", "e12", 10, "needs its @", "@e12"),
	Entry("ref=", "ref=e12", 10, `"ref="`, "@e12"),
	Entry("a ref inside", "#a >> @e3", 16, "inside another target", ""),
	Entry("nth first", "nth=2", 10, "nothing to choose from", ""),
	Entry("nth without number", "li >> nth=first", 16, "whole number", "nth=0"),
	Entry("nothing after >>", "ü >> ", 12, `after ">>"`, ""),
	Entry("nothing before >>", ">> a", 10, "empty", ""),
	Entry("an open bracket", "ü[title=x", 11, `"[" is not closed`, ""),
	Entry("an open parenthesis", "li:not(.a", 16, `"(" is not closed`, ""),
	Entry("a closing one too many", "li:not(.a))", 20, `")" closes nothing`, ""),
	Entry("an open CSS quote", `[title="x]`, 17, "quote is not closed", ""),
	Entry("an open XPath quote", `xpath=//a[@x="1]`, 23, "quote is not closed", ""),
	Entry("an id that starts with a digit", "#1a", 10, "digit", `[id="1a"]`),
	Entry("a class that starts with a digit", "li .2col", 13, "digit", `[class~="2col"]`),
	Entry("no id", "# a", 10, "followed by no name", ""),
	Entry("a price", "$84", 10, "cannot stand", "text="),
	Entry("a lonely comma", "a, ", 11, "empty", ""),
	Entry("a combinator at the end", "ul >", 13, "ends with", ""),
	Entry("jQuery", `a:contains("x")`, 11, "no CSS", ":has-text"),
	Entry("plain words", "Buy now", 10, "elements named Buy", "text=Buy now"),
)

var _ = DescribeTable("what the own world can resolve",
	func(src string, want bool) {
		var l diag.List
		Expect(target.Parse(src, at, &l).Native()).To(Equal(want))
		Expect(l.Err()).NotTo(HaveOccurred())
	},
	Entry(nil, "#a > b:nth-child(2n+1)", true),
	Entry(nil, "li:has(a):is(.x):not(.y) >> nth=1", true),
	Entry(nil, "xpath=//a >> #b", true),
	Entry(nil, `[title=":visible"]`, true),
	Entry(nil, `[data-a=:visible]`, true),
	Entry(nil, `.a\:visible`, true),
	Entry(nil, "a:visible", false),
	Entry(nil, `li:has-text("x")`, false),
	Entry(nil, `li:not(:text-is("x"))`, false),
	Entry(nil, `:nth-match(a, 2)`, false),
	Entry(nil, `:text("x")`, false),
	Entry(nil, "a:visited", true),
	Entry(nil, "role=button", false),
	Entry(nil, "#a >> text=x", false),
	Entry(nil, "@e3", false),
)

var _ = Describe("a target's parts", func() {
	It("tells refs", func() {
		Expect(target.Parse("@e3", at, &diag.List{}).HasRef()).To(BeTrue())
		Expect(target.Parse("#e3", at, &diag.List{}).HasRef()).To(BeFalse())
	})
	It("leaves an unknown column out", func() {
		var l diag.List
		target.Parse("li >> nth=x", diag.Pos{File: "a.yaml"}, &l)
		Expect(l.All()[0].Pos).To(Equal(diag.Pos{File: "a.yaml"}))
	})
})

func FuzzParse(f *testing.F) {
	for _, s := range []string{"#a", "role=button \"Buy\" >> nth=-1", "//a", "@f1e2", "text='x", "li:has-text(\"a\") >> .b",
		"xpath=//a[text()='>>']", "getByRole('x')", "ü >> \\", "a[b='\\']", ".\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var l diag.List
		got := target.Parse(s, at, &l)
		for _, e := range l.All() {
			if e.Pos.Line != at.Line || e.Pos.Col < at.Col || e.Msg == "" {
				t.Fatalf("%q: error without a position: %v", s, e)
			}
		}
		if l.Len() > 0 {
			return
		}
		if len(got.Parts) == 0 {
			t.Fatalf("%q: no error and no parts", s)
		}
		got.Native()
		again := target.Parse(got.String(), at, &l)
		if l.Len() > 0 || again.String() != got.String() {
			t.Fatalf("%q: spelled %q, which reads as %q: %v", s, got.String(), again.String(), l.Err())
		}
	})
}
