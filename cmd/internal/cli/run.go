package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps/source"
)

func (a *app) runCmd() *cobra.Command {
	var f runFlags
	c := &cobra.Command{Use: "run [PATH...]", Short: "run suites on a browser",
		Long: `run compiles every suite first and starts nothing if one of them is wrong. Paths
are files, folders or FILE:LINE; default "suites". Journal, reports and artifacts
go to a new folder under .checkrow/runs, to which .checkrow/last points.

SIGINT and SIGTERM stop in order: evidence, cleanup, services, reports. A second
one ends at once.`,
		Example: "  checkrow run\n  checkrow run suites/login.yaml:14\n" +
			"  checkrow run --tag 'smoke and not slow' --reporter junit=out/junit.xml",
		RunE:              func(_ *cobra.Command, args []string) error { return a.run(&f, args) },
		ValidArgsFunction: a.completePaths}
	f.flags(c.Flags())
	c.Long += "\n\nThe environment sets what flags do not; an unknown name with the prefix is an error:\n\n" + environHelp(c.Flags())
	return c
}

// run is one run from the flags to the exit code.
func (a *app) run(f *runFlags, paths []string) error {
	defer a.outlive()()
	if err := f.fromEnviron(a); err != nil {
		return err
	}
	if err := f.check(a); err != nil {
		return err
	}
	options, err := f.options(a)
	if err != nil {
		return err
	}
	options.KeepGoing, options.NeedEnv, options.Retries = f.keepGoing, true, f.retriesOption()
	options.Repeat, options.Interactive, options.AllowAttach = f.repeat, f.person, f.busy
	before, err := f.previous(a)
	if err != nil {
		return err
	}
	if before != nil && !anyUnmet(before) {
		return a.noneFailed(before)
	}
	named := len(paths) > 0
	paths = a.sameSuites(paths, before)
	project := a.project(paths)
	f.fromProject(project)
	f.personal()
	chosen, err := a.reportersOf(f, project)
	if err != nil {
		return err
	}
	folder, err := a.makeRunFolder(f.output)
	if err != nil {
		return err
	}
	if err := folder.mark(); err != nil {
		return err
	}
	info := a.runInfo(folder, f)
	stdout := a.Stdout
	if f.events == "-" {
		a.Stdout = a.Stderr
	}
	reports, err := a.openReports(chosen, folder.Path, !f.interactive() && !f.headed)
	if err != nil {
		return err
	}
	if err := a.stream(f.eventFlags, reports, stdout); err != nil {
		return err
	}
	loaded, compileErr := a.compileForRun(paths, options)
	p := loaded.plan
	masker, secretErr := a.masker(p)
	if compileErr == nil {
		compileErr = secretErr
	}
	if compileErr == nil {
		f.others, compileErr = f.part(a, p, masker, before, &info, named)
	}
	w, err := journal.Create(folder.Path, masker, reports.observe)
	if err != nil {
		return environment(err)
	}
	folder.unmark()
	if compileErr != nil {
		return a.endEarly(w, reports, journal.Planned{Run: info, Broken: loaded.brokenFiles()}, compileErr)
	}
	f.apply(p)
	info.Hash = p.Hash
	return a.execute(f, p, w, reports, masker, folder, info)
}

// compileForRun loads the plan with the collector kept quiet: compiling is short.
func (a *app) compileForRun(paths []string, o plan.Options) (compiled, error) {
	defer lazyGC()()
	return a.load(paths, o)
}

// runInfo describes the run for the journal.
func (a *app) runInfo(folder runFolder, f *runFlags) journal.RunInfo {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	workers := f.workers
	if workers == 0 {
		workers = min(4, runtime.NumCPU())
	}
	return journal.RunInfo{ID: folder.ID, Version: Version(), Started: a.Now(), Hostname: host,
		OS: runtime.GOOS + "/" + runtime.GOARCH, Workers: workers, Command: append([]string{"checkrow"}, a.args...),
		Dir: folder.Path, WorkDir: a.Dir}
}

// masker knows the values of all secrets that the suites declare. One that is too short to be masked is refused.
func (a *app) masker(p *plan.Plan) (*mask.Masker, error) {
	m := &mask.Masker{}
	var errs []error
	for _, s := range p.Suites {
		for _, name := range s.Secrets {
			value, ok := a.env(name)
			if !ok || value == "" {
				continue // the plan has refused it, or nothing reads it
			}
			if err := m.Add(name, value); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", s.File, err))
			}
		}
	}
	if len(errs) > 0 {
		return m, &codedError{ExitUsage, errors.Join(errs...)}
	}
	return m, nil
}

// secretSink lets the runner add values to the masker while it runs. One that is too short cannot be masked without
// hiding ordinary text; declared secrets of that kind were refused before the run.
type secretSink struct{ masker, declared *mask.Masker }

// Add implements runner.Secrets.
func (s secretSink) Add(value string) {
	_ = s.masker.Add("a value of the run", value)
	_ = s.declared.Add("a value of the run", value)
}

