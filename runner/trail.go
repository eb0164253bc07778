package runner

import (
	"fmt"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/journal/redact"
	"github.com/checkrow/checkrow/spec/diag"
)

// trailLength is how many rows and steps are kept.
const trailLength = 30

// trail is what an attempt did last, for the evidence of a failure.
type trail struct {
	ring [trailLength]trailed
	n    int // how many there were
}

// trailed is the outcome of a row or step. It becomes text only when somebody wants to see it.
type trailed struct {
	at     diag.Pos
	name   string
	argv   []string
	ok     bool
	wanted bool
	text   string // what went wrong
	took   time.Duration
}

// note keeps the outcome of a row or step.
func (t *trail) note(at diag.Pos, d *journal.Done) {
	t.ring[t.n%trailLength] = trailed{at: at, name: d.Name, argv: d.Obs.Argv, ok: d.Obs.Success, wanted: d.Wanted, text: d.Obs.Error, took: d.Obs.Took}
	t.n++
}

// lines tells of them, oldest first.
func (t *trail) lines() []string {
	var out []string
	for i := max(0, t.n-trailLength); i < t.n; i++ {
		out = append(out, t.ring[i%trailLength].String())
	}
	return out
}

// String is "suites/a.yaml:12 [click, #buy] ok (12ms)".
func (m trailed) String() string {
	what := m.name
	if len(m.argv) > 0 {
		what = "[" + strings.Join(redact.Argv(m.argv), ", ") + "]"
	}
	state := "ok"
	switch {
	case m.wanted:
		state = "failed, as it should"
	case !m.ok:
		state = "FAILED"
	}
	line := fmt.Sprintf("%s:%d %s %s (%s)", m.at.File, m.at.Line, what, state, m.took.Round(time.Millisecond))
	if !m.ok && m.text != "" {
		line += ": " + redact.Text(m.text)
	}
	return line
}
