package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/proc"
)

func (a *app) resumeCmd() *cobra.Command {
	var over runFlags
	var changed bool
	c := &cobra.Command{Use: "resume [RUN]", Short: "go on with a run that was killed or stopped", Args: atMostOne,
		Long: `resume goes on with a run that was killed or stopped, in its folder and its journal:
tests that have ended keep their verdict, those that were cut off run again in a
fresh context, those that had not begun run, and what setup and teardown owe is
done. The reports show the whole. RUN is a run folder, a run id or "last" (the
default).

It refuses when a suite, fragment, data file, checkrow.yaml, --var or checkrow
itself is not what it was (exit code 2), unless --allow-changed. Flags are those
of the run, which its journal names; the ones below stand over them. What says which
tests a run has cannot be changed. Events are streamed only if resume says --events:
all of the journal, from its plan on. Where suites are not trusted, say --policy
again: they can write to their own journal.`,
		Example: "  checkrow resume\n  checkrow resume .checkrow/runs/20310504T101500Z-a1b2c3 --workers 1",
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return a.resume(c.Flags(), name, changed)
		},
		ValidArgsFunction: a.completeRuns}
	resumeFlags(c.Flags(), &over)
	c.Flags().BoolVar(&changed, "allow-changed", false, "go on although suites or their data have changed")
	return c
}

// cutOff is a run that was cut off.
type cutOff struct {
	dir   string
	state *journal.State
	flags *runFlags
	paths []string
	app   *app // in the folder where the run was started

	stdout io.Writer // where --events - goes
}

// resume goes on with a run.
func (a *app) resume(set *pflag.FlagSet, name string, allowChanged bool) error {
	defer a.outlive()()
	r, err := a.findCutOff(name, set)
	if err != nil {
		return err
	}
	b := r.app
	r.stdout = b.Stdout
	if r.flags.events == "-" {
		a.Stdout, b.Stdout = a.Stderr, b.Stderr
	}
	loaded, masker, err := r.compile()
	if err != nil {
		return err
	}
	p := loaded.plan
	info := r.state.Run
	info.Dir, info.Hash = r.dir, p.Hash
	changes := changesOf(r.state.Inputs, p.Inputs)
	if len(changes) > 0 && !allowChanged {
		return usagef("%s cannot go on, for this is not what it ran: %s (--allow-changed goes on all the same)", b.shown(r.dir),
			strings.Join(changes, "; "))
	}
	if err := r.narrow(p, masker, info, allowChanged); err != nil {
		return err
	}
	keys, err := journal.Keys(planned(p, info), masker)
	if err != nil {
		return err
	}
	how, err := runner.NewResume(p, r.state, keys, runner.ResumeOptions{Run: info.ID})
	if err != nil {
		return environment(err)
	}
	if how.Idle(r.state) {
		a.printf("nothing to resume: every test of %s has its verdict\n", b.shown(r.dir))
		return outcome(journal.ExitLoaded(r.state))
	}
	how.Event.Command, how.Event.Version = append([]string{"checkrow"}, a.args...), Version()
	if set.Changed("retries") { // the plan says how many
		changes = append(changes, fmt.Sprintf("--retries is %d", r.flags.retries))
	}
	how.Event.Changed = changes
	return r.goOn(p, how, masker, info)
}

// goOn opens reports and journal again and runs what is left.
func (r *cutOff) goOn(p *plan.Plan, how *runner.Resume, masker *mask.Masker, info journal.RunInfo) error {
	a, f := r.app, r.flags
	chosen, err := a.reportersOf(f, a.project(r.paths))
	if err != nil {
		return err
	}
	a.sweep(r.state)
	reports, err := a.openReports(chosen, r.dir, !f.interactive() && !f.headed)
	if err != nil {
		return err
	}
	if err := a.stream(f.eventFlags, reports, r.stdout); err != nil {
		return err
	}
	reports.past = true
	w, err := journal.Reopen(r.dir, masker, planned(p, info), reports.observe)
	reports.past = false
	if err != nil {
		return environment(err)
	}
	f.personal()
	f.apply(p)
	f.resume, f.others = how, r.state.Others
	return a.execute(f, p, w, reports, masker, runFolder{ID: info.ID, Path: r.dir}, info)
}

