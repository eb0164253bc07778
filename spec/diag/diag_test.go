package diag_test

import (
	"bytes"
	"errors"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
)

var _ = DescribeTable("the nearest names", func(word string, want ...string) {
	names := []string{"click", "check", "fill", "type", "base_url", "retries", "get", "set", "selector", "steps", "tests", "test"}
	Expect(diag.Nearest(word, names)).To(HaveExactElements(want))
},
	Entry("one edit", "clik", "click"),
	Entry("a swap of neighbours is one edit", "flil", "fill"),
	Entry("two edits of a long word", "selctr", "selector"),
	Entry("three are too many", "slctr"),
	Entry("two edits of a short word are too many", "flll", "fill"),
	Entry("a short word may be one edit away", "gat", "get"),
	Entry("the nearest first, then by name", "tesst", "test", "tests"),
	Entry("another spelling leaves no doubt", "baseUrl", "base_url"),
	Entry("dashes too", "base-url", "base_url"),
	Entry("nothing alike", "teardown"),
	Entry("nothing at all", ""),
)

var _ = Describe("hints", func() {
	DescribeTable("suggest", func(word string, names []string, want string) {
		Expect(diag.Suggest(word, names)).To(Equal(want))
	},
		Entry("one", "clik", []string{"click"}, `did you mean "click"?`),
		Entry("several", "tezt", []string{"test", "text"}, `did you mean "test" or "text"?`),
		Entry("the list", "x", []string{"b", "a"}, "one of a, b"),
		Entry("the only one", "x", []string{"abc"}, "write abc"),
		Entry("no long list", "zzzzz", strings.Split("a b c d e f g h i j k", " "), ""),
		Entry("nothing", "x", nil, ""),
	)
	It("come from a phrase book", func() {
		msg, hint := diag.Unknown("a test", "nmae", []string{"name"})
		Expect(msg + "|" + hint).To(Equal(`unknown key "nmae" in a test|did you mean "name"?`))
		msg, hint = diag.BadValue("state", "open", []string{"visible", "hidden"})
		Expect(msg + "|" + hint).To(Equal(`"state" has no value "open"|one of hidden, visible`))
		msg, hint = diag.Duplicate("key", "a", diag.Pos{Line: 3})
		Expect(msg + "|" + hint).To(Equal(`key "a" is there twice|first at line 3`))
		Expect(diag.Missing("a test", "steps")).To(Equal(`a test needs "steps"`))
		Expect(diag.WantKind("tags", "a list", "text")).To(Equal(`"tags" must be a list, got text`))
		Expect(diag.WantKind("cell 3", "text", "a map")).To(Equal(`cell 3 must be text, got a map`))
		Expect(diag.Conflict("a", "b")).To(Equal(`"a" and "b" exclude each other`))
		Expect(diag.NotBuilt("matrix")).To(Equal(`"matrix" is part of the language but not built yet`))
	})
})

var _ = Describe("a list", func() {
	at := func(line, col int) diag.Pos { return diag.Pos{File: "a.yaml", Line: line, Col: col} }
	It("sorts, drops what is the same, and tells lints from errors", func() {
		var l diag.List
		l.Add(at(3, 1), "later", "")
		l.Lint(at(2, 1), "a lint", "")
		l.Add(at(1, 5), "first", "hint")
		l.Add(at(1, 5), "first", "hint")
		Expect(l.All()).To(HaveLen(3))
		Expect(l.Err()).To(MatchError("a.yaml:1:5: first (hint)\na.yaml:3:1: later"))
		Expect(l.Len()).To(Equal(3))
	})
	It("may be shared", func() {
		var l diag.List
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() { l.Add(at(i+1, 1), "x", "") })
		}
		wg.Wait()
		Expect(l.All()).To(HaveLen(8))
	})
	It("keeps the cause", func() {
		cause := errors.New("cause")
		Expect(&diag.Error{Msg: "x", Err: cause}).To(MatchError(cause))
		Expect((&diag.Error{Msg: "x"}).Error()).To(Equal("x"))
		Expect(diag.Pos{Line: 3}.String()).To(Equal("3"))
		Expect(diag.Pos{File: "a"}.String()).To(Equal("a"))
	})
})

