package specs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// test runs one test, with those that it needs, and gives Ginkgo its verdict. The run folder of one that passed is removed.
func (c *Checks) test(ctx context.Context, file string, key steps.TestKey) {
	ginkgo.GinkgoHelper()
	v := c.judge(ctx, file, key)
	if v.note != "" {
		ginkgo.AddReportEntry(v.note)
	}
	switch {
	case v.failed:
		ginkgo.Fail(v.text)
	case v.skipped:
		ginkgo.Skip(v.text)
	}
}

// verdict is what Ginkgo is told of a test.
type verdict struct {
	failed, skipped bool
	text, note      string
}

func (c *Checks) judge(ctx context.Context, file string, key steps.TestKey) verdict {
	dir, err := c.folder()
	if err != nil {
		return verdict{failed: true, text: err.Error()}
	}
	state, err := c.run(ctx, dir, file, key)
	if err != nil {
		return verdict{failed: true, text: err.Error(), note: "run folder " + dir}
	}
	t := state.Test(key)
	if t == nil {
		return verdict{failed: true, text: "the test is not among those of " + file + " any more"}
	}
	if reporters.Bad(t.Status) || t.Status == steps.NotRun {
		return verdict{failed: true, text: words(state, t), note: "run folder " + dir}
	}
	_ = os.RemoveAll(dir) // what cannot be removed is in nobody's way
	switch t.Status {
	case steps.Flaky:
		return verdict{note: "flaky: " + reporters.Outcome(t)}
	case steps.Skipped, steps.Quarantined, steps.KnownBug:
		return verdict{skipped: true, text: strings.TrimSpace(reporters.Outcome(t) + " " + t.Reason)}
	}
	return verdict{}
}

// folder makes the run folder of one spec.
func (c *Checks) folder() (string, error) {
	if err := os.MkdirAll(c.o.Output, 0o700); err != nil {
		return "", fmt.Errorf("making a run folder: %w", err)
	}
	dir, err := os.MkdirTemp(c.o.Output, fmt.Sprintf("p%d-", ginkgo.GinkgoParallelProcess()))
	if err != nil {
		return "", fmt.Errorf("making a run folder: %w", err)
	}
	return filepath.Abs(dir)
}

// run executes the plan of one test and gives what became of it.
func (c *Checks) run(ctx context.Context, dir, file string, key steps.TestKey) (*journal.State, error) {
	p, err := c.load([]string{file}, &key)
	if err != nil {
		return nil, err
	}
	m, err := c.masker(p)
	if err != nil {
		return nil, err
	}
	w, err := journal.Create(dir, m, nil)
	if err != nil {
		return nil, err
	}
	declared := &mask.Masker{} // the run adds the secrets of its suites first
	_, err = runner.Run(ctx, p, runner.Options{Workers: 1, Engine: c.engine, Journal: w, Dir: dir, Self: c.o.Self, Environ: c.o.Environ,
		Mask: m, Secrets: sink{m, declared}, Declared: declared, Info: journal.RunInfo{ID: filepath.Base(dir)}})
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("running %s: %w", key, err)
	}
	return journal.Load(dir)
}

// masker knows the values of the secrets that the suites declare.
func (c *Checks) masker(p *plan.Plan) (*mask.Masker, error) {
	m := &mask.Masker{}
	for _, s := range p.Suites {
		for _, name := range s.Secrets {
			if value, ok := c.lookup(name); ok && value != "" {
				if err := m.Add(name, value); err != nil {
					return nil, fmt.Errorf("%s: %w", s.File, err)
				}
			}
		}
	}
	return m, nil
}

// sink lets the runner add values that are secret.
type sink struct{ m, declared *mask.Masker }

// Add implements runner.Secrets. A value that is too short cannot be masked.
func (s sink) Add(value string) {
	_ = s.m.Add("a value of the run", value)
	_ = s.declared.Add("a value of the run", value)
}

// Learn implements runner.Learner.
func (s sink) Learn(value string) { _ = s.m.Add("a value of the run", value) }

// words are all that is known of a failure, as the console shows it.
func words(state *journal.State, t *journal.Test) string {
	var b strings.Builder
	show := func(a *journal.Attempt, f *journal.Failure) {
		if f == nil {
			return
		}
		if err := reporters.Block(&b, t, a, f, reporters.Style{}); err != nil {
			b.WriteString(f.Message + "\n")
		}
	}
	if a := t.Last(); a != nil {
		for _, f := range reporters.Failures(a) {
			show(a, f)
		}
	}
	if s := state.Suite(t.Planned.Key.Suite); s != nil {
		if s.SetupFailure != nil && reporters.Block(&b, nil, nil, s.SetupFailure, reporters.Style{}) != nil {
			b.WriteString(s.SetupFailure.Message + "\n")
		}
	}
	if b.Len() == 0 {
		b.WriteString(string(t.Status) + ": " + t.Reason)
	}
	return b.String()
}
