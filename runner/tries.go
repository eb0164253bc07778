package runner

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// call is a step at its place in a list.
type call struct {
	list []steps.Step
	at   int
	path string
	try  int             // counted from 0
	name string          // of the step, evaluated; "" until it is
	want *steps.Provokes // what the step is to provoke, evaluated
}

func (c call) step() *steps.Step { return &c.list[c.at] }

// title is what the step is called: its name, else its kind.
func (c call) title() string { return cmp.Or(c.name, c.step().Name, c.step().Kind) }

// done makes the event of a call's outcome.
func (c call) done(name string, o steps.Observation) journal.Done {
	d := journal.Done{Name: name, Title: c.name, Obs: o, Wanted: wantedFailure(c, o)}
	if c.try > 0 && o.Success {
		d.Tries = c.try + 1
	}
	return d
}

// fail makes the failure of a call.
func (p *player) fail(c call, o steps.Observation) *failed {
	s := c.step()
	if o.Pos.IsZero() {
		o.Pos = s.Pos
	}
	return &failed{obs: o, step: s, list: c.list, at: c.at, path: c.path, name: c.name, phase: p.phase, seat: p.seat, in: p.in}
}

// tries runs a step and, if it fails, as often again as its retry says.
func (p *player) tries(ctx context.Context, f *frame, c call) *failed {
	s := c.step()
	if s.Retry.Times == 0 {
		return p.once(ctx, f, c)
	}
	var first *failed
	soft, start := len(p.soft), p.marks()
	last := start
	for n := 0; ; n++ {
		c.try = n
		bad := p.once(ctx, f, c)
		if bad == nil {
			if first != nil {
				p.warn(first.obs.Pos, fmt.Sprintf("unstable: passed at try %d, before that: %s", n+1, first.obs.Error))
				p.repaired(start, last)
				p.tried(c, n+1)
			}
			return nil
		}
		if n >= s.Retry.Times || p.fatal(ctx, bad) || !p.retries(ctx, f, s, bad) {
			return bad
		}
		if first == nil {
			first = bad
		}
		for _, x := range p.soft[soft:] {
			p.warn(x.position(), "soft failure of a try that was repeated: "+x.obs.Error)
		}
		p.soft = p.soft[:soft]
		if !pause(ctx, s.Retry.Every) {
			return bad
		}
		p.settle(ctx)
		last = p.marks()
	}
}

// retries decides by the step's `when` whether a failed try is worth another.
func (p *player) retries(ctx context.Context, f *frame, s *steps.Step, bad *failed) bool {
	if s.Retry.When == nil {
		return true
	}
	res := result(bad.obs)
	res["ok"], res["category"], res["sub"] = false, string(bad.obs.Category), bad.obs.Sub
	v, _, err := s.Retry.When.Eval(ctx, f.overlay(res), p.reader())
	if err != nil {
		p.warn(s.Retry.When.Pos(), "retry: when cannot be evaluated, so nothing is tried again: "+err.Error())
	}
	yes, _ := v.(bool)
	return yes
}

// once runs the body and judges it by the step's expect, reading again where that is safe until within has passed.
func (p *player) once(ctx context.Context, f *frame, c call) *failed {
	s := c.step()
	poll := poller{every: s.Every, since: time.Now()}
	if repeatable(s) {
		poll.within = p.limits.Expect
		if s.Within != nil {
			poll.within = *s.Within
		}
	}
	ctx, cancel := p.stepLimit(ctx, s)
	defer cancel()
	var seen seen
	for first := true; ; first = false {
		obs, bad := p.body(ctx, f, c, first)
		if bad == nil {
			obs, bad = p.judge(ctx, f, c, obs)
		}
		if bad == nil || !awaited(s, bad) || !again(ctx, &poll, &seen, bad) {
			seen.into(bad)
			p.finish(f, c, obs, bad)
			return bad
		}
	}
}

// again waits for the next read of an assertion that does not hold yet.
func again(ctx context.Context, poll *poller, seen *seen, bad *failed) bool {
	if poll.within <= 0 {
		return false
	}
	seen.add(bad.obs.Detail)
	return poll.next(ctx)
}

// stepLimit bounds a step that says timeout; a row's is its own (LANGUAGE §9). Where a person may hold the run inside the
// step it has no limit.
func (p *player) stepLimit(ctx context.Context, s *steps.Step) (context.Context, context.CancelFunc) {
	_, rows := s.Body.(steps.Rows)
	held := p.run.o.Hold.Before != nil && len(steps.Inside(s.Body)) > 0
	if rows || held || s.Timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, s.Timeout, &Limit{"step", s.Timeout})
}

