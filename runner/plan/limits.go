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

// overlay puts the limits of the environment over what suites and tests say; what is further in is cut to fit.
func (c *compiler) overlay(l *steps.Limits) {
	o := c.o.Timeouts
	if o.Pos == nil {
		return
	}
	l.Test, l.Cleanup = cmp.Or(o.Test, l.Test), cmp.Or(o.Cleanup, l.Cleanup)
	l.Row = min(cmp.Or(o.Row, l.Row), l.Test)
	l.Action, l.Expect = min(cmp.Or(o.Action, l.Action), l.Row), min(cmp.Or(o.Expect, l.Expect), l.Row)
	l.Wait, l.Open = min(cmp.Or(o.Wait, l.Wait), l.Row), min(cmp.Or(o.Open, l.Open), l.Row)
}

// overrow takes the timeout of rows away where the environment sets one: it stands over that of a step.
func (c *compiler) overrow(list []steps.Step) {
	if c.o.Timeouts.Row == 0 {
		return
	}
	for i := range list {
		if _, rows := list[i].Body.(steps.Rows); rows {
			list[i].Timeout = 0
		}
		for _, inner := range steps.Inside(list[i].Body) {
			c.overrow(inner)
		}
	}
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
		if b, ok := s.Body.(steps.Opaque); ok {
			over("timeout", b.Limit)
		}
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
