package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// runFlags are the flags of run.
type runFlags struct {
	selection
	keepGoing   bool
	workers     int
	maxSessions int // of the project file
	maxFailures int
	retries     int
	failOnFlaky bool
	headed      bool
	output      string
	reporters   []string
	junitAttach attachFlag
	deadline    time.Duration
	scale       float64
	repeat      int
	holdFlags
	eventFlags
	partFlags
	updateFlags
	captureFlags
	others []journal.Other // tests that other shards run
	resume *runner.Resume  // how a run that was cut off goes on

	said map[string]string // flags that the environment set, and by which variable
	set  *pflag.FlagSet
}

func (f *runFlags) flags(fs *pflag.FlagSet) {
	f.set = fs
	f.selection.flags(fs)
	fs.BoolVar(&f.keepGoing, "keep-going", false, "run the good files although others are not valid (exit code 2)")
	fs.IntVar(&f.workers, "workers", 0, "run `N` tests at a time (default: cores, at most 4)")
	fs.IntVar(&f.maxFailures, "max-failures", 0, "stop after `N` failed tests (default: no limit)")
	fs.IntVar(&f.retries, "retries", 0, "`N` further attempts of a failed test, over what suites say")
	fs.BoolVar(&f.failOnFlaky, "fail-on-flaky", false, "exit code 6 when a test needed a second attempt")
	fs.BoolVar(&f.headed, "headed", false, "show the browser's window")
	fs.StringVarP(&f.output, "output", "o", "", "make `DIR` the folder of this run (default: a new one in .checkrow/runs)")
	fs.StringArrayVar(&f.reporters, "reporter", nil, reporterHelp())
	fs.Var(&f.junitAttach, "junit-attachments", attachHelp)
	fs.DurationVar(&f.deadline, "deadline", 0, "end the whole run after `TIME` (default 55m)")
	fs.Float64Var(&f.scale, "timeout-scale", 1, "multiply every limit of \"timeouts:\" by `X` (default 1)")
	fs.IntVar(&f.repeat, "repeat", 1, "run each test `N` times; the further ones are tests of their own, \"name #2\" (default 1)")
	fs.Lookup("repeat").DefValue = "0"
	fs.Lookup("timeout-scale").DefValue = "0" // its default is in its text, as that of the others
	fs.BoolVar(&f.debug, "debug", false, "stop before each row and wait for a key; one worker, no deadlines meanwhile")
	fs.DurationVar(&f.slow, "slow", 0, "wait `TIME` before each row")
	fs.BoolVar(&f.keepOpen, "keep-open", false, "with --headed: leave the browser open after a failure until Ctrl-C; one worker")
	f.partFlags.flags(fs)
	f.updateFlags.flags(fs)
	f.captureFlags.flags(fs)
	f.eventFlags.flags(fs)
	fs.BoolVar(&f.person, "interactive", false, "a person is there: \"handoff\" steps ask them, in the page and on the terminal")
	fs.BoolVar(&f.busy, "allow-attach", false, "suites may attach to a browser that somebody uses (browser.attach), if checkrow.yaml says allow_attach too")
	f.selection.policyFlag(fs)
	addLater(fs, laterRunFlags)
}

// check refuses what means nothing, by itself and together.
func (f *runFlags) check(a *app) error {
	return errors.Join(f.validate(), f.holdFlags.validate(a, f), f.updateFlags.validate(a, f), f.eventFlags.validate(f.set))
}

// validate refuses values that mean nothing.
func (f *runFlags) validate() error {
	for _, v := range []struct {
		name string
		n    int
		min  int
	}{{"workers", f.workers, 1}, {"max-failures", f.maxFailures, 1}, {"retries", f.retries, 0}, {"repeat", f.repeat, 1}} {
		if f.set.Changed(v.name) && v.n < v.min {
			return usagef("%s must be at least %d, got %d", f.named(v.name), v.min, v.n)
		}
	}
	if f.set.Changed("deadline") && f.deadline <= 0 {
		return usagef("%s must be longer than 0, got %s", f.named("deadline"), f.deadline)
	}
	if f.scale < 0.01 || f.scale > 100 {
		return usagef("%s must be between 0.01 and 100, got %s", f.named("timeout-scale"), trimFloat(f.scale))
	}
	return errors.Join(f.validateParts(), f.validateCapture())
}

func trimFloat(v float64) string { return fmt.Sprintf("%g", v) }

// retriesOption is nil unless --retries was given.
func (f *runFlags) retriesOption() *int {
	if !f.set.Changed("retries") {
		return nil
	}
	return &f.retries
}

// apply changes what the plan resolved from the suites by what the command line says over them.
func (f *runFlags) apply(p *plan.Plan) {
	p.Run = time.Duration(float64(p.Run) * f.scale)
	for _, s := range p.Suites {
		s.Limits, s.Limit = scaled(s.Limits, f.scale), time.Duration(float64(s.Limit)*f.scale)
		f.session(&s.Browser)
	}
	for _, t := range p.Tests {
		t.Limits = scaled(t.Limits, f.scale)
		f.session(&t.Browser)
	}
	f.unlimit(p)
}

func (f *runFlags) session(o *steps.SessionOptions) {
	o.Limits = scaled(o.Limits, f.scale)
	o.Headless = o.Headless && !f.headed
	f.captureFlags.over(&o.Capture)
}

// scaled multiplies every limit.
func scaled(l steps.Limits, by float64) steps.Limits {
	if by == 1 {
		return l
	}
	for _, d := range []*time.Duration{&l.Action, &l.Expect, &l.Wait, &l.Open, &l.Row, &l.Test, &l.Cleanup} {
		*d = time.Duration(float64(*d) * by)
	}
	return l
}
