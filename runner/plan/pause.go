package plan

import (
	"strconv"

	"github.com/checkrow/checkrow/steps"
)

// persons refuses steps that wait for a person where there is none: such a suite would hang a build, or pass without what
// it was written for.
func (u *unit) persons(list []steps.Step) {
	if !underCI(u.o.LookupEnv) {
		u.attended(list)
		return
	}
	steps.Walk(list, func(s *steps.Step) bool {
		if body, ok := s.Body.(steps.Opaque); ok && body.Person {
			u.l.AddWide(s.Pos, len(s.Kind), strconv.Quote(s.Kind)+" waits for a person and is refused under CI (the environment says CI)",
				"leave it out of what is committed")
		}
		return true
	})
}

// attended refuses steps that ask a person to do something in a run that was not told that there is one.
func (u *unit) attended(list []steps.Step) {
	if !u.o.NeedEnv || u.o.Interactive {
		return
	}
	steps.Walk(list, func(s *steps.Step) bool {
		if body, ok := s.Body.(steps.Opaque); ok && body.Asks {
			u.l.AddWide(s.Pos, len(s.Kind), strconv.Quote(s.Kind)+" asks a person to do something, and this run was not told that there is one",
				"run with --interactive")
		}
		return true
	})
}

// underCI tells that the environment is one of continuous integration.
func underCI(lookup func(string) (string, bool)) bool {
	if lookup == nil {
		return false
	}
	v, _ := lookup("CI")
	return v != "" && v != "false" && v != "0"
}