var _ = DescribeTable("drawing", func(e diag.Error, source, want string) {
	e.Pos.File = "a.yaml"
	var out bytes.Buffer
	Expect(diag.Render(&out, []*diag.Error{&e}, func(string) []byte { return []byte(source) }, diag.Style{})).To(Succeed())
	Expect("\n" + out.String()).To(Equal(want))
},
	Entry("a key", diag.Error{Pos: diag.Pos{Line: 2, Col: 3}, Width: 7, Msg: `unknown key "selctor"`, Hint: `did you mean "selector"?`}, "a:\n  selctor: b\nc: d\n", `
a.yaml:2:3: error: unknown key "selctor" (did you mean "selector"?)
  1 | a:
  2 |   selctor: b
    |   ^^^^^^^
`),
	Entry("a lint, no final newline", diag.Error{Pos: diag.Pos{Line: 1, Col: 2}, Msg: "m", Severity: diag.Lint}, "abc", `
a.yaml:1:2: lint: m
  1 | abc
    |  ^
`),
	Entry("tabs, wide and combining runes", diag.Error{Pos: diag.Pos{Line: 1, Col: 6}, Width: 2, Msg: "m"}, "\t日本e\u0301: xy", `
a.yaml:1:6: error: m
  1 |     日本é: xy
    |          ^^
`),
	Entry("carriage returns", diag.Error{Pos: diag.Pos{Line: 2, Col: 1}, Msg: "m"}, "a\r\nb\r\n", `
a.yaml:2:1: error: m
  1 | a
  2 | b
    | ^
`),
	Entry("behind the end of a line", diag.Error{Pos: diag.Pos{Line: 1, Col: 4}, Msg: "m"}, "abc\n", `
a.yaml:1:4: error: m
  1 | abc
    |    ^
`),
	Entry("a line that must be pasted", diag.Error{Pos: diag.Pos{Line: 10, Col: 3}, Msg: "m", Hint: `write: - [click, "#a"]`}, strings.Repeat("\n", 9)+"- [click, #a]\n", `
a.yaml:10:3: error: m
  10 | - [click, #a]
     |   ^
     = write: - [click, "#a"]
`),
	Entry("what cannot be seen", diag.Error{Pos: diag.Pos{Line: 1, Col: 3}, Msg: "m \x1b[31m"}, "\x1b\u202eab\u00a0", `
a.yaml:1:3: error: m \x1b[31m
  1 | \x1b\u202eab\u00a0
    |           ^
`),
	Entry("no source", diag.Error{Pos: diag.Pos{Line: 7, Col: 3}, Msg: "m"}, "a", `
a.yaml:7:3: error: m
`),
	Entry("no line", diag.Error{Msg: "m"}, "a", `
a.yaml: error: m
`),
	Entry("a long line", diag.Error{Pos: diag.Pos{Line: 1, Col: 301}, Width: 3, Msg: "m"}, strings.Repeat("x", 300)+"abc"+strings.Repeat("y", 300), `
a.yaml:1:301: error: m
  1 | …`+strings.Repeat("x", 60)+"abc"+strings.Repeat("y", 57)+`…
    | `+strings.Repeat(" ", 61)+`^^^
`),
)

var _ = Describe("colour", func() {
	It("is there only if it is asked for", func() {
		e := &diag.Error{Pos: diag.Pos{File: "a.yaml", Line: 1, Col: 1}, Msg: "m"}
		draw := func(s diag.Style) string {
			var out bytes.Buffer
			Expect(diag.Render(&out, []*diag.Error{e}, func(string) []byte { return []byte("a") }, s)).To(Succeed())
			return out.String()
		}
		Expect(draw(diag.Style{})).NotTo(ContainSubstring("\x1b"))
		Expect(draw(diag.Style{Color: true})).To(ContainSubstring("\x1b[31m^\x1b[0m"))
	})
	It("says when it cannot write", func() {
		Expect(diag.Render(full{}, []*diag.Error{{Msg: "m"}}, nil, diag.Style{})).To(MatchError(errFull))
	})
})

var errFull = errors.New("disk full")

type full struct{}

// Write refuses.
func (full) Write([]byte) (int, error) { return 0, errFull }
