package runner_test

import (
	"context"
	"errors"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// held gives a run its hooks and an engine whose rows succeed, but for a click on "#bad".
func held(h runner.Hold) setting {
	return func(o *runner.Options, p *plan.Options) {
		// A pause is refused under CI, where these specs run too.
		inner := p.LookupEnv
		p.LookupEnv = func(name string) (string, bool) {
			if name == "CI" {
				return "", false
			}
			return inner(name)
		}
		o.Hold, o.Workers = h, 1
		o.Engine = &fakeEngine{answer: func(row []string) steps.Observation {
			if row[len(row)-1] == "#bad" {
				return steps.Fail(steps.Assertion, "", "no")
			}
			return steps.Observation{Success: true, Argv: row}
		}}
	}
}

const twoRows = `
before_each: [{ exec: [./note, before] }]
tests:
	- name: one
	  timeout: 3s
	  steps:
	    - [click, "#a"]
	    - group: inner
	      timeout: 3s
	      do:
	        - [click, "${{ 'b' }}"]
	        - exec: [./note, step]
	  finally:
	    - [click, "#c"]
`

var _ = Describe("A run that a person holds", func() {
	It("stops before each row and each step that runs itself, and no limit of the test counts meanwhile", func(ctx SpecContext) {
		var stops []string
		var shots []string
		o := play(ctx, suite(twoRows), held(runner.Hold{Before: func(hctx context.Context, s runner.Stop) error {
			what := s.Kind
			if s.Row != nil {
				what = strings.Join(s.Row, " ")
			}
			stops = append(stops, string(s.Phase)+" "+what)
			text, err := s.Snapshot(hctx)
			if err != nil {
				text = err.Error()
			}
			shots = append(shots, text)
			if len(stops) == 3 { // longer than the test and the group may take
				select {
				case <-time.After(3300 * time.Millisecond):
				case <-hctx.Done():
				}
			}
			return hctx.Err()
		}}))
		Expect(o.err).NotTo(HaveOccurred())
		Expect(o.exit).To(Equal(0))
		Expect(stops).To(HaveExactElements("before_each exec", "steps click #a", "steps click ${{ 'b' }}", "steps exec", "finally click #c"))
		Expect(shots).To(HaveExactElements("no page is open yet", "no page is open yet", "http://x/\n- heading",
			"http://x/\n- heading", "http://x/\n- heading"))
		Expect(o.last("one").Took).To(BeNumerically("<", 3*time.Second), "the time of the person is not the test's")
	})

	It("does not stop again when a row is read again", func(ctx SpecContext) {
		stops := 0
		o := play(ctx, suite(`
tests:
	- name: one
	  steps:
	    - row: [get, text, "#a"]
	      within: 200ms
	      expect: value == "x"
`), held(runner.Hold{Before: func(context.Context, runner.Stop) error { stops++; return nil }}))
		Expect(o.exit).To(Equal(1))
		Expect(stops).To(Equal(1))
	})

	It("ends the attempt when the person has had enough, and cleans up", func(ctx SpecContext) {
		n := 0
		o := play(ctx, suite(twoRows), held(runner.Hold{Before: func(context.Context, runner.Stop) error {
			if n++; n == 2 {
				return errors.New("enough")
			}
			return nil
		}}))
		Expect(o.last("one").Failure.Category).To(Equal(steps.Interrupted))
		Expect(o.last("one").Failure.Message).To(Equal("enough"))
		Expect(n).To(Equal(3), "the row of finally")
	})

	It("shows the page of a failed attempt before it is cleaned up, until the run is stopped", func(ctx SpecContext) {
		signals := make(chan runner.Signal, 1)
		var seen *journal.Failure
		cleaned := true
		h := runner.Hold{Failed: func(hctx context.Context, f *journal.Failure) {
			seen = f
			signals <- runner.Signal{Name: "SIGINT", Exit: 130}
			<-hctx.Done()
			cleaned = false
		}, Before: func(_ context.Context, s runner.Stop) error {
			cleaned = cleaned || s.Phase == journal.PhaseFinally
			return nil
		}}
		o := play(ctx, suite(strings.Replace(twoRows, `"#a"`, `"#bad"`, 1)), held(h),
			func(o *runner.Options, _ *plan.Options) { o.Signals = signals })
		Expect(o.exit).To(Equal(130))
		Expect(seen.Message).To(Equal("no"))
		Expect(cleaned).To(BeTrue(), "finally ran, and after the window was left")
		Expect(o.test("one").Status).To(Equal(steps.Failed))
	})
})

var _ = Describe("A pause step", func() {
	const body = "\ntests:\n\t- name: one\n\t  vars: { what: the cart }\n\t  steps:\n\t    - pause: look at ${{ vars.what }}\n\t    - exec: [./note, step]\n"

	It("waits for the person who is there", func(ctx SpecContext) {
		var said string
		o := play(ctx, suite(body), held(runner.Hold{Pause: func(_ context.Context, s runner.Stop, text string) error {
			said = text
			return nil
		}}))
		Expect(o.exit).To(Equal(0))
		Expect(said).To(Equal("look at the cart"))
		Expect(o.log()).To(HaveExactElements("step"))
		Expect(o.last("one").Warnings).To(BeEmpty())
	})

	It("warns when nobody is there", func(ctx SpecContext) {
		o := play(ctx, suite(body), held(runner.Hold{}))
		Expect(o.exit).To(Equal(0))
		Expect(o.last("one").Warnings).To(HaveExactElements(ContainSubstring("nobody is there to go on")))
	})

	It("fails the attempt when the person ends it", func(ctx SpecContext) {
		o := play(ctx, suite(body), held(runner.Hold{Pause: func(context.Context, runner.Stop, string) error { return errors.New("enough") }}))
		Expect(o.last("one").Failure.Message).To(Equal("enough"))
		Expect(o.log()).To(BeEmpty())
	})
})
