package world

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// gesture is what the binding has told about one click. The world's lock guards it.
type gesture struct {
	token   string
	first   string // hit or miss
	clicked bool
	state   string        // "true" or "false" once a box has told its state after the click
	news    chan struct{} // one signal for each report
}

func (g *gesture) told(what string) {
	switch word, rest, _ := strings.Cut(what, " "); word {
	case "hit", "miss":
		g.first = word
	case "click":
		g.clicked = true
	case "checked":
		g.state = rest
	}
	select {
	case g.news <- struct{}{}:
	default:
	}
}

// grace is how long a report may lag behind the answer to the press before the page is asked; of 320 measured 17 lagged,
// the longest 1.3 ms.
const grace = 4 * time.Millisecond

// stateGrace is the same for the state of a box, which is told one task later.
const stateGrace = 25 * time.Millisecond

func (w *World) click(ctx context.Context, q Query, o ClickOptions) (Click, error) {
	if w.bare != nil {
		return w.aim(ctx, q, o)
	}
	g := &gesture{token: w.token(), news: make(chan struct{}, 1)}
	w.mu.Lock()
	w.waiting = g
	w.mu.Unlock()
	a, err := w.arm(ctx, q, g.token, o)
	if err != nil || a.Reason != OK {
		return Click{Verdict: NotSent, Answer: a}, err
	}
	pressed := make(chan error, 1)
	w.presses.Go(func() { pressed <- w.mouse.Click(a.X, a.Y, max(1, o.Count)) })
	c := Click{Answer: a}
	select {
	case err = <-pressed:
		if err != nil {
			err = fmt.Errorf("pressing the mouse: %w", err)
		}
	case <-o.Held:
		c.Held = true
	case <-w.closed:
		err = ErrClosed
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if c.Held || err != nil {
		c.Verdict = w.seen(g)
		if c.Verdict != Pressed && c.Verdict != Hit {
			w.abandon(g.token)
		}
		return c, err
	}
	return w.judge(ctx, g, c, o)
}

// abandon takes the listeners off a press that nobody waits for any more, so that they do not judge another one.
func (w *World) abandon(token string) {
	w.mu.Lock()
	id := w.current
	w.mu.Unlock()
	w.presses.Go(func() {
		// Without an answer the document is gone, or the arm ends by its own clock.
		_, _ = w.cdp.Send("Runtime.evaluate", map[string]any{
			"expression": `__cr.run({op: "verdict", t: "` + token + `"})`, "uniqueContextId": id})
	})
}

// arm waits until the target can be pressed and sets the listeners on it.
func (w *World) arm(ctx context.Context, q Query, token string, o ClickOptions) (Answer, error) {
	r := request{Op: Op{Name: "arm", Loose: o.First, mutate: true}, Token: token, Count: o.Count, Want: o.Want}
	r.Life = left(ctx)
	if o.Wait <= 0 {
		for {
			a, err := w.ask(ctx, q, r)
			// An arm that went with its document did nothing to the next one.
			if ctx.Err() == nil && (errors.Is(err, errNotRun) || errors.Is(err, ErrGone)) {
				continue
			}
			return a, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	return w.poll(ctx, q, r)
}

// seen is the verdict on what the binding has told so far.
func (w *World) seen(g *gesture) Verdict {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case g.clicked:
		return Hit
	case g.first == "hit":
		return Pressed
	case g.first == "miss":
		return Missed
	}
	return Unknown
}

// judge finds the verdict on a press that was answered: from the binding as a rule, else by asking the page, whose
// answer cannot come before its reports.
func (w *World) judge(ctx context.Context, g *gesture, c Click, o ClickOptions) (Click, error) {
	if w.await(ctx, g, o.Want != nil) {
		c.Verdict = Hit
		w.mu.Lock()
		c.Answer.Checked = g.state == "true"
		w.mu.Unlock()
		return c, nil
	}
	v, err := w.ask(ctx, Query{json: []byte("null")}, request{Op: Op{Name: "verdict"}, Token: g.token})
	c.Verdict = w.seen(g)
	// A document that knows nothing of a press that was reported is another one.
	other := err == nil && v.First == "" && (c.Verdict == Hit || c.Verdict == Pressed)
	gone := other || errors.Is(err, errNotRun) || errors.Is(err, ErrGone)
	switch {
	case gone:
		// The document was replaced: what it reported before is all there is to know.
		c.Gone = true
		c.Gone = true
		if c.Verdict == Pressed {
			c.Verdict = Hit
		}
		return c, nil
	case err != nil:
		return c, err
	}
	switch {
	case v.First == "hit" && v.Click:
		c.Verdict = Hit
	case v.First == "hit":
		c.Verdict = Pressed
	case v.First == "miss":
		c.Verdict = Missed
	}
	c.Answer.Checked = v.Checked
	if v.Detail != "" {
		c.Answer.Detail = v.Detail
	}
	return c, nil
}

// await waits a moment for the report of the click (and of the box's state after it), unless a miss was told.
func (w *World) await(ctx context.Context, g *gesture, state bool) bool {
	wait := grace
	if state {
		wait = stateGrace
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		w.mu.Lock()
		done, miss := g.clicked && (!state || g.state != ""), g.first == "miss"
		w.mu.Unlock()
		if done || miss {
			return done
		}
		select {
		case <-g.news:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		case <-w.closed:
			return false
		}
	}
}

// fallback: what the driver may overcome in its own way, or judge in its own words. A wrong kind of element, several
// matches or a bad selector are the same for it, and waiting again would only cost time.
func (c Click) fallback() bool {
	switch c.Verdict {
	case Missed:
		return true
	case NotSent:
		switch c.Answer.Reason {
		case InFrame, NoWorld, Moving, Offscreen, Unfocused:
			return true
		}
	}
	return false
}
