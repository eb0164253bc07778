package runner_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// plannedOf is the plan as its journal has it.
func plannedOf(p *plan.Plan) journal.Planned {
	out := journal.Planned{}
	for _, s := range p.Suites {
		out.Suites = append(out.Suites, journal.PlannedSuite{File: s.File})
	}
	for _, t := range p.Tests {
		out.Tests = append(out.Tests, journal.PlannedTest{Key: t.Key})
	}
	return out
}

// cut makes a run folder whose journal ends after n lines of another one, as a kill leaves it.
func cut(from string, n int) string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(from, journal.FileName))
	Expect(err).NotTo(HaveOccurred())
	lines := bytes.SplitAfter(text, []byte("\n"))
	dir := GinkgoT().TempDir()
	short := append(bytes.Join(lines[:n], nil), `{"v":1,"se`...)
	Expect(os.WriteFile(filepath.Join(dir, journal.FileName), short, 0o600)).To(Succeed())
	return dir
}

// takeUp goes on with a run that was cut off.
func takeUp(ctx context.Context, suites, run string, settings ...setting) (outcome, *runner.Resume) {
	GinkgoHelper()
	before, err := journal.Load(run)
	Expect(err).NotTo(HaveOccurred())
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	po := plan.Options{}
	o := runner.Options{Dir: run, Self: self, Workers: 2, Environ: append(os.Environ(), "SELF="+self)}
	for _, s := range settings {
		s(&o, &po)
	}
	p := load(suites, po)
	keys, err := journal.Keys(plannedOf(p), noMask{})
	Expect(err).NotTo(HaveOccurred())
	o.Resume, err = runner.NewResume(p, before, keys, runner.ResumeOptions{Run: o.Info.ID, Private: o.Private})
	Expect(err).NotTo(HaveOccurred())
	o.Journal, err = journal.Reopen(run, noMask{}, plannedOf(p), nil)
	Expect(err).NotTo(HaveOccurred())
	out := outcome{dir: suites, run: run}
	out.exit, out.err = runner.Run(ctx, p, o)
	Expect(o.Journal.Close()).To(Succeed())
	out.state, err = journal.Load(run)
	Expect(err).NotTo(HaveOccurred())
	return out, o.Resume
}

var _ = Describe("A run that is taken up again", func() {
	verdicts := func(s *journal.State) map[string]steps.Status {
		out := map[string]steps.Status{}
		for _, t := range s.Tests {
			out[t.Planned.Key.Name] = t.Status
		}
		return out
	}
	const body = `setup:
	- { id: made, exec: [./note, setup] }
teardown:
	- exec: [./note, teardown]
tests:
	- { name: passes, steps: [{ exec: [./note, passes] }] }
	- { name: fails, steps: [{ exec: [./note, fails, "1"] }] }
	- { name: gives, outputs: { token: "1 + 1" }, steps: [{ exec: [./note, gives] }] }
	- { name: takes, needs: [gives], steps: [{ exec: [./note, "takes-${{ needs.gives.token }}"] }] }
	- { name: lost, needs: [fails], steps: [{ exec: [./note, lost] }] }
	- { name: skipped, skip: not today, steps: [{ exec: [./note, skipped] }] }
`

	It("ends as it would have, wherever it was killed, and runs no finished test twice", func(ctx SpecContext) {
		whole := play(ctx, suite(body), func(o *runner.Options, _ *plan.Options) { o.Workers = 1 })
		Expect(whole.exit).To(Equal(1))
		want := verdicts(whole.state)
		text, err := os.ReadFile(filepath.Join(whole.run, journal.FileName))
		Expect(err).NotTo(HaveOccurred())
		lines := bytes.Count(text, []byte("\n"))
		for n := 1; n < lines; n++ {
			dir := cut(whole.run, n)
			before, err := journal.Load(dir)
			Expect(err).NotTo(HaveOccurred())
			Expect(os.WriteFile(filepath.Join(whole.dir, "log.txt"), nil, 0o600)).To(Succeed())
			got, how := takeUp(ctx, whole.dir, dir)
			Expect(got.err).NotTo(HaveOccurred())
			Expect(got.exit).To(Equal(1), "after %d lines", n)
			Expect(verdicts(got.state)).To(Equal(want), "after %d lines", n)
			log := got.log()
			for _, t := range before.Tests {
				if name := t.Planned.Key.Name; t.Done && journal.Final(t.Status) && name != "gives" {
					Expect(log).NotTo(ContainElement(HavePrefix(name)), "after %d lines", n)
				}
			}
			if !before.Suites[0].TeardownDone {
				Expect(log).To(HaveLen(len(slices.Compact(slices.Sorted(slices.Values(log))))), "each once: %v", log)
				Expect(log[0]).To(Equal("setup"), "after %d lines", n)
				Expect(log[len(log)-1]).To(Equal("teardown"), "after %d lines", n)
			}
			Expect(how.Kept() + len(how.Event.Rerun)).To(Equal(len(want)))
		}
	})
})

