package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// twentyRows is a valid suite of 20 rows, as `check` reads by the thousand.
func twentyRows() []byte {
	var b strings.Builder
	b.WriteString("suite: checkout\ntags: [smoke]\nvars: { user: ada@example.test }\ntests:\n  - name: a customer buys two\n    steps:\n")
	for i := range 20 {
		fmt.Fprintf(&b, "      - [fill, \"#field%d\", \"${{ vars.user }}\"]\n", i)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	src := twentyRows()
	b.ReportAllocs()
	for b.Loop() {
		var l diag.List
		if spec.Parse("a.yaml", src, &l); l.Len() > 0 {
			b.Fatal(l.Err())
		}
	}
}

func BenchmarkCompileExpr(b *testing.B) {
	scope := exprScope()
	n := scalar("visible('#a') and vars.n + 1 > 2")
	b.ReportAllocs()
	for b.Loop() {
		var l diag.List
		if spec.CompileExpr(n, scope, spec.Type{Base: spec.Bool}, &l); l.Len() > 0 {
			b.Fatal(l.Err())
		}
	}
}

func BenchmarkCompileStaticText(b *testing.B) {
	scope := exprScope()
	n := scalar("just some text")
	b.ReportAllocs()
	for b.Loop() {
		var l diag.List
		spec.CompileText(n, scope, &l)
	}
}
