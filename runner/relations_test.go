package runner_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

func workers(n int) setting {
	return func(o *runner.Options, _ *plan.Options) { o.Workers = n }
}

// ends is how a test is to end.
type ends struct {
	status steps.Status
	reason string
}

var _ = DescribeTable("Tests that depend on each other", func(ctx SpecContext, body, log string, exit int, want map[string]ends) {
	o := play(ctx, suite(body), workers(4))
	Expect(o.err).NotTo(HaveOccurred())
	Expect(o.log()).To(Equal(append([]string(nil), words(log)...)))
	Expect(o.exit).To(Equal(exit))
	for name, w := range want {
		t := o.test(name)
		Expect(t.Status).To(Equal(w.status), name)
		Expect(t.Reason).To(Equal(w.reason), name)
		if w.status == steps.NotRun || w.status == steps.Skipped {
			Expect(t.Attempts).To(BeEmpty(), name)
		}
	}
},
	Entry("run in file order if the suite is serial", `
serial: true
tests:
	- { name: a, steps: [{ exec: [sh, -c, "sleep 0.1; echo a >> $LOG"] }] }
	- { name: b, steps: [{ exec: [./note, b] }] }
	- { name: c, skip: not now, steps: [{ exec: [./note, c] }] }
	- { name: d, if: 1 == 2, steps: [{ exec: [./note, d] }] }
	- { name: e, steps: [{ exec: [./note, e] }] }
`, "a b e", 0, map[string]ends{"e": {steps.Passed, ""}}),

	Entry("of a serial suite do not run after a failure, which they name", `
serial: true
teardown: [{ exec: [./note, teardown] }]
tests:
	- { name: a, steps: [{ exec: [./note, a] }] }
	- { name: b c, retries: 1, steps: [{ exec: [./note, b, "1"] }] }
	- { name: c, steps: [{ exec: [./note, c] }] }
	- { name: d, skip: not now, steps: [{ exec: [./note, d] }] }
	- { name: e, if: 1 == 2, steps: [{ exec: [./note, d] }] }
`, "a b b teardown", 1, map[string]ends{"a": {steps.Passed, ""}, "b c": {steps.Failed, ""},
		"c": {steps.NotRun, `the suite is serial, and "b c" before it failed`}, "d": {steps.Skipped, "not now"},
		"e": {steps.NotRun, `the suite is serial, and "b c" before it failed`}}),

	Entry("of a serial suite do not run after an error either", `
serial: true
tests:
	- { name: a, timeout: 100ms, steps: [{ exec: [sleep, "9"] }] }
	- { name: b, steps: [{ exec: [./note, b] }] }
`, "", 1, map[string]ends{"b": {steps.NotRun, `the suite is serial, and "a" before it ended in an error`}}),

	Entry("run behind those they need, and read what these hand out", `
tests:
	- name: buys
	  needs: [log in, seed]
	  vars: { all: "${{ needs['log in'].token }}-${{ needs.seed.n }}" }
	  if: needs.seed.n == 4
	  steps:
	    - exec: [./note, "${{ vars.all }}"]
	    - expect: needs.seed.list == ["a", "b"]
	  finally: [{ exec: [./note, "end-${{ needs.seed.n }}"] }]
	- name: log in
	  needs: [seed]
	  steps: [{ exec: [sh, -c, "sleep 0.1; echo tok$0", "${{ needs.seed.n }}"], id: out }]
	  outputs: { token: steps.out.value }
	- name: seed
	  steps:
	    - { exec: [./note, seed] }
	    - set: { n: "4" }
	  outputs: { n: vars.n, list: '["a", "b"]' }
`, "seed tok4-4 end-4", 0, map[string]ends{"buys": {steps.Passed, ""}}),

	Entry("do not run if one that they need failed, not even through others, and name it", `
tests:
	- { name: b, needs: [ok, a], steps: [{ exec: [./note, never] }] }
	- { name: a, steps: [{ exec: [./note, a, "1"] }], outputs: { x: "1" } }
	- { name: c, needs: [b], steps: [{ exec: [./note, never] }] }
	- { name: ok, steps: [{ exec: ["true"] }] }
	- { name: d, needs: [ok], steps: [{ exec: ["true"] }] }
`, "a", 1, map[string]ends{"a": {steps.Failed, ""}, "b": {steps.NotRun, `it needs "a", which failed`},
		"c": {steps.NotRun, `it needs "b" and through it "a", which failed`}, "d": {steps.Passed, ""}}),

	Entry("are skipped if one that they need was", `
tests:
	- { name: a, skip: not now, steps: [{ exec: [./note, never] }] }
	- { name: b, needs: [a], steps: [{ exec: [./note, never] }] }
	- { name: c, if: 1 == 2, steps: [{ exec: [./note, never] }] }
	- { name: d, needs: [c], steps: [{ exec: [./note, never] }] }
	- { name: e, needs: [d], steps: [{ exec: [./note, never] }] }
`, "", 0, map[string]ends{"b": {steps.Skipped, `it needs "a", which was skipped`},
		"d": {steps.Skipped, `it needs "c", which was skipped`}, "e": {steps.Skipped, `it needs "d" and through it "c", which was skipped`}}),

	Entry("do not run if one that they need failed, though another was skipped", `
tests:
	- { name: c, needs: [a, b], steps: [{ exec: [./note, never] }] }
	- { name: a, skip: not now, steps: [{ exec: [./note, never] }] }
	- { name: b, steps: [{ exec: [./note, b, "1"] }] }
`, "b", 1, map[string]ends{"c": {steps.NotRun, `it needs "b", which failed`}}),

	Entry("run after a flaky one, with what its passing attempt hands out", `
tests:
	- { name: b, needs: [a], steps: [{ exec: [./note, "got-${{ needs.a.n }}"] }] }
	- { name: a, retries: 1, steps: [{ exec: [./note, a, "${{ 2 - attempt }}"] }], outputs: { n: attempt } }
`, "a a got-2", 0, map[string]ends{"a": {steps.Flaky, ""}, "b": {steps.Passed, ""}}),

	Entry("do not run if cleanup of one that they need failed", `
tests:
	- { name: b, needs: [a], steps: [{ exec: [./note, never] }] }
	- { name: a, steps: [{ exec: [./note, a] }], finally: [{ exec: [./note, bad, "1"] }] }
`, "a bad", 1, map[string]ends{"a": {steps.Errored, ""}, "b": {steps.NotRun, `it needs "a", which ended in an error`}}),

	Entry("fail if what they hand out cannot be read", `
tests:
	- { name: b, needs: [a], steps: [{ exec: [./note, never] }] }
	- { name: a, steps: [{ exec: [./note, a] }, { exec: [echo, x], id: x }], outputs: { n: int(steps.x.stdout) } }
`, "a", 1, map[string]ends{"a": {steps.Errored, ""}, "b": {steps.NotRun, `it needs "a", which ended in an error`}}),

	Entry("end as errors if setup failed, all of them", `
serial: true
setup: [{ exec: [./note, setup, "1"] }]
tests:
	- { name: a, steps: [{ exec: [./note, never] }] }
	- { name: b, needs: [a], lock: [x], steps: [{ exec: [./note, never] }] }
`, "setup", 1, map[string]ends{"a": {steps.Errored, `setup failed: "./note" exited with 1, expected 0`}}),
)

