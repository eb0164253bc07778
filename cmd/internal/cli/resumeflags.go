package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner/journal/mask"
)

// resumeKeeps are the flags of run that resume takes too, sorted; they stand over what the run was started with.
var resumeKeeps = []string{"allow-attach", "deadline", "debug", "events", "events-only", "fail-on-flaky", "headed", "interactive",
	"junit-attachments", "keep-open", "max-failures", "policy", "reporter", "retries", "screenshot", "slow", "timeout-scale", "trace", "update",
	"var", "video", "workers"}

// resumeFixed are the flags of run that say what a run is: resume refuses them and says why.
var resumeFixed = map[string]string{
	"grep":        "it has its own tests",
	"keep-going":  "it has its own files",
	"last-failed": "it has its own tests",
	"output":      "it stays in its folder",
	"repeat":      "it has its own tests",
	"shard":       "it has its own tests",
	"tag":         "it has its own tests",
	"timings":     "it has its own tests",
}

// fixedFlag is a flag that cannot be said when a run goes on.
type fixedFlag struct{ name, why string }

// String implements pflag.Value.
func (f *fixedFlag) String() string { return "" }

// Set implements pflag.Value.
func (f *fixedFlag) Set(string) error { return &fixedError{f.name, f.why} }

// Type implements pflag.Value.
func (f *fixedFlag) Type() string { return "" }

// fixedError says why a flag cannot be said.
type fixedError struct{ name, why string }

func (e *fixedError) Error() string {
	return fmt.Sprintf("--%s cannot change when a run goes on: %s (checkrow run begins a new one)", e.name, e.why)
}

// resumeFlags defines the flags of resume by those of run.
func resumeFlags(fs *pflag.FlagSet, over *runFlags) {
	all := pflag.NewFlagSet("run", pflag.ContinueOnError)
	over.flags(all)
	for _, name := range resumeKeeps {
		fs.AddFlag(all.Lookup(name))
	}
	for name, why := range resumeFixed {
		was := all.Lookup(name)
		f := fs.VarPF(&fixedFlag{name, why}, name, was.Shorthand, was.Usage)
		f.Hidden, f.NoOptDefVal = true, was.NoOptDefVal
	}
}

// parse reads the command line that the run was started with, and sets over it what resume says. The events of the run went
// where its own command said, which may be another file by now: they are streamed again only if resume says so.
func (r *cutOff) parse(over *pflag.FlagSet) error {
	args := r.state.Run.Command
	if len(args) < 2 || args[1] != "run" {
		return usagef("%q is no run that can be resumed: it was made by %q", r.app.shown(r.dir), strings.Join(args, " "))
	}
	f := &runFlags{}
	set := pflag.NewFlagSet("run", pflag.ContinueOnError)
	f.flags(set)
	if err := set.Parse(args[2:]); err != nil {
		return usagef("reading the command of the run: %w", err)
	}
	r.flags, r.paths, f.eventFlags = f, set.Args(), eventFlags{}
	set.Lookup("events").Changed, set.Lookup("events-only").Changed = false, false
	if err := f.fromEnviron(r.app); err != nil {
		return err
	}
	if n := r.failures(); f.maxFailures > 0 && n >= f.maxFailures { // or nothing would run
		f.maxFailures = 0
	}
	var errs []error
	over.VisitAll(func(x *pflag.Flag) {
		if !x.Changed || !slices.Contains(resumeKeeps, x.Name) || x.Name == "var" {
			return
		}
		values := []string{x.Value.String()}
		switch list, ok := x.Value.(pflag.SliceValue); {
		case ok && x.Name == "reporter":
			values, f.reporters = list.GetSlice(), nil
		case ok:
			values = list.GetSlice()
		}
		delete(f.said, x.Name)
		for _, v := range values {
			errs = append(errs, set.Set(x.Name, v))
		}
		if len(values) == 0 { // "--events-only=": for its own error
			set.Lookup(x.Name).Changed = true
		}
	})
	errs = append(errs, r.variables(over))
	return errors.Join(append(errs, f.check(r.app))...)
}

// variables takes the --var of resume over those of the run. One whose value is hidden in the journal must be said again.
func (r *cutOff) variables(over *pflag.FlagSet) error {
	f := r.flags
	given, _ := over.GetStringArray("var")
	f.vars = append(f.vars, given...)
	f.vars = slices.DeleteFunc(f.vars, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.Contains(v, mask.Replacement) && slices.ContainsFunc(given, func(g string) bool { return strings.HasPrefix(g, name+"=") })
	})
	var errs []error
	for _, v := range f.vars {
		if name, _, _ := strings.Cut(v, "="); strings.Contains(v, mask.Replacement) {
			errs = append(errs, usagef("the run was given --var %s with a value that is hidden in its journal: say it again", name))
		}
	}
	return errors.Join(errs...)
}
