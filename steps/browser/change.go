package browser

import (
	"slices"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// stand is where a session was before a row.
type stand struct {
	tab *tab
	url string
}

func (s *session) standing() stand {
	t := s.active()
	if t == nil {
		return stand{}
	}
	return stand{t, t.page.URL()}
}

// change tells what a row has done, without asking the page: by where it is now, by what its command reads back.
func (s *session) change(r *row, was stand, o steps.Observation) *steps.Change {
	if !o.Success || r.a.Command.Traits.Has(argv.Asserts) {
		return nil
	}
	mutates, verified := r.a.Mutation()
	switch {
	case mutates:
		if now := s.standing(); now != was || r.a.Command.Traits.Has(argv.Navigates|argv.DropsRefs) {
			return &steps.Change{Type: steps.ChangeNavigation, Observed: true}
		}
		return &steps.Change{Type: steps.ChangeMutation, Observed: verified}
	case len(o.Artifacts) > 0:
		return &steps.Change{Type: steps.ChangeArtifact, Observed: o.Artifacts[0].State == steps.Saved}
	}
	return nil
}

// What to look at after a row that went well. They are only read.
var (
	afterOpen     = []steps.NextAction{next("inspect-opened-page", "see what the page shows", "snapshot", "-i")}
	afterMutation = []steps.NextAction{next("inspect-after-mutation", "see what the page made of it", "snapshot", "-i")}
)

// follow gives the next actions of a row: those that it has, or the look at the page that it opened or changed.
func follow(r *row, o steps.Observation) []steps.NextAction {
	mutates, _ := r.a.Mutation()
	open := r.a.Command.Name() == "open"
	if !o.Success || !open && !mutates || slices.ContainsFunc(o.NextActions, func(n steps.NextAction) bool { return len(n.Row) > 0 && n.Row[0] == "snapshot" }) {
		return o.NextActions
	}
	add := afterMutation
	if open {
		add = afterOpen
	}
	if len(o.NextActions) == 0 {
		return add
	}
	return append(o.NextActions[:len(o.NextActions):len(o.NextActions)], add...)
}
