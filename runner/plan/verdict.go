package plan

import (
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Quarantine is the quarantine of a test. Over tells that its last day had passed when the run was planned: the test
// counts.
type Quarantine struct {
	Why   string
	Until time.Time
	Over  bool
}

// until is the last day of a quarantine that holds, or "".
func (t *Test) until() string {
	if q := t.Quarantine; q != nil && !q.Over {
		return q.Until.Format(time.DateOnly)
	}
	return ""
}

// claimSave claims the file that a step's save writes.
func (u *unit) claimSave(s *steps.Step, prefix string, have map[string]diag.Pos) {
	if s.Save == nil {
		return
	}
	if name, ok := s.Save.Static(); ok {
		u.claimFile(steps.Row{Pos: s.Pos}, prefix, OutFile{Name: name, Pos: s.Save.Pos()}, have)
	}
}

// verdicts takes what decides on a test beside its steps.
func (u *unit) verdicts(t *spec.Test, out *Test) {
	out.Health = t.Health.Over(u.s.Spec.Health)
	out.KnownBug = t.KnownBug
	q := t.Quarantine
	if q.Until.IsZero() || q.Why == "" {
		return
	}
	today := u.o.Today
	if today.IsZero() {
		today = time.Now()
	}
	today = today.UTC().Truncate(24 * time.Hour)
	out.Quarantine = &Quarantine{Why: q.Why, Until: q.Until, Over: today.After(q.Until)}
	if out.Quarantine.Over {
		u.l.Lint(q.Pos, "the quarantine has ended on "+q.Until.Format(time.DateOnly)+": the test counts",
			"take it out, or give it another day")
	}
}