// repeatable tells a step that may be read again: rows that only read, with an expect, and opaque steps that say so.
func repeatable(s *steps.Step) bool {
	if _, rows := s.Body.(steps.Rows); rows && len(s.Expect) == 0 {
		return false
	}
	return steps.Rereads(s.Body)
}

// judge evaluates the step's expect over its result; all of a list are evaluated.
func (p *player) judge(ctx context.Context, f *frame, c call, obs steps.Observation) (steps.Observation, *failed) {
	s := c.step()
	if len(s.Expect) == 0 {
		return obs, nil
	}
	vals := f.overlay(result(obs))
	var unmet []spec.Term
	var message string
	for _, e := range s.Expect {
		v, term, err := e.Eval(ctx, vals, p.reader())
		if err != nil {
			o, fault := p.unreadable(ctx, e, err)
			if fault {
				return o, p.fail(c, o)
			}
			unmet, message = append(unmet, spec.Term{Source: e.Source()}), joined(message, o.Error)
			continue
		}
		if yes, _ := v.(bool); !yes {
			if term.Source == "" {
				term.Source = e.Source()
			}
			unmet, message = append(unmet, term), joined(message, unmetWords(e.Source(), term))
		}
	}
	if len(unmet) == 0 {
		return obs, nil
	}
	o := obs
	o.Success, o.Category, o.Sub, o.Error = false, steps.Assertion, "expect", message
	o.Detail = &steps.Detail{Terms: clipBodies(s, clipTerms(unmet))}
	if obs.Detail != nil {
		o.Detail.Output, o.Detail.Found = obs.Detail.Output, obs.Detail.Found
	}
	return o, p.fail(c, o)
}

// finish journals the outcome of a step's last read and keeps its result.
func (p *player) finish(f *frame, c call, obs steps.Observation, bad *failed) {
	s := c.step()
	name := c.title()
	if s.Save != nil {
		p.kept = obs
	}
	switch b := s.Body.(type) {
	case steps.Rows:
		if b.Verdict != nil {
			if bad != nil {
				obs = bad.obs
			}
			p.event(c.path, s.Pos, c.done(name, obs), journal.Buffered)
		} else if len(b.Rows) > 0 && (bad == nil || bad.row == nil) {
			last := len(b.Rows) - 1
			p.event(rowPath(c.path, b, last), obs.Pos, c.done(b.Rows[last].Call.Command.Name(), obs), journal.Buffered)
		}
	case steps.Opaque:
		if bad != nil {
			obs = bad.obs
		}
		p.event(c.path, s.Pos, c.done(name, obs), journal.Buffered)
	default:
		if bad != nil && bad.step == s && len(s.Expect) > 0 {
			p.event(c.path, s.Pos, journal.Done{Name: name, Title: c.name, Obs: bad.obs}, journal.Buffered)
		}
	}
	if bad == nil && s.ID != "" {
		f.steps[s.ID] = result(obs)
	}
}

// seen counts the values that an assertion saw while it waited.
type seen struct{ list []steps.Seen }

func (s *seen) add(d *steps.Detail) {
	v := ""
	switch {
	case d == nil:
		return
	case len(d.Terms) > 0:
		v = leaf(culprit(d.Terms[0]))
	default:
		v = d.Got
	}
	if v == "" {
		return
	}
	if n := len(s.list); n > 0 && s.list[n-1].Value == v {
		s.list[n-1].Times++
		return
	}
	if len(s.list) < 20 {
		s.list = append(s.list, steps.Seen{Value: v, Times: 1})
	}
}

func (s *seen) into(bad *failed) {
	if bad == nil || bad.obs.Detail == nil || len(s.list) == 0 || len(bad.obs.Detail.Seen) > 0 {
		return
	}
	s.add(bad.obs.Detail)
	d := *bad.obs.Detail
	d.Seen = s.list
	bad.obs.Detail = &d
}

// leaf gives the first value of a comparison that was read and not written down, in words.
func leaf(t spec.Term) string {
	for _, sub := range t.Sub {
		if v := leaf(sub); v != "" {
			return v
		}
	}
	if len(t.Sub) > 0 || !t.Evaluated {
		return ""
	}
	return show(t.Value)
}
