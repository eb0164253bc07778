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

	hooked := func(hooks string) string {
		return "tests:\n  - name: one\n    steps: [[open, http://x/], [click, \"#buy\"]]\n" + hooks
	}
	verdict := func(b *journal.Failure) string {
		return string(b.Phase) + ": " + string(b.Category) + " " + b.Sub + ": " + b.Message
	}
	const wrong = "uncaught error: TypeError: x is not a function (http://shop:3000/app.js:7)"

	It("of finally and after_each is a failure of theirs", func(ctx SpecContext) {
		e := &illEngine{say: func(row []string) []steps.Fault {
			if row[0] == "click" && row[1] != "#buy" {
				return []steps.Fault{pageError}
			}
			return nil
		}}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite("after_each: [[click, \"#out\"], [click, \"#bye\"]]\n"+hooked("    finally: [[click, \"#undo\"]]\n")), withIll(e))
		a := o.last("one")
		Expect(a.Failure).To(BeNil())
		Expect(a.Cleanup).To(HaveLen(2))
		Expect(verdict(a.Cleanup[0])).To(Equal("finally: health cleanup-failed, page_errors: " + wrong + `, during [click, "#undo"]`))
		Expect(verdict(a.Cleanup[1])).To(Equal("after_each: health cleanup-failed, page_errors: " + wrong + `, during [click, "#out"], and 1 more fault`))
		Expect(a.Cleanup[0].Pos.Line).To(Equal(7))
		Expect(a.Cleanup[0].Paste).To(HaveExactElements("health: { page_errors: { allow: ['TypeError: x is not a function'] } }"))
		Expect(a.Cleanup[1].Health).To(HaveLen(2))
		Expect(o.test("one").Status).To(Equal(steps.Errored))
		Expect(o.exit).To(Equal(1))
	})

	It("of finally masks no verdict, and what was judged before is not judged again", func(ctx SpecContext) {
		o := run(ctx, hooked("    finally: [[press, Enter], [click, \"#undo\"]]\n"), pageError, said)
		a := o.last("one")
		Expect(verdict(a.Failure)).To(Equal("steps: health page_errors: " + wrong + `, during [click, "#buy"]`))
		Expect(a.More).To(BeEmpty())
		Expect(a.Cleanup).To(HaveLen(2))
		Expect(a.Cleanup[0].Sub).To(Equal("cleanup-failed, covered"))
		Expect(verdict(a.Cleanup[1])).To(HaveSuffix(wrong + `, during [click, "#undo"]`))
		Expect(a.Warnings).To(HaveExactElements(ContainSubstring(`no merchant id (http://shop:3000/pay), during [click, "#buy"]`),
			ContainSubstring(`no merchant id (http://shop:3000/pay), during [click, "#undo"]`)))
		Expect(o.test("one").Status).To(Equal(steps.Failed))
	})

	It("of finally knows what is allowed, provoked and off", func(ctx SpecContext) {
		for _, body := range []string{
			"health: { page_errors: { allow: [is not a function] } }\n" + hooked("    finally: [[fill, \"#undo\", x]]\n"),
			"health: { page_errors: off }\n" + hooked("    finally: [[fill, \"#undo\", x]]\n"),
			hooked("    finally: [{ row: [fill, \"#undo\", x], provokes: { page_error: not a function } }]\n"),
		} {
			e := &illEngine{say: on("fill", pageError)}
			e.answer = func([]string) steps.Observation { return good() }
			o := play(ctx, suite(body), withIll(e))
			Expect(o.last("one").Cleanup).To(BeEmpty(), body)
			Expect(o.test("one").Status).To(Equal(steps.Passed), body)
		}
	})

	It("of steps that is told while finally runs fails the test, and its retry runs", func(ctx SpecContext) {
		e := &illEngine{say: on("expect", pageError)}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite("retries: 1\n"+hooked("    finally: [[expect, title, X]]\n")), withIll(e))
		a := o.last("one")
		Expect(verdict(a.Failure)).To(Equal("steps: health page_errors: " + wrong + `, after [click, "#buy"]`))
		Expect(a.Cleanup).To(BeEmpty())
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(o.test("one").Attempts).To(HaveLen(2))
	})

	It("of steps that is told while a finally without rows runs costs no second look", func(ctx SpecContext) {
		looks := 0
		e := &illEngine{say: on(""), late: func() []steps.Fault {
			if looks++; looks > 1 {
				return []steps.Fault{pageError}
			}
			return nil
		}}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite(hooked("    finally: [{ exec: [./note, f] }]\n")), withIll(e))
		Expect(verdict(o.last("one").Failure)).To(Equal("steps: health page_errors: " + wrong + `, during [click, "#buy"]`))
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(e.settled.Load()).To(Equal(int32(1)))
	})

	It("of steps that is told late is a failure beside another", func(ctx SpecContext) {
		e := &illEngine{say: on("expect", pageError)}
		e.answer = func(row []string) steps.Observation {
			if row[0] == "click" {
				return steps.Fail(steps.NotActionable, "covered", "it is covered")
			}
			return good()
		}
		o := play(ctx, suite(hooked("    finally: [[expect, title, X]]\n")), withIll(e))
		a := o.last("one")
		Expect(a.Failure.Message).To(Equal("it is covered"))
		Expect(a.More).To(HaveLen(1))
		Expect(a.More[0].Sub).To(Equal("page_errors"))
		Expect(a.Cleanup).To(BeEmpty())
	})

	It("is not asked where setup has no page", func(ctx SpecContext) {
		e := &illEngine{say: on("")}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite("setup: [{ exec: [./note, s] }]\nteardown: [{ exec: [./note, t] }]\ntests: [{ name: one, steps: [{ exec: [./note, x] }] }]\n"), withIll(e))
		Expect(o.exit).To(Equal(0))
		Expect(e.settled.Load()).To(BeZero())
	})
})
