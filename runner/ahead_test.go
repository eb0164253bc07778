package runner_test

import (
	"context"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// aheadEngine is a fakeEngine that notes what it was asked to open ahead.
type aheadEngine struct {
	fakeEngine
	mu     sync.Mutex
	widths []int
}

func (e *aheadEngine) Ahead(_ context.Context, o steps.SessionOptions) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.widths = append(e.widths, o.Viewport[0])
}

var _ = DescribeTable("The context of the next test is opened ahead only where that is certain to help",
	func(ctx SpecContext, workers int, body string, widths ...int) {
		e := &aheadEngine{fakeEngine: fakeEngine{answer: func([]string) steps.Observation { return steps.Observation{Success: true} }}}
		got := play(ctx, suite(body), func(o *runner.Options, _ *plan.Options) { o.Engine, o.Workers = e, workers })
		Expect(got.exit).To(BeZero())
		Expect(e.widths).To(HaveExactElements(widths))
	},
	Entry("with the options of the test behind it", 1, `
tests:
  - { name: one, steps: [[click, "#a"]] }
  - { name: two, browser: { viewport: 390x844 }, steps: [[click, "#a"], [click, "#b"]] }
  - { name: three, steps: [[click, "#a"]] }
`, 390, 1280),
	Entry("not where every core has a worker and more", 64, `
tests:
  - { name: one, steps: [[click, "#a"]] }
  - { name: two, steps: [[click, "#a"]] }
`),
	Entry("not for a test that may not run, opens no page, waits for another or is filmed", 1, `
tests:
  - { name: one, steps: [[click, "#a"]] }
  - { name: two, if: "1 == 1", steps: [[click, "#a"]] }
  - { name: three, steps: [exec: ["true"]] }
  - { name: four, steps: [[click, "#a"]] }
  - { name: five, browser: { trace: on }, steps: [[click, "#a"]] }
`),
)
