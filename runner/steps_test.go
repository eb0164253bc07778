package runner_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// one is a suite with one test of these steps.
func one(list string) map[string]string {
	return suite("tests:\n\t- name: one\n\t  steps:\n" + list)
}

var _ = DescribeTable("Steps", func(ctx SpecContext, list, log string, status steps.Status, message string) {
	o := play(ctx, one(list))
	Expect(o.log()).To(Equal(append([]string(nil), words(log)...)))
	Expect(o.test("one").Status).To(Equal(status))
	a := o.last("one")
	if message == "" {
		Expect(a.Failure).To(BeNil())
		return
	}
	Expect(a.Failure).NotTo(BeNil())
	Expect(a.Failure.Message).To(ContainSubstring(message))
},
	Entry("with if run when it holds", `
	    - { exec: [./note, a], if: 1 == 2 }
	    - { exec: [./note, b], if: suite.name == "a" }
`, "b", steps.Passed, ""),
	Entry("with skip do not run", `
	    - { exec: [./note, a], skip: not now }
	    - { exec: [./note, b], skip: "" }
`, "b", steps.Passed, ""),
	Entry("that are soft fail the test and let it go on", `
	    - { exec: [./note, a, "1"], soft: true }
	    - { exec: [./note, b, "2"], soft: true }
	    - { exec: [./note, c] }
`, "a b c", steps.Failed, "exited with 1"),
	Entry("that are optional are no failure", `
	    - { exec: [./note, a, "1"], optional: true, id: x }
	    - { exec: [./note, b], if: not steps.x.ok }
`, "a b", steps.Passed, ""),
	Entry("with retry run again", `
	    - exec: [sh, -c, "echo x >> $LOG; test $(wc -l < $LOG) -ge 3"]
	      retry: { times: 4, every: 1ms, unsafe: true }
	    - exec: [./note, y]
`, "x x x y", steps.Passed, ""),
	Entry("with retry fail when it is used up", `
	    - { exec: [./note, x, "1"], retry: { times: 2, unsafe: true } }
`, "x x x", steps.Failed, "exited with 1"),
	Entry("with expect on exec are judged once, by it", `
	    - { exec: [./note, x, "3"], expect: exit == 3 }
	    - { exec: [./note, y, "3"], expect: [exit == 4, "stdout == ''"] }
`, "x y", steps.Failed, "expected exit == 4, but exit is 3"),
	Entry("choose an arm", `
	    - if: 1 == 2
	      then: [{ exec: [./note, a] }]
	      elif: [{ if: 2 == 2, then: [{ exec: [./note, b] }] }]
	      else: [{ exec: [./note, c] }]
	    - if: 1 == 2
	      then: [{ exec: [./note, d] }]
	      else: [{ exec: [./note, e, "1"] }]
`, "b e", steps.Failed, "exited with 1"),
	Entry("loop over a list", `
	    - for: n in ["a", "b"]
	      do:
	        - { exec: [./note, "${{ n }}"], id: last }
	        - for: m in 1..2
	          do: [{ exec: [./note, "${{ n }}${{ m }}"] }]
	    - { exec: [./note, "${{ steps.last?.ok ?? false }}"] }
`, "a a1 a2 b b1 b2 true", steps.Passed, ""),
	Entry("set vars for what follows", `
	    - { exec: [echo, hi], id: out }
	    - set: { word: steps.out.value, both: vars.word + "!" }
	    - { exec: [./note, "${{ vars.both }}"] }
`, "hi!", steps.Passed, ""),
	Entry("group", `
	    - group: g
	      retry: { times: 1, unsafe: true }
	      do:
	        - { exec: [./note, a] }
	        - { exec: [sh, -c, "echo x >> $LOG; test $(wc -l < $LOG) -ge 3"] }
`, "a x a x", steps.Passed, ""),
	Entry("that fail inside a soft group let the test go on after it", `
	    - group: g
	      soft: true
	      do: [{ exec: [./note, a, "1"] }, { exec: [./note, never] }]
	    - { exec: [./note, b] }
`, "a b", steps.Failed, "exited with 1"),
	Entry("fail when a program is not there", `
	    - { exec: [no-such-program-here] }
`, "", steps.Failed, "could not be started"),
)

var _ = Describe("A bare expect", func() {
	It("is read until it holds", func(ctx SpecContext) {
		// Nothing but time changes here, so the expression itself is what changes.
		o := play(ctx, one(`
	    - { set: { t: now() } }
	    - { expect: (now() - vars.t).Milliseconds() > 120 }
`))
		Expect(o.test("one").Status).To(Equal(steps.Passed))
	})

	It("fails with the values it saw", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { exec: [echo, hi], id: out }
	    - { expect: [steps.out.value == "ho", steps.out.exit == 0], within: 1s }
`))
		b := o.last("one").Failure
		Expect(b.Category).To(Equal(steps.Assertion))
		Expect(b.Message).To(Equal(`expected steps.out.value == "ho", but steps.out.value is "hi"`))
		Expect(b.Detail.Terms).To(HaveLen(1))
		Expect(b.Detail.Seen).To(HaveExactElements(HaveField("Value", `"hi"`)))
		Expect(b.Detail.Seen[0].Times).To(BeNumerically(">", 2))
		Expect(o.test("one").Status).To(Equal(steps.Failed))
	})

	It("within 0s is read once", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { expect: suite.name == "b", within: 0s }
`))
		Expect(o.last("one").Failure.Detail.Seen).To(BeEmpty())
	})
})

