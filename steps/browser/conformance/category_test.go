package conformance_test

import (
	"regexp"

	"github.com/checkrow/checkrow/steps"
)

// reference names the failure of a row of the reference CLI in the words of CONTRACT R30, from its code and error; the
// first that fits is taken (R33).
func reference(a answer) string {
	switch a.Code {
	case "tab_gone":
		return "tab-gone"
	case "page_wedged", "outcome_unknown":
		return "timeout"
	}
	for _, c := range referenceErrors {
		if c.form.MatchString(a.Error) {
			if c.name == "stale-ref" && c.ref && !usesRef(a.Row) {
				continue
			}
			return c.name
		}
	}
	return "upstream-error"
}

var referenceErrors = []struct {
	name string
	ref  bool // only if the row has a ref
	form *regexp.Regexp
}{
	{name: "tab-gone", form: regexp.MustCompile(`(?i)\btab_gone:`)},
	{name: "selector-not-found", form: regexp.MustCompile(`(?i)no element found|Verify the selector, role, or name|none match name|Names seen:|No element at index`)},
	{name: "timeout", form: regexp.MustCompile(`(?i)timed out`)},
	{name: "policy-blocked", form: regexp.MustCompile(`(?i)denied by policy|not in the allowed domains list`)},
	{name: "validation-error", form: regexp.MustCompile(`(?i)^(Missing arguments|Unknown command|Unknown subcommand|Unknown flag|Unknown action|Missing 'value'|Unexpected argument)|unknown flag|expects a number|can only be used with|--state expects|must be a number|Not yet implemented|(?s)Invalid .*Usage:`)},
	{name: "stale-ref", form: regexp.MustCompile(`(?i)Unknown ref|Stale ref`)},
	{name: "stale-ref", ref: true, form: regexp.MustCompile(`(?i)could not locate element`)},
}

var refForm = regexp.MustCompile(`^(@|ref=)?e\d+$`)

func usesRef(row []string) bool {
	for _, cell := range row {
		if refForm.MatchString(cell) {
			return true
		}
	}
	return false
}

// named gives the name of R30 for a failure of ours. R30's names appear nowhere else.
func named(o steps.Observation) string {
	if name, ok := finer[string(o.Category)+"/"+o.Sub]; ok {
		return name
	}
	return names[o.Category]
}

var names = map[steps.Category]string{
	steps.Assertion: "qa-failure", steps.NotFound: "selector-not-found", steps.NotActionable: "upstream-error",
	steps.StaleRef: "stale-ref", steps.DialogBlocked: "upstream-error", steps.Timeout: "timeout", steps.Crash: "tab-drift",
	steps.ArtifactBad: "artifact-missing", steps.Navigation: "upstream-error", steps.Process: "script-error",
	steps.HTTP: "qa-failure", steps.Health: "qa-failure", steps.Setup: "upstream-error", steps.PolicyDenied: "policy-blocked",
	steps.Validation: "validation-error", steps.Environment: "missing-binary", steps.Interrupted: "aborted",
	steps.Internal: "upstream-error",
}

// finer are failures whose name their finer name decides.
var finer = map[string]string{
	"assertion/js-error": "upstream-error", "assertion/js-syntax": "upstream-error",
	"not-found/no-option": "upstream-error", "not-found/no-dialog": "upstream-error", "not-found/no-tab": "upstream-error",
	"not-found/no-component": "upstream-error", "environment/no-react-hook": "upstream-error", "http/not-markdown": "upstream-error",
	// what only the running row finds out is no mistake in the row
	"validation/no-file": "upstream-error", "validation/no-device": "upstream-error", "validation/label": "upstream-error",
	"validation/last-tab": "upstream-error", "validation/trace-open": "upstream-error", "validation/no-trace": "upstream-error",
	"validation/no-profile": "upstream-error", "validation/recording-open": "upstream-error",
	"validation/no-recording": "upstream-error",
}
