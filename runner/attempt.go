package runner

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// maxCollateral is how often an attempt that died of what it did not cause is rerun.
const maxCollateral = 1

// test runs a test: its attempts until one passes or none is left, and its verdict.
func (s *suiteRun) test(ctx context.Context, t *plan.Test, worker int) {
	start := time.Now()
	retries := t.Retries
	if s.run.o.Retries != nil {
		retries = *s.run.o.Retries
	}
	counted, collateral, took := 0, 0, time.Duration(0)
	for n := 1 + s.run.o.Resume.before(t); ; n++ {
		end, skip := s.attempt(ctx, t, n, worker)
		if skip != "" {
			s.run.end(t, journal.TestEnd{Status: steps.Skipped, Reason: skip, Took: time.Since(start)})
			return
		}
		if b := end.Failure; b != nil && b.Phase == journal.PhaseLogin { // it did not run
			if b.Category != steps.Interrupted {
				s.run.end(t, journal.TestEnd{Status: steps.Errored, Reason: loginWords(b)})
			}
			return
		}
		took += end.Took
		if end.Collateral && collateral < maxCollateral && s.run.life.stopped() == nil {
			collateral++
			continue
		}
		counted++
		status := end.Status
		if status == steps.Passed && counted > 1 {
			status = steps.Flaky
		}
		if final(end) || counted > retries || s.run.life.stopped() != nil {
			s.run.end(t, verdict(t, end, status, took))
			return
		}
	}
}

func reasonOf(end journal.AttemptEnd) string {
	if end.Status == steps.StatusInterrupted && end.Failure != nil {
		return end.Failure.Message
	}
	return ""
}

// attempt runs a test once, cleanup included. skip is the reason if it is not to run at all.
func (s *suiteRun) attempt(ctx context.Context, t *plan.Test, n, worker int) (end journal.AttemptEnd, skip string) {
	start := time.Now()
	p := &player{run: s.run, suite: s, key: &t.Key, attempt: n, limits: t.Limits, options: t.Browser, sources: s.plan.Sources,
		health: t.Health, readOnly: t.ReadOnly, phase: journal.PhaseSteps, done: map[*steps.Row][]string{},
		folder: s.run.store.Folder(s.folder+"/"+s.run.slug(t.Key.Name)+"/attempt-"+strconv.Itoa(n), s.plan.Outside)}
	p.seat, p.seats = seated(t.Session)
	p.from = s.resumeAt(t, n)
	f, skip, err := p.prepare(ctx, t)
	if skip != "" && err == nil {
		return end, skip
	}
	leave := p.lodge(ctx, t.Rooms, t.NeedsBrowser)
	defer leave()
	if bad := s.logIn(ctx, t); bad != nil {
		return journal.AttemptEnd{Status: steps.Errored, Failure: bad}, ""
	}
	s.run.sched.loggedIn(s, t)
	start = time.Now()
	p.event("", t.Pos, journal.AttemptStart{Worker: worker}, journal.Buffered)
	var block *journal.Failure
	if err != nil {
		o := p.trouble(ctx, err)
		block = s.broken(t.Pos, "", o.Category, err)
		if o.Category == steps.ArtifactBad {
			block.Sub = o.Sub
		}
		end.Status = steps.Errored
	} else {
		block = p.play(ctx, f, t, &end)
	}
	if b := s.unexpected(t, end.Status); b != nil {
		block, end.Status = b, steps.Failed
	}
	if block != nil {
		block.Rerun = rerunTest(t)
	}
	for _, b := range p.more {
		b.Rerun = rerunTest(t)
	}
	p.recorded(ctx, end.Status != steps.Passed, block)
	p.closeApps(ctx, &end)
	p.closeSession()
	p.folder.Close()
	end.More = p.more
	end.Failure, end.Warnings, end.Artifacts, end.Took = block, p.warnings, p.artifacts(block), time.Since(start)-p.waited
	if t.Needed && end.Status == steps.Passed {
		s.keep(t, p.outputs)
	}
	p.event("", t.Pos, end, journal.Kernel)
	return end, ""
}

// artifacts lists what the attempt wrote; the evidence keeps the kinds that the block gave it.
func (p *player) artifacts(block *journal.Failure) []steps.Artifact {
	list := p.folder.Saved()
	if block == nil {
		return list
	}
	for i := range list {
		for _, a := range block.Artifacts {
			if a.Path == list[i].Path {
				list[i].Kind = a.Kind
			}
		}
	}
	return list
}

// prepare evaluates what an attempt starts from: skip, if, vars, environment, base_url.
func (p *player) prepare(ctx context.Context, t *plan.Test) (f *frame, skip string, err error) {
	s := p.suite
	vals := maps.Clone(s.base)
	vals["test"] = map[string]any{"name": t.Key.Name, "dir": p.folder.Path()}
	vals["attempt"] = p.attempt
	if len(t.Needs) > 0 {
		vals["needs"] = s.needs(t)
	}
	vars, err := evalData(ctx, vals, s.plan.Vars, t)
	if err != nil {
		return nil, "", err
	}
	f = newFrame(vals, vars, s.plan.Dir)
	p.overlay(f, t.Dismiss)
	if p.attempt == 1 { // a test that has begun has a verdict to come to: no later attempt is let off
		if skip, err = p.skipped(ctx, t, f.vals); skip != "" || err != nil {
			return nil, skip, err
		}
	}
	if p.environ, err = evalEnv(ctx, f.vals, s.run, s.plan.Env); err != nil {
		return nil, "", err
	}
	if p.options.BaseURL, err = s.baseURL(ctx, f.vals); err != nil {
		return nil, "", err
	}
	if t.UsesDir {
		err = p.folder.Make()
	}
	return f, "", err
}

