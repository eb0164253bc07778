package spec_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

var _ = Describe("text", func() {
	text := func(src string) (spec.Text, *diag.List) {
		var l diag.List
		return spec.CompileText(scalar(src), exprScope(), &l), &l
	}
	DescribeTable("renders", func(ctx SpecContext, src, want string) {
		t, l := text(src)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(t.String(ctx, exprValues(), page{})).To(Equal(want))
	},
		Entry(nil, "plain", "plain"),
		Entry(nil, "a ${{ vars.user }} b", "a ada b"),
		Entry(nil, "${{ vars.user }}${{ vars.n }}", "ada4"),
		Entry(nil, "$${{ vars.user }}", "${{ vars.user }}"),
		Entry(nil, "a $${{ x }} ${{ vars.n }}", "a ${{ x }} 4"),
		Entry(nil, `${{ {"a": {"b": vars.n}}.a.b }}`, "4"),
		Entry(nil, `${{ "}}" }}`, "}}"),
		Entry(nil, "${{ 1.0 }} ${{ 1e20 }} ${{ 1e21 }} ${{ 0.1 + 0.2 }} ${{ -0.0 }} ${{ 7 / 2 }} ${{ 4 / 2 }} ${{ 0.0000001 }}",
			"1 100000000000000000000 1e+21 0.30000000000000004 0 3.5 2 0.0000001"),
		Entry(nil, "${{ true }} ${{ vars.yes }}", "true true"),
		Entry(nil, "${{ text('h1') }}", "Thank you"),
	)
	It("keeps the type of a single part", func(ctx SpecContext) {
		t, _ := text("${{ vars.users }}")
		Expect(t.Type().Base).To(Equal(spec.List))
		Expect(t.Value(ctx, exprValues(), nil)).To(Equal([]any{"ada", "bob"}))
		_, static := t.Static()
		Expect(static).To(BeFalse())
		t, _ = text("a")
		s, static := t.Static()
		Expect(s).To(Equal("a"))
		Expect(static).To(BeTrue())
	})
	DescribeTable("refuses", func(ctx SpecContext, src, message string) {
		t, l := text(src)
		err := l.Err()
		if err == nil {
			_, err = t.String(ctx, exprValues(), nil)
		}
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
		Entry(nil, "a ${{ vars.any }}", "s.yaml:2:17: ${{ vars.any }}: nil cannot stand in text (write ${{ vars.any ?? \"\" }})"),
		Entry(nil, "a ${{ vars.users }}", "a list cannot stand in text"),
		Entry(nil, "a ${{ vars }}", "a map cannot stand in text"),
		Entry(nil, "a ${{ vars.n", `s.yaml:2:14: "${{" is never closed`),
		Entry(nil, "a ${{ }}", "s.yaml:2:17: the expression is empty"),
		Entry(nil, "ü ${{ vars.usr }}", `s.yaml:2:23: "vars" has no "usr"`),
	)
	It("takes structures apart", func(ctx SpecContext) {
		var l diag.List
		f := spec.Parse("s.yaml", []byte("suite: s\nvars: { a: [1, \"${{ vars.n }}\", { b: \"x${{ vars.n }}\" }], c: 2 }\ntests: [{name: a, steps: [[open, /]]}]\n"), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		a := spec.CompileStructure(f.Suite.Vars[0].Value, exprScope(), &l)
		Expect(a.Value(ctx, exprValues(), nil)).To(Equal([]any{1, 4, map[string]any{"b": "x4"}}))
		c := spec.CompileStructure(f.Suite.Vars[1].Value, exprScope(), &l)
		v, static := c.Static()
		Expect(v).To(Equal(2))
		Expect(static).To(BeTrue())
		Expect(c.Type().Base).To(Equal(spec.Int))
	})
})

// The marks ‸ in the sources show where the error must point; the sources are compiled without them.
var _ = DescribeTable("positions inside scalars", func(marked string) {
	before, after, _ := strings.Cut(marked, "‸")
	line := strings.Count(before, "\n") + 1
	col := len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
	src := before + after + "\ntests: [{name: a, steps: [[open, /]]}]\n"
	var l diag.List
	f := spec.Parse("s.yaml", []byte(src), &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	spec.CompileText(f.Suite.BaseURL, exprScope(), &l)
	Expect(l.All()).To(HaveLen(1))
	Expect(l.All()[0].Pos).To(Equal(diag.Pos{File: "s.yaml", Line: line, Col: col}), l.All()[0].Error())
},
	Entry("plain", "suite: s\nbase_url: a ${{ ‸nope }}"),
	Entry("plain over lines", "suite: s\nbase_url: a\n  b ${{ ‸nope }}"),
	Entry("single quotes", "suite: s\nbase_url: 'it''s ${{ ‸nope }}'"),
	Entry("double quotes", `suite: s`+"\n"+`base_url: "\"\u00e9\x41 ${{ ‸nope }}"`),
	Entry("double quotes over lines", "suite: s\nbase_url: \"a\n   b\\\n   c ${{ ‸nope }}\""),
	Entry("wide runes", "suite: s\nbase_url: 日本 ${{ ‸nope }}"),
	Entry("literal block", "suite: s\nbase_url: |\n    one\n    two ${{ ‸nope }}\n"),
	Entry("folded block", "suite: s\nbase_url: ‸>\n    one\n    two ${{ nope }}\n"),
	Entry("in a flow map", "suite: s\nx-a: { b: c }\nbase_url: \"${{ 1 + ‸nope }}\""),
	Entry("carriage returns", "suite: s\r\nbase_url: a ${{ ‸nope }}\r"),
	Entry("byte order mark", "suite: s\nbase_url: a ${{ ‸nope }}"),
)
