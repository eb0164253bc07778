package runner_test

import (
	"context"

	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/steps"
)

var _ = It("The time of a row, an attempt and a test is without the start of the browser, in limits and in reports", func(ctx SpecContext) {
	o := play(ctx, suite(`
timeouts: { test: 2500ms }
tests: [{ name: one, steps: [[open, "/"], [click, "#a"]] }]
`), with(&fakeEngine{start: 3 * time.Second, answer: func([]string) steps.Observation { return good() }}))
	Expect(o.test("one").Status).To(Equal(steps.Passed))
	Expect(o.test("one").Took).To(BeNumerically("<", 2500*time.Millisecond))
	a := o.last("one")
	Expect(a.Took).To(BeNumerically("<", 2500*time.Millisecond))
	for _, s := range a.Steps {
		Expect(s.Obs.Took).To(BeNumerically("<", 2500*time.Millisecond), s.Name)
	}
})

var _ = It("A limit that runs out while its clock stands still ends all the same, and one that has run out sends nothing", func(ctx SpecContext) {
	why := &runner.Limit{}
	late := runner.LateHold(ctx, why)
	Eventually(late.Done()).Should(BeClosed())
	Expect(context.Cause(late)).To(BeIdenticalTo(error(why)))
	Expect(context.Cause(runner.NoTimeLeft(ctx, why))).To(BeIdenticalTo(error(why)))
})