var _ = Describe("A test that was cut off", func() {
	// interrupt runs suites until a child says that it hangs, and stops the run.
	interrupt := func(ctx context.Context, body, private string) outcome {
		GinkgoHelper()
		signals, files, flag := make(chan runner.Signal, 1), suite(body), filepath.Join(GinkgoT().TempDir(), "hangs")
		files["hang"] = "echo \"$1\" >> \"$LOG\"\n[ -e go ] && exit 0\ntouch '" + flag + "'; exec sleep 60\n"
		done := make(chan struct{})
		go func() {
			defer GinkgoRecover()
			defer close(done)
			Eventually(flag).Should(BeAnExistingFile())
			signals <- runner.Signal{Name: "SIGTERM", Exit: 143}
		}()
		out := play(ctx, files, func(o *runner.Options, _ *plan.Options) {
			o.Signals, o.Private, o.Info.ID = signals, private, "r1"
		})
		<-done
		Expect(out.exit).To(Equal(143))
		return out
	}
	again := func(private string) setting {
		return func(o *runner.Options, _ *plan.Options) { o.Private, o.Info.ID = private, "r1" }
	}

	It("goes on at its checkpoint, with what it knew, and keeps it from others", func(ctx SpecContext) {
		private := filepath.Join(GinkgoT().TempDir(), "private")
		got := interrupt(ctx, `tests:
	- name: long
	  resume: checkpoint
	  steps:
	    - { id: made, exec: [./note, made] }
	    - set: { token: "'t-' + string(attempt)", list: "[1, 2.5, 'x']" }
	    - checkpoint: half
	    - { exec: [sh, hang, "${{ vars.token }}-${{ steps.made.exit }}-${{ vars.list[0] + 1 }}"], timeout: 50s }
	    - exec: [./note, end]
`, private)
		Expect(got.log()).To(Equal([]string{"made", "t-1-0-2"}))
		kept, err := filepath.Glob(filepath.Join(private, "keep-*", "*.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(kept).To(HaveLen(1))
		info, err := os.Stat(kept[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		Expect(os.WriteFile(filepath.Join(got.dir, "go"), nil, 0o600)).To(Succeed())
		now, _ := takeUp(ctx, got.dir, got.run, again(private))
		Expect(now.exit).To(Equal(0))
		Expect(now.log()).To(Equal([]string{"made", "t-1-0-2", "t-1-0-2", "end"}))
		Expect(now.last("long").Warnings).To(ContainElement(ContainSubstring(`began at the checkpoint "half"`)))
		Expect(private).NotTo(BeAnExistingFile(), "it goes when the test has ended")
	})

	It("does not go on behind a failure that it would forget", func(ctx SpecContext) {
		private := filepath.Join(GinkgoT().TempDir(), "private")
		got := interrupt(ctx, `tests:
	- name: long
	  resume: checkpoint
	  steps:
	    - { exec: [./note, bad, "1"], soft: true }
	    - checkpoint: half
	    - { exec: [sh, hang, x], timeout: 50s }
`, private)
		Expect(got.log()).To(Equal([]string{"bad", "x"}))
		Expect(os.WriteFile(filepath.Join(got.dir, "go"), nil, 0o600)).To(Succeed())
		now, _ := takeUp(ctx, got.dir, got.run, again(private))
		Expect(now.exit).To(Equal(1))
		Expect(now.test("long").Status).To(Equal(steps.Failed))
		Expect(now.last("long").Warnings).To(ContainElement(ContainSubstring(`the checkpoint "half" is not kept: a soft step before it has failed`)))
	})

	It("is left to a person if it says so and may have changed something", func(ctx SpecContext) {
		got := interrupt(ctx, `resume: manual
tests:
	- name: pays
	  steps: [{ exec: [sh, hang, pays], timeout: 50s }]
	- name: later
	  needs: [pays]
	  steps: [{ exec: [./note, later] }]
`, "")
		now, _ := takeUp(ctx, got.dir, got.run, again(""))
		Expect(now.exit).To(Equal(1))
		Expect(now.log()).To(Equal([]string{"pays"}))
		Expect(now.test("pays")).To(And(HaveField("Status", steps.StatusInterrupted), HaveField("Reason", ContainSubstring("resume: manual: exec at"))))
		Expect(now.test("later")).To(HaveField("Status", steps.NotRun))
	})
})
