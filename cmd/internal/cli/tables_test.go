package cli

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

func TestTablesAreSorted(t *testing.T) {
	if names := reporterNames(); !slices.IsSorted(names) {
		t.Errorf("reporters are not sorted: %q", names)
	}
	var kinds []string
	for _, k := range standard.Kinds() {
		kinds = append(kinds, k.Name)
	}
	if !slices.IsSorted(kinds) {
		t.Errorf("step kinds are not sorted: %q", kinds)
	}
	if !slices.IsSorted(laterRunFlags) {
		t.Errorf("flags that are not built yet are not sorted: %q", laterRunFlags)
	}
}

// TestCommandsOnce finds a command that is defined twice.
func TestCommandsOnce(t *testing.T) {
	root := (&app{}).root()
	seen := map[string]int{}
	for _, c := range root.Commands() {
		seen[c.Name()]++
	}
	for name, n := range seen {
		if n > 1 {
			t.Errorf("command %q is defined %d times", name, n)
		}
	}
}

// TestResumeKnowsTheFlagsOfRun makes whoever adds a flag to run decide whether it can change when a run goes on.
func TestResumeKnowsTheFlagsOfRun(t *testing.T) {
	if !slices.IsSorted(resumeKeeps) {
		t.Errorf("they are not sorted: %q", resumeKeeps)
	}
	set := pflag.NewFlagSet("run", pflag.ContinueOnError)
	(&runFlags{}).flags(set)
	set.VisitAll(func(f *pflag.Flag) {
		_, fixed := resumeFixed[f.Name]
		kept := slices.Contains(resumeKeeps, f.Name)
		if later := slices.Contains(laterRunFlags, f.Name); kept == fixed && !later {
			t.Errorf("--%s must stand in one of resumeKeeps and resumeFixed", f.Name)
		}
	})
}

func TestExitCodes(t *testing.T) {
	spec := &diag.Error{Msg: "unknown key"}
	for name, c := range map[string]struct {
		err  error
		want int
	}{
		"nothing":              {nil, ExitPassed},
		"an outcome of 0":      {outcome(ExitPassed), ExitPassed},
		"a failed run":         {outcome(ExitFailed), ExitFailed},
		"a usage error":        {usagef("no"), ExitUsage},
		"a diagnostic":         {spec, ExitUsage},
		"joined diagnostics":   {errors.Join(spec, spec), ExitUsage},
		"the machine":          {environment(errors.New("disk full")), ExitEnvironment},
		"no error of machine":  {environment(nil), ExitPassed},
		"a deadline":           {outcome(ExitDeadline), ExitDeadline},
		"flaky":                {outcome(ExitFlaky), ExitFlaky},
		"SIGTERM":              {outcome(ExitTerminated), ExitTerminated},
		"an error of its own":  {errors.New("what is this"), ExitInternal},
		"not built yet":        {&codedError{ExitUsage, &laterError{"x"}}, ExitUsage},
		"a coded cause inside": {environment(outcome(ExitFailed)), ExitEnvironment},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%s: exit code %d, wanted %d", name, got, c.want)
		}
		if c.err == nil {
			continue
		}
		twice := fmt.Errorf("outer: %w", fmt.Errorf("inner: %w", c.err))
		if got := exitCode(twice); got != c.want {
			t.Errorf("%s, wrapped twice: exit code %d, wanted %d", name, got, c.want)
		}
	}
}

// TestExitTable holds the table against the runner's codes and the order of precedence.
func TestExitTable(t *testing.T) {
	var documented []int
	for _, d := range exitDocs {
		documented = append(documented, d.Code)
	}
	if !slices.IsSorted(documented) {
		t.Errorf("the table of exit codes is not sorted: %v", documented)
	}
	ordered := append([]int{ExitPassed}, exitOrder...)
	slices.Sort(ordered)
	if !slices.Equal(ordered, documented) {
		t.Errorf("the order names %v, the table %v", ordered, documented)
	}
	for ours, theirs := range map[int]int{ExitPassed: runner.ExitPassed, ExitFailed: runner.ExitFailed,
		ExitUsage: runner.ExitSpec, ExitEnvironment: runner.ExitEnvironment, ExitInternal: runner.ExitInternal,
		ExitDeadline: runner.ExitDeadline, ExitFlaky: runner.ExitFlaky} {
		if ours != theirs {
			t.Errorf("exit code %d of the command line is %d in the runner", ours, theirs)
		}
	}
	for want, codes := range map[int][]int{
		ExitFailed:      {ExitEnvironment, ExitFailed, ExitFlaky},
		ExitUsage:       {ExitPassed, ExitUsage, ExitFlaky},
		ExitInternal:    {ExitInternal, ExitDeadline},
		ExitInterrupt:   {ExitFailed, ExitInterrupt},
		ExitEnvironment: {ExitUsage, ExitEnvironment},
		ExitPassed:      {ExitPassed, ExitPassed},
	} {
		if got := firstExit(codes...); got != want {
			t.Errorf("of %v wins %d, wanted %d", codes, got, want)
		}
	}
}

func TestScaledLimits(t *testing.T) {
	l := steps.Limits{Action: 5e9, Expect: 5e9, Wait: 15e9, Open: 30e9, Row: 35e9, Test: 120e9, Cleanup: 15e9}
	want := steps.Limits{Action: 10e9, Expect: 10e9, Wait: 30e9, Open: 60e9, Row: 70e9, Test: 240e9, Cleanup: 30e9}
	if got := scaled(l, 2); got != want {
		t.Errorf("scaled limits are %+v, wanted %+v", got, want)
	}
}
