package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// crashed is what an engine says of a session that died.
func crashed(collateral bool) steps.Observation {
	o := steps.Fail(steps.Crash, "browser-crashed", "the browser has ended")
	o.Collateral, o.Sent = collateral, steps.MaybeSent
	return o
}

func good() steps.Observation {
	return steps.Observation{Success: true, Sent: steps.Answered, Page: steps.Page{URL: "http://x/", Title: "X"}}
}

func with(e *fakeEngine) setting {
	return func(o *runner.Options, _ *plan.Options) { o.Engine = e }
}

var _ = Describe("A crash", func() {
	It("fails the attempt that caused it; browser steps of cleanup do not run, the others do", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			if row[0] == "click" {
				return crashed(false)
			}
			return good()
		}}
		o := play(ctx, suite(`
after_each: [{ exec: [./note, after] }]
tests:
	- name: one
	  steps:
	    - [open, http://x/]
	    - [click, "#a"]
	    - [fill, "#b", text]
	    - [expect, title, X]
	  finally:
	    - [click, "#logout"]
	    - expect: text("h1") == "bye"
	    - { exec: [./note, finally] }
`), with(e))
		Expect(o.log()).To(Equal(words("finally after")))
		Expect(o.test("one").Status).To(Equal(steps.Errored))
		a := o.last("one")
		Expect(a.Cleanup).To(BeEmpty())
		Expect(a.Failure.Category).To(Equal(steps.Crash))
		Expect(a.Failure.Progress).To(HaveExactElements(
			HaveField("State", steps.RowCompleted), HaveField("State", steps.RowSentUnknown),
			HaveField("State", steps.RowNotRun), HaveField("State", steps.RowNotRun)))
		Expect(a.Failure.LastWrite.Row).To(Equal([]string{"click", "#a"}))
		Expect(o.exit).To(Equal(1))
	})

	It("that another test caused is rerun once, not counted and told", func(ctx SpecContext) {
		var n atomic.Int32
		e := &fakeEngine{answer: func([]string) steps.Observation {
			if n.Add(1) == 1 {
				return crashed(true)
			}
			return good()
		}}
		o := play(ctx, one("\t    - [open, http://x/]\n\t    - [expect, title, X]\n"), with(e))
		t := o.test("one")
		Expect(t.Attempts).To(HaveLen(2))
		Expect(t.Attempts[0].Collateral).To(BeTrue())
		Expect(t.Status).To(Equal(steps.Passed))
		Expect(o.exit).To(Equal(0))
		Expect(e.opened).To(Equal(2))
	})

	It("that another test caused twice fails", func(ctx SpecContext) {
		e := &fakeEngine{answer: func([]string) steps.Observation { return crashed(true) }}
		o := play(ctx, one("\t    - [open, http://x/]\n\t    - [expect, title, X]\n"), with(e))
		Expect(o.test("one").Attempts).To(HaveLen(2))
		Expect(o.test("one").Status).To(Equal(steps.Errored))
	})
})

var _ = Describe("A session", func() {
	It("is opened at the first row that needs it, once per attempt, and released; the engine is closed", func(ctx SpecContext) {
		e := &fakeEngine{answer: func([]string) steps.Observation { return good() }}
		o := play(ctx, suite(`
setup: [[open, http://x/]]
tests:
	- { name: rows, steps: [[open, http://x/], [expect, title, X]] }
	- { name: none, steps: [{ exec: ["true"] }] }
	- { name: page, steps: [{ expect: text("h1") == "" }] }
`), with(e))
		Expect(o.exit).To(Equal(0))
		Expect(e.opened).To(Equal(3))
		Expect(e.open).To(Equal(0))
		Expect(e.closed).To(Equal(1))
	})

	It("without an engine is a fault of the environment", func(ctx SpecContext) {
		o := play(ctx, one("\t    - [open, http://x/]\n\t    - [expect, title, X]\n"))
		Expect(o.last("one").Failure.Category).To(Equal(steps.Environment))
		Expect(o.exit).To(Equal(3))
	})
})

var _ = Describe("A failure block", func() {
	It("says where, what, how far, what the page said, and how to run it again; evidence lies beside it", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			switch row[0] {
			case "fill":
				o := good()
				o.Argv = []string{"fill", "#pw", "•••"}
				return o
			case "expect":
				o := steps.Fail(steps.Assertion, "", `title: wanted "Y", got "X"`)
				o.Page = steps.Page{URL: "http://x/y", Title: "X"}
				o.NextActions = []steps.NextAction{{ID: "look", Reason: "see the page", Row: []string{"snapshot"}}}
				return o
			}
			return good()
		}}
		o := play(ctx, suite(`
tests:
	- name: one
	  steps:
	    - [open, http://x/]
	    - [fill, "#pw", hunter2]
	    - [expect, title, Y]
	    - [click, "#z"]
`), with(e))
		b := o.last("one").Failure
		Expect(b.Pos.Line).To(Equal(9))
		Expect(b.Excerpt).To(HaveLen(4))
		Expect(b.Excerpt[2].Text).To(ContainSubstring("[expect, title, Y]"))
		Expect(b.Row).To(Equal([]string{"expect", "title", "Y"}))
		Expect(b.Message).To(Equal(`title: wanted "Y", got "X"`))
		Expect(b.Page.URL).To(Equal("http://x/y"))
		Expect(b.LastWrite.Row).To(Equal([]string{"fill", "#pw", "•••"}))
		Expect(b.Progress).To(HaveLen(4))
		Expect(b.Progress[1].Row).To(Equal([]string{"fill", "#pw", "•••"}))
		Expect(b.Progress[3]).To(And(HaveField("State", steps.RowNotRun), HaveField("Row", []string{"click", "#z"})))
		Expect(b.Health).To(HaveExactElements(HaveField("Text", "boom")))
		Expect(b.Rerun).To(Equal("checkrow run a.yaml:5"))
		Expect(b.Next).To(HaveLen(1))
		Expect(b.Artifacts).To(ConsistOf(HaveField("Kind", "snapshot"), HaveField("Kind", "console"), HaveField("Kind", "rows")))
		for _, a := range b.Artifacts {
			Expect(filepath.Join(o.run, a.Path)).To(BeARegularFile())
		}
		journal, err := os.ReadFile(filepath.Join(o.run, "journal.jsonl"))
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Contains(string(journal), `"hunter2"`)).To(BeFalse(), "a password field's text is in the journal")
	})
})
