package plan

import (
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// lintEnding warns of a test whose last row changes the page and whose effect nothing looks at: that a button was pressed
// says nothing of what the application made of it.
func (u *unit) lintEnding(t *Test) {
	if len(t.Finally) > 0 || len(t.AfterEach) > 0 || len(t.Outputs) > 0 || len(t.Wanted) > 0 {
		return
	}
	if c := ending(t.Steps); c != nil && c.Unverified() {
		u.l.Lint(c.Pos, "the test ends with "+c.Command.Name()+", whose effect nothing checks",
			`end it with what must be true: - [expect, text, h1, "Thank you"]`)
	}
}

// ending gives the last row of a list, if the list ends with one that no expect judges.
func ending(list []steps.Step) *argv.Call {
	if len(list) == 0 {
		return nil
	}
	last := &list[len(list)-1]
	if len(last.Expect) > 0 || last.Provokes != nil {
		return nil
	}
	switch b := last.Body.(type) {
	case steps.Rows:
		if n := len(b.Rows); n > 0 {
			return b.Rows[n-1].Call
		}
	case steps.Group:
		if !b.Isolated {
			return ending(b.Do)
		}
	}
	return nil
}
