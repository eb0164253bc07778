package runner_test

import (
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// hooks is a suite with every hook; each notes its name.
const hooks = `
setup: [{ exec: [./note, setup] }]
teardown: [{ exec: [./note, teardown] }]
before_each: [{ exec: [./note, before] }]
after_each: [{ exec: [./note, after] }]
`

func words(s string) []string { return strings.Fields(s) }

// expectation is what a run of one test amounts to.
type expectation struct {
	log      string
	exit     int
	status   steps.Status
	category steps.Category // of the attempt's failure
	message  string
	cleanup  int // failures of finally and after_each
	teardown int // of teardown
}

var _ = DescribeTable("The order of hooks", func(ctx SpecContext, body string, want expectation) {
	o := play(ctx, suite(body))
	Expect(o.err).NotTo(HaveOccurred())
	Expect(o.log()).To(Equal(words(want.log)))
	Expect(o.exit).To(Equal(want.exit))
	t := o.test("one")
	Expect(t.Status).To(Equal(want.status))
	Expect(o.state.Suites[0].TeardownFail).To(HaveLen(want.teardown))
	if len(t.Attempts) == 0 {
		return
	}
	a := o.last("one")
	Expect(a.Cleanup).To(HaveLen(want.cleanup))
	if want.category == "" {
		Expect(a.Failure).To(BeNil())
		return
	}
	Expect(a.Failure).NotTo(BeNil())
	Expect(a.Failure.Category).To(Equal(want.category))
	Expect(a.Failure.Message).To(ContainSubstring(want.message))
},
	Entry("is setup, before_each, steps, finally, after_each, teardown", hooks+`
tests:
	- name: one
	  steps: [{ exec: [./note, step] }]
	  finally: [{ exec: [./note, finally] }]
`, expectation{log: "setup before step finally after teardown", status: steps.Passed}),

	Entry("runs before_each and after_each around each test, setup and teardown once", hooks+`
tests:
	- name: one
	  steps: [{ exec: [./note, step1] }, { exec: [./note, step2] }]
	- name: two
	  skip: not today
	  steps: [{ exec: [./note, never] }]
`, expectation{log: "setup before step1 step2 after teardown", status: steps.Passed}),

	Entry("ends steps at the first failure and runs all cleanup", hooks+`
tests:
	- name: one
	  steps: [{ exec: [./note, bad, "1"] }, { exec: [./note, never] }]
	  finally: [{ exec: [./note, finally] }]
`, expectation{log: "setup before bad finally after teardown", exit: 1, status: steps.Failed, category: steps.Process, message: "exited with 1"}),

	Entry("runs no step after before_each failed, but all cleanup", `
before_each: [{ exec: [./note, before, "3"] }]
after_each: [{ exec: [./note, after] }]
tests:
	- name: one
	  steps: [{ exec: [./note, never] }]
	  finally: [{ exec: [./note, finally] }]
`, expectation{log: "before finally after", exit: 1, status: steps.Failed, category: steps.Process, message: "exited with 3"}),

	Entry("runs every step of finally and after_each, whatever fails in them, and never masks the verdict", `
after_each: [{ exec: [./note, after1, "1"] }, { exec: [./note, after2] }]
tests:
	- name: one
	  steps: [{ exec: [./note, bad, "5"] }]
	  finally: [{ exec: [./note, finally1, "1"] }, { exec: [./note, finally2] }]
`, expectation{log: "bad finally1 finally2 after1 after2", exit: 1, status: steps.Failed, category: steps.Process, message: "exited with 5", cleanup: 2}),

	Entry("makes a passed test whose cleanup fails an error", `
tests:
	- name: one
	  steps: [{ exec: [./note, step] }]
	  finally: [{ exec: [./note, finally, "1"] }]
`, expectation{log: "step finally", exit: 1, status: steps.Errored, cleanup: 1}),

	Entry("fails the run for a failed teardown, every step of which runs", `
teardown: [{ exec: [./note, down1, "1"] }, { exec: [./note, down2, "1"] }, { exec: [./note, down3] }]
tests:
	- name: one
	  steps: [{ exec: [./note, step] }]
`, expectation{log: "step down1 down2 down3", exit: 1, status: steps.Passed, teardown: 2}),

	Entry("runs no test after a failed setup, but teardown", `
setup: [{ exec: [./note, setup, "1"] }, { exec: [./note, never] }]
teardown: [{ exec: [./note, teardown] }]
before_each: [{ exec: [./note, before] }]
tests:
	- name: one
	  steps: [{ exec: [./note, never] }]
	  finally: [{ exec: [./note, never] }]
`, expectation{log: "setup teardown", exit: 1, status: steps.Errored}),

	Entry("runs cleanup after the test's limit has passed", `
timeouts: { test: 2s }
after_each: [{ exec: [./note, after] }]
tests:
	- name: one
	  steps: [{ exec: [./note, step] }, { exec: [sleep, "20"] }, { exec: [./note, never] }]
	  finally: [{ exec: [./note, finally] }]
`, expectation{log: "step finally after", exit: 1, status: steps.Errored, category: steps.Timeout, message: "the test has passed its limit of 2s"}),

	Entry("gives cleanup a time of its own", `
timeouts: { test: 20s, cleanup: 1500ms }
after_each: [{ exec: [./note, after] }]
tests:
	- name: one
	  steps: [{ exec: [./note, step] }]
	  finally: [{ exec: [sleep, "20"] }, { exec: [./note, never] }]
`, expectation{log: "step after", exit: 1, status: steps.Errored, cleanup: 1}),

	Entry("runs cleanup after the suite's limit has passed", `
timeouts: { suite: 1500ms }
teardown: [{ exec: [./note, teardown] }]
tests:
	- name: one
	  steps: [{ exec: [sleep, "20"] }, { exec: [./note, never] }]
	  finally: [{ exec: [./note, finally] }]
`, expectation{log: "finally teardown", exit: 1, status: steps.Errored, category: steps.Timeout, message: "the suite has passed its limit of 1.5s"}),

	Entry("ends a step by its own timeout", `
tests:
	- name: one
	  steps: [{ exec: [sleep, "20"], timeout: 200ms }]
	  finally: [{ exec: [./note, finally] }]
`, expectation{log: "finally", exit: 1, status: steps.Errored, category: steps.Timeout, message: "the step has passed its limit of 200ms"}),
)

var _ = Describe("A failed setup", func() {
	It("is one block, and its tests are errors that name it", func(ctx SpecContext) {
		o := play(ctx, suite(`
setup: [{ exec: [./note, setup, "1"] }]
tests:
	- { name: one, steps: [{ exec: ["true"] }] }
	- { name: two, steps: [{ exec: ["true"] }] }
`))
		s := o.state.Suites[0]
		Expect(s.SetupFailure).NotTo(BeNil())
		Expect(s.SetupFailure.Category).To(Equal(steps.Setup))
		Expect(s.SetupFailure.Message).To(ContainSubstring("exited with 1"))
		Expect(s.SetupFailure.Rerun).To(Equal("checkrow run a.yaml"))
		Expect(s.SetupFailure.Excerpt).NotTo(BeEmpty())
		for _, name := range []string{"one", "two"} {
			t := o.test(name)
			Expect(t.Status).To(Equal(steps.Errored))
			Expect(t.Attempts).To(BeEmpty())
			Expect(t.Reason).To(ContainSubstring("setup failed: "))
		}
	})
})

var _ = Describe("Retries", func() {
	flaky := `
retries: 2
` + hooks + `
tests:
	- name: one
	  steps:
	    - exec: [sh, -c, "echo step >> $LOG; test -e ${{ suite.dir }}/there || { touch ${{ suite.dir }}/there; exit 1; }"]
`
	It("rerun before_each and after_each, not setup; the test is flaky and green", func(ctx SpecContext) {
		o := play(ctx, suite(flaky))
		Expect(o.log()).To(Equal(words("setup before step after before step after teardown")))
		Expect(o.test("one").Status).To(Equal(steps.Flaky))
		Expect(o.test("one").Attempts).To(HaveLen(2))
		Expect(o.exit).To(Equal(0))
	})

	It("can be made to fail the run", func(ctx SpecContext) {
		o := play(ctx, suite(flaky), func(o *runner.Options, _ *plan.Options) { o.FailFlaky = true })
		Expect(o.exit).To(Equal(6))
	})

	It("are what the command line says, over what suites say", func(ctx SpecContext) {
		none := 0
		o := play(ctx, suite(flaky), func(_ *runner.Options, p *plan.Options) { p.Retries = &none })
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(o.test("one").Attempts).To(HaveLen(1))
	})

	It("end when they are used up", func(ctx SpecContext) {
		o := play(ctx, suite("tests:\n\t- { name: one, retries: 2, steps: [{ exec: [./note, x, \"1\"] }] }\n"))
		Expect(o.test("one").Attempts).To(HaveLen(3))
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(o.log()).To(Equal(words("x x x")))
	})
})

var _ = Describe("Stopping", func() {
	long := func(dir string) map[string]string {
		return suite(hooks + `
tests:
	- name: one
	  steps: [{ exec: [./note, step] }, { exec: [sh, -c, "touch ` + dir + `/go; sleep 30"] }, { exec: [./note, never] }]
	  finally: [{ exec: [./note, finally] }]
	- { name: two, steps: [{ exec: [./note, never] }] }
`)
	}

	DescribeTable("by a signal cleans up, keeps what did not run, and takes its exit code", func(ctx SpecContext, name string, code int) {
		dir, signals, done := GinkgoT().TempDir(), make(chan runner.Signal, 1), make(chan struct{})
		defer close(done)
		go signalAt(filepath.Join(dir, "go"), runner.Signal{Name: name, Exit: code}, signals, done)
		start := time.Now()
		started := play(ctx, long(dir), func(o *runner.Options, _ *plan.Options) { o.Workers, o.Signals = 1, signals })
		Expect(time.Since(start)).To(BeNumerically("<", 5*time.Second))
		Expect(started.exit).To(Equal(code))
		Expect(started.log()).To(Equal(words("setup before step finally after teardown")))
		Expect(started.test("one").Status).To(Equal(steps.StatusInterrupted))
		Expect(started.test("two").Status).To(Equal(steps.NotRun))
		Expect(started.test("two").Reason).To(Equal("stopped by " + name))
		Expect(started.state.End.Exit).To(Equal(code))
	}, Entry("SIGTERM", "SIGTERM", 143), Entry("SIGINT", "SIGINT", 130))

	It("twice ends cleanup too", func(ctx SpecContext) {
		dir, signals, done := GinkgoT().TempDir(), make(chan runner.Signal, 2), make(chan struct{})
		defer close(done)
		for _, name := range words("one two") {
			go signalAt(filepath.Join(dir, name), runner.Signal{Name: "SIGINT", Exit: 130}, signals, done)
		}
		start := time.Now()
		o := play(ctx, suite(`
tests:
	- name: one
	  steps: [{ exec: [sh, -c, "touch `+dir+`/one; sleep 30"] }]
	  finally: [{ exec: [sh, -c, "touch `+dir+`/two; sleep 30"] }]
`), func(o *runner.Options, _ *plan.Options) { o.Signals = signals })
		Expect(time.Since(start)).To(BeNumerically("<", 4*time.Second))
		Expect(o.exit).To(Equal(130))
	})

	It("at the run's deadline ends with 5", func(ctx SpecContext) {
		o := play(ctx, long(GinkgoT().TempDir()), func(o *runner.Options, _ *plan.Options) { o.Workers, o.Deadline = 1, 2*time.Second })
		Expect(o.exit).To(Equal(5))
		Expect(o.test("one").Status).To(Equal(steps.Errored))
		Expect(o.last("one").Failure.Message).To(ContainSubstring("the run has passed its limit of 2s"))
		Expect(o.log()).To(Equal(words("setup before step finally after teardown")))
	})

	It("after too many failures leaves the rest not run", func(ctx SpecContext) {
		o := play(ctx, suite(`
tests:
	- { name: one, steps: [{ exec: [./note, a, "1"] }] }
	- { name: two, steps: [{ exec: [./note, never] }] }
`), func(o *runner.Options, _ *plan.Options) { o.Workers, o.MaxFailures = 1, 1 })
		Expect(o.exit).To(Equal(1))
		Expect(o.log()).To(Equal(words("a")))
		Expect(o.test("two").Status).To(Equal(steps.NotRun))
		Expect(o.test("two").Reason).To(Equal("stopped after 1 failure"))
	})
})
