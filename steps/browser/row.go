package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// hardSlack is how much longer than its own limit a row may take before the guard ends it; a row without a limit of its
// own gets minRow, so that nothing times out on a busy machine that only had to be looked up.
const (
	hardSlack = 2 * time.Second
	minRow    = 2 * time.Second
)

// row is one row that runs.
type row struct {
	a       argv.Args
	o       steps.RowOptions
	started time.Time
	limit   time.Duration // how long it may wait for the page
	until   time.Time     // started + limit

	mu   sync.Mutex
	mark steps.Sent
	done map[string]any // the data of the row if a dialog opens while its change is under way
	warn []string
}

// hung is the cause of a row that the guard ended though its own deadline was not over.
type hung struct{ limit time.Duration }

// Error says that the page did not answer.
func (h hung) Error() string { return fmt.Sprintf("the page did not answer within %s", span(h.limit)) }

// sending notes that the row is about to change the page; data is what the row answers if the page opens a dialog now.
func (r *row) sending(data map[string]any) {
	if r.a.Command.Name() == "download" { // a dialog instead of a file is no success
		data = nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mark, r.done = steps.MaybeSent, data
}

// sent notes that the row changes something that no dialog can come from.
func (r *row) sent() { r.sending(nil) }

// unsent takes it back: the change was refused before anything was done.
func (r *row) unsent() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mark, r.done = steps.NotSent, nil
}

func (r *row) state() (steps.Sent, map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mark, r.done
}

// warning adds a sentence that does not fail the row.
func (r *row) warning(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warn = append(r.warn, text)
}

// left is how long the row may still wait for the page; never less than a moment, because zero means for ever to the
// driver.
func (r *row) left() time.Duration { return max(time.Until(r.until), time.Millisecond) }

// ms is left as the driver's calls take it; an action that found its target ready at the last moment gets a second.
func (r *row) ms() *float64 { return milliseconds(max(r.left(), time.Second)) }

// milliseconds gives a duration as the driver's calls take it.
func milliseconds(d time.Duration) *float64 {
	v := float64(max(d.Milliseconds(), 1))
	return &v
}

