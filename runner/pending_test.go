package runner_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// forgetful opens sessions in which a recording is open at the end.
type forgetful struct{ *fakeEngine }

func (e forgetful) Open(ctx context.Context, o steps.SessionOptions) (steps.Session, error) {
	s, err := e.fakeEngine.Open(ctx, o)
	return recorder{s}, err
}

type recorder struct{ steps.Session }

// Finish tells of one recording.
func (recorder) Finish(context.Context) []steps.Observation {
	o := steps.Fail(steps.ArtifactBad, "left-open", "the recording is still open at the end of the test")
	o.Argv = []string{"network", "har", "start"}
	return []steps.Observation{o}
}

var _ = Describe("recordings that a test leaves open", func() {
	files := map[string]string{"a.yaml": `suite: a
tests:
	- name: forgets
	  steps:
		- [network, har, start]
		- [expect, title, X]
	- name: fails before
	  steps:
		- [network, har, start]
		- [click, "#bad"]
	- name: asks nothing of a page
	  steps:
		- exec: ["true"]
`}

	It("fail the test, at the row that began them", func(ctx SpecContext) {
		e := forgetful{&fakeEngine{answer: func(row []string) steps.Observation {
			if row[0] == "click" {
				return steps.Fail(steps.NotFound, "not-found", "nothing matches")
			}
			return steps.Observation{Success: true, Argv: row}
		}}}
		o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Engine = e })
		Expect(o.exit).To(Equal(1))
		end := o.last("forgets")
		Expect(end.Status).To(Equal(steps.Errored))
		Expect(end.Failure.Sub).To(Equal("left-open"))
		Expect(end.Failure.Pos.Line).To(Equal(5))
		Expect(end.Failure.Row).To(Equal([]string{"network", "har", "start"}))
		end = o.last("fails before")
		Expect(end.Failure.Sub).To(Equal("not-found"))
		Expect(end.Warnings).To(ContainElement(ContainSubstring("a.yaml:9: the recording is still open")))
		Expect(o.test("asks nothing of a page").Status).To(Equal(steps.Passed))
	})
})
