package plan

import (
	"fmt"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// cut cuts limits to what no row may take longer than.
func (s *Suite) cut(l *steps.Limits) {
	if s.MaxRow <= 0 {
		return
	}
	for _, d := range []*time.Duration{&l.Row, &l.Action, &l.Expect, &l.Wait, &l.Open} {
		*d = min(*d, s.MaxRow)
	}
}

// lintCut tells of rows that say themselves that they wait longer than any may.
func (u *unit) lintCut(lists ...[]steps.Step) {
	most := u.s.MaxRow
	if most <= 0 {
		return
	}
	for _, list := range lists {
		steps.EachRow(list, func(s *steps.Step, r *steps.Row) {
			if says := RowWait(*r, s); says > most {
				u.l.Lint(r.Pos, fmt.Sprintf("the row waits up to %s, and max_timeout in %s cuts it to %s", says, spec.ProjectFile, most), "")
			}
		})
	}
}

// checkRooms reports what needs more sessions at a time than there may be.
func (u *unit) checkRooms(rooms int, at diag.Pos, what string) {
	if p := u.s.Spec.Project; p != nil && p.Sessions > 0 && rooms > p.Sessions {
		u.refuse(at, fmt.Sprintf("%s uses %d sessions, and max_sessions in %s is %d", what, rooms, spec.ProjectFile, p.Sessions), "raise it, or split what it does")
	}
}

// hookRooms is how many sessions setup and teardown have open at a time.
func (u *unit) hookRooms() int {
	rooms := 0
	for _, list := range [][]steps.Step{u.s.Setup, u.s.Teardown} {
		used := map[string]bool{}
		sessionsOf(list, steps.MainSession, used)
		rooms = max(rooms, len(used))
		if len(list) > 0 {
			u.checkRooms(len(used), list[0].Pos, "setup or teardown")
		}
	}
	return rooms
}
