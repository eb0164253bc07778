package runner

import (
	"path/filepath"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/proc"
)

// permitted judges a row that is about to be sent by the policy and by read_only; nil lets it go.
func (p *player) permitted(row *steps.Row, a argv.Args) *steps.Observation {
	if p.readOnly && steps.Changes(a.Command, a.Operand) {
		o := steps.Fail(steps.PolicyDenied, "read-only", "the row "+strconv.Quote(a.Command.Name())+" changes the page, and the test is read_only")
		return &o
	}
	policy := p.suite.plan.Policy
	if policy == nil {
		return nil
	}
	deny := func(err error) *steps.Observation {
		o := steps.Fail(steps.PolicyDenied, "denied", err.Error())
		return &o
	}
	if _, most := policy.Caps(); most > 0 && p.run.rows.Add(1) > int64(most) {
		o := steps.Fail(steps.PolicyDenied, "max-rows", "the policy allows a run "+plural(most, "row", "rows")+", and this is one more")
		return &o
	}
	if err := policy.Row(a.Command, a.Has); err != nil {
		return deny(err)
	}
	if row.Call == nil {
		return nil
	}
	for _, cell := range argv.Reaches(row.Call) {
		if cell.At >= len(a.Argv) {
			continue
		}
		text := cell.Path(row.Pos.File, a.Argv[cell.At])
		var err error
		if cell.Kind == argv.URL {
			err = policy.URL(text)
		} else if !filepath.IsAbs(text) {
			err = policy.File(filepath.Join(filepath.Dir(p.run.abs(row.Pos.File)), text), p.run.store.Dir())
		} else {
			err = policy.File(text, p.run.store.Dir())
		}
		if err != nil {
			return deny(err)
		}
	}
	return nil
}

// scripted judges a page function: js() runs script in the page.
func (p *player) scripted(fn string) error {
	if fn != "js" {
		return nil
	}
	if p.readOnly {
		o := steps.Fail(steps.PolicyDenied, "read-only", "js() can change the page, and the test is read_only")
		return &problem{o}
	}
	return p.suite.plan.Policy.JS()
}

// readable gives the environment that the expressions of a suite may read.
func (s *suiteRun) readable() map[string]any {
	if s.plan.Policy == nil {
		return s.run.env
	}
	out := map[string]any{}
	for name, v := range s.run.env {
		if s.plan.Policy.Env(name) == nil {
			out[name] = v
		}
	}
	return out
}

// capped is the deadline of a run under the policies of its suites.
func capped(p *plan.Plan, d time.Duration) time.Duration {
	for _, s := range p.Suites {
		if most, _ := s.Policy.Caps(); most > 0 {
			d = min(d, most)
		}
	}
	return d
}

// strict tells that children get no more of the environment than they cannot do without.
func strict(p *plan.Plan) bool {
	for _, s := range p.Suites {
		if s.Policy != nil {
			return true
		}
	}
	return false
}

// childEnv makes the environment of a child.
func (r *run) childEnv(declared []string) []string {
	if strict(r.plan) {
		return proc.StrictEnviron(r.o.Environ, declared, r.procs.Mark())
	}
	return proc.Environ(r.o.Environ, declared, r.procs.Mark())
}
