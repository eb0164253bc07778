package plan

import (
	"slices"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// launches tells that a step launches a desktop app.
func launches(s *steps.Step) bool {
	b, ok := s.Body.(steps.Opaque)
	return ok && b.Launches
}

// launching finds the first step that launches an app.
func launching(lists ...[]steps.Step) (at diag.Pos, found bool) {
	for _, list := range lists {
		steps.Walk(list, func(s *steps.Step) bool {
			if !found && launches(s) {
				at, found = s.Pos, true
			}
			return !found
		})
	}
	return at, found
}

// launchTest judges a test that launches an app, and tells whether the test does all that it does in it.
func (u *unit) launchTest(t *Test) {
	at, found := launching(t.BeforeEach, t.Steps, t.Finally, t.AfterEach)
	if !found {
		return
	}
	if t.Browser.Hosts != nil {
		u.refuse(at, "allowed_domains can be enforced only in a browser that is started for the run, not in an app", "leave one of the two out")
	}
	for i := range t.Steps {
		if t.Steps[i].Kind == checkpointKind {
			u.refuse(t.Steps[i].Pos, "a test that launches an app cannot go on from a checkpoint: the app is gone then", "leave the checkpoint out")
		}
	}
	t.App = inApp(slices.Concat(t.BeforeEach, t.Steps))
}

// noLaunch reports apps that would be launched where no test ends them.
func (u *unit) noLaunch(lists ...[]steps.Step) {
	if at, found := launching(lists...); found {
		u.refuse(at, "an app is launched in the steps of a test, which ends it", "launch it in before_each, or in the test")
	}
}

// inApp tells that an app is launched before anything asks for a page, and that all happens in its session: then the test
// needs no browser of this machine.
func inApp(list []steps.Step) bool {
	alone, first := true, false
	for i := range list {
		s := &list[i]
		if !first && !launches(s) && needsBrowser(list[i:i+1]) {
			return false
		}
		first = first || launches(s) && s.If == nil && s.Session == ""
		steps.Walk(list[i:i+1], func(s *steps.Step) bool {
			g, _ := s.Body.(steps.Group)
			alone = alone && s.Session == "" && (g.Scope == nil || g.Scope.Session == "")
			return alone
		})
	}
	return first && alone
}
