package runner

import (
	"context"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// leaves looks at the files that a test whose steps have passed must leave, all of them; the first that is not as it should
// be is the failure, the others are told beside it.
func (p *player) leaves(ctx context.Context, f *frame, t *plan.Test) *failed {
	var first *failed
	for _, w := range t.Wanted {
		bad := p.wantedFile(ctx, f, w)
		switch {
		case bad == nil:
		case first == nil:
			first = bad
		default:
			p.soft = append(p.soft, bad)
		}
	}
	return first
}

func (p *player) wantedFile(ctx context.Context, f *frame, w plan.WantedFile) *failed {
	fail := func(o steps.Observation) *failed {
		o.Pos = w.Pos
		return &failed{obs: o, step: &steps.Step{Kind: "artifacts", Pos: w.Pos}, path: "artifacts", phase: journal.PhaseSteps}
	}
	name, err := w.Text.String(ctx, f.vals, p.reader())
	if err != nil {
		return fail(p.trouble(ctx, err))
	}
	a, fault := p.folder.Expect(artifact.Wanted{Path: name, Type: w.MediaType, MinBytes: int64(w.MinBytes), MinWidth: w.MinWidth,
		MinHeight: w.MinHeight, MinPages: w.MinPages, MinEntries: w.MinEntries, MinMS: w.MinDuration.Milliseconds(), NotBlank: w.NotBlank})
	if fault == "" {
		return nil
	}
	o := steps.Fail(steps.Assertion, "artifact", "the file "+fault)
	switch a.State {
	case steps.Missing, steps.Stale, steps.Invalid:
		o = steps.Fail(steps.ArtifactBad, "artifact-"+string(a.State), "the file "+fault)
	}
	o.Artifacts = []steps.Artifact{a}
	return fail(o)
}
