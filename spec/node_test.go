package spec_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// value gives the node of `x:` under vars; the text of the value starts behind "  x: ".
func value(yaml string) (spec.Node, *diag.List) {
	var l diag.List
	f := spec.Parse("a.yaml", []byte("suite: s\nvars:\n  x: "+yaml+"\n"+oneTest), &l)
	if f.Suite == nil || len(f.Suite.Vars) == 0 {
		return spec.Node{}, &l
	}
	return f.Suite.Vars[0].Value, &l
}

var _ = DescribeTable("plain scalars keep their source, and have a value of YAML 1.2", func(source string, want any) {
	n, l := value(source)
	Expect(l.Err()).NotTo(HaveOccurred())
	text, ok := n.Text()
	Expect(ok).To(BeTrue())
	Expect(text).To(Equal(source))
	got := n.Value(l)
	if want == nil {
		Expect(got).To(BeNil())
	} else {
		Expect(got).To(Equal(want))
	}
	Expect(n.Quoted()).To(BeFalse())
},
	Entry(nil, "0x1F", 31), Entry(nil, "0o17", 15), Entry(nil, "007", 7), Entry(nil, "0123", 123), Entry(nil, "1.0", 1.0), Entry(nil, "1e3", 1000.0),
	Entry(nil, "-5", -5), Entry(nil, "+5", 5), Entry(nil, ".5", 0.5), Entry(nil, "1_000", "1_000"), Entry(nil, "~", nil), Entry(nil, "null", nil),
	Entry(nil, "Null", nil), Entry(nil, "true", true), Entry(nil, "False", false), Entry(nil, "yes", "yes"), Entry(nil, "no", "no"), Entry(nil, "on", "on"),
	Entry(nil, "1.2.3", "1.2.3"), Entry(nil, "2026-01-02", "2026-01-02"), Entry(nil, "0x", "0x"), Entry(nil, "0b1", "0b1"), Entry(nil, "1e", "1e"),
	Entry(nil, "infinity", "infinity"), Entry(nil, "12:30", "12:30"), Entry(nil, "a b", "a b"), Entry(nil, "9223372036854775808", 9223372036854775808.0),
	Entry(nil, "http://a/b#c", "http://a/b#c"),
)

var _ = DescribeTable("quoted and block scalars are decoded", func(source, want string) {
	n, l := value(source)
	Expect(l.Err()).NotTo(HaveOccurred())
	Expect(n.Value(l)).To(Equal(want))
	Expect(n.Quoted()).To(BeTrue())
	Expect(n.Pos()).To(Equal(diag.Pos{File: "a.yaml", Line: 3, Col: 6}))
},
	Entry(nil, `"1"`, "1"), Entry(nil, `'it''s'`, "it's"), Entry(nil, `"a\tb\u00e9"`, "a\tbé"), Entry(nil, "|\n    a\n    b\n", "a\nb\n"),
	Entry(nil, "|-\n    a\n", "a"), Entry(nil, ">\n    a\n    b\n", "a b\n"), Entry(nil, `""`, ""),
)