// skipped gives the reason why a test does not run: its skip, or an if that is false.
func (p *player) skipped(ctx context.Context, t *plan.Test, vals spec.Values) (string, error) {
	if t.HasSkip {
		if text, err := t.Skip.String(ctx, vals, nil); err != nil || text != "" {
			return text, err
		}
	}
	if t.If == nil {
		return "", nil
	}
	v, _, err := t.If.Eval(ctx, vals, nil)
	if err != nil {
		return "", err
	}
	switch yes, is := v.(bool); {
	case !is:
		return "", fmt.Errorf("%s is neither true nor false", oneLine(t.If.Source()))
	case !yes:
		return "if: " + oneLine(t.If.Source()) + " is false", nil
	}
	return "", nil
}

// play runs the phases of an attempt in the order of LANGUAGE §7 and gives its failure.
func (p *player) play(ctx context.Context, f *frame, t *plan.Test, end *journal.AttemptEnd) *journal.Failure {
	block := p.main(ctx, f, t)
	if block == nil {
		end.Status = steps.Passed
		p.picture(ctx)
	} else {
		end.Status, end.Collateral = statusOf(block.Category), p.collateral()
	}
	if p.broken = block != nil; p.broken {
		p.keepOpen(ctx, block)
	}
	var bad []*failed
	for _, phase := range []struct {
		name journal.Phase
		list []steps.Step
	}{{journal.PhaseFinally, t.Finally}, {journal.PhaseAfterEach, t.AfterEach}} {
		if len(phase.list) > 0 {
			bad = append(bad, p.cleanup(ctx, f, phase.name, phase.list)...)
		}
	}
	end.Cleanup = p.cleanupFailures(bad)
	if len(t.Finally)+len(t.AfterEach) > 0 {
		block = p.aftermath(ctx, block, t.Pos, end)
	}
	block = p.unfinished(ctx, block, end)
	if block == nil && len(end.Cleanup) > 0 {
		end.Status = steps.Errored
	}
	if p.err != nil && end.Status == steps.Passed {
		end.Status = steps.Errored
	}
	return block
}

// main runs before_each and steps under the test's clock, and takes the evidence of a failure before anything is cleaned
// up.
func (p *player) main(ctx context.Context, f *frame, t *plan.Test) *journal.Failure {
	limit, why := t.Limits.Test, &Limit{"test", t.Limits.Test}
	if left := p.suite.left(); left > 0 && left < limit {
		limit, why = left, &Limit{"suite", p.suite.plan.Limit}
	}
	tctx, le := p.run.life.enter(ctx, running, limit, why)
	defer le.end()
	p.clock = le
	if b := p.suite.deadService(t.Pos); b != nil {
		return b
	}
	bad := p.begin(tctx, f, t)
	if bad == nil {
		bad = p.handOut(tctx, f, t)
	}
	if bad == nil {
		bad = p.leaves(tctx, f, t)
	}
	return p.judgement(ctx, bad, t.Pos)
}

// judgement makes the block of an attempt: what ended it, else the first soft failure, else a service that died, else the
// health of its pages. The other soft failures, and health beside another failure, are blocks of their own.
func (p *player) judgement(ctx context.Context, bad *failed, at diag.Pos) *journal.Failure {
	rest := p.soft
	if bad == nil && len(rest) > 0 {
		bad, rest = rest[0], rest[1:]
	}
	defer p.back(bad)()
	var b *journal.Failure
	if bad != nil {
		b = p.failure(bad)
	} else if b = p.suite.deadService(at); b == nil {
		b = p.deadApp()
	}
	for _, f := range rest {
		p.more = append(p.more, p.failure(f))
	}
	found := p.checkup(ctx, b != nil)
	ill := p.healthFailure(found, at)
	p.settled()
	switch {
	case b == nil && ill == nil:
		return nil
	case b == nil:
		b = ill
	case ill != nil && b.Category != steps.Interrupted:
		p.more = append(p.more, ill)
	}
	if b.Health == nil {
		b.Health = found.all
	}
	p.sourced(ctx, b.Health)
	if ill != nil && ill != b {
		p.sourced(ctx, ill.Health)
	}
	p.collect(ctx, b)
	return b
}

func statusOf(c steps.Category) steps.Status {
	switch {
	case c == steps.Interrupted:
		return steps.StatusInterrupted
	case c.IsFailure():
		return steps.Failed
	}
	return steps.Errored
}

// dialogs is the power of a session to dismiss a held dialog, so that cleanup is not blocked by it.
type dialogs interface {
	DismissDialog(ctx context.Context) bool
}

// cleanup runs every step of finally, after_each or teardown in a time of its own, whatever happened before.
func (p *player) cleanup(ctx context.Context, f *frame, phase journal.Phase, list []steps.Step) []*failed {
	cctx, le := p.run.life.enter(ctx, cleaning, p.limits.Cleanup, &Limit{string(phase), p.limits.Cleanup})
	defer le.end()
	p.phase, p.clock = phase, le
	p.dismissDialogs(cctx)
	soft := len(p.soft)
	bad := p.every(cctx, f, list)
	return append(bad, p.soft[soft:]...)
}
