package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// suiteRun is one suite while it runs.
type suiteRun struct {
	run      *run
	plan     *plan.Suite
	folder   string      // below the run folder
	base     spec.Values // of setup, tests and teardown; not changed once the suite has started
	services []*service
	logins   map[string]*login // by session; nil if the suite declares none
	borrowed []*service        // run-wide ones that this suite needs
	started  time.Time
	tests    []*plan.Test // to run: those that are not skipped for sure

	mu      sync.Mutex
	outputs map[*plan.Test]map[string]any // of tests that passed and that others need

	// Of the scheduler, under its lock.
	rules   *rules // nil: the tests are free of each other
	next    int    // the first test not taken, without rules
	running int
	torn    bool
	begun   bool
}

func newSuiteRun(r *run, s *plan.Suite) *suiteRun {
	return &suiteRun{run: r, plan: s, folder: "artifacts/" + r.slug(s.File), logins: newLogins(s)}
}

// start brings the suite up: services, then setup. If that fails its tests end as errors and it is brought down at once
// by the scheduler, for it has no test left.
func (s *suiteRun) start(ctx context.Context) bool {
	s.started = time.Now()
	s.base = s.values()
	bad, warnings := s.bringUp(ctx)
	for _, w := range warnings {
		s.event(journal.Warning{Text: w}, journal.Buffered)
	}
	if len(s.plan.Setup) > 0 || len(s.plan.Services) > 0 || len(s.plan.Shared) > 0 || bad != nil {
		s.event(journal.SetupEnd{Failure: bad, Took: time.Since(s.started)}, journal.Kernel)
	}
	if bad == nil {
		return true
	}
	if s.run.life.stopped() != nil && bad.Category == steps.Interrupted {
		return false // its tests did not run, and that is what they say
	}
	for _, t := range s.tests {
		s.run.end(t, journal.TestEnd{Status: steps.Errored, Reason: "setup failed: " + bad.Message})
	}
	return false
}

// values are the names of a suite that do not change while it runs.
func (s *suiteRun) values() spec.Values {
	secrets := map[string]any{}
	for _, name := range s.plan.Secrets {
		if v, ok := s.run.env[name]; ok && s.plan.Policy.Secret(name) == nil {
			secrets[name] = v
		}
	}
	return spec.Values{
		spec.MaskName: s.run.secret,

		"env":      s.readable(),
		"secrets":  secrets,
		"suite":    map[string]any{"name": s.plan.Name, "file": s.plan.File, "dir": s.plan.Dir},
		"run":      map[string]any{"id": s.run.o.Info.ID, "dir": s.run.store.Dir()},
		"services": map[string]any{},
		"setup":    map[string]any{},
	}
}

// bringUp starts the services and runs setup.
func (s *suiteRun) bringUp(ctx context.Context) (*journal.Failure, []string) {
	if bad := s.startServices(ctx); bad != nil {
		return bad, nil
	}
	if len(s.plan.Setup) == 0 {
		return nil, nil
	}
	p, f, err := s.player(ctx, journal.PhaseSetup)
	if err != nil {
		return s.broken(s.plan.Spec.Pos, journal.PhaseSetup, steps.Setup, err), nil
	}
	defer p.folder.Close()
	defer p.lodge(ctx, s.plan.Rooms, s.plan.Rooms > 0)()
	defer p.closeSession()
	ctx, le := s.run.life.enter(ctx, running, s.left(), &Limit{"suite", s.plan.Limit})
	defer le.end()
	p.clock = le
	bad := p.list(ctx, f, s.plan.Setup, "")
	if bad == nil && len(p.soft) > 0 {
		bad = p.soft[0]
	}
	base := maps.Clone(s.base)
	base["setup"] = f.steps
	s.base = base
	var b *journal.Failure
	if bad != nil {
		b = p.failure(bad)
	}
	defer p.back(bad)()
	if b = p.healthOf(ctx, b, s.plan.Spec.Pos); b == nil {
		return nil, p.warnings
	}
	b.Rerun = rerun(diag.Pos{File: s.plan.File})
	p.collect(ctx, b)
	p.recorded(ctx, true, b)
	return asSetup(b), p.warnings
}

// asSetup gives a failure the category of set-up; what it was stays as the finer one. What the machine lacks and what was
// interrupted stay what they are.
func asSetup(b *journal.Failure) *journal.Failure {
	if b.Category == steps.Environment || b.Category == steps.Interrupted {
		return b
	}
	sub := string(b.Category)
	if b.Sub != "" {
		sub += ", " + b.Sub
	}
	b.Category, b.Sub = steps.Setup, sub
	return b
}