// Learn implements runner.Learner.
func (s secretSink) Learn(value string) { _ = s.masker.Add("a value of the run", value) }

// endEarly ends a run that could not start: its journal and reports say so, and are not green. The cause is printed by
// whoever found it, or on the way out.
func (a *app) endEarly(w *journal.Writer, reports *reportSet, start journal.Planned, cause error) error {
	reports.mute()
	reason := "nothing ran: the suites are not valid"
	if shown := new(codedError); errors.As(cause, &shown) && shown.err != nil {
		reason = "nothing ran: " + shown.Error()
	}
	for _, body := range []journal.Body{start, journal.RunEnd{Exit: exitCode(cause), Reason: reason}} {
		if err := w.Append(journal.Event{Body: body}, journal.Disk); err != nil {
			return environment(errors.Join(err, closeAll(w, reports)))
		}
	}
	if err := closeAll(w, reports); err != nil {
		return environment(errors.Join(cause, err))
	}
	return cause
}

// planned is the first event of a run of which nothing will run.
func planned(p *plan.Plan, info journal.RunInfo) journal.Planned {
	out := journal.Planned{Run: info}
	for _, s := range p.Suites {
		out.Suites = append(out.Suites, journal.PlannedSuite{File: s.File, Name: s.Name, SHA256: s.Spec.SHA256})
	}
	for _, t := range p.Tests {
		out.Tests = append(out.Tests, journal.PlannedTest{Key: t.Key, Pos: t.Pos, Tags: t.Tags, Retries: t.Retries})
	}
	return out
}

// execute runs the plan and closes journal and reports, whatever happened.
func (a *app) execute(f *runFlags, p *plan.Plan, w *journal.Writer, reports *reportSet, masker *mask.Masker,
	folder runFolder, info journal.RunInfo) error {
	ctx, quit := context.WithCancelCause(context.Background())
	defer quit(nil)
	signals, stop := a.signals()
	defer stop()
	procs := runner.NewProcs(a.Self, w)
	if !p.NeedsBrowser() { // beside a browser memory is what counts, without one the time between two processes
		defer lazyGC()()
	}
	engine, err := a.engine(ctx, p, f.headed, procs)
	if err != nil {
		return a.endEarly(w, reports, planned(p, info), err)
	}
	warmed := engine.warm(ctx, p)
	cost, writeCost := a.costs()
	declared := &mask.Masker{} // the run adds the secrets of its suites first
	exit, runErr := runner.Run(ctx, p, runner.Options{
		Locate:  new(source.Locator).Locate,
		Workers: f.workers, Engine: engine, Journal: w, Dir: folder.Path, Self: a.Self, Deadline: f.deadline,
		MaxFailures: f.maxFailures, Retries: f.retriesOption(), FailFlaky: f.failOnFlaky, Environ: a.Environ,
		Signals: signals, Secrets: secretSink{masker, declared}, Declared: declared, Info: info, Mask: masker, Procs: procs, Hold: a.hold(f, masker, quit),
		MaxSessions: f.maxSessions,
		Others:      f.others, Resume: f.resume, Baselines: f.baselines(a),
		Cost: cost,
	})
	warmed()
	closing := a.Now()
	closeErr := closeAll(w, reports)
	writeCost(a.Now().Sub(closing))
	a.tellLost(runErr, w, folder)
	if closeErr != nil {
		exit = firstExit(exit, ExitEnvironment)
	}
	if err := errors.Join(runErr, closeErr); err != nil {
		if exit == ExitPassed {
			exit = ExitInternal // the runner reports a fault of its own beside a code that says all is well
		}
		return &codedError{exit, err}
	}
	return outcome(exit)
}

// tellLost says what the journal of a run does not hold because it could not be written any more.
func (a *app) tellLost(err error, w *journal.Writer, folder runFolder) {
	var full *journal.WriteError
	if !errors.As(err, &full) {
		return
	}
	var cut []string
	kept, left := 0, 0
	w.Read(func(s *journal.State) {
		for _, t := range s.Tests {
			switch {
			case t.Done:
				kept++
				continue
			case !t.Started.IsZero():
				cut = append(cut, t.Planned.Key.String())
			}
			left++
		}
	})
	if n := len(cut); n > maxLost {
		cut = append(cut[:maxLost], fmt.Sprintf("%d more", n-maxLost))
	}
	what := ""
	if len(cut) > 0 {
		what = " What became of " + strings.Join(cut, ", ") + " is not recorded."
	}
	if left > 0 {
		what += fmt.Sprintf(" When there is room, checkrow resume %s runs what is left: %d of %d tests.", a.shown(folder.Path), left, kept+left)
	}
	a.warnf("the journal could not be written any more: the verdicts of %d tests are safe.%s", kept, what)
}

// maxLost is how many tests are named whose verdict was lost.
const maxLost = 5

// closeAll closes the journal, which hands out its last events, and then the reports.
func closeAll(w *journal.Writer, reports *reportSet) error {
	err := w.Close()
	w.Read(reports.close)
	return errors.Join(err, reports.err())
}
