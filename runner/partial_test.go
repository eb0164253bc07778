package runner_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("Partial progress", func() {
	states := func(x *steps.PartialProgress) []steps.RowState {
		var out []steps.RowState
		for _, s := range x.Steps {
			out = append(out, s.State)
		}
		return out
	}

	DescribeTable("is told of every limit that cuts a test off", func(ctx SpecContext, limits, name string, deadline time.Duration) {
		o := play(ctx, suite(limits+`tests:
	- name: one
	  steps:
	    - exec: ["true"]
	    - exec: [sleep, "20"]
	    - exec: ["true"]
`), func(o *runner.Options, _ *plan.Options) { o.Deadline = deadline })
		x := o.last("one").Failure.Partial
		Expect(x).NotTo(BeNil())
		Expect(x.Limit).To(Equal(name))
		Expect(states(x)).To(Equal([]steps.RowState{steps.RowCompleted, steps.RowSentUnknown, steps.RowNotRun}))
		Expect(x.First).To(Equal(2))
		Expect(x.Safe).To(BeFalse())
		Expect(x.Summary).To(Equal("1 of 3 steps completed; number 2, exec, was sent and its outcome is not known: sending it again may do it twice"))
	},
		Entry("test", "timeouts: { test: 1500ms, row: 200ms, open: 200ms, wait: 200ms, action: 200ms, expect: 200ms }\n", "test", time.Duration(0)),
		Entry("run", "", "run", 1500*time.Millisecond))

	DescribeTable("says whether the row that was cut off may be sent again", func(ctx SpecContext, row string, state steps.RowState, safe bool, retry []string, next string) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			if row[0] == "open" {
				return good()
			}
			o := steps.Fail(steps.Timeout, "", "too slow")
			o.Sent, o.Argv = steps.MaybeSent, row
			return o
		}}
		o := play(ctx, suite("tests:\n\t- { name: one, steps: [[open, http://x/], "+row+", [click, \"#later\"]] }\n"), with(e))
		a := o.last("one")
		x := a.Failure.Partial
		Expect(x).NotTo(BeNil())
		Expect(x.Limit).To(Equal("row"))
		Expect(x.First).To(Equal(2))
		Expect(states(x)).To(Equal([]steps.RowState{steps.RowCompleted, state, steps.RowNotRun}))
		Expect(x.Safe).To(Equal(safe))
		Expect(x.Retry).To(Equal(retry))
		Expect(a.Steps[1].Obs.Partial).NotTo(BeNil(), "the observation tells it too")
		Expect(a.Failure.Next).To(ContainElement(HaveField("ID", next)))
	},
		Entry("a click", `[click, "#buy"]`, steps.RowSentUnknown, false, nil, "inspect-current-page-after-timeout"),
		Entry("a wait", `[wait, "#done"]`, steps.RowSentUnknown, true, []string{"wait", "#done"}, "retry-timeout-step"))
})