// pause waits d, less if the limit comes first; it is false when the limit is over or ctx ended.
func (r *row) pause(ctx context.Context, d time.Duration) bool {
	left := time.Until(r.until)
	if left <= 0 || ctx.Err() != nil {
		return false
	}
	t := time.NewTimer(min(d, left))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// waited says how long the row waited, for messages.
func (r *row) waited() string { return span(r.limit) }

// op gives operand i of the command.
func (r *row) op(i int) string { return r.a.Operand(i) }

// limits give the time a command may wait for the page by default.
func (s *session) limitOf(c *argv.Command) time.Duration {
	l := s.o.Limits
	switch {
	case c.Name() == "open", c.Name() == "reload", c.Name() == "back", c.Name() == "forward", c.Name() == "tab new", c.Name() == "read":
		return l.Open
	case c.Traits.Has(argv.Asserts):
		return l.Expect
	case c.Words[0] == "dialog":
		return l.Action
	case c.Name() == "diff url":
		return l.Open
	case c.Words[0] == "record":
		return max(l.Row, l.Wait)
	case c.Traits.Has(argv.WritesFile) && c.Name() != "download", c.Words[0] == "diff", c.Words[0] == "network":
		return l.Wait
	case c.Traits.Has(argv.Waits), c.Words[0] == "screenshot", c.Words[0] == "snapshot", c.Words[0] == "eval":
		return l.Wait
	}
	return l.Action
}

// Do executes one rendered row.
func (s *session) Do(ctx context.Context, a argv.Args, o steps.RowOptions) steps.Observation {
	r := &row{a: a, o: o, started: time.Now()}
	r.limit = s.limitOf(a.Command)
	if o.Timeout > 0 {
		r.limit = o.Timeout
	}
	r.limit = a.Duration("--timeout", a.Duration("--within", r.limit))
	r.until = r.started.Add(r.limit)
	s.rings.begin()
	if d := s.fate(nil); d != nil {
		return s.finish(ctx, r, crashed(*d))
	}
	if ctx.Err() != nil {
		return s.finish(ctx, r, s.late(ctx, r, ""))
	}
	h := table[a.Command.Name()]
	if h == nil {
		return s.finish(ctx, r, steps.Fail(steps.Internal, "", fmt.Sprintf("%q is not built into the browser engine yet", a.Command.Name())))
	}
	if s.chr.hub != nil && s.o.Window == "" {
		if what := a.Command.WholeBrowser(); what != "" {
			return s.finish(ctx, r, steps.Fail(steps.Validation, "attached", what+": a session that is attached to a browser must not"))
		}
	}
	if s.extra.trace != nil {
		h = s.grouped(h)
	}
	if d := s.talk.current(); d != nil && a.Command.Traits.Has(argv.Page) && a.Command.Name() != "expect dialog" {
		return s.finish(ctx, r, failure(blocked(d)))
	}
	if a.Command.Traits.Has(argv.Mutates) && !a.Command.Traits.Has(argv.Waits) {
		s.lastURL, s.lastChange = s.page().URL(), a.Command.Name()
	}
	s.enter(spot{in: o.Scope, over: o.Overlays, top: o.Top})
	defer s.enter(spot{})
	was := s.standing()
	out := s.finish(ctx, r, s.run(ctx, r, h))
	if s.o.Window != "" {
		out = s.inApp(ctx, r, out)
	}
	out.Change = s.change(r, was, out)
	out.NextActions = follow(r, out)
	if t := a.Command.Traits; t.Has(argv.Mutates) || t.Has(argv.Navigates) {
		s.changed = time.Now()
	}
	return out
}

// run executes the handler in a goroutine of its own: what it calls cannot be cancelled, only ended.
func (s *session) run(ctx context.Context, r *row, h handler) steps.Observation {
	hard := max(r.limit+stays(r.a)+s.after(r), minRow) + hardSlack
	ctx, cancel := context.WithTimeoutCause(ctx, hard, hung{r.limit})
	defer cancel()
	select {
	case <-s.talk.opened: // of an earlier row
	default:
	}
	var obs steps.Observation
	returned := make(chan struct{})
	s.spawn(func() {
		defer close(returned)
		defer func() {
			if p := recover(); p != nil {
				obs = steps.Fail(steps.Internal, "panic", fmt.Sprintf("the engine panicked in %q: %v", r.a.Command.Name(), p))
			}
		}()
		var err error
		if obs, err = h(ctx, s, r); err != nil {
			shown := obs.Argv // with what no report may show hidden, also where the row failed
			if obs = s.explain(ctx, r, err); len(obs.Argv) == 0 {
				obs.Argv = shown
			}
		}
	})
	opened := s.talk.opened
	if !r.a.Command.Traits.Has(argv.Page) {
		opened = nil
	}
	select {
	case <-returned:
		return obs
	case <-opened:
		return s.dialogDuring(ctx, r, returned, &obs)
	case <-s.deadCh:
		if await(returned, rungTerminate) && (obs.Success || obs.Category == steps.Crash) {
			return obs
		}
		return crashed(*s.fate(nil))
	case <-ctx.Done():
	}
	return s.late(ctx, r, s.rescueFrom(returned, r.looks()))
}

// dialogDuring ends a row in which a dialog opened that somebody must answer. The call that opened it stays in flight
// until then; it belongs to the session.
func (s *session) dialogDuring(ctx context.Context, r *row, returned <-chan struct{}, obs *steps.Observation) steps.Observation {
	select { // the fast click returns by itself and knows more
	case <-returned:
		return *obs
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
	d := s.talk.current()
	if d == nil { // answered by the page's own end
		return steps.Fail(steps.Navigation, "dialog-gone", "a dialog opened and went away with the page")
	}
	mark, data := r.state()
	if mark == steps.NotSent || data == nil {
		return failure(blocked(d))
	}
	data = maps.Clone(data)
	data["dialogOpened"] = true
	o := steps.OK(data, r.a.Command.Value)
	o.Detail = &steps.Detail{Dialog: describe(d)}
	return o
}

// looks tells a row that waits or checks and changes nothing.
func (r *row) looks() bool {
	t := r.a.Command.Traits
	return (t.Has(argv.Waits) || t.Has(argv.Asserts)) && !t.Has(argv.Mutates)
}

// late is the outcome of a row that had to be ended.
func (s *session) late(ctx context.Context, r *row, stage string) steps.Observation {
	text, cause := "the page did not answer in time", context.Cause(ctx)
	if cause != nil {
		text = firstLine(cause)
	}
	o := steps.Fail(steps.Timeout, subHung, text)
	var h hung
	if !errors.As(cause, &h) {
		o.Sub = "deadline"
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		o.Category, o.Sub = steps.Interrupted, ""
	}
	switch stage {
	case "script":
		o.Warnings = append(o.Warnings, "the page's script was stopped")
	case "page":
		o.Warnings = append(o.Warnings, "the page was closed")
	case "browser":
		o.Warnings = append(o.Warnings, "the browser did not react and was killed")
	case "driver":
		o.Warnings = append(o.Warnings, "the browser driver did not react and was killed")
	}
	if mark, _ := r.state(); mark == steps.MaybeSent {
		o.NextActions = append(o.NextActions, steps.NextAction{ID: "inspect-current-page-after-timeout",
			Reason: "the row may or may not have changed the page: look before it is sent again", Row: []string{"snapshot", "-i"}})
	}
	return o
}

// finish completes an observation: times, argv, where the page is. It costs no call unless the row failed.
func (s *session) finish(ctx context.Context, r *row, o steps.Observation) steps.Observation {
	o.Started, o.Took = r.started, time.Since(r.started)
	if o.Argv == nil {
		o.Argv = r.a.Argv
	}
	mark, _ := r.state()
	switch {
	case o.Success, mark == steps.NotSent && o.Category != steps.Timeout:
		if o.Success {
			mark = steps.Answered
		}
	case o.Category != steps.Timeout && o.Category != steps.Crash && o.Category != steps.Interrupted:
		mark = steps.Answered
	}
	o.Sent = mark
	r.mu.Lock()
	o.Warnings = append(r.warn, o.Warnings...)
	r.mu.Unlock()
	if t := s.active(); t != nil {
		o.Page.URL = t.page.URL()
		if !o.Success && s.fate(nil) == nil && s.talk.current() == nil {
			o.Page.Title = s.title(ctx, 200*time.Millisecond)
		}
	}
	return o
}

// stays is the time an expect row must go on to hold.
func stays(a argv.Args) time.Duration { return a.Duration("--stays", 0) }
