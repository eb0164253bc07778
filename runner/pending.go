package runner

import (
	"context"
	"slices"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// finishLimit bounds the end of what the rows of a test left open.
const finishLimit = 30 * time.Second

// unfinished ends the recordings that rows of the attempt began and none ended, in each of its sessions, and saves them.
// One that a test forgot is its failure; a test that failed before is only told of it, for its rows may not have come that
// far.
func (p *player) unfinished(ctx context.Context, block *journal.Failure, end *journal.AttemptEnd) *journal.Failure {
	var le *lease
	for _, s := range p.seats {
		session, can := s.session.(steps.Unfinished)
		if !can || s.dead != nil {
			continue
		}
		if le == nil {
			ctx, le = p.run.life.enter(ctx, evidence, finishLimit, &Limit{"end of recordings", finishLimit})
			defer le.end()
		}
		for _, o := range session.Finish(ctx) {
			pos, row := p.rowOf(o.Argv)
			if block != nil {
				p.warn(pos, o.Error)
				continue
			}
			block = &journal.Failure{Pos: pos, Excerpt: excerpt(p.sources[pos.File], pos.Line), Phase: journal.PhaseSteps, Row: row,
				Category: o.Category, Sub: o.Sub, Message: o.Error, Next: o.NextActions, Artifacts: o.Artifacts, Services: p.suite.died()}
			if s.name != steps.MainSession || len(p.seats) > 1 {
				block.Session = s.name
			}
			end.Status = statusOf(o.Category)
		}
	}
	return block
}

// rowOf finds the row that was sent with these cells.
func (p *player) rowOf(cells []string) (diag.Pos, []string) {
	for row, sent := range p.done {
		if slices.Equal(sent, cells) {
			return row.Pos, cells
		}
	}
	return diag.Pos{}, cells
}