var _ = Describe("Tests", func() {
	It("with skip or a false if do not run, and say why", func(ctx SpecContext) {
		o := play(ctx, suite(`
vars: { why: "", no: not here }
tests:
	- { name: a, skip: today, steps: [{ exec: [./note, a] }] }
	- { name: b, skip: "${{ vars.why }}", steps: [{ exec: [./note, b] }] }
	- { name: c, skip: "${{ vars.no }}", steps: [{ exec: [./note, c] }] }
	- { name: d, if: vars.why != "", steps: [{ exec: [./note, d] }] }
`))
		Expect(o.log()).To(Equal(words("b")))
		Expect(o.exit).To(Equal(0))
		for name, reason := range map[string]string{"a": "today", "c": "not here", "d": `if: vars.why != "" is false`} {
			Expect(o.test(name).Status).To(Equal(steps.Skipped))
			Expect(o.test(name).Reason).To(Equal(reason))
			Expect(o.test(name).Attempts).To(BeEmpty())
		}
	})

	It("that are all skipped start no service and no setup", func(ctx SpecContext) {
		o := play(ctx, suite(`
services: { s: { exec: [./note, service] } }
setup: [{ exec: [./note, setup] }]
teardown: [{ exec: [./note, teardown] }]
tests: [{ name: a, skip: today, steps: [{ exec: [./note, a] }] }]
`))
		Expect(o.log()).To(BeEmpty())
		Expect(o.exit).To(Equal(0))
	})

	It("see vars of their own over the suite's, ids of setup and the run", func(ctx SpecContext) {
		o := play(ctx, suite(`
vars: { who: ada, greet: "hi ${{ vars.who }}" }
setup: [{ exec: [echo, seed7], id: seed }]
tests:
	- name: own
	  vars: { who: eve, n: "${{ 1 + 1 }}" }
	  steps:
	    - expect: [vars.who == "eve", vars.greet == "hi ada", vars.n == 2, setup.seed.value == "seed7"]
	    - expect: [attempt == 1, test.name == "own", suite.name == "a", run.dir != "", suite.dir != ""]
`))
		Expect(o.test("own").Status).To(Equal(steps.Passed))
	})

	It("have a folder of their own, made when its name is used", func(ctx SpecContext) {
		o := play(ctx, suite(`
tests:
	- name: writes
	  steps:
	    - exec: [sh, -c, "echo hi > \"$0\"/out.txt", "${{ test.dir }}"]
`))
		Expect(o.test("writes").Status).To(Equal(steps.Passed))
		found, err := filepath.Glob(filepath.Join(o.run, "artifacts/*/*/attempt-1/out.txt"))
		Expect(err).NotTo(HaveOccurred())
		Expect(found).To(HaveLen(1))
	})

	It("run fragments that see their inputs only", func(ctx SpecContext) {
		files := suite(`
vars: { who: ada }
tests:
	- name: one
	  steps:
	    - use: ./parts/greet.yaml
	      with: { name: "${{ vars.who }}" }
	      id: greet
	    - { exec: [./note, "${{ steps.greet.text }}"] }
`)
		files["parts/greet.yaml"] = `
fragment: greet
inputs: { name: string, word: { type: string, default: hello } }
steps:
	- { exec: [echo, "${{ inputs.word }}-${{ inputs.name }}"], id: said }
outputs: { text: steps.said.value }
`
		o := play(ctx, files)
		Expect(o.log()).To(Equal(words("hello-ada")))
		Expect(o.exit).To(Equal(0))
	})
})

var _ = Describe("Children", func() {
	It("get the pass-list and what is declared, nothing else, and run in the project root", func(ctx SpecContext) {
		Expect(os.Setenv("RUNNER_TEST_LEAK", "1")).To(Succeed())
		DeferCleanup(os.Unsetenv, "RUNNER_TEST_LEAK")
		files := suite(`
tests:
	- name: one
	  steps:
	    - { exec: [sh, -c, "echo [$RUNNER_TEST_LEAK] $OWN ${PATH:+path}; pwd -P"], env: { OWN: mine }, id: out }
	    - expect: steps.out.stdout startsWith "[] mine path"
	    - { exec: [./note, "${{ steps.out.stdout }}"] }
`)
		files["checkrow.yaml"] = "x-note: y\n"
		o := play(ctx, files)
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		real, err := filepath.EvalSymlinks(o.dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.log()).To(ContainElement(real))
	})
})
