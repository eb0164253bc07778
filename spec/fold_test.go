package spec_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

var _ = Describe("a map with folded keys", func() {
	text := spec.Type{Base: spec.String}
	headers := spec.Type{Base: spec.Map, Elem: &text, Fold: true}
	vals := spec.Values{
		"headers": map[string]any{"content-type": "text/html", "server": "shop"}, "vars": map[string]any{"name": "SERVER"},
		"steps": map[string]any{"a": map[string]any{"headers": map[string]any{"x-id": "7"}}},
	}
	DescribeTable("is read by a key in any case", func(src string) {
		var l diag.List
		s := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    if: '"+src+"'\n    steps: [[reload]]\n"), &l).Suite
		Expect(l.Err()).NotTo(HaveOccurred())
		sc := &spec.Scope{Names: map[string]spec.Type{"headers": headers,
			"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"name": text}}},
			Steps: map[string]spec.Type{"a": {Base: spec.Struct, Maybe: true, Fields: map[string]spec.Type{"headers": headers}}}}
		e := spec.CompileExpr(s.Tests[0].If, sc, spec.Type{Base: spec.Bool}, &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		v, _, err := e.Eval(context.Background(), vals, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(v).To(BeTrue())
	},
		Entry("as HTTP has it", `headers["Content-Type"] == "text/html"`),
		Entry("in lower case", `headers["content-type"] startsWith "text/"`),
		Entry("in upper case", `headers["SERVER"] == "shop"`),
		Entry("as a member", `headers.Server == "shop"`),
		Entry("that is computed", `headers[vars.name] == "shop"`),
		Entry("in", `"Server" in headers`),
		Entry("in, computed", `vars.name in headers and not ("Vary" in headers)`),
		Entry("that is missing", `headers["Vary"] == nil`),
		Entry("of a step that may not have run", `steps.a?.headers["X-Id"] == "7"`),
	)
})
