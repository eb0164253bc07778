package browser

import (
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
