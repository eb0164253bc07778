package runner_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("Health of the pages", func() {
	run := func(ctx SpecContext, body string, list ...steps.Fault) outcome {
		GinkgoHelper()
		e := &illEngine{say: on("click", list...)}
		e.answer = func(row []string) steps.Observation {
			if row[0] == "press" {
				return steps.Fail(steps.NotActionable, "covered", "it is covered")
			}
			return good()
		}
		return play(ctx, suite(body), withIll(e))
	}
	const test = `
tests:
	- name: one
	  steps: [[open, http://x/], [expect, title, X]]
`
	It("of setup fails setup", func(ctx SpecContext) {
		o := run(ctx, "setup: [[open, http://x/], [click, \"#a\"]]\n"+test, pageError)
		b := o.state.Suites[0].SetupFailure
		Expect(b).NotTo(BeNil())
		Expect(string(b.Category) + " " + b.Sub).To(Equal("setup health, page_errors"))
		Expect(b.Message).To(ContainSubstring("x is not a function"))
		Expect(b.Message).To(ContainSubstring(`during [click, "#a"]`))
		Expect(b.Phase).To(Equal(journal.PhaseSetup))
		Expect(b.Pos.Line).To(Equal(3))
		Expect(b.Paste).NotTo(BeEmpty())
		Expect(o.test("one").Status).To(Equal(steps.Errored))
		Expect(o.test("one").Reason).To(HavePrefix("setup failed: uncaught error"))
		Expect(o.exit).To(Equal(1))
	})

	It("of setup is judged by the suite's rules, and provokes takes what it names", func(ctx SpecContext) {
		o := run(ctx, `
health: { page_errors: { allow: ["is not a function"] } }
setup: [[open, http://x/], [click, "#a"], { row: [click, "#b"], provokes: { http: 422 } }]
`+test, pageError, said, api, apiLine)
		Expect(o.state.Suites[0].SetupFailure).To(BeNil())
		Expect(o.exit).To(Equal(0))
		Expect(o.state.Warnings).To(ContainElement(ContainSubstring("no merchant id")))
	})

	It("of setup is told beside another failure", func(ctx SpecContext) {
		o := run(ctx, "setup: [[open, http://x/], [click, \"#a\"], [press, Enter]]\n"+test, pageError)
		b := o.state.Suites[0].SetupFailure
		Expect(b.Message).To(Equal("it is covered"))
		Expect(b.Health).To(HaveLen(1))
		Expect(o.state.Warnings).To(ContainElement(ContainSubstring("health: uncaught error")))
	})

	It("of teardown is a failure of the teardown", func(ctx SpecContext) {
		o := run(ctx, "teardown: [[open, http://x/], [press, Enter], [click, \"#a\"]]\n"+test, pageError)
		list := o.state.Suites[0].TeardownFail
		Expect(list).To(HaveLen(2))
		Expect(list[0].Sub).To(Equal("cleanup-failed, covered"))
		Expect(string(list[1].Category) + " " + list[1].Sub).To(Equal("health cleanup-failed, page_errors"))
		Expect(list[1].Phase).To(Equal(journal.PhaseTeardown))
		Expect(list[1].Rerun).To(Equal("checkrow run a.yaml"))
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		Expect(o.exit).To(Equal(1))
	})

	It("of a login fails the login", func(ctx SpecContext) {
		files := suite("sessions: { ada: { login: ./in.yaml } }\ntests: [{ name: one, session: ada, steps: [[open, http://x/], [expect, title, X]] }]\n")
		files["in.yaml"] = "fragment: in\nsteps: [[open, http://x/], [click, \"#a\"]]\n"
		e := &illEngine{say: on("click", pageError)}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, files, withIll(e))
		l := o.state.Suites[0].Logins
		Expect(l).To(HaveLen(1))
		Expect(l[0].Failure).NotTo(BeNil())
		Expect(string(l[0].Failure.Category) + " " + l[0].Failure.Sub).To(Equal("setup health, page_errors"))
		Expect(o.test("one").Status).To(Equal(steps.Errored))
	})

	It("is not asked where setup has no page", func(ctx SpecContext) {
		e := &illEngine{say: on("")}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite("setup: [{ exec: [./note, s] }]\nteardown: [{ exec: [./note, t] }]\ntests: [{ name: one, steps: [{ exec: [./note, x] }] }]\n"), withIll(e))
		Expect(o.exit).To(Equal(0))
		Expect(e.settled.Load()).To(BeZero())
	})
})
