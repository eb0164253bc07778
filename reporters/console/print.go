package console

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// maxNames is how many tests the summary lists of one kind.
const maxNames = 20

// Exit codes of a run that was cut off in order.
const exitDeadline, exitInterrupt, exitTerminated = 5, 130, 143

// tell prints what an event is worth.
func (r *Reporter) tell(e journal.Event, s *journal.State) {
	switch b := e.Body.(type) {
	case journal.Planned:
		r.planned(s)
	case journal.Resumed:
		r.line("2", fmt.Sprintf("resumed: %d of %s have their verdict, %s", len(s.Tests)-len(b.Rerun), many(len(s.Tests), "test"),
			many(b.Workers, "worker")))
	case journal.SetupEnd:
		if b.Failure != nil {
			r.hook("setup", e.Suite, b.Failure)
		}
	case journal.LoginEnd:
		if b.Failure != nil {
			r.hook("login of "+b.Session, e.Suite, b.Failure)
		}
	case journal.TeardownEnd:
		for _, f := range b.Failures {
			r.hook("teardown", e.Suite, f)
		}
	case journal.AttemptEnd:
		r.attempt(e, b, s)
	case journal.TestEnd:
		if t := s.Test(*e.Test); t != nil {
			r.test(t)
		}
	case journal.Warning:
		r.line("33", "warning: "+b.Text)
	}
}

// line prints text, one line for each of its own.
func (r *Reporter) line(code, text string) {
	style := r.style()
	for _, l := range strings.Split(reporters.Clean(text), "\n") {
		r.print(style.Paint(code, l) + "\n")
	}
}

// planned says what is going to run, and which files cannot.
func (r *Reporter) planned(s *journal.State) {
	for _, b := range s.Broken {
		r.line("1;31", "BROKEN  "+b.File)
		for _, e := range b.Errors {
			for _, l := range strings.Split(reporters.Clean(e), "\n") {
				r.print("  " + l + "\n")
			}
		}
	}
	r.line("2", fmt.Sprintf("%s of %s, %s", many(len(s.Tests), "test"), many(len(s.Suites), "suite"),
		many(s.Run.Workers, "worker")))
}

// hook prints the failure of a suite's setup or teardown.
func (r *Reporter) hook(what, suite string, f *journal.Failure) {
	link := " of "
	if strings.Contains(what, " of ") {
		link = " in "
	}
	r.group("1;31", "ERROR  "+what+link+suite, f.Message, func() { r.block(nil, nil, f) })
}

func (r *Reporter) block(t *journal.Test, a *journal.Attempt, f *journal.Failure) {
	var b strings.Builder
	_ = reporters.Block(&b, t, a, f, r.style()) // a Builder does not fail
	r.print(b.String() + "\n")
}

// attempt says that a test is tried once more.
func (r *Reporter) attempt(e journal.Event, b journal.AttemptEnd, s *journal.State) {
	t := s.Test(*e.Test)
	if b.Failure == nil || t == nil {
		return
	}
	if b.Collateral {
		r.line("33", fmt.Sprintf("RERUN  %s: %s (another test's crash)", e.Test, b.Failure.Message))
		return
	}
	if e.Attempt <= t.Planned.Retries {
		r.line("33", fmt.Sprintf("RETRY  %s: attempt %d: %s%s", e.Test, e.Attempt, b.Failure.Message, at(b.Failure)))
	}
}

func at(f *journal.Failure) string {
	if f.Pos.IsZero() {
		return ""
	}
	return " at " + f.Pos.String()
}

