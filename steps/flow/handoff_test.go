package flow_test

import (
	"context"
	"errors"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/flow"
)

// answers are those of page functions.
type answers func(js string) (any, error)

// Read implements spec.Reader.
func (p answers) Read(_ context.Context, fn string, args []any) (any, error) {
	if fn == "url" {
		return "http://x/", nil
	}
	return p(args[0].(string))
}

// gone is an error that knows its observation.
type gone struct{}

// Error implements error.
func (gone) Error() string { return "the browser crashed" }

// Observation implements steps.Observed.
func (gone) Observation() steps.Observation {
	return steps.Fail(steps.Crash, "browser-crashed", "the browser crashed")
}

var _ = Describe("handoff", func() {
	decode := func(text string) (steps.Opaque, *diag.List) {
		GinkgoHelper()
		l := &diag.List{}
		f := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - "+text+"\n"), l)
		d := &steps.Decoder{Errs: l, Scope: &spec.Scope{Names: map[string]spec.Type{}, Steps: map[string]spec.Type{}, Env: &spec.EnvUses{}, Used: map[string]bool{}},
			Kinds: map[string]steps.Kind{"handoff": flow.Handoff}}
		list := d.Steps(f.Suite.Tests[0].Steps, nil)
		if len(list) == 0 {
			return steps.Opaque{}, l
		}
		return list[0].Body.(steps.Opaque), l
	}
	// asking is a run in which the person says nothing at the terminal: only the page, or the time, ends it.
	asking := func(p answers) steps.Env {
		return steps.Env{Reader: p, Handoff: func(ctx context.Context, _ string, done func(context.Context) (bool, error)) (string, error) {
			for range 10 {
				if yes, err := done(ctx); yes || err != nil {
					return "in_page", err
				}
			}
			<-ctx.Done()
			return "timeout", context.Cause(ctx)
		}}
	}

	It("waits for the page, and takes its banner away", func(ctx SpecContext) {
		body, l := decode("{ handoff: 'type the \"code\"' }")
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(body.Person && body.Asks && body.Page).To(BeTrue())
		var asked []string
		o := body.Run(ctx, asking(func(js string) (any, error) {
			asked = append(asked, js)
			switch len(asked) {
			case 1:
				return "waiting", nil
			case 2:
				return nil, errors.New("navigating")
			}
			return "done", nil
		}))
		Expect(o.Error).To(BeEmpty())
		Expect(o.Data).To(Equal(map[string]any{"confirmed": true, "via": "in_page", "url": "http://x/"}))
		Expect(o.Warnings[0]).To(ContainSubstring("which is no proof"))
		Expect(asked[0]).To(HaveSuffix(`("type the \"code\"")`))
		Expect(asked[len(asked)-1]).To(ContainSubstring("remove()"))
	})

	It("ends with its time, with the browser, and where nobody is", func(ctx SpecContext) {
		body, _ := decode("{ handoff: do it }")
		limited, cancel := context.WithTimeoutCause(ctx, 500*time.Millisecond, errors.New("the step has passed its limit"))
		defer cancel()
		o := body.Run(limited, asking(func(string) (any, error) { return "waiting", nil }))
		Expect(o.Category).To(Equal(steps.Timeout))
		Expect(o.Error).To(Equal(`handoff "do it": the step has passed its limit`))
		Expect(o.Data).To(HaveKeyWithValue("via", "timeout"))
		o = body.Run(ctx, asking(func(string) (any, error) { return nil, gone{} }))
		Expect(o.Category).To(Equal(steps.Crash))
		o = body.Run(ctx, steps.Env{})
		Expect(o.Sub).To(Equal("confirmation-required"))
		Expect(o.Error).To(ContainSubstring("run with --interactive"))
	})

	DescribeTable("that is wrong", func(text, says string) {
		_, l := decode(text)
		Expect(l.Len()).To(BeNumerically(">", 0))
		Expect(strings.ReplaceAll(l.All()[0].Error(), "\n", " ")).To(ContainSubstring(says))
	},
		Entry("without words", `{ handoff: "" }`, `"handoff" is empty`),
		Entry("with a misspelt key", `{ handoff: x, baner: false }`, `did you mean "banner"?`),
		Entry("with a banner that is none", `{ handoff: x, banner: red }`, `"banner" must be true or false`),
	)
})
