package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// player runs lists of steps: one attempt of a test, or a suite's setup or teardown. One goroutine uses it.
type player struct {
	run     *run
	suite   *suiteRun
	key     *steps.TestKey // nil outside a test
	attempt int
	limits  steps.Limits
	options steps.SessionOptions
	folder  *artifact.Folder
	environ []string
	sources map[string][]byte

	phase    journal.Phase
	clock    *lease // of the test: held while a browser session is opened
	*seat           // where the player is: the session and what is known of it
	seats    []*seat
	in       []steps.ScopePart // the scopes around the step, of this session
	readOnly bool              // no row may change the page
	refused  bool              // something asked for the page after the session was lost
	early    bool              // its context is open, and nothing was done in it yet
	broken   bool              // the steps have failed

	root      *frame // the names outside all fragments: those of dismiss
	dismiss   []steps.Dismissal
	dismissed []int                   // how often each was
	done      map[*steps.Row][]string // argv of rows that were sent, as the session masked it
	soft      []*failed
	more      []*journal.Failure // beside the failure that ended the attempt
	health    spec.Health
	watches   []*watch          // of the sessions, in the order in which they were used
	kept      steps.Observation // the result of the step that ran last, if it has a save
	warnings  []string
	err       error // of the journal: nothing goes on
	outputs   map[string]any
	waited    time.Duration // for browser and context, which is not the test's time
	from      *savedState   // the checkpoint at which the attempt begins; nil: at its start
	hidden    []string      // values that the attempt has masked
	room      int           // sessions that it has taken room for; 0: it stands in for another's
	trail     *trail        // nil until a row or step has ended
}

// failed is what ends a list of steps.
type failed struct {
	obs   steps.Observation
	step  *steps.Step
	row   *steps.Row // nil if it was no row
	list  []steps.Step
	at    int
	path  string
	name  string // of the step, evaluated
	phase journal.Phase
	seat  *seat // where it happened
	in    []steps.ScopePart
	block *journal.Failure // of a soft failure: what it looked like when it came

	unsent bool // it was over before it began
}

// fatal tells a failure that soft, optional and retry do not change: the attempt is over.
func (p *player) fatal(ctx context.Context, f *failed) bool {
	return ctx.Err() != nil || p.err != nil || f.obs.Category == steps.Crash || f.obs.Category == steps.Interrupted ||
		f.obs.Category == steps.Internal
}

// list runs steps until the first that fails.
func (p *player) list(ctx context.Context, f *frame, list []steps.Step, prefix string) *failed {
	for i := range list {
		if bad := p.step(ctx, f, list, i, prefix+number(i)); bad != nil {
			return bad
		}
	}
	return nil
}

// every runs all steps, whatever fails, and gives the failures: the way of finally, after_each and teardown.
func (p *player) every(ctx context.Context, f *frame, list []steps.Step) []*failed {
	var out []*failed
	for i := range list {
		p.refused = false
		bad := p.step(ctx, f, list, i, number(i))
		if bad == nil || p.refused && (p.broken || len(out) > 0) {
			continue // what needs a browser that is gone did not run, and that it is gone is told already
		}
		out = append(out, bad)
		if p.err != nil || ctx.Err() != nil {
			break // one block says that the time was over; the steps behind it did not run
		}
	}
	return out
}

func number(i int) string { return fmt.Sprint(i + 1) }

// step runs one step with its wrappers: if, then provokes(retry(within(run, expect))), then soft or optional, then save
// (DECISIONS 20).
func (p *player) step(ctx context.Context, f *frame, list []steps.Step, i int, path string) *failed {
	s := &list[i]
	if s.Session != "" {
		defer p.sit(s.Session)()
	}
	fail := func(o steps.Observation) *failed {
		o.Pos = s.Pos
		return &failed{obs: o, step: s, list: list, at: i, path: path, phase: p.phase, seat: p.seat, in: p.in}
	}
	if o, over := ended(ctx); over {
		bad := fail(o)
		bad.unsent = true
		return bad
	}
	run, o := p.wanted(ctx, f, s)
	if o != nil {
		return p.verdict(ctx, f, s, fail(*o))
	}
	if !run {
		return nil
	}
	c := call{list: list, at: i, path: path, want: s.Provokes}
	if o := p.ready(ctx, f, &c); o != nil {
		return p.verdict(ctx, f, s, p.fail(c, *o))
	}
	bad := p.verdict(ctx, f, s, p.effect(ctx, f, c))
	if s.Save != nil && !p.refused {
		bad = p.save(ctx, f, c, bad)
	}
	return bad
}

// ready evaluates what a step says of itself before it runs: its name, and what it is to provoke.
func (p *player) ready(ctx context.Context, f *frame, c *call) *steps.Observation {
	s := c.step()
	name, err := s.Titled(ctx, f.vals, p.reader())
	if c.name = name; err == nil {
		c.want, err = s.Provokes.Made(ctx, f.vals, p.reader())
	}
	if err == nil {
		return nil
	}
	o := p.trouble(ctx, err)
	return &o
}

// verdict applies soft and optional, and keeps the result of a step that failed.
func (p *player) verdict(ctx context.Context, f *frame, s *steps.Step, bad *failed) *failed {
	if bad == nil {
		return nil
	}
	if s.ID != "" {
		res := result(bad.obs)
		res["ok"] = false
		f.steps[s.ID] = res
	}
	switch {
	case p.fatal(ctx, bad), p.refused:
		return bad
	case s.Optional:
		p.warn(bad.obs.Pos, "optional step failed: "+bad.obs.Error)
		return nil
	case s.Soft:
		bad.block = p.failure(bad)
		if bad.step == s {
			bad.block.Progress = nil // the rows behind it run
		}
		p.soft = append(p.soft, bad)
		return nil
	}
	return bad
}

