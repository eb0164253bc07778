package runner

import (
	"context"
	"errors"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Stop is a place where a run can be held: a row, or a step that runs itself, is about to start.
type Stop struct {
	Test  string // "file › name", or the file of a suite's setup or teardown
	Phase journal.Phase
	Pos   diag.Pos
	Kind  string   // of the step: "row", "exec"
	Row   []string // the cells as the suite has them; nil if it is no row
	page  func(ctx context.Context) (string, error)
}

// Snapshot gives the accessibility tree of the page as it is now. It drops no reference that the suite may still use.
func (s Stop) Snapshot(ctx context.Context) (string, error) { return s.page(ctx) }

// Hold are the places where a person may hold a run. No deadline of a test counts while one of them has not returned. The
// runner knows nothing of terminals: whoever fills these in does.
type Hold struct {
	// Before is called before each row and each step that runs itself; an error ends the attempt.
	Before func(ctx context.Context, s Stop) error
	// Pause is called by a pause step; nil: nobody is there, and the step only warns.
	Pause func(ctx context.Context, s Stop, text string) error
	// Handoff asks a person to do something and returns when they say that it is done; ctx ends when the page says so, or
	// the time is over. nil: nobody is there.
	Handoff func(ctx context.Context, s Stop, text string) error
	// Failed is called when an attempt has failed, before anything is cleaned up.
	Failed func(ctx context.Context, f *journal.Failure)
}

// still runs what holds the player, with the clock of the test standing still.
func (p *player) still(fn func() error) error {
	p.clock.hold()
	defer p.clock.resume()
	defer func(since time.Time) { p.waited += time.Since(since) }(time.Now())
	return fn()
}

// before lets a person hold the run before a row or a step; the observation says that it ended here.
func (p *player) before(ctx context.Context, c call, row *steps.Row) *steps.Observation {
	hold := p.run.o.Hold.Before
	if hold == nil {
		return nil
	}
	err := p.still(func() error { return hold(ctx, p.stopAt(c, row)) })
	if err == nil {
		return nil
	}
	o, over := ended(ctx)
	if !over {
		o = steps.Fail(steps.Interrupted, "held", err.Error())
	}
	return &o
}

// pausing gives a pause step the way to a person; nil if there is none.
func (p *player) pausing(c call) func(ctx context.Context, text string) error {
	hold := p.run.o.Hold.Pause
	if hold == nil {
		return nil
	}
	return func(ctx context.Context, text string) error {
		return p.still(func() error { return hold(ctx, p.stopAt(c, nil), text) })
	}
}

// keepOpen leaves the page of a failed attempt as it is until a person has seen it.
func (p *player) keepOpen(ctx context.Context, block *journal.Failure) {
	if hold := p.run.o.Hold.Failed; hold != nil && p.session != nil && p.dead == nil && p.run.life.stopped() == nil {
		hctx, le := p.run.life.enter(ctx, running, 0, nil)
		defer le.end()
		defer func(since time.Time) { p.waited += time.Since(since) }(time.Now())
		hold(hctx, block)
	}
}

// stopAt describes a step, and its row if it is one.
func (p *player) stopAt(c call, row *steps.Row) Stop {
	s := c.step()
	out := Stop{Test: p.suite.plan.File, Phase: p.phase, Pos: s.Pos, Kind: s.Kind, page: p.snapshot}
	if p.key != nil {
		out.Test = p.key.String()
	}
	if row != nil {
		out.Pos, out.Row = row.Pos, source(row)
	}
	return out
}

var errNoPage = errors.New("no page is open yet")

func (p *player) snapshot(ctx context.Context) (string, error) {
	if p.session == nil || p.dead != nil {
		return "", errNoPage
	}
	e := p.session.Evidence(ctx)
	if e.Snapshot == "" && len(e.Problems) > 0 {
		return "", errors.New(e.Problems[0])
	}
	return e.URL + "\n" + e.Snapshot, nil
}
