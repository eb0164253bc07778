package plan

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// checkpointKind is the name of the step kind that keeps where a test is.
const checkpointKind = "checkpoint"

// resumes resolves what becomes of a test that was cut off, and checks where its checkpoints stand.
func (u *unit) resumes(t *spec.Test, out *Test) {
	out.Resume = t.Resume
	if out.Resume == "" {
		out.Resume = u.s.Spec.Resume
	}
	found := false
	for i := range out.Steps {
		s := &out.Steps[i]
		if s.Kind != checkpointKind {
			u.strayCheckpoints(steps.Inside(s.Body)...)
			continue
		}
		found = true
	}
	u.strayCheckpoints(out.Finally)
	switch {
	case found && out.Resume != "checkpoint":
		u.l.Lint(t.Pos, "the test has a checkpoint that nothing uses", "say resume: checkpoint in the test or its suite")
	case !found && t.Resume == "checkpoint":
		u.l.Add(t.Pos, "the test says resume: checkpoint and has none", "put a step - checkpoint: NAME where it can go on")
	case found:
		u.oneSession(out)
	}
}

// strayCheckpoints reports checkpoints where a test cannot go on.
func (u *unit) strayCheckpoints(lists ...[]steps.Step) {
	for _, list := range lists {
		steps.Walk(list, func(s *steps.Step) bool {
			if s.Kind == checkpointKind {
				u.l.Add(s.Pos, "a checkpoint stands directly in the steps of a test", "not in a block, a fragment or a hook: a test cannot go on in the middle of one")
			}
			return true
		})
	}
}

// oneSession reports steps that leave the session of a test that has checkpoints: of the others nothing is kept.
func (u *unit) oneSession(out *Test) {
	told := false
	steps.Walk(out.Steps, func(s *steps.Step) bool {
		other := s.Session
		if g, ok := s.Body.(steps.Group); ok && g.Scope != nil && g.Scope.Session != "" {
			other = g.Scope.Session
		}
		if other != "" && other != out.Session && !told {
			told = true
			u.l.Add(s.Pos, "a test with a checkpoint stays in one session", "of the others nothing would be kept")
		}
		return true
	})
}
