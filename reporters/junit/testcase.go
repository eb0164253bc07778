package junit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// blockWidth is the width of a failure block in the file.
const blockWidth = 120

// maxSteps is how many rows of an attempt become properties; the rest is in report.json.
const maxSteps = 100

// test gives the case of a test, from the cache if nothing changed.
func (r *Reporter) test(s *journal.State, t *journal.Test) *rendered {
	began := !t.Started.IsZero()
	if c := r.cases[t]; c != nil && c.done == t.Done && c.began == began {
		return c
	}
	x := &xml{}
	c := &rendered{counts: counts{tests: 1, time: t.Took}, done: t.Done, began: began}
	x.WriteString("    <testcase")
	x.attr("classname", r.classname(s, t.Planned.Key.Suite))
	x.attr("name", t.Planned.Key.Name)
	place := t.Planned.Pos
	if list := reporters.Failures(t.Last()); len(list) > 0 && reporters.Bad(t.Status) && list[0].Pos.File != "" {
		place = list[0].Pos
	}
	x.attr("file", place.File)
	if place.Line > 0 {
		x.count("line", place.Line)
	}
	x.seconds("time", t.Took)
	x.WriteString(">\n")
	r.properties(x, s, t)
	r.verdict(x, s, t, &c.counts)
	r.output(x, s, t)
	x.WriteString("    </testcase>\n")
	c.text = x.Bytes()
	r.cases[t] = c
	return c
}

// properties writes what is known about a test beside its verdict.
func (r *Reporter) properties(x *xml, s *journal.State, t *journal.Test) {
	x.WriteString("      <properties>\n")
	x.property("suite", t.Planned.Key.Suite)
	if len(t.Planned.Tags) > 0 {
		x.property("tags", strings.Join(t.Planned.Tags, ", "))
	}
	for _, p := range t.Planned.Params {
		x.property(strings.TrimSuffix(p.From+"."+p.Name, "."), p.Value)
	}
	if t.Status != steps.Passed && t.Status != steps.Failed {
		x.property("status", string(t.Status))
	}
	if len(t.Attempts) > 1 {
		x.property("attempts", fmt.Sprint(len(t.Attempts)))
	}
	if len(s.Lives) > 1 && t.Life > 0 {
		x.property("life", fmt.Sprint(t.Life))
	}
	for _, a := range t.Attempts {
		for _, f := range a.Artifacts {
			x.property("attachment", r.attachment(s, f.Path))
		}
	}
	if a := t.Last(); a != nil {
		cut := cutOff(a)
		for i, step := range a.Steps {
			if i == maxSteps {
				x.property("steps", fmt.Sprintf("%d more in report.json", len(a.Steps)-i))
				break
			}
			word := state(step)
			if step.State == steps.RowFailed && cut.is(step) {
				word = string(steps.RowSentUnknown)
			}
			x.property("step["+word+"]", stepText(step))
			checks(x, step)
		}
		cut.write(x)
	}
	x.WriteString("      </properties>\n")
}

// cut is how far the list of an attempt got that a limit or a stop cut off; nil: none did.
type cut steps.PartialProgress

func cutOff(a *journal.Attempt) *cut {
	if a.Failure == nil {
		return nil
	}
	return (*cut)(a.Failure.Partial)
}

// is tells that a step was sent and that nobody knows what it did.
func (c *cut) is(s *journal.Step) bool {
	return c != nil && c.First > 0 && c.Steps[c.First-1].State == steps.RowSentUnknown && c.Steps[c.First-1].Pos == s.Pos
}

// write says what was not sent, which limit it was, and whether the step that it cut off may be sent again.
func (c *cut) write(x *xml) {
	if c == nil {
		return
	}
	for i, s := range c.Steps {
		if i == maxSteps {
			break
		}
		if s.State != steps.RowNotRun {
			continue
		}
		text := s.Name
		if len(s.Row) > 0 {
			text = reporters.Row(s.Row)
		}
		x.property("step["+string(s.State)+"]", fmt.Sprintf("%d %s", s.Pos.Line, text))
	}
	x.property("cut_off_by", c.Limit)
	if c.First > 0 {
		x.property("safe_to_retry", fmt.Sprint(c.Safe))
	}
}

// checks writes a property for each thing that a step checked, as qa does.
func checks(x *xml, s *journal.Step) {
	if s.Obs == nil {
		return
	}
	for _, c := range s.Obs.Checks {
		text := string(c.State)
		if c.Text != "" {
			text += ": " + c.Text
		}
		x.property(s.Name+"["+c.Name+"]", text)
	}
}

// maxGenerated is how many columns are shown of a row that a step was compiled to.
const maxGenerated = 160

func state(s *journal.Step) string {
	switch s.State {
	case steps.RowCompleted:
		if s.Tries > 1 {
			return "unstable"
		}
		return "passed"
	case steps.RowFailed:
		return "failed"
	}
	return string(s.State)
}

func stepText(s *journal.Step) string {
	text := s.Name
	if s.Obs != nil && len(s.Obs.Argv) > 0 {
		text = reporters.Row(s.Obs.Argv)
		if s.Obs.From != "" {
			text = reporters.Cut(text, maxGenerated) // it may hold a script that nobody wrote
		}
	}
	if s.Title != "" && s.Title != text {
		text = s.Title + ": " + text
	}
	if s.Phase != journal.PhaseSteps && s.Phase != journal.PhaseNone {
		text = string(s.Phase) + ": " + text
	}
	if s.Session != "" {
		text = s.Session + ": " + text
	}
	if s.Pos.Line > 0 {
		text = fmt.Sprintf("%d %s", s.Pos.Line, text)
	}
	if s.Obs != nil {
		text += " (" + reporters.Took(s.Obs.Took) + ")"
	}
	return text
}