func (p *player) warn(at diag.Pos, text string) {
	if at.Line > 0 {
		text = fmt.Sprintf("%s:%d: %s", at.File, at.Line, text)
	}
	if !slices.Contains(p.warnings, text) { // what is read again says it again
		p.warnings = append(p.warnings, text)
	}
}

// wanted decides skip and if. `within` lets a condition become true; else it is read once.
func (p *player) wanted(ctx context.Context, f *frame, s *steps.Step) (bool, *steps.Observation) {
	if text, err := s.Skip.String(ctx, f.vals, nil); err != nil {
		o := p.trouble(ctx, err)
		return false, &o
	} else if text != "" {
		return false, nil
	}
	if s.If == nil {
		return true, nil
	}
	var within time.Duration
	if loop, _ := s.Body.(steps.Loop); s.Within != nil && len(s.Expect) == 0 && loop.While == nil {
		within = *s.Within
	}
	return p.holds(ctx, f, s.If, within, s.Every)
}

// holds evaluates a condition until it is true or within has passed.
func (p *player) holds(ctx context.Context, f *frame, e *spec.Expr, within, every time.Duration) (bool, *steps.Observation) {
	poll := poller{within: within, every: every, since: time.Now()}
	for {
		v, _, err := e.Eval(ctx, f.vals, p.reader())
		if err != nil {
			o := p.trouble(ctx, err)
			return false, &o
		}
		yes, ok := v.(bool)
		if !ok {
			o := steps.Fail(steps.Validation, "", fmt.Sprintf("%s is neither true nor false", e.Source()))
			return false, &o
		}
		if yes || !poll.next(ctx) {
			return yes, nil
		}
	}
}

// reader gives the page functions of the player's session, opened when first asked.
func (p *player) reader() spec.Reader { return reader{p} }

type reader struct{ p *player }

// Read implements spec.Reader.
func (r reader) Read(ctx context.Context, fn string, args []any) (any, error) {
	s, o := r.p.open(ctx)
	if o != nil {
		return nil, &problem{*o}
	}
	return r.p.readIn(ctx, s, fn, args)
}

// problem is an observation on its way through code that knows errors only.
type problem struct{ obs steps.Observation }

// Error is the sentence of the observation.
func (p *problem) Error() string { return p.obs.Error }

// Observation gives it back.
func (p *problem) Observation() steps.Observation { return p.obs }

// trouble turns the error of an expression or text into a failed observation.
func (p *player) trouble(ctx context.Context, err error) steps.Observation {
	if o, over := ended(ctx); over {
		return o
	}
	var known steps.Observed
	if errors.As(err, &known) {
		o := known.Observation()
		o.Success = false
		p.lost(o)
		return o
	}
	return steps.Fail(steps.Validation, "expression", err.Error())
}

// lost notes that the session has died.
func (p *player) lost(o steps.Observation) {
	if o.Category == steps.Crash && p.session != nil && p.dead == nil {
		p.dead = &o
	}
}

// open gives the session, opening it at first need. The test's clock stands still meanwhile: a browser that starts slowly
// is not the test's fault (DECISIONS 22).
func (p *player) open(ctx context.Context) (steps.Session, *steps.Observation) {
	if p.dead != nil {
		p.refused = true
		o := *p.dead
		return nil, &o
	}
	if p.barred != nil {
		p.refused = true
		o := *p.barred
		return nil, &o
	}
	if p.session != nil {
		return p.session, nil
	}
	if p.run.o.Engine == nil {
		o := steps.Fail(steps.Environment, "no-browser", errNoEngine.Error())
		return nil, &o
	}
	p.clock.hold()
	defer p.clock.resume()
	defer func(since time.Time) { p.waited += time.Since(since) }(time.Now())
	n, bad := p.context(ctx)
	if bad == nil {
		if bad = p.welcome(ctx, n); bad != nil {
			p.barred = bad
		}
	}
	if bad != nil {
		return nil, bad
	}
	return p.session, nil
}

// openLimit is how long a browser may take to start and to give a page.
const openLimit = 60 * time.Second

func (p *player) openFailed(ctx context.Context, err error) steps.Observation {
	var known steps.Observed
	if errors.As(err, &known) {
		return known.Observation()
	}
	if o, over := ended(ctx); over {
		if o.Category == steps.Timeout {
			o.Category, o.Sub = steps.Environment, "no-browser"
		}
		return o
	}
	return steps.Fail(steps.Environment, "no-browser", "the browser cannot be opened: "+err.Error())
}

// closeSession releases the browser contexts of all sessions.
func (p *player) closeSession() {
	for _, s := range p.seats {
		if s.session != nil {
			s.session.Close()
			s.session = nil
		}
	}
}

// event fills in where an event belongs and appends it. An error of the journal ends the attempt: what is not recorded
// did not happen.
func (p *player) event(path string, at diag.Pos, body journal.Body, d journal.Durability) {
	if p.err != nil {
		return
	}
	if done, is := body.(journal.Done); is {
		if p.trail == nil {
			p.trail = &trail{}
		}
		p.trail.note(at, &done)
	}
	p.err = p.run.append(journal.Event{Suite: p.suite.plan.File, Test: p.key, Attempt: p.attempt, Phase: p.phase, Step: path,
		Pos: at, Session: p.elsewhere(), Body: body}, d)
}
