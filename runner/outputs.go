package runner

import (
	"context"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// handOut reads the outputs of a test whose steps have passed, while its page is still there. One that cannot be read fails
// the test: those that need it would get something else than they were promised.
func (p *player) handOut(ctx context.Context, f *frame, t *plan.Test) *failed {
	if len(t.Outputs) == 0 {
		return nil
	}
	p.outputs = make(map[string]any, len(t.Outputs))
	for _, o := range t.Outputs {
		v, _, err := o.Expr.Eval(ctx, f.vals, p.reader())
		if err != nil {
			bad := p.trouble(ctx, err)
			bad.Error = "output " + o.Name + ": " + bad.Error
			bad.Pos = o.Expr.Pos()
			return &failed{obs: bad, step: &steps.Step{Kind: "outputs", Pos: o.Expr.Pos()}, path: "outputs", phase: journal.PhaseSteps}
		}
		p.outputs[o.Name] = v
	}
	return nil
}

// keep notes that a test passed, with what it hands to those that need it. It lasts as long as the suite runs: a test that
// is run again in another run has outputs of its own.
func (s *suiteRun) keep(t *plan.Test, outputs map[string]any) {
	if outputs == nil {
		outputs = map[string]any{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outputs == nil {
		s.outputs = map[*plan.Test]map[string]any{}
	}
	s.outputs[t] = outputs
}

func (s *suiteRun) passed(t *plan.Test) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.outputs[t] != nil
}

// needs gives needs.NAME of a test. All of them have passed.
func (s *suiteRun) needs(t *plan.Test) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]any, len(t.Needs))
	for _, n := range t.Needs {
		list := make([]any, len(n.Tests))
		for i, other := range n.Tests {
			list[i] = s.outputs[other]
		}
		if n.Many {
			out[n.Name] = list
		} else {
			out[n.Name] = list[0]
		}
	}
	return out
}
