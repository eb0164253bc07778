package httpcheck_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/httpcheck"
)

// decode decodes one step, with vars.n, vars.list, vars.name and secrets.PW in scope.
func decode(yaml string) (steps.Step, *diag.List) {
	GinkgoHelper()
	l := &diag.List{}
	src := "suite: s\ntests:\n  - name: t\n    steps:\n      - " + strings.ReplaceAll(yaml, "\n", "\n        ") + "\n"
	s := spec.Parse("s.yaml", []byte(src), l).Suite
	Expect(l.Err()).NotTo(HaveOccurred(), src)
	text := spec.Type{Base: spec.String}
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{
		"vars":    {Base: spec.Struct, Fields: map[string]spec.Type{"n": {Base: spec.Int}, "list": {Base: spec.List}, "name": text, "any": {}}},
		"secrets": {Base: spec.Struct, Fields: map[string]spec.Type{"PW": text}}}}
	d := &steps.Decoder{Errs: l, Scope: sc, Kinds: map[string]steps.Kind{"http": httpcheck.Kind}}
	list := d.Steps(s.Tests[0].Steps, sc)
	if len(list) == 0 {
		return steps.Step{}, l
	}
	return list[0], l
}

func body(yaml string) steps.Opaque {
	GinkgoHelper()
	s, l := decode(yaml)
	Expect(l.Err()).NotTo(HaveOccurred())
	return s.Body.(steps.Opaque)
}

// env is what a step gets, with base_url.
func env(base string) steps.Env {
	return steps.Env{BaseURL: base, Values: spec.Values{
		"vars":    map[string]any{"n": 3, "list": []any{"a b", 2}, "name": "Ä&=\"", "any": map[string]any{"k": 1.5}},
		"secrets": map[string]any{"PW": "pass:word"}}}
}

func run(ctx context.Context, base, yaml string) steps.Observation {
	GinkgoHelper()
	return body(yaml).Run(ctx, env(base))
}

// ok runs a step that must succeed.
func ok(ctx context.Context, base, yaml string) steps.Observation {
	GinkgoHelper()
	o := run(ctx, base, yaml)
	Expect(o.Error).To(BeEmpty())
	Expect(o.Success).To(BeTrue())
	return o
}

// seen is a request as the server saw it.
type seen struct {
	Method string
	URI    string
	Host   string
	Header http.Header
	Body   string
}

// echo answers with what it was asked, as JSON.
func echo(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(seen{r.Method, r.RequestURI, r.Host, r.Header, string(b)})
}

func asked(o steps.Observation) seen {
	GinkgoHelper()
	var out seen
	text, _ := o.Full.Data["body"].(string)
	Expect(json.Unmarshal([]byte(text), &out)).To(Succeed())
	return out
}

// serve serves one handler.
func serve(h http.HandlerFunc) string {
	srv := httptest.NewServer(h)
	DeferCleanup(srv.Close)
	return srv.URL
}
