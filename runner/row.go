package runner

import (
	"context"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// rowPath names a row of a step: a step with several numbers them.
func rowPath(step string, b steps.Rows, i int) string {
	if len(b.Rows) == 1 {
		return step
	}
	return step + "." + strconv.Itoa(i+1)
}

// rows runs the rows of a step until the first that fails. The outcome of the last one is left to finish, for the step's
// expect judges it too.
func (p *player) rows(ctx context.Context, f *frame, c call, b steps.Rows, first bool) (steps.Observation, *failed) {
	if b.Verdict != nil {
		return p.judged(ctx, f, c, b, first)
	}
	var o steps.Observation
	for i := range b.Rows {
		row := &b.Rows[i]
		path := rowPath(c.path, b, i)
		if o, over := ended(ctx); over {
			bad := p.fail(c, o)
			bad.row, bad.unsent = row, true
			return o, bad
		}
		o = p.row(ctx, f, c, row, path, i, first)
		if i == len(b.Rows)-1 {
			o.Compiled = compiled(b, []steps.Observation{o}, nil)
		}
		if !o.Success {
			bad := p.fail(c, o)
			bad.row = row
			bad.obs.Partial = p.partial(bad)
			o.Partial = bad.obs.Partial
			if !p.refused {
				p.event(path, row.Pos, c.done(row.Call.Command.Name(), o), journal.Buffered)
			}
			return o, bad
		}
		if i < len(b.Rows)-1 && first {
			p.event(path, row.Pos, journal.Done{Name: row.Call.Command.Name(), Title: c.name, Obs: o}, journal.Buffered)
		}
	}
	return o, nil
}

// row renders a row, journals its intent and sends it.
func (p *player) row(ctx context.Context, f *frame, c call, row *steps.Row, path string, index int, first bool) steps.Observation {
	start := time.Now()
	done := func(o steps.Observation) steps.Observation {
		stamp(&o, start)
		o.Pos, o.From = row.Pos, row.From
		return o
	}
	if first {
		if held := p.before(ctx, c, row); held != nil {
			return done(*held)
		}
	}
	args, bad := p.render(ctx, f, row)
	if bad != nil {
		return done(*bad)
	}
	session, bad := p.open(ctx)
	if bad != nil {
		return done(*bad)
	}
	over, bad := p.overlaysFor(ctx, row)
	if bad != nil {
		return done(*bad)
	}
	start = time.Now() // what it takes to start a browser is not the row's time
	traits := row.Call.Command.Traits
	if first {
		need := journal.Buffered
		if row.Call.Mutates() {
			need = journal.Kernel
		}
		p.event(path, row.Pos, journal.Intent{Name: row.Call.Command.Name(), Row: index}, need)
		if p.err != nil {
			return done(steps.Fail(steps.Internal, "", p.err.Error()))
		}
	}
	limit, own := p.rowLimit(c.step(), row)
	rctx, cancel := context.WithTimeoutCause(ctx, limit, &Limit{"row", limit})
	o := p.send(rctx, session, args, steps.RowOptions{Files: p.folder.For(f.sub, path), Dir: f.dir, File: row.Pos.File, Baselines: p.baselines(), Timeout: own, Scope: p.in, Original: p.run.original}, over, path)
	o = p.outlast(ctx, rctx, o)
	cancel()
	if p.early {
		p.ahead(ctx)
	}
	if len(o.Argv) == 0 {
		o.Argv = args.Argv
	}
	p.lost(o)
	p.watching(session).note(row, p.phase)
	p.done[row] = o.Argv
	for _, v := range o.Secret {
		p.hide(v)
	}
	p.learn(row.Call.Command.Name(), args.Argv, o)
	if (row.Call.Mutates() || traits.Has(argv.Navigates)) && (o.Success || o.Sent != steps.NotSent) {
		p.lastWrite = &journal.RowRef{Pos: row.Pos, Row: o.Argv}
	}
	if first {
		for _, w := range o.Warnings {
			p.warn(row.Pos, w)
		}
	}
	return done(o)
}

// baselines is what becomes of those of the suite: one that a policy binds writes none unless it is told to.
func (p *player) baselines() steps.Baselines {
	b := p.run.o.Baselines
	if b == steps.BaselinesWritten && p.suite.plan.Policy != nil {
		return steps.BaselinesKept
	}
	return b
}

// outlast corrects the category of a row that was cut off: by its own limit, or by what ended the attempt.
func (p *player) outlast(ctx, rctx context.Context, o steps.Observation) steps.Observation {
	if o.Success || o.Category == steps.Crash {
		return o
	}
	if ctx.Err() != nil {
		return overrule(ctx, o)
	}
	switch o.Category {
	case steps.Timeout, steps.Internal, steps.Interrupted, "":
		return overrule(rctx, o)
	}
	return o
}

// render fills in the cells and checks those again that were not known before.
func (p *player) render(ctx context.Context, f *frame, row *steps.Row) (argv.Args, *steps.Observation) {
	texts := make([]string, len(row.Text))
	for i, t := range row.Text {
		s, err := t.String(ctx, f.vals, p.reader())
		if err != nil {
			o := p.trouble(ctx, err)
			return argv.Args{}, &o
		}
		texts[i] = s
	}
	if row.Cells != nil {
		texts = row.Cells(texts)
	}
	args, err := row.Call.Bind(texts)
	if err != nil {
		o := steps.Fail(steps.Validation, "row", err.Error())
		return argv.Args{}, &o
	}
	if bad := p.permitted(row, args); bad != nil {
		bad.Argv = args.Argv
		return argv.Args{}, bad
	}
	return args, nil
}

// rowLimit gives the limit of a row and what its command is told of it. A row that says itself how long it waits lifts
// the limit; a little more than that is left for it to say what it saw.
func (p *player) rowLimit(s *steps.Step, row *steps.Row) (limit, own time.Duration) {
	own = s.Timeout
	if traits := row.Call.Command.Traits; s.Within != nil && len(s.Expect) == 0 && (traits.Has(argv.Asserts) || traits.Has(argv.Waits)) {
		own = max(*s.Within, 1) // nothing is once, not the default
	}
	limit = p.limits.Row
	if says := plan.RowWait(*row, s); says > 0 {
		limit = max(limit, says+2*time.Second)
	}
	if s.Timeout > 0 {
		limit = s.Timeout + time.Second
	}
	if most := p.suite.plan.MaxRow; most > 0 {
		return min(limit, most), min(own, most)
	}
	return limit, own
}

// source gives a row as the suite has it.
func source(row *steps.Row) []string {
	if row.Call == nil {
		return nil
	}
	out := make([]string, len(row.Call.Cells))
	for i, c := range row.Call.Cells {
		out[i] = c.Text
	}
	return out
}

// at is the position of a failure.
func (f *failed) position() diag.Pos {
	switch {
	case !f.obs.Pos.IsZero():
		return f.obs.Pos
	case f.row != nil:
		return f.row.Pos
	}
	return f.step.Pos
}
