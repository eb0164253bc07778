package reporters

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// Row prints cells as they would stand in a suite: [click, role=button Pay].
func Row(cells []string) string {
	parts := make([]string, len(cells))
	for i, c := range cells {
		parts[i] = cell(c)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// cell quotes a cell if YAML would read it otherwise.
func cell(s string) string {
	safe := s != "" && !strings.ContainsAny(s, ",[]{}\"\n\t\\") && strings.TrimSpace(s) == s &&
		!strings.ContainsAny(s[:1], "!&*|>'%@`#?-:") && !strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!strings.HasSuffix(s, ":")
	if safe {
		return Clean(s)
	}
	if s != "" && strings.Trim(s, "-") != "" && s[0] == '-' && len(s) > 1 && s[1] != ' ' && !strings.ContainsAny(s, ",[]{}\"\n\t\\") {
		return Clean(s) // a flag
	}
	if !strings.Contains(s, "'") && strings.Contains(s, `"`) && !strings.ContainsAny(s, "\n\t") {
		return "'" + Clean(s) + "'"
	}
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s)
	return `"` + Clean(s) + `"`
}

// Took prints a duration as people read it: 35ms, 1.2s, 2m05s.
func Took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}

// maxLives is how many lives of a run are told one by one.
const maxLives = 5

// Lasted says how long a run took, and of one that was taken up again how long each life did; "" if nothing is known.
func Lasted(s *journal.State) string {
	if s.Took() == 0 {
		return ""
	}
	text := Took(s.Took())
	n := len(s.Lives)
	if n < 2 {
		return text
	}
	text += fmt.Sprintf(" (resumed %d times", n-1)
	if n == 2 {
		text = Took(s.Took()) + " (resumed once"
	}
	if n <= maxLives {
		parts := make([]string, n)
		for i, l := range s.Lives {
			parts[i] = Took(l.Took)
		}
		text += ": " + strings.Join(parts, " + ")
	}
	return text + ")"
}

// Word is the word that stands for a status before a line.
func Word(s steps.Status) string {
	switch s {
	case steps.Passed:
		return "PASS"
	case steps.Failed:
		return "FAIL"
	case steps.Errored:
		return "ERROR"
	case steps.Flaky:
		return "FLAKY"
	case steps.Skipped:
		return "SKIP"
	case steps.Quarantined:
		return "QUARANTINED"
	case steps.KnownBug:
		return "KNOWN BUG"
	case steps.NotRun:
		return "NOT RUN"
	case steps.StatusInterrupted:
		return "INTERRUPTED"
	}
	return "UNKNOWN"
}

// Bad tells that a test with this status makes a run red.
func Bad(s steps.Status) bool {
	switch s {
	case steps.Passed, steps.Flaky, steps.Skipped, steps.Quarantined, steps.KnownBug:
		return false
	}
	return true
}

// Failures lists what went wrong in an attempt: its failure, the further ones, then those of its clean-up.
func Failures(a *journal.Attempt) []*journal.Failure {
	if a == nil {
		return nil
	}
	var out []*journal.Failure
	if a.Failure != nil {
		out = append(out, a.Failure)
	}
	return append(append(out, a.More...), a.Cleanup...)
}

// Outcome says in a line how the last attempt of a test that does not count ended.
func Outcome(t *journal.Test) string {
	a := t.Last()
	if a == nil {
		return "it did not run"
	}
	if list := Failures(a); len(list) > 0 {
		return "it fails: " + list[0].Message
	}
	return "it " + string(a.Status) + " in " + Took(a.Took.Round(time.Millisecond))
}

// format prints a value of an expression or step in one line.
func format(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return `"` + Visible(v) + `"`
	case json.Number:
		return v.String()
	}
	b, err := json.Marshal(v)
	if err != nil {
		return Clean(fmt.Sprint(v))
	}
	return Clean(string(b))
}