// player makes the player of setup or teardown.
func (s *suiteRun) player(ctx context.Context, phase journal.Phase) (*player, *frame, error) {
	vars, err := evalVars(ctx, s.base, [][]plan.Var{s.plan.Vars}, false)
	if err != nil {
		return nil, nil, err
	}
	f := newFrame(s.base, vars, s.plan.Dir)
	env, err := evalEnv(ctx, f.vals, s.run, s.plan.Env)
	if err != nil {
		return nil, nil, err
	}
	o := s.plan.Browser
	if o.BaseURL, err = s.baseURL(ctx, f.vals); err != nil {
		return nil, nil, err
	}
	p := &player{run: s.run, suite: s, limits: s.plan.Limits, options: o, phase: phase, environ: env, health: s.plan.Spec.Health, readOnly: s.plan.ReadOnly && phase != journal.PhaseLogin,
		folder: s.run.store.Folder(s.folder+"/"+string(phase)+s.run.suffix(), s.plan.Outside), sources: s.plan.Sources, done: map[*steps.Row][]string{}}
	p.seat, p.seats = seated(steps.MainSession)
	p.overlay(f, s.plan.Dismiss)
	return p, f, nil
}

// frame gives the names of the suite outside its tests.
func (s *suiteRun) frame(ctx context.Context) (*frame, error) {
	vars, err := evalVars(ctx, s.base, [][]plan.Var{s.plan.Vars}, false)
	if err != nil {
		return nil, err
	}
	return newFrame(s.base, vars, s.plan.Dir), nil
}

func (s *suiteRun) baseURL(ctx context.Context, vals spec.Values) (string, error) {
	if !s.plan.HasBase {
		return "", nil
	}
	u, err := s.plan.BaseURL.String(ctx, vals, nil)
	if err != nil {
		return "", fmt.Errorf("rendering base_url: %w", err)
	}
	return u, nil
}

// broken is the block of something that failed before any step.
func (s *suiteRun) broken(at diag.Pos, phase journal.Phase, c steps.Category, err error) *journal.Failure {
	var known *diag.Error
	if errors.As(err, &known) && !known.Pos.IsZero() {
		at = known.Pos
	}
	return &journal.Failure{Pos: at, Excerpt: excerpt(s.plan.Sources[at.File], at.Line), Phase: phase, Category: c,
		Message: err.Error(), Rerun: rerun(diag.Pos{File: s.plan.File}), Services: s.died()}
}

// left is what remains of the suite's own limit; 0 if it has none, spent if nothing.
func (s *suiteRun) left() time.Duration {
	if s.plan.Limit <= 0 {
		return 0
	}
	return max(s.plan.Limit-time.Since(s.started), spent)
}

// stop tears the suite down: teardown, then its services, whatever happened before.
func (s *suiteRun) stop(ctx context.Context) {
	start := time.Now()
	var blocks []*journal.Failure
	if len(s.plan.Teardown) > 0 {
		blocks = s.teardown(ctx)
	}
	s.stopServices(ctx)
	s.event(journal.TeardownEnd{Failures: blocks, Took: time.Since(start)}, journal.Buffered)
}

func (s *suiteRun) teardown(ctx context.Context) []*journal.Failure {
	p, f, err := s.player(ctx, journal.PhaseTeardown)
	if err != nil {
		return []*journal.Failure{s.broken(s.plan.Spec.Pos, journal.PhaseTeardown, steps.Validation, err)}
	}
	leave := p.lodge(ctx, s.plan.Rooms, s.plan.Rooms > 0)
	bad := p.cleanup(ctx, f, journal.PhaseTeardown, s.plan.Teardown)
	blocks := p.cleanupFailures(bad)
	if ill := p.healthOf(ctx, nil, s.plan.Spec.Pos); ill != nil {
		blocks = append(blocks, cleanupFailed(ill))
	}
	p.closeSession()
	leave()
	p.folder.Close()
	for _, w := range p.warnings {
		s.event(journal.Warning{Text: w}, journal.Buffered)
	}
	for _, b := range blocks {
		b.Rerun = rerun(diag.Pos{File: s.plan.File})
	}
	return blocks
}

// event journals what belongs to the suite.
func (s *suiteRun) event(b journal.Body, d journal.Durability) {
	_ = s.run.append(journal.Event{Suite: s.plan.File, Body: b}, d)
}