// findCutOff finds a run and says whether it can be gone on with.
func (a *app) findCutOff(name string, set *pflag.FlagSet) (*cutOff, error) {
	dir, err := a.findRun(name)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if _, err := os.Stat(filepath.Join(dir, journal.FileName)); err != nil {
		return nil, usagef("the run in %q ended before it had a journal: run it again", a.shown(dir))
	}
	if journal.Busy(dir) {
		return nil, usagef("the run in %q goes on: there is nothing to resume", a.shown(dir))
	}
	state, err := journal.Load(dir)
	if err != nil {
		return nil, &codedError{ExitUsage, fmt.Errorf("resuming: %w", err)}
	}
	if len(state.Tests) == 0 && len(state.Suites) == 0 && !state.Ended {
		return nil, usagef("the run in %q ended before it had a plan: run it again", a.shown(dir))
	}
	r := &cutOff{dir: dir, state: state, app: &app{World: a.World, args: a.args}}
	if info, err := os.Stat(state.Run.WorkDir); err == nil && info.IsDir() {
		r.app.Dir = state.Run.WorkDir
	}
	return r, r.parse(set)
}

// failures counts the tests that have failed.
func (r *cutOff) failures() int {
	n := 0
	for _, t := range r.state.Tests {
		if t.Status == steps.Failed || t.Status == steps.Errored {
			n++
		}
	}
	return n
}

// compile loads the suites as the run did.
func (r *cutOff) compile() (compiled, *mask.Masker, error) {
	o, err := r.flags.options(r.app)
	if err != nil {
		return compiled{}, nil, err
	}
	o.KeepGoing, o.NeedEnv, o.Retries, o.Repeat = r.flags.keepGoing, true, r.flags.retriesOption(), r.flags.repeat
	o.Interactive, o.AllowAttach = r.flags.person, r.flags.busy
	r.flags.fromProject(r.app.project(r.paths))
	loaded, err := r.app.compileForRun(r.paths, o)
	if err != nil {
		return loaded, nil, err
	}
	m, err := r.app.masker(loaded.plan)
	return loaded, m, err
}

// narrow leaves the tests out that the run did not have: other shards run them, or they had passed before it.
func (r *cutOff) narrow(p *plan.Plan, m journal.Masker, info journal.RunInfo, allowChanged bool) error {
	if allowChanged && info.Shard == nil && !r.flags.failedOnly() {
		return nil
	}
	keys, err := journal.Keys(planned(p, info), m)
	if err != nil {
		return err
	}
	ours := make(map[steps.TestKey]bool, len(keys))
	for i, t := range p.Tests {
		ours[t.Key] = r.state.Test(keys[i]) != nil
	}
	p.Only(func(t *plan.Test) bool { return ours[t.Key] })
	return nil
}

// changesOf names what differs between two lists of inputs.
func changesOf(was []journal.Input, now []plan.Input) []string {
	before := map[[2]string]string{}
	for _, x := range was {
		before[[2]string{x.What, x.Name}] = x.SHA256
	}
	var out []string
	for _, x := range now {
		key := [2]string{x.What, x.Name}
		sum, ok := before[key]
		delete(before, key)
		switch {
		case !ok:
			out = append(out, inputName(x.What, x.Name)+" is new")
		case sum != x.SHA256 && x.What == "version":
			out = append(out, "checkrow is another version")
		case sum != x.SHA256:
			out = append(out, inputName(x.What, x.Name)+" has changed")
		}
	}
	for key := range before {
		out = append(out, inputName(key[0], key[1])+" is gone")
	}
	slices.Sort(out)
	return out
}

// digestOf gives the digest of a policy file; "" if there is none.
func (a *app) digestOf(path string) string {
	if path == "" {
		return ""
	}
	sum := sha256.Sum256(readBounded(a.abs(path), maxPolicy))
	return hex.EncodeToString(sum[:])
}

func inputName(what, name string) string {
	if what == "var" {
		return "--var " + name
	}
	return name
}

// sweep ends what a killed run left running, and says so.
func (a *app) sweep(s *journal.State) (ended int) {
	for _, p := range s.Procs {
		ok, err := proc.Sweep(p.PID, p.Start)
		switch {
		case err != nil && !errors.Is(err, proc.ErrUnsupported):
			a.warnf("%v", err)
		case ok:
			ended++
			a.warnf("ended %s %q (pid %d), which the run had left", p.What, p.Name, p.PID)
		}
	}
	return ended
}
