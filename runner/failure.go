package runner

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// failure makes the block that every reporter shows of a failure (LANGUAGE §12).
func (p *player) failure(f *failed) *journal.Failure {
	if f.block != nil {
		return f.block
	}
	at := f.position()
	f.obs = ofApp(f)
	out := &journal.Failure{
		Pos: at, Excerpt: excerpt(p.sources[at.File], at.Line), Phase: f.phase, Step: f.path,
		StepName: cmp.Or(f.name, f.step.Name), Category: f.obs.Category, Sub: f.obs.Sub, Message: f.obs.Error,
		Detail: f.obs.Detail, Page: f.obs.Page, Scope: labels(f.in), Next: f.obs.NextActions,
		Artifacts: f.obs.Artifacts, Progress: p.progress(f), Services: p.suite.died(),
	}
	if s := f.seat; s != nil {
		out.LastWrite = s.lastWrite
		if s.name != steps.MainSession || len(p.seats) > 1 {
			out.Session = s.name
		}
	}
	out.Partial = p.partial(f)
	if out.Category == "" {
		out.Category = steps.Internal
	}
	if out.Message == "" {
		out.Message = "the step failed and did not say why"
	}
	if f.row != nil && f.row.Cells == nil { // what a kind has made of a text may be a script
		out.Row = f.obs.Argv
		if out.Row == nil {
			out.Row = source(f.row)
		}
	}
	return out
}

// excerpt gives the lines around a position.
func excerpt(src []byte, line int) []journal.Line {
	if line < 1 || len(src) == 0 {
		return nil
	}
	var out []journal.Line
	for n := 1; len(src) > 0 && n <= line+1; n++ {
		text := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			text, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		if n >= line-2 {
			out = append(out, journal.Line{N: n, Text: clip(strings.TrimRight(string(text), "\r"), 300)})
		}
	}
	return out
}

// progress tells how far each row of the failed batch got: the ground truth, not a guess.
func (p *player) progress(f *failed) []journal.RowProgress {
	if f.row == nil {
		return nil
	}
	from, to := plan.BatchOf(f.list, f.at)
	var out []journal.RowProgress
	state := steps.RowCompleted
	for i := from; i < to; i++ {
		b, ok := f.list[i].Body.(steps.Rows)
		if !ok {
			continue
		}
		for j := range b.Rows {
			row := &b.Rows[j]
			r := journal.RowProgress{Pos: row.Pos, Row: p.done[row], State: state}
			if row == f.row {
				r.State, state = failedState(f.obs), steps.RowNotRun
				if f.unsent {
					r.State = steps.RowNotRun
				}
			}
			if r.Row == nil || r.State == steps.RowNotRun {
				r.Row = source(row)
			}
			out = append(out, r)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// failedState tells a row whose effect nobody knows from one that failed for sure.
func failedState(o steps.Observation) steps.RowState {
	if o.Sent == steps.MaybeSent && (o.Category == steps.Timeout || o.Category == steps.Crash || o.Category == steps.Interrupted) {
		return steps.RowSentUnknown
	}
	return steps.RowFailed
}

// rerun is the command that runs just this again.
func rerun(at diag.Pos) string {
	file := at.File
	if strings.ContainsAny(file, " '\"$&;()<>|*?[]#~`\\\t") {
		file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	}
	if at.Line == 0 {
		return "checkrow run " + file
	}
	return fmt.Sprintf("checkrow run %s:%d", file, at.Line)
}

// cleanupFailures turns failures of finally, after_each or teardown into blocks. They never hide the verdict, so their
// own category stays readable beside the mark.
func (p *player) cleanupFailures(list []*failed) []*journal.Failure {
	out := make([]*journal.Failure, 0, len(list))
	for _, f := range list {
		out = append(out, cleanupFailed(p.failure(f)))
	}
	return out
}

// cleanupFailed marks a block as one of what runs at the end.
func cleanupFailed(b *journal.Failure) *journal.Failure {
	if b.Sub == "" {
		b.Sub = "cleanup-failed"
	} else {
		b.Sub = "cleanup-failed, " + b.Sub
	}
	return b
}