// verdict writes failure, error or skipped, and the attempts before the last.
func (r *Reporter) verdict(x *xml, s *journal.State, t *journal.Test, c *counts) {
	reason := t.Reason
	switch t.Status {
	case steps.Passed:
	case steps.Flaky:
		r.earlier(x, t, "flakyFailure")
	case steps.Skipped:
		c.skipped++
		x.skipped(reason)
	case steps.Quarantined:
		c.skipped++
		x.skipped("quarantined: " + join(reason, reporters.Outcome(t)))
	case steps.KnownBug:
		c.skipped++
		x.skipped("known bug " + join(reason, reporters.Outcome(t)))
	case steps.Failed, steps.Errored:
		r.failed(x, s, t, c)
		r.earlier(x, t, "rerunFailure")
	case steps.StatusInterrupted:
		c.errors++
		x.problem("error", "interrupted", or(reason, "the run ended while the test ran"), r.block(t))
	default:
		c.errors++
		if r.running(t) {
			x.problem("error", "interrupted", "the test had not ended when this was written", "")
			return
		}
		x.problem("error", or(string(t.Status), "unknown"), or(reason, "the test has not run"), "")
	}
}

func (r *Reporter) running(t *journal.Test) bool { return !t.Done && !t.Started.IsZero() }

// failed writes the failure of the last attempt, or why there was none.
func (r *Reporter) failed(x *xml, s *journal.State, t *journal.Test, c *counts) {
	list := reporters.Failures(t.Last())
	if len(list) == 0 {
		c.errors++
		kind := "unknown"
		if u := s.Suite(t.Planned.Key.Suite); u != nil && (u.SetupFailure != nil || slices.ContainsFunc(u.Logins, failedLogin)) {
			kind = string(steps.Setup)
		}
		x.problem("error", kind, or(t.Reason, "the test failed before its first row"), "")
		return
	}
	f := list[0]
	if t.Status == steps.Failed && f.Category.IsFailure() {
		c.failures++
		x.problem("failure", string(f.Category), f.Message, r.block(t))
		return
	}
	c.errors++
	kind := string(f.Category)
	if t.Last().Failure == nil {
		kind = "cleanup-failed" // the test itself passed
	}
	x.problem("error", kind, f.Message, r.block(t))
}

func failedLogin(l *journal.Login) bool { return l.Failure != nil }

// block draws all failures of the last attempt.
func (r *Reporter) block(t *journal.Test) string {
	var b strings.Builder
	for i, f := range reporters.Failures(t.Last()) {
		if i > 0 {
			b.WriteString("\n")
		}
		_ = reporters.Block(&b, t, t.Last(), f, reporters.Style{Width: blockWidth}) // a Builder does not fail
	}
	return b.String()
}

// earlier writes the failed attempts before the last, as Surefire does.
func (r *Reporter) earlier(x *xml, t *journal.Test, element string) {
	for _, a := range t.Attempts[:max(0, len(t.Attempts)-1)] {
		if a.Collateral || a.CutOff { // not its own doing: a warning says so
			continue
		}
		for _, f := range reporters.Failures(a)[:min(1, len(reporters.Failures(a)))] {
			var b strings.Builder
			_ = reporters.Block(&b, t, a, f, reporters.Style{Width: blockWidth}) // a Builder does not fail
			x.WriteString("      <" + element)
			x.attr("message", f.Message)
			x.attr("type", string(f.Category))
			x.seconds("time", a.Took)
			x.WriteString("><stackTrace>")
			x.text(b.String())
			x.WriteString("</stackTrace></" + element + ">\n")
		}
	}
}

// output writes warnings, and the attachments on lines of their own.
func (r *Reporter) output(x *xml, s *journal.State, t *journal.Test) {
	var lines []string
	for _, a := range t.Attempts {
		for _, w := range a.Warnings {
			lines = append(lines, "warning: "+w)
		}
		if a.CutOff {
			lines = append(lines, fmt.Sprintf("warning: attempt %d was cut off with its run, the run was taken up again", a.N))
		}
		if a.Collateral {
			lines = append(lines, fmt.Sprintf("warning: attempt %d died with a browser that another test had crashed, it was rerun", a.N))
		}
	}
	if a := t.Last(); a != nil {
		for _, step := range a.Steps {
			if o := step.Obs; o != nil && len(o.Checks) > 0 && o.Success && o.Summary != "" {
				lines = append(lines, fmt.Sprintf("%d %s", step.Pos.Line, o.Summary))
			}
		}
	}
	var files []steps.Artifact
	for i := len(t.Attempts) - 1; i >= 0; i-- { // GitLab shows the first one only: the last attempt's come first
		files = append(files, picturesFirst(t.Attempts[i].Artifacts)...)
	}
	x.output(append(lines, r.attached(s, files)...))
}

// problem writes a failure or error.
func (x *xml) problem(element, kind, message, text string) {
	x.WriteString("      <" + element)
	x.attr("message", message)
	x.attr("type", kind)
	x.WriteByte('>')
	x.text(or(text, message))
	x.WriteString("</" + element + ">\n")
}

func (x *xml) skipped(message string) {
	x.WriteString("      <skipped")
	x.attr("message", message)
	x.WriteString("/>\n")
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
