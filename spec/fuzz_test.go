package spec_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// within fails unless every diagnostic has a place in the file and can be drawn.
func within(t *testing.T, src []byte, l *diag.List) {
	t.Helper()
	text := strings.TrimPrefix(string([]rune(string(src))), "\ufeff") // one rune for each byte that is not UTF-8
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	for _, e := range l.All() {
		if e.Pos.Line < 1 || e.Pos.Line > len(lines) || e.Pos.Col < 1 || e.Pos.Col > utf8.RuneCountInString(lines[e.Pos.Line-1])+1 {
			t.Errorf("%v stands outside the file of %d lines", e, len(lines))
		}
		if e.Msg == "" || strings.ContainsAny(e.Msg, "\n") {
			t.Errorf("message %q", e.Msg)
		}
	}
	var out bytes.Buffer
	if err := diag.Render(&out, l.All(), func(string) []byte { return src }, diag.Style{}); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Add(twentyRows())
	f.Add([]byte("suite: s\nx-a: &a {b: c}\nx-b: {<<: *a, d: |\n  text\n}\n"))
	for _, once := range []string{ // what has failed before
		"- [open\v\v\v\v\n", "<<:\n", "\x87\x87\xab\x00", "e: \ntests:\n  - name: a\n    steps:\n      - fill\n       !- \"#a\"\n        -\n",
		"{uite: Buy #1 # fine\ntags: [a] #fine\n  - name: a # fine\n    if: text(\"a #b\") == \"\" # fine\n    steps: [[open, /]]\n",
	} {
		f.Add([]byte(once))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var l diag.List
		parsed := spec.Parse("a.yaml", src, &l)
		if parsed.Suite == nil && parsed.Fragment == nil && l.Len() == 0 {
			t.Error("the file is nothing, and nothing was said")
		}
		if parsed.Suite != nil {
			compileNode(parsed.Suite.BaseURL, &l)
			for _, test := range parsed.Suite.Tests {
				compileNode(test.Name, &l)
				compileNode(test.Steps, &l)
			}
		}
		within(t, src, &l)
	})
}

// compileNode compiles every scalar below n, as text and as an expression.
func compileNode(n spec.Node, l *diag.List) {
	if items, ok := n.Seq(); ok {
		for _, item := range items {
			compileNode(item, l)
		}
		return
	}
	if n.IsMap() {
		for _, e := range n.Entries("a map", l) {
			compileNode(e.Value, l)
		}
		return
	}
	spec.CompileText(n, exprScope(), l)
	spec.CompileExpr(n, exprScope(), spec.Type{}, l)
}

func FuzzExpr(f *testing.F) {
	for _, seed := range []string{
		"1 + 2", "vars.user contains 'a'", "steps.order?.value ?? ''", "count('a') > 0 ? 1 : 2", "filter(vars.users, # == 'a')",
		"let a = 1; a + 1", "1 < vars.n < 3", "{'a': [1, 2]}.a[0]", "vars.users | map(# + 'x') | len()", "not steps.order.ok", "a.b()", "x = 1", "'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || strings.ContainsAny(src, "\x00\r") {
			t.Skip()
		}
		var l diag.List
		e := spec.CompileExpr(spec.Node{}, exprScope(), spec.Type{}, &l)
		if n := block(src); !n.IsZero() {
			e = spec.CompileExpr(n, exprScope(), spec.Type{}, &l)
		}
		within(t, blockSource(src), &l)
		_, _, err := e.Eval(t.Context(), exprValues(), page{})
		if err != nil && !strings.HasPrefix(err.Error(), "s.yaml:") && e.Source() != "" {
			t.Errorf("no position in %v", err)
		}
	})
}

// blockSource is a suite whose base_url is the text as a literal block.
func blockSource(text string) []byte {
	return []byte("suite: s\n" + oneTest + "base_url: |2\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n")
}

func block(text string) spec.Node {
	var l diag.List
	f := spec.Parse("s.yaml", blockSource(text), &l)
	if f.Suite == nil {
		return spec.Node{}
	}
	return f.Suite.BaseURL
}
