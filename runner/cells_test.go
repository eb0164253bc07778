package runner_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// what can go wrong in a phase.
const (
	fails   = "fails"
	expires = "timeout"
	crashes = "crash"
	sigterm = "SIGTERM"
)

// trouble is the step that goes wrong. A running phase is cut off at once; clean-up has its time after a signal.
func trouble(event, phase, dir string) string {
	cleanup := !slices.Contains([]string{"setup", "before_each", "steps"}, phase)
	switch {
	case event == fails:
		return `{ exec: [./note, bad, "1"] }`
	case event == expires && phase == "setup":
		return `{ exec: [sleep, "30"], timeout: 300ms }` // nothing else limits a setup
	case event == expires:
		return `{ exec: [sleep, "30"] }`
	case event == crashes:
		return `[click, "#crash"]`
	case cleanup:
		return `{ exec: [sh, -c, "touch ` + dir + `/go; sleep 2"] }`
	}
	return `{ exec: [sh, -c, "touch ` + dir + `/go; sleep 30"] }`
}

// everyPhase is a suite with two steps in every phase, and trouble between those of one.
func everyPhase(event, phase, dir string) string {
	var b strings.Builder
	if event == expires {
		b.WriteString("timeouts: { test: 2500ms, cleanup: 2500ms }\n")
	}
	list := func(name, word, indent string) {
		b.WriteString(indent + name + ":\n" + indent + "  - { exec: [./note, " + word + "1] }\n")
		if name == phase {
			b.WriteString(indent + "  - " + trouble(event, phase, dir) + "\n")
		}
		b.WriteString(indent + "  - { exec: [./note, " + word + "2] }\n")
	}
	list("setup", "setup", "")
	list("teardown", "down", "")
	list("before_each", "before", "")
	list("after_each", "after", "")
	b.WriteString("tests:\n  - name: one\n")
	list("steps", "step", "    ")
	list("finally", "finally", "    ")
	return b.String()
}

// cell is what one cell of the table amounts to.
type cell struct {
	log      string // words of the phases that ran whole: setup is setup1 setup2
	exit     int
	status   steps.Status
	category steps.Category // of the test's failure
	setup    string         // sub of the suite's failed setup
	cleanup  int            // failures of finally and after_each
	teardown int
}

var halves = strings.NewReplacer("setup", "setup1 setup2", "before", "before1 before2", "step", "step1 step2",
	"finally", "finally1 finally2", "after", "after1 after2", "down", "down1 down2")

// ran spells a log: a name is both steps of its phase, NAME| the first only.
func ran(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if first, cut := strings.CutSuffix(w, "|"); cut {
			out = append(out, first+"1")
		} else if last, rest := strings.CutPrefix(w, "|"); rest {
			out = append(out, last+"2")
		} else {
			out = append(out, strings.Fields(halves.Replace(w))...)
		}
	}
	return out
}

