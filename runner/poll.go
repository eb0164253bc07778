package runner

import (
	"context"
	"time"
)

// polls are the moments of the first reads, counted from the first; then every 500 ms (LANGUAGE §4).
var polls = []time.Duration{0, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond}

const pollEvery = 500 * time.Millisecond

// poller says when to read again.
type poller struct {
	within, every time.Duration
	since         time.Time
	n             int
}

// next waits for the next moment; false if there is none within the limit or ctx has ended. The last read is at the limit
// itself, so that what becomes true late in the window is seen.
func (p *poller) next(ctx context.Context) bool {
	p.n++
	at := time.Duration(p.n) * p.every
	if p.every <= 0 {
		at = polls[len(polls)-1] + time.Duration(p.n-len(polls)+1)*pollEvery
		if p.n < len(polls) {
			at = polls[p.n]
		}
	}
	now := time.Since(p.since)
	if now >= p.within || p.within <= 0 {
		return false
	}
	return pause(ctx, min(max(at, now), p.within)-now)
}

// pause waits; false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