var _ = Describe("structure", func() {
	It("resolves anchors, aliases and merge keys", func() {
		var l diag.List
		f := spec.Parse("a.yaml", []byte(`suite: s
x-row: &row [click, "#a"]
x-base: &base { headless: true, locale: de }
browser: { <<: *base, locale: en }
tests:
  - name: a
    steps: &steps
      - *row
      - [open, /]
  - name: b
    steps: *steps
    browser:
      <<: [*base]
      scale: 2
`), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(*f.Suite.Browser.Headless).To(BeTrue())
		Expect(f.Suite.Browser.Locale).To(Equal("en"))
		Expect(f.Suite.Tests[1].Browser.Locale).To(Equal("de"))
		steps, _ := f.Suite.Tests[1].Steps.Seq()
		Expect(steps[0].Value(&l)).To(Equal([]any{"click", "#a"}))
	})
	It("gives entries in written order, with the places of their keys", func() {
		n, l := value("{ b: 1, a: { c: 2 } }")
		entries := n.Entries("vars", l)
		Expect(entries).To(HaveLen(2))
		Expect(entries[1].Name).To(Equal("a"))
		Expect(entries[1].KeyPos.Col).To(Equal(14))
		Expect(entries[1].Value.KeyPos().Col).To(Equal(14))
		Expect(entries[1].Value.Pos().Col).To(Equal(17))
		Expect(n.Has("b")).To(BeTrue())
		Expect(n.Has("c")).To(BeFalse())
		Expect(n.Get("a").Get("c").Value(l)).To(Equal(2))
		Expect(n.Keys()).To(Equal([]string{"b", "a"}))
	})
	It("is nothing where nothing is", func() {
		var n spec.Node
		var l diag.List
		Expect(n.IsZero()).To(BeTrue())
		Expect(n.Pos().IsZero()).To(BeTrue())
		Expect(n.Sort()).To(Equal("nothing"))
		Expect(n.Value(&l)).To(BeNil())
		_, isText := n.Text()
		Expect(isText).To(BeFalse())
		Expect(spec.WantText(n, "a", &l)).To(BeEmpty())
		Expect(l.Len()).To(BeZero())
	})
	It("keeps places in the rest of a scalar", func() {
		n, l := value(`"us\u0065r in vars.usr"`)
		spec.CompileExpr(n.Rest(len("user in ")), exprScope(), spec.Type{}, l)
		Expect(l.Err()).To(MatchError(HavePrefix(`a.yaml:3:25: "vars" has no "usr"`)))
		Expect(n.Rest(len("user in ")).Pos().Col).To(Equal(20))
	})
	It("merges browsers and timeouts", func() {
		yes, no := true, false
		base := spec.Browser{Headless: &yes, Locale: "de", Headers: map[string]string{"a": "1", "b": "2"}}
		own := spec.Browser{Headless: &no, Scale: 2, Headers: map[string]string{"b": "3"}}
		out := own.Over(base)
		Expect(*out.Headless).To(BeFalse())
		Expect(out).To(HaveField("Locale", "de"))
		Expect(out.Headers).To(Equal(map[string]string{"a": "1", "b": "3"}))
		Expect(base.Headers).To(HaveKeyWithValue("b", "2"))
		limits := spec.Timeouts{Action: 1}.Over(spec.DefaultTimeouts())
		Expect(limits.Action).To(BeEquivalentTo(1))
		Expect(limits.Row.String()).To(Equal("35s"))
	})
})

// Every plain or quoted scalar must start where its node says: the library's own columns are not always right.
var _ = Describe("places", func() {
	var check func(n spec.Node, lines []string)
	check = func(n spec.Node, lines []string) {
		if items, ok := n.Seq(); ok {
			for _, item := range items {
				check(item, lines)
			}
			return
		}
		var l diag.List
		if n.IsMap() {
			for _, e := range n.Entries("a map", &l) {
				rest := string([]rune(lines[e.KeyPos.Line-1])[e.KeyPos.Col-1:])
				Expect(strings.TrimLeft(rest, `"'`)).To(HavePrefix(e.Name))
				check(e.Value, lines)
			}
			return
		}
		if n.Empty() || n.IsZero() {
			return
		}
		rest := string([]rune(lines[n.Pos().Line-1])[n.Pos().Col-1:])
		if text, _ := n.Text(); text == "tagged" {
			Expect(rest).To(HavePrefix(text))
			return
		}
		if n.Quoted() {
			Expect(rest).To(MatchRegexp(`^["'|>]`))
			return
		}
		text, _ := n.Text()
		Expect(rest).To(HavePrefix(strings.Fields(text + " x")[0]))
	}
	all := func(src []byte) {
		var l diag.List
		f := spec.Parse("a.yaml", src, &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		lines := strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
		if f.Fragment != nil {
			check(f.Fragment.Steps, lines)
			return
		}
		for _, v := range f.Suite.Vars {
			check(v.Value, lines)
		}
		check(f.Suite.Setup, lines)
		for _, t := range f.Suite.Tests {
			check(t.Name, lines)
			check(t.Steps, lines)
			check(t.Finally, lines)
		}
	}
	It("are right in awkward files", func() {
		awkward := "suite: s # c\nvars:\n  a: [x, 'y', \"z\", {k: v, \"q\": w}, ü, 日本 x, 7]\n  b:\n  - one\n  -   two  # c\n  - three\n    goes on\n" +
			"  -\n    four\n  - - five\n    - six\n  - k1: v1\n    k2: v2\n  c: |\n    text\n  d: >-\n\n    text\n  e: {a: 1,\n    b: [2,\n    3]}\n  f: &a 1\n  g: !!str tagged\n  t: [!!str tagged, !!int 5, x]\n" +
			"  h : spaced\n  \"i\": 'j'\n  k: # c\n    l\n" + oneTest
		all([]byte(awkward))
		all([]byte(strings.ReplaceAll(awkward, "\n", "\r\n")))
	})
	paths, _ := filepath.Glob("../examples/*.yaml")
	for _, path := range paths {
		It("are right in "+filepath.Base(path), func() {
			src, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			all(src)
		})
	}
})

var _ = DescribeTable("scalars of the wrong kind", func(source, want string, read func(n spec.Node, l *diag.List)) {
	n, l := value(source)
	read(n, l)
	if want == "" {
		Expect(l.Err()).NotTo(HaveOccurred())
	} else {
		Expect(l.Err()).To(MatchError("a.yaml:3:6: " + want))
	}
},
	Entry(nil, "yes", `"k" must be true or false, got yes (write true)`, func(n spec.Node, l *diag.List) { spec.WantBool(n, "k", l) }),
	Entry(nil, `"false"`, `"k" must be true or false, got "false" (write false)`, func(n spec.Node, l *diag.List) { spec.WantBool(n, "k", l) }),
	Entry(nil, "[a]", `"k" must be true or false, got a list`, func(n spec.Node, l *diag.List) { spec.WantBool(n, "k", l) }),
	Entry(nil, "true", "", func(n spec.Node, l *diag.List) { spec.WantBool(n, "k", l) }),
	Entry(nil, "1.5", `"k" must be a whole number, got 1.5`, func(n spec.Node, l *diag.List) { spec.WantInt(n, "k", 0, l) }),
	Entry(nil, "0", `"k" must be at least 1, got 0`, func(n spec.Node, l *diag.List) { spec.WantInt(n, "k", 1, l) }),
	Entry(nil, "5", `"k" must be a duration, got 5 (write 5s or 5ms)`, func(n spec.Node, l *diag.List) { spec.WantDuration(n, "k", l) }),
	Entry(nil, "-5s", `"k" must be a duration, got -5s (write it as 5s, 250ms or 1m30s)`, func(n spec.Node, l *diag.List) { spec.WantDuration(n, "k", l) }),
	Entry(nil, "1m30s", "", func(n spec.Node, l *diag.List) { spec.WantDuration(n, "k", l) }),
	Entry(nil, "0s", "", func(n spec.Node, l *diag.List) { spec.WantDuration(n, "k", l) }),
	Entry(nil, "a", `"k" must be a list, got text (write [a])`, func(n spec.Node, l *diag.List) { spec.WantTexts(n, "k", l) }),
	Entry(nil, "{a: b}", `"k" must be text, got a map (write: x: "{a: b}")`, func(n spec.Node, l *diag.List) { spec.WantText(n, "k", l) }),
	Entry(nil, "", `"k" must be text, got nothing (write "" for empty text)`, func(n spec.Node, l *diag.List) {
		l2 := &diag.List{}
		spec.WantText(n, "k", l2)
		e := l2.All()[0]
		e.Pos.Col = 6 // nothing stands at its key
		l.Append(e)
	}),
)

var _ = DescribeTable("normalised text", func(in, want string) { Expect(spec.Normalise(in)).To(Equal(want)) },
	Entry(nil, "  a \n\t b ", "a b"), Entry(nil, "a\u00a0\u202fb", "a b"), Entry(nil, "a\u200bb", "ab"), Entry(nil, "", ""), Entry(nil, " ", ""),
)
