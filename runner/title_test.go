package runner_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("The name of a step", func() {
	It("is evaluated before it runs, and shown as that", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { id: a, set: { n: "7" } }
	    - { exec: [./note, x], name: "notes\n${{ vars.n }}  times" }
	    - for: who in ["ada", "bob"]
	      do: [{ exec: [./note, y], name: "greets ${{ who }}" }]
	    - { exec: [./note, z], name: "${{ vars.n == 7 ? \"\" : \"x\" }}" }
	    - { exec: [./note, z, "3"], name: "ends with ${{ vars.n }}" }
	    - { exec: [./note, z], name: "after ${{ vars.n }}" }
`))
		var names []string
		for _, s := range o.last("one").Steps {
			names = append(names, s.Name)
		}
		Expect(names).To(Equal([]string{"set", "notes 7 times", "greets ada", "greets bob", `${{ vars.n == 7 ? "" : "x" }}`, "ends with 7"}))
		Expect(o.last("one").Failure.StepName).To(Equal("ends with 7"))
	})

	It("stays as it is written where it cannot be evaluated, and the step does not run", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { exec: [echo, "1"], id: a }
	    - { exec: [./note, z], name: "x ${{ int(steps.a.stdout + \"z\") }}" }
`))
		b := o.last("one").Failure
		Expect(b.StepName).To(HavePrefix("x ${{ int("))
		Expect(b.Category).To(Equal(steps.Validation))
		Expect(o.log()).To(BeEmpty())
	})
})
