package runner_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// today is when the suites of these specs are planned.
var today = time.Date(2030, 6, 15, 23, 30, 0, 0, time.UTC)

const (
	passing = `steps: [{ exec: ["true"] }]`
	failing = `steps: [{ exec: [./note, x, "1"] }]`
	slow    = `steps: [{ exec: [sleep, "20"], timeout: 100ms }]`
	flaky   = `retries: 1, steps: [{ exec: [sh, -c, "echo x >> $LOG; test $(wc -l < $LOG) -ge 2"] }]`
	unclean = `steps: [{ exec: [./note, x, "1"] }], finally: [{ exec: [./note, y, "1"] }]`
	benched = `quarantine: { why: flaps, until: 2030-06-15 }`
	lapsed  = `quarantine: { why: flaps, until: 2030-06-14 }`
)

var _ = DescribeTable("Verdicts", func(ctx SpecContext, marks, body string, status steps.Status, exit int, reason string) {
	if marks != "" {
		marks += ", "
	}
	o := play(ctx, suite("tests:\n\t- { name: one, "+marks+body+" }\n"), func(o *runner.Options, p *plan.Options) {
		p.Today, o.FailFlaky = today, true
	})
	t := o.test("one")
	Expect(t.Status).To(Equal(status))
	Expect(o.exit).To(Equal(exit))
	Expect(t.Reason).To(Equal(reason))
},
	Entry("pass", "", passing, steps.Passed, 0, ""),
	Entry("fail", "", failing, steps.Failed, 1, ""),
	Entry("are flaky", "", flaky, steps.Flaky, 6, ""),
	Entry("of a failure whose skip changes its mind", `skip: "${{ attempt > 1 ? 'gave up' : '' }}", retries: 1`, failing, steps.Failed, 1, ""),
	Entry("of a failure whose if changes its mind", `if: attempt == 1, retries: 1`, failing, steps.Failed, 1, ""),
	Entry("of a test that is skipped at once", `if: attempt > 1, retries: 1`, failing, steps.Skipped, 0, "if: attempt > 1 is false"),

	Entry("of a known bug that is there", "known_bug: SHOP-12", failing, steps.KnownBug, 0, "SHOP-12"),
	Entry("of a known bug that is mended", "known_bug: SHOP-12", passing, steps.Failed, 1, ""),
	Entry("of a known bug that is there now and then", "known_bug: SHOP-12", flaky, steps.Failed, 1, ""),
	Entry("of a known bug that a timeout does not meet", "known_bug: SHOP-12", slow, steps.Errored, 1,
		"known bug SHOP-12 is met by a failed check, not by timeout"),
	Entry("of a known bug whose cleanup fails", "known_bug: SHOP-12", unclean, steps.Errored, 1, "known bug SHOP-12, and its cleanup failed"),

	Entry("of a quarantine that passes", benched, passing, steps.Quarantined, 0, "flaps (until 2030-06-15)"),
	Entry("of a quarantine that fails", benched, failing, steps.Quarantined, 0, "flaps (until 2030-06-15)"),
	Entry("of a quarantine with an error", benched, slow, steps.Quarantined, 0, "flaps (until 2030-06-15)"),
	Entry("of a quarantine that is flaky", benched, flaky, steps.Quarantined, 0, "flaps (until 2030-06-15)"),
	Entry("of a quarantine that is over and passes", lapsed, passing, steps.Passed, 0, ""),
	Entry("of a quarantine that is over and fails", lapsed, failing, steps.Failed, 1, "its quarantine has ended on 2030-06-14"),

	Entry("of both, where the bug is there", "known_bug: SHOP-12, "+benched, failing, steps.Quarantined, 0, "flaps (until 2030-06-15)"),
	Entry("of both, where it is mended", "known_bug: SHOP-12, "+benched, passing, steps.Quarantined, 0, "flaps (until 2030-06-15)"),
	Entry("of both, when the quarantine is over", "known_bug: SHOP-12, "+lapsed, failing, steps.KnownBug, 0, "SHOP-12"),
)

var _ = Describe("A test whose known bug is mended", func() {
	It("says to take the mark out, where it stands, and is not tried again", func(ctx SpecContext) {
		o := play(ctx, suite("tests:\n\t- name: one\n\t  retries: 2\n\t  known_bug: SHOP-12\n\t  steps: [{ exec: [\"true\"] }]\n"))
		Expect(o.test("one").Attempts).To(HaveLen(1))
		b := o.last("one").Failure
		Expect(b.Message).To(Equal("the test passes: take known_bug: SHOP-12 out if the bug is mended"))
		Expect(b.Pos.String()).To(HavePrefix("a.yaml:6:"))
		Expect(b.Excerpt).NotTo(BeEmpty())
	})
})

var _ = Describe("The plan of a run", func() {
	It("keeps known bugs and quarantines, and whether their day has passed", func(ctx SpecContext) {
		o := play(ctx, suite(`
tests:
	- { name: a, known_bug: SHOP-12, `+failing+` }
	- { name: b, `+benched+`, `+passing+` }
	- { name: c, `+lapsed+`, `+passing+` }
`), func(_ *runner.Options, p *plan.Options) { p.Today = today })
		Expect(o.test("a").Planned.KnownBug).To(Equal("SHOP-12"))
		Expect(o.test("b").Planned.Quarantine).To(HaveValue(And(HaveField("Until", "2030-06-15"), HaveField("Over", false))))
		Expect(o.test("c").Planned.Quarantine).To(HaveValue(HaveField("Over", true)))
	})
})

var _ = Describe("Soft failures", func() {
	It("are all shown, beside what ended the test", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { exec: [./note, a, "1"], soft: true }
	    - { exec: [./note, b, "2"], soft: true }
	    - { exec: [./note, c, "3"] }
	    - { exec: [./note, never] }
`))
		a := o.last("one")
		Expect(a.Failure.Message).To(ContainSubstring("exited with 3"))
		Expect(a.More).To(HaveExactElements(HaveField("Message", ContainSubstring("exited with 1")), HaveField("Message", ContainSubstring("exited with 2"))))
		Expect(a.More[0].Rerun).NotTo(BeEmpty())
		Expect(a.Warnings).To(BeEmpty())
	})

	It("look as they did when they came", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			if row[0] == "expect" {
				return steps.Fail(steps.Assertion, "", "title: wanted X")
			}
			return good()
		}}
		o := play(ctx, one(`
	    - [click, "#a"]
	    - { row: [expect, title, X], soft: true }
	    - [click, "#b"]
	    - { exec: [./note, x, "1"] }
`), with(e))
		a := o.last("one")
		Expect(a.Failure.LastWrite.Row).To(Equal([]string{"click", "#b"}))
		Expect(a.More).To(HaveLen(1))
		Expect(a.More[0].LastWrite.Row).To(Equal([]string{"click", "#a"}))
		Expect(a.More[0].Progress).To(BeEmpty())
	})

	It("alone make the test fail with the first", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { exec: [./note, a, "1"], soft: true }
	    - { exec: [sleep, "9"], timeout: 50ms, soft: true }
	    - { exec: [./note, c] }
`))
		a := o.last("one")
		Expect(o.log()).To(Equal(words("a c")))
		Expect(a.Failure.Message).To(ContainSubstring("exited with 1"))
		Expect(a.More).To(HaveExactElements(HaveField("Category", steps.Timeout)))
	})
})
