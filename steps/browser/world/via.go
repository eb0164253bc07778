package world

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"time"
)

// pauses are the waits between tries through a Finder; the last one repeats.
var pauses = []time.Duration{20 * time.Millisecond, 30 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond}

// pollVia waits through the driver's engines: they cannot wait for more than a match, so the tries are made from here.
func (w *World) pollVia(ctx context.Context, q Query, r request) (Answer, error) {
	end := time.Now().Add(time.Duration(left(ctx)) * time.Millisecond)
	var since time.Time
	var seen []Seen
	for try := 0; ; try++ {
		r.Token = tokenOf(w, r, try)
		a, err := w.ask(ctx, q, r)
		if err != nil && !errors.Is(err, errNotRun) && !errors.Is(err, ErrGone) {
			return Answer{Seen: seen}, err
		}
		if err != nil {
			a = Answer{Reason: Missing}
		}
		if a.Matches == 0 && r.Until != nil {
			a.Met = metNone(r, a)
		}
		seen = note(seen, r.Op, a)
		a.Seen = seen
		hold := time.Duration(0)
		if r.Until != nil {
			hold = time.Duration(r.Until.Hold) * time.Millisecond
		}
		switch {
		case r.Until == nil && !a.Refused(), a.Met && hold == 0:
			a.Met = true
			return a, nil
		case !a.Met:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) >= hold:
			return a, nil
		}
		if final(a.Reason) || !time.Now().Before(end) {
			return a, nil
		}
		if o, lies := w.overlay(ctx, q); lies && !a.Met {
			o.Detail, o.Matches, o.Visible = string(a.Reason), a.Matches, a.Visible
			return o, nil
		}
		if err := pause(ctx, w.closed, pauses[min(try, len(pauses)-1)]); err != nil {
			return a, nil
		}
	}
}

// overlay asks whether one of the overlays of a query is visible.
func (w *World) overlay(ctx context.Context, q Query) (Answer, bool) {
	if len(q.over) == 0 {
		return Answer{}, false
	}
	a, err := w.ask(ctx, Query{json: []byte("null")}, request{Op: Op{Name: "over"}, Over: q.over})
	if err != nil || !a.True {
		return Answer{}, false
	}
	return Answer{Reason: Overlay, Index: a.Index}, true
}

// Lying tells whether one of the overlays of a query is visible now, and which.
func (w *World) Lying(ctx context.Context, q Query) (index int, lies bool) {
	a, lies := w.overlay(ctx, q)
	return a.Index, lies
}

// tokenOf keeps the token of a click and makes a new one for each try of anything else.
func tokenOf(w *World, r request, try int) string {
	if r.Name == "arm" {
		return r.Token
	}
	return w.token()
}

// metNone is what the script would say of a reading that matched nothing.
func metNone(r request, a Answer) bool {
	u := r.Until
	if a.Outside() {
		return false
	}
	switch u.Compare {
	case "":
		return !a.Refused()
	case "scope":
		return true
	case "changed":
		return a.Key(r.Op) != u.Want
	case "count":
		return countIs(u.Want, a.Matches) != u.Not
	case "true":
		return a.True && !u.Not
	}
	return false
}

// countIs compares n with "OP N".
func countIs(want string, n int) bool {
	m := countForm.FindStringSubmatch(want)
	if m == nil {
		return false
	}
	w, err := strconv.Atoi(m[2])
	if err != nil {
		return false
	}
	switch m[1] {
	case "!=":
		return n != w
	case "<":
		return n < w
	case "<=":
		return n <= w
	case ">":
		return n > w
	case ">=":
		return n >= w
	}
	return n == w
}

var countForm = regexp.MustCompile(`^\s*(==|!=|<=|>=|<|>)?\s*(\d+)\s*$`)

func final(s Reason) bool {
	switch s {
	case BadTarget, NotThis, Malformed, InFrame, Already, Unfocused, ReadOnly, NoWorld:
		return true
	}
	return false
}

// note adds a reading to what was seen.
func note(seen []Seen, op Op, a Answer) []Seen {
	if op.mutate {
		return nil
	}
	k := a.Key(op)
	if n := len(seen); n > 0 && seen[n-1].Value == k {
		seen[n-1].Times++
		return seen
	}
	return append(seen, Seen{Value: k, Times: 1})
}

func pause(ctx context.Context, closed <-chan struct{}, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}
