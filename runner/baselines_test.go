package runner_test

import (
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("Baselines", func() {
	It("belong to the file that says the row, and are treated as the run is told", func(ctx SpecContext) {
		var mu sync.Mutex
		var files []string
		e := &people{}
		e.answer = func(_ *person, row []string, o steps.RowOptions) (steps.Observation, bool) {
			mu.Lock()
			defer mu.Unlock()
			if row[0] == "expect" {
				Expect(o.Baselines).To(Equal(steps.BaselinesUpdated))
				files = append(files, row[2]+" "+filepath.Base(o.File)+" "+filepath.Base(o.Dir))
			}
			return steps.Observation{}, false
		}
		body := suite("tests:\n\t- name: one\n\t  steps: [[expect, image, here], { use: ./parts/seen.yaml }]\n")
		body["parts/seen.yaml"] = "fragment: seen\nsteps: [[expect, image, there]]\n"
		o := play(ctx, body, func(o *runner.Options, _ *plan.Options) { o.Engine, o.Baselines = e, steps.BaselinesUpdated })
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		Expect(files).To(HaveLen(2))
		Expect(files[0]).To(HavePrefix("here a.yaml "))
		Expect(files[1]).To(Equal("there seen.yaml parts"))
	})
})
