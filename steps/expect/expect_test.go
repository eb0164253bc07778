package expect_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/expect"
)

var _ = Describe("the bare expect", func() {
	decode := func(yaml string) ([]steps.Step, *diag.List) {
		var l diag.List
		s := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - "+yaml+"\n"), &l).Suite
		sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{}}
		d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"expect": expect.Kind}}
		return d.Steps(s.Tests[0].Steps, sc), &l
	}

	It("holds expressions that are read again, and does nothing itself", func() {
		list, l := decode(`expect: [visible("h1"), count(".error") == 0]`)
		Expect(l.All()).To(BeEmpty())
		Expect(list[0].Expect).To(HaveLen(2))
		Expect(list[0].Expect[0].UsesPage()).To(BeTrue())
		body := list[0].Body.(steps.Opaque)
		Expect(body.Safe).To(BeTrue())
		Expect(body.Run(context.Background(), steps.Env{}).Success).To(BeTrue())
	})

	It("wants conditions", func() {
		_, l := decode(`expect: text("h1")`)
		Expect(l.Err()).To(MatchError(ContainSubstring("must be true or false")))
	})
})