// signalAt sends a signal once a step has made a file.
func signalAt(file string, s runner.Signal, to chan<- runner.Signal, done <-chan struct{}) {
	for {
		if _, err := os.Stat(file); err == nil {
			to <- s
			return
		}
		select {
		case <-done:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// The order of LANGUAGE §7: what runs when something goes wrong in a phase, and what the verdict and the exit code are.
var _ = DescribeTable("When something goes wrong", func(ctx SpecContext, event, phase string, want cell) {
	dir := GinkgoT().TempDir()
	signals := make(chan runner.Signal, 1)
	done := make(chan struct{})
	if event == sigterm {
		go signalAt(filepath.Join(dir, "go"), runner.Signal{Name: "SIGTERM", Exit: 143}, signals, done)
	}
	e := &fakeEngine{answer: func([]string) steps.Observation { return crashed(false) }}
	o := play(ctx, suite(everyPhase(event, phase, dir)), func(o *runner.Options, _ *plan.Options) {
		o.Workers, o.Engine, o.Signals = 1, e, signals
	})
	close(done)
	Expect(o.log()).To(Equal(ran(want.log)))
	Expect(o.exit).To(Equal(want.exit))
	t := o.test("one")
	Expect(t.Status).To(Equal(want.status))
	s := o.state.Suites[0]
	Expect(s.TeardownFail).To(HaveLen(want.teardown))
	Expect(s.TeardownDone).To(BeTrue())
	if want.setup == "" {
		Expect(s.SetupFailure).To(BeNil())
	} else {
		Expect(s.SetupFailure.Sub).To(ContainSubstring(want.setup))
		Expect(t.Attempts).To(BeEmpty())
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
	Expect(string(a.Failure.Phase)).To(Equal(phase))
},
	func(event, phase string, _ cell) string { return event + " in " + phase },
	Entry(nil, fails, "setup", cell{log: "setup| bad down", exit: 1, status: steps.Errored, setup: "process"}),
	Entry(nil, fails, "before_each", cell{log: "setup before| bad finally after down", exit: 1, status: steps.Failed, category: steps.Process}),
	Entry(nil, fails, "steps", cell{log: "setup before step| bad finally after down", exit: 1, status: steps.Failed, category: steps.Process}),
	Entry(nil, fails, "finally", cell{log: "setup before step finally| bad |finally after down", exit: 1, status: steps.Errored, cleanup: 1}),
	Entry(nil, fails, "after_each", cell{log: "setup before step finally after| bad |after down", exit: 1, status: steps.Errored, cleanup: 1}),
	Entry(nil, fails, "teardown", cell{log: "setup before step finally after down| bad |down", exit: 1, status: steps.Passed, teardown: 1}),

	Entry(nil, expires, "setup", cell{log: "setup| down", exit: 1, status: steps.Errored, setup: "timeout"}),
	Entry(nil, expires, "before_each", cell{log: "setup before| finally after down", exit: 1, status: steps.Errored, category: steps.Timeout}),
	Entry(nil, expires, "steps", cell{log: "setup before step| finally after down", exit: 1, status: steps.Errored, category: steps.Timeout}),
	Entry(nil, expires, "finally", cell{log: "setup before step finally| after down", exit: 1, status: steps.Errored, cleanup: 1}),
	Entry(nil, expires, "after_each", cell{log: "setup before step finally after| down", exit: 1, status: steps.Errored, cleanup: 1}),
	Entry(nil, expires, "teardown", cell{log: "setup before step finally after down|", exit: 1, status: steps.Passed, teardown: 1}),

	Entry(nil, crashes, "setup", cell{log: "setup| down", exit: 1, status: steps.Errored, setup: "crash"}),
	Entry(nil, crashes, "before_each", cell{log: "setup before| finally after down", exit: 1, status: steps.Errored, category: steps.Crash}),
	Entry(nil, crashes, "steps", cell{log: "setup before step| finally after down", exit: 1, status: steps.Errored, category: steps.Crash}),
	Entry(nil, crashes, "finally", cell{log: "setup before step finally after down", exit: 1, status: steps.Errored, cleanup: 1}),
	Entry(nil, crashes, "after_each", cell{log: "setup before step finally after down", exit: 1, status: steps.Errored, cleanup: 1}),
	Entry(nil, crashes, "teardown", cell{log: "setup before step finally after down", exit: 1, status: steps.Passed, teardown: 1}),

	Entry(nil, sigterm, "before_each", cell{log: "setup before| finally after down", exit: 143, status: steps.StatusInterrupted, category: steps.Interrupted}),
	Entry(nil, sigterm, "steps", cell{log: "setup before step| finally after down", exit: 143, status: steps.StatusInterrupted, category: steps.Interrupted}),
	Entry(nil, sigterm, "finally", cell{log: "setup before step finally after down", exit: 143, status: steps.Passed}),
	Entry(nil, sigterm, "after_each", cell{log: "setup before step finally after down", exit: 143, status: steps.Passed}),
	Entry(nil, sigterm, "teardown", cell{log: "setup before step finally after down", exit: 143, status: steps.Passed}),
)

var _ = Describe("SIGTERM in setup", func() {
	It("leaves the tests not run and tears down", func(ctx SpecContext) {
		dir := GinkgoT().TempDir()
		signals := make(chan runner.Signal, 1)
		done := make(chan struct{})
		defer close(done)
		go signalAt(filepath.Join(dir, "go"), runner.Signal{Name: "SIGTERM", Exit: 143}, signals, done)
		o := play(ctx, suite(everyPhase(sigterm, "setup", dir)), func(o *runner.Options, _ *plan.Options) { o.Signals = signals })
		Expect(o.log()).To(Equal(ran("setup| down")))
		Expect(o.exit).To(Equal(143))
		Expect(o.test("one").Status).To(Equal(steps.NotRun))
		Expect(o.test("one").Reason).To(Equal("stopped by SIGTERM"))
		Expect(o.state.Suites[0].SetupFailure.Category).To(Equal(steps.Interrupted))
	})
})