// test prints the line of a test that has ended, and the blocks of its failures. On a terminal those that passed are
// only counted.
func (r *Reporter) test(t *journal.Test) {
	bad := t.Status == steps.Failed || t.Status == steps.Errored || t.Status == steps.StatusInterrupted
	warnings := r.warnings(t)
	lost := t.Status == steps.NotRun && t.Because != nil // of a stop all others did not run either, which is told once
	if r.opts.Terminal && !bad && !lost && t.Status != steps.Flaky && len(warnings) == 0 {
		return
	}
	text := reporters.Word(t.Status) + "  " + t.Planned.Key.String()
	var notes []string
	if t.Took > 0 {
		notes = append(notes, reporters.Took(t.Took))
	}
	if n := len(t.Attempts); n > 1 {
		notes = append(notes, fmt.Sprintf("%d attempts", n))
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	list := reporters.Failures(t.Last())
	switch {
	case t.Status == steps.Quarantined, t.Status == steps.KnownBug:
		text += ": " + t.Reason + "; " + reporters.Outcome(t)
	case t.Reason != "":
		text += ": " + t.Reason
	case bad && len(list) > 0 && list[0].Phase != journal.PhaseSteps && list[0].Phase != journal.PhaseNone:
		text += " in " + string(list[0].Phase)
	}
	text = strings.ReplaceAll(text, "\n", " ")
	if !bad || len(list) == 0 {
		r.line(color(t.Status), text)
		r.warn(warnings)
		return
	}
	r.group(color(t.Status), text, list[0].Message, func() {
		r.warn(warnings)
		r.blocks(t, list)
	})
}

// warn prints the warnings of a test.
func (r *Reporter) warn(warnings []string) {
	for i, w := range warnings {
		if i == maxWarnings {
			r.line("33", fmt.Sprintf("  … and %s in the reports", many(len(warnings)-i, "more warning")))
			break
		}
		r.line("33", "  warning: "+w)
	}
}

// blocks prints all that failed in the last attempt of a test.
func (r *Reporter) blocks(t *journal.Test, list []*journal.Failure) {
	for i, f := range list {
		switch {
		case i > 0 && f.Phase == list[0].Phase:
			r.line("1;31", "  and:")
		case i > 0:
			r.line("1;31", "  and in "+string(f.Phase)+":")
		}
		r.block(t, t.Last(), f)
	}
}

// maxWarnings is how many warnings of a test are printed.
const maxWarnings = 8

// warnings are those of the test's last attempt; what was wrong with the ones before it is told as they end.
func (r *Reporter) warnings(t *journal.Test) []string {
	if a := t.Last(); a != nil {
		return a.Warnings
	}
	return nil
}

func color(s steps.Status) string {
	switch s {
	case steps.Passed:
		return "32"
	case steps.Flaky:
		return "33"
	case steps.Skipped, steps.Quarantined, steps.KnownBug:
		return "2"
	}
	return "1;31"
}

// summary prints the totals, what was not green, and what to do next.
func (r *Reporter) summary(s *journal.State) {
	r.out.WriteString("\n")
	for _, status := range []steps.Status{steps.Failed, steps.Errored, steps.StatusInterrupted, steps.NotRun, steps.Unknown,
		steps.Flaky} {
		r.list(s, status)
	}
	for _, b := range s.Broken {
		r.line("31", "  BROKEN  "+b.File)
	}
	code := "1;32"
	if journal.ExitLoaded(s) != journal.ExitPassed {
		code = "1;31"
	}
	r.line(code, totals(s))
	if s.Ended && s.End.Reason != "" {
		r.line("33", "stopped: "+strings.TrimPrefix(s.End.Reason, "stopped "))
	}
	if !s.Ended {
		r.line("1;31", "the run has not ended")
	}
	if dir := s.Run.Dir; dir != "" {
		if rel, err := filepath.Rel(s.Run.WorkDir, dir); err == nil && !strings.HasPrefix(rel, "..") {
			dir = rel
		}
		r.line("", "run      "+dir)
	}
	r.reports(s)
	if cutOff(s) {
		r.line("", "resume   checkrow resume "+s.Run.ID)
	}
	if again := rerun(s); again != "" {
		r.line("", "rerun    "+again)
		if n := unmet(s); n > 1 {
			r.line("", "         checkrow run --last-failed  # all "+fmt.Sprint(n))
		}
	}
}

// cutOff tells a run that was killed, or stopped by a signal or its deadline: one that resume goes on with.
func cutOff(s *journal.State) bool {
	return !s.Ended || slices.Contains([]int{exitDeadline, exitInterrupt, exitTerminated}, s.End.Exit)
}

// unmet counts the tests that did not pass, as run --last-failed does.
func unmet(s *journal.State) int {
	n := 0
	for _, t := range s.Tests {
		if reporters.Bad(t.Status) {
			n++
		}
	}
	return n
}

// reports names the reports: the page for people in full, to be clicked on, others in the run's folder by their name.
func (r *Reporter) reports(s *journal.State) {
	var names []string
	for _, path := range r.opts.Reports {
		abs := path
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(s.Run.WorkDir, path)
		}
		switch {
		case filepath.Ext(path) == ".html":
			r.line("", "open     "+path)
		case filepath.Dir(abs) == s.Run.Dir:
			names = append(names, filepath.Base(path))
		default:
			names = append(names, path)
		}
	}
	if len(names) > 0 {
		r.line("", "reports  "+strings.Join(names, ", "))
	}
}

// list prints the tests with a status, and where each failed.
func (r *Reporter) list(s *journal.State, status steps.Status) {
	n := 0
	for _, t := range s.Tests {
		if t.Status != status {
			continue
		}
		if n++; n > maxNames {
			continue
		}
		text := "  " + reporters.Word(status) + "  " + t.Planned.Key.String()
		if list := reporters.Failures(t.Last()); len(list) > 0 {
			text += at(list[0])
		}
		r.line(color(status), strings.ReplaceAll(text, "\n", " "))
	}
	if n > maxNames {
		r.line(color(status), fmt.Sprintf("  %s  … and %d more", reporters.Word(status), n-maxNames))
	}
}

// totals is the line of counts: only what there is.
func totals(s *journal.State) string {
	count := map[steps.Status]int{}
	for _, t := range s.Tests {
		count[t.Status]++
	}
	var parts []string
	for _, k := range []steps.Status{steps.Passed, steps.Failed, steps.Errored, steps.Flaky, steps.Skipped, steps.Quarantined,
		steps.KnownBug, steps.StatusInterrupted, steps.NotRun, steps.Unknown} {
		if count[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[k], strings.ToLower(word(k))))
		}
	}
	hooks := 0
	for _, u := range s.Suites {
		if u.SetupFailure != nil {
			hooks++
		}
		for _, l := range u.Logins {
			if l.Failure != nil {
				hooks++
			}
		}
		hooks += len(u.TeardownFail)
	}
	if hooks > 0 {
		parts = append(parts, many(hooks, "failed hook"))
	}
	if n := len(s.Broken); n > 0 {
		parts = append(parts, many(n, "broken file"))
	}
	text := many(len(s.Tests), "test")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if took := reporters.Lasted(s); took != "" {
		text += " in " + took
	}
	return text
}

func word(s steps.Status) string {
	switch s {
	case steps.Passed, steps.Failed, steps.Skipped:
		return string(s)
	case steps.Errored:
		return "with an error"
	}
	return reporters.Word(s)
}

// rerun is the command of the first failure.
func rerun(s *journal.State) string {
	for _, t := range s.Tests {
		for _, f := range reporters.Failures(t.Last()) {
			if f.Rerun != "" && reporters.Bad(t.Status) {
				return f.Rerun
			}
		}
	}
	return ""
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
