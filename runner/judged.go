package runner

import (
	"context"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// judged runs the rows of a step whose Verdict makes its outcome. What ends the attempt, and a browser that is gone, are
// not asked about.
func (p *player) judged(ctx context.Context, f *frame, c call, b steps.Rows, first bool) (steps.Observation, *failed) {
	start := time.Now()
	gave := make([]steps.Observation, 0, len(b.Rows))
	var failing *steps.Row
	for i := range b.Rows {
		row := &b.Rows[i]
		path := rowPath(c.path, b, i)
		if o, over := ended(ctx); over {
			return o, p.fail(c, o)
		}
		o := p.row(ctx, f, c, row, path, i, first)
		gave = append(gave, o)
		if first && !p.refused && len(b.Rows) > 1 { // a single row is told by the step's own event
			p.event(path, row.Pos, c.done(row.Call.Command.Name(), o), journal.Buffered)
		}
		if o.Success {
			continue
		}
		bad := p.fail(c, o)
		bad.row = row
		if p.refused || p.fatal(ctx, bad) {
			return o, bad
		}
		if !b.Whole {
			failing = row
			break
		}
	}
	o := b.Verdict(ctx, p.verdictEnv(f, c), gave)
	stamp(&o, start)
	o = overrule(ctx, o)
	if o.Pos.IsZero() {
		o.Pos = c.step().Pos
	}
	o.Compiled = compiled(b, gave, o.Checks)
	last := gave[len(gave)-1]
	o.Page = last.Page
	if len(b.Rows) == 1 {
		o.Argv, o.From = last.Argv, last.From
	}
	if first {
		for _, w := range o.Warnings {
			p.warn(o.Pos, w)
		}
	}
	if o.Success {
		return o, nil
	}
	bad := p.fail(c, o)
	bad.row = failing
	return o, bad
}

// verdictEnv is what a Verdict gets.
func (p *player) verdictEnv(f *frame, c call) steps.Env {
	return steps.Env{Values: f.vals, Reader: p.reader(), Root: p.suite.plan.Root, Files: p.folder.For(f.sub, c.path), Timeouts: p.limits,
		BaseURL: p.options.BaseURL, Dir: f.dir, Jar: jar{p}, State: p.state, Explained: p.explained(c), Locate: p.locate, Apps: p.launching(c)}
}

// explained gives the power to tell a fault that was to be expected: this step or one before it is to provoke it, or the
// suite's health allows it.
func (p *player) explained(c call) func(steps.Fault) bool {
	want := c.want
	return func(f steps.Fault) bool {
		if want != nil && want.Fault(f) {
			return true
		}
		if _, rule, _ := ruleOf(p.health, f); allows(rule, f) {
			return true
		}
		return p.wasProvoked(f)
	}
}

// wasProvoked tells that a fault of the player's session is one that a step has provoked, or the line that the browser
// writes on the console for such a request.
func (p *player) wasProvoked(f steps.Fault) bool {
	for _, w := range p.watches {
		if w.session != p.session || len(w.met) == 0 {
			continue
		}
		for _, x := range w.session.Seen(steps.Mark{}).Faults {
			if w.met[x.Seq] && sameFault(f, x) {
				return true
			}
		}
	}
	return false
}

// sameFault compares what a log row tells of a fault with the fault itself.
func sameFault(f, x steps.Fault) bool {
	switch {
	case f.Request != 0:
		return f.Request == x.Request
	case resourceLine(f) && x.Request != 0:
		return f.URL == x.URL
	}
	return f.Kind == x.Kind && strings.TrimSpace(f.Text) == strings.TrimSpace(x.Text)
}

// locate finds the file of the project that a fault comes from.
func (p *player) locate(ctx context.Context, from []steps.Place, url string) string {
	if p.run.o.Locate == nil {
		return ""
	}
	base := p.options.BaseURL
	if base == "" && len(from) > 0 {
		base = from[0].URL
	}
	return p.run.o.Locate(ctx, p.suite.plan.Root, base, from, url)
}

// maxLocated is how many faults of a failure are looked up.
const maxLocated = 5

// sourced names the files that the first faults of a list come from.
func (p *player) sourced(ctx context.Context, list []steps.Fault) {
	if p.run.o.Locate == nil {
		return
	}
	lctx, le := p.run.life.enter(ctx, evidence, locateLimit, &Limit{"look for the source", locateLimit})
	defer le.end()
	for i := range list {
		if i == maxLocated {
			return
		}
		url := ""
		if f := list[i]; f.Kind == steps.FaultHTTP || f.Kind == steps.FaultRequest {
			url = f.URL
		}
		list[i].Source = p.locate(lctx, list[i].Stack, url)
	}
}

// locateLimit bounds the search for the files behind the faults of a failure.
const locateLimit = 5 * time.Second