var _ = Describe("Locks", func() {
	It("let one test at a time go on, of all suites; others run meanwhile", func(ctx SpecContext) {
		body := func(name string) string {
			return "suite: " + name + `
env: { LOG: "${{ suite.dir }}/log.txt" }
tests:
	- { name: one, lock: [db], steps: [{ exec: [sh, -c, "echo + >> $LOG; sleep 0.15; echo - >> $LOG"] }] }
	- { name: two, lock: [db, mail], steps: [{ exec: [sh, -c, "echo + >> $LOG; sleep 0.15; echo - >> $LOG"] }] }
	- { name: free, steps: [{ exec: [sleep, "0.15"] }] }
`
		}
		start := time.Now()
		o := play(ctx, map[string]string{"a.yaml": body("a"), "b.yaml": body("b")}, workers(4))
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(Equal(words("+ - + - + - + -")))
		Expect(time.Since(start)).To(BeNumerically(">=", 600*time.Millisecond))
	})

	It("of a suite are held from its setup to its teardown, and its tests exclude each other", func(ctx SpecContext) {
		body := func(name string) string {
			return "suite: " + name + `
lock: [db]
env: { LOG: "${{ suite.dir }}/log.txt" }
setup: [{ exec: [sh, -c, "echo ` + name + `+ >> $LOG; sleep 0.05"] }]
teardown: [{ exec: [sh, -c, "sleep 0.05; echo ` + name + `- >> $LOG"] }]
tests:
	- { name: one, steps: [{ exec: [sh, -c, "echo + >> $LOG; sleep 0.05; echo - >> $LOG"] }] }
	- { name: two, steps: [{ exec: [sh, -c, "echo + >> $LOG; sleep 0.05; echo - >> $LOG"] }] }
`
		}
		o := play(ctx, map[string]string{"a.yaml": body("a"), "b.yaml": body("b"), "c.yaml": body("c")}, workers(6))
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(Equal(words("a+ + - + - a- b+ + - + - b- c+ + - + - c-")))
	})

	It("do not count as the time of a test", func(ctx SpecContext) {
		o := play(ctx, suite(`
timeouts: { test: 2s }
tests:
	- { name: one, lock: [db], steps: [{ exec: [sleep, "0.8"] }] }
	- { name: two, lock: [db], steps: [{ exec: [sleep, "0.8"] }] }
	- { name: three, lock: [db], steps: [{ exec: [sleep, "0.8"] }] }
`), workers(3))
		Expect(o.exit).To(Equal(0))
		for _, name := range words("one two three") {
			Expect(o.test(name).Took).To(BeNumerically("<", 2*time.Second))
		}
	})

	It("are not held for tests that a stop keeps from running", func(ctx SpecContext) {
		o := play(ctx, suite(`
serial: true
lock: [db]
tests:
	- { name: one, steps: [{ exec: [./note, one, "1"] }] }
	- { name: two, steps: [{ exec: [./note, two] }] }
`), workers(2), func(o *runner.Options, _ *plan.Options) { o.MaxFailures = 1 })
		Expect(o.exit).To(Equal(1))
		Expect(o.test("two").Status).To(Equal(steps.NotRun))
		Expect(o.test("two").Reason).To(ContainSubstring(`"one" before it failed`))
		Expect(o.log()).To(Equal(words("one")))
	})
})

var _ = Describe("A serial suite", func() {
	It("stays on one worker, while others run on the rest", func(ctx SpecContext) {
		o := play(ctx, map[string]string{"a.yaml": `
suite: a
serial: true
tests:
	- { name: a1, steps: [{ exec: [sleep, "0.02"] }] }
	- { name: a2, steps: [{ exec: [sleep, "0.02"] }] }
	- { name: a3, steps: [{ exec: [sleep, "0.02"] }] }
	- { name: a4, steps: [{ exec: [sleep, "0.02"] }] }
`, "b.yaml": `
suite: b
tests:
	- { name: b1, steps: [{ exec: [sleep, "0.03"] }] }
	- { name: b2, steps: [{ exec: [sleep, "0.03"] }] }
	- { name: b3, steps: [{ exec: [sleep, "0.03"] }] }
`}, workers(2))
		Expect(o.exit).To(Equal(0))
		first := o.last("a1").Worker
		for _, name := range words("a2 a3 a4") {
			Expect(o.last(name).Worker).To(Equal(first))
		}
	})
})
