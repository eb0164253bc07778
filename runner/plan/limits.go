package plan

import (
	"cmp"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Defaults are the limits where nothing is set (LANGUAGE §9).
var Defaults = steps.Limits{
	Action: 5 * time.Second, Expect: 5 * time.Second, Wait: 15 * time.Second, Open: 30 * time.Second,
	Row: 35 * time.Second, Test: 2 * time.Minute, Cleanup: 15 * time.Second,
}

// limitsOf resolves the limits of a test: test over suite over default. A default that is longer than an outer limit
// that was set gives way to it.
func limitsOf(suite, test spec.Timeouts, short *time.Duration) steps.Limits {
	l := steps.Limits{
		Test:    cmp.Or(test.Test, suite.Test, Defaults.Test),
		Cleanup: cmp.Or(test.Cleanup, suite.Cleanup, Defaults.Cleanup),
	}
	if short != nil {
		l.Test = *short
	}
	l.Row = cmp.Or(test.Row, suite.Row, min(Defaults.Row, l.Test))
	l.Action = cmp.Or(test.Action, suite.Action, min(Defaults.Action, l.Row))
	l.Expect = cmp.Or(test.Expect, suite.Expect, min(Defaults.Expect, l.Row))
	l.Wait = cmp.Or(test.Wait, suite.Wait, min(Defaults.Wait, l.Row))
	l.Open = cmp.Or(test.Open, suite.Open, min(Defaults.Open, l.Row))
	return l
}

// checkSteps reports step limits that are longer than their test's.
func (u *unit) checkSteps(list []steps.Step, limits steps.Limits) {
	for i := range list {
		s := &list[i]
		over := func(what string, d time.Duration) {
			if d > limits.Test {
				u.l.Add(s.Pos, what+" ("+d.String()+") is longer than the test may take ("+limits.Test.String()+")",
					"raise timeouts.test")
			}
		}
		over("timeout", s.Timeout)
		if s.Within != nil {
			over("within", *s.Within)
		}
		if body, ok := s.Body.(steps.Rows); ok {
			for _, r := range body.Rows {
				if d := RowWait(r, s); d > limits.Test {
					u.l.Add(r.Pos, "waits up to "+d.String()+", longer than the test may take ("+limits.Test.String()+")",
						"raise timeouts.test")
				}
			}
		}
		for _, inner := range steps.Inside(s.Body) {
			u.checkSteps(inner, limits)
		}
	}
}
