package flow_test

import (
	"context"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/flow"
)

// page answers text("#a") and nothing else.
type page struct{}

func (page) Read(_ context.Context, fn string, args []any) (any, error) {
	if fn == "text" && args[0] == "#a" {
		return "42", nil
	}
	return nil, errors.New("the page is gone")
}

// crashed is an error that is an observation.
type crashed struct{}

func (crashed) Error() string { return "crashed" }

func (crashed) Observation() steps.Observation {
	return steps.Fail(steps.Crash, "browser-crashed", "the browser crashed")
}

type deadPage struct{}

func (deadPage) Read(context.Context, string, []any) (any, error) { return nil, crashed{} }

var _ = Describe("set", func() {
	run := func(yaml string, r spec.Reader) steps.Observation {
		GinkgoHelper()
		var l diag.List
		src := "suite: s\ntests:\n  - name: t\n    steps:\n      - " + strings.ReplaceAll(yaml, "\n", "\n        ") + "\n"
		s := spec.Parse("s.yaml", []byte(src), &l).Suite
		sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{
			"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"n": {Base: spec.Int}}}}}
		d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"set": flow.Set}}
		list := d.Steps(s.Tests[0].Steps, sc)
		Expect(l.Err()).NotTo(HaveOccurred())
		body := list[0].Body.(steps.Opaque)
		Expect(body.Safe).To(BeTrue())
		vars := map[string]any{"n": 3}
		o := body.Run(context.Background(), steps.Env{Reader: r, Values: spec.Values{"vars": vars}})
		Expect(vars).To(Equal(map[string]any{"n": 3}), "the caller's values are not changed")
		return o
	}

	It("evaluates in written order", func() {
		o := run(`set: { a: vars.n + 1, b: vars.a * 2, c: text("#a") }`, page{})
		Expect(o.Success).To(BeTrue())
		Expect(o.Set).To(Equal(map[string]any{"a": 4, "b": 8, "c": "42"}))
		Expect(o.Data).To(Equal(map[string]any{"a": 4, "b": 8, "c": "42"}))
	})

	It("keeps a secret out of its data", func() {
		o := run(`set: { pw: { value: text("#a"), secret: true } }`, page{})
		Expect(o.Set).To(HaveKeyWithValue("pw", "42"))
		Expect(o.Secret).To(Equal([]string{"42"}))
		Expect(o.Data).To(BeEmpty())
	})

	It("fails on what cannot be evaluated", func() {
		o := run(`set: { a: text("#b") }`, page{})
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(steps.Validation))
		Expect(o.Error).To(ContainSubstring(`setting "a"`))
	})

	It("passes on what the session knows", func() {
		o := run(`set: { a: text("#b") }`, deadPage{})
		Expect(o.Category).To(Equal(steps.Crash))
		Expect(o.Success).To(BeFalse())
	})
})
