package qa

import (
	"context"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// findings are what a preset's rows amount to.
type findings struct {
	render   func(spec.Text) string
	lookup   func(from []steps.Place, url string) string // "" if there is none
	env      steps.Env
	checks   []steps.Check
	failed   []string // one sentence each
	warnings []string
	known    []string // what was expected and let pass: it is told, but worth no warning in reports
	found    []string // what was found, one line each, for the failure block
	baseline []any    // page errors that were there before the page was opened
	broken   *steps.Observation
}

// maxFound is how many lines a failure shows of one sort.
const maxFound = 20

// verdict judges what the rows of a preset gave. A row that failed is a failed check, and those behind it did not run.
func verdict(ctx context.Context, e steps.Env, jobs []job, gave []steps.Observation) steps.Observation {
	f := &findings{env: e, render: func(t spec.Text) string {
		text, err := t.String(ctx, e.Values, e.Reader)
		if err != nil {
			return t.Source()
		}
		return text
	}, lookup: func(from []steps.Place, url string) string {
		if e.Locate == nil {
			return ""
		}
		return arrow(e.Locate(ctx, from, url))
	}}
	for i, j := range jobs {
		switch {
		case i >= len(gave):
			f.notRun(j)
		case !gave[i].Success:
			f.rowFailed(j, gave[i])
		default:
			f.judge(j, gave[i])
		}
	}
	return f.observation(gave)
}

func (f *findings) check(name string, state steps.CheckState, text string) {
	f.checks = append(f.checks, steps.Check{Name: name, State: state, Text: text})
	if state == steps.CheckFailed || state == steps.CheckUnverified {
		f.failed = append(f.failed, text)
	}
}

// name is how a check is named in reports.
func (f *findings) name(j job) string {
	if j.part != partText && j.part != partSelector {
		return j.part
	}
	text := f.render(j.want)
	if j.part == partText {
		return "text " + quote(text)
	}
	return "selector " + text
}

func (f *findings) notRun(j job) {
	if j.part != "" && j.part != partBaseline {
		f.check(f.name(j), steps.CheckNotRun, "")
	}
}

// rowFailed makes the words of a check whose row failed.
func (f *findings) rowFailed(j job, o steps.Observation) {
	name := f.name(j)
	switch {
	case j.part == partText && o.Category == steps.Timeout && o.Sub == "wait":
		f.check(name, steps.CheckFailed, "expected text not found: "+strings.TrimPrefix(name, "text "))
		return
	case j.part == partText && o.Category == steps.Timeout:
		f.check(name, steps.CheckFailed, "expected text was not verified before timeout: "+strings.TrimPrefix(name, "text "))
		return
	case j.part == partSelector && o.Category == steps.Timeout:
		f.check(name, steps.CheckFailed, "expected selector not found: "+o.Error)
		f.broken = nil
		return
	case name == "" || name == partBaseline:
		name = "reset"
	}
	f.check(name, steps.CheckFailed, name+": "+o.Error)
	f.broken = &o
}

func (f *findings) judge(j job, o steps.Observation) {
	switch j.part {
	case "":
	case partBaseline:
		f.baseline = list(o, "errors")
	case partNetwork:
		f.network(o)
	case partConsole:
		f.console(o)
	case partErrors:
		f.pageErrors(o)
	default:
		f.check(f.name(j), steps.CheckPassed, "")
	}
}

// settle ends a check of a log. What fell out of it unread may have been anything.
func (f *findings) settle(name string, bad []string, one, many string, dropped int) {
	switch {
	case len(bad) == 1:
		f.check(name, steps.CheckFailed, one+": "+bad[0])
	case len(bad) > 1:
		f.check(name, steps.CheckFailed, fmt.Sprintf("%d %s, the first: %s", len(bad), many, bad[0]))
	case dropped > 0:
		f.check(name, steps.CheckUnverified, unverified(name, dropped))
		return
	default:
		f.check(name, steps.CheckPassed, "")
	}
	if dropped > 0 {
		f.failed = append(f.failed, unverified(name, dropped))
	}
}

func unverified(name string, dropped int) string {
	what := map[string]string{partErrors: "page-error", partConsole: "console", partNetwork: "network"}[name]
	if dropped == 0 {
		return what + " check could not be verified"
	}
	return fmt.Sprintf("%s check could not be verified: the log overflowed, %d entries fell out unread", what, dropped)
}

// observation is the step's outcome. A failed check is an assertion; what kept the rows from running keeps its category.
func (f *findings) observation(gave []steps.Observation) steps.Observation {
	o := steps.Observation{Success: len(f.failed) == 0, Checks: f.checks, Warnings: f.warnings}
	for _, g := range gave {
		o.Artifacts = append(o.Artifacts, g.Artifacts...)
	}
	o.Summary = f.summary()
	o.Data = map[string]any{"passed": o.Success, "failed_checks": texts(f.failed), "warnings": texts(append(f.warnings[:len(f.warnings):len(f.warnings)], f.known...)), "summary": o.Summary}
	o.Value = o.Success
	if o.Success {
		return o
	}
	o.Category, o.Sub, o.Error = steps.Assertion, "qa", o.Summary
	if f.broken != nil {
		o.Category, o.Sub, o.NextActions = f.broken.Category, f.broken.Sub, f.broken.NextActions
		o.Sent, o.Collateral = f.broken.Sent, f.broken.Collateral
	}
	o.Detail = &steps.Detail{Found: f.found}
	if f.broken != nil && f.broken.Detail != nil {
		d := *f.broken.Detail
		d.Found = f.found
		o.Detail = &d
	}
	return o
}

func (f *findings) summary() string {
	if len(f.failed) == 0 {
		var names []string
		for _, c := range f.checks {
			names = append(names, c.Name)
		}
		return "qa passed: " + strings.Join(names, ", ")
	}
	if len(f.failed) == 1 {
		return "qa failed: " + f.failed[0]
	}
	return fmt.Sprintf("qa failed %d checks: %s", len(f.failed), strings.Join(f.failed, "; "))
}

func texts(in []string) []any {
	out := make([]any, len(in))
	for i, t := range in {
		out[i] = t
	}
	return out
}

func quote(s string) string { return `"` + diag.Visible(s) + `"` }

// list gives a list of a row's data. What a preview has cut is looked for in the whole.
func list(o steps.Observation, key string) []any {
	data := o.Data
	if o.Full != nil && o.Full.Data != nil {
		data = o.Full.Data
	}
	out, _ := data[key].([]any)
	return out
}

func number(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case float64:
		return int(n)
	}
	return 0
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
