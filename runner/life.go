package runner

import (
	"context"
	"sync"
	"time"
)

// stage is what a context is for. After a stop each stage has its own end, in this order (DECISIONS 22).
type stage uint8

const (
	running  stage = iota // tests, setup
	evidence              // of running tests: 2 s
	cleaning              // finally, after_each, teardown: 5 s more
	closing               // browsers and services: 2 s more
	stages
)

func (s stage) String() string {
	return [...]string{"run tests", "take evidence", "clean up", "end browsers and services"}[s]
}

// grace is when each stage ends after a stop. One second of the ten is left for the reports.
var grace = [stages]time.Duration{running: 0, evidence: 2 * time.Second, cleaning: 7 * time.Second, closing: 9 * time.Second}

// life hands out contexts that end with their stage. It keeps functions to cancel them, not the contexts: whoever works
// has its own context, and life needs no goroutine to end it.
type life struct {
	mu     sync.Mutex
	why    error         // of the stop
	over   [stages]error // of stages that have ended
	leases [stages]map[*lease]struct{}
	timers []*time.Timer
}

// spent is the limit of what has no time left; 0 is no limit.
const spent = time.Nanosecond

// lease is one context that life handed out, with its own limit. The limit can be held, so that what is not the test's
// fault does not count as its time.
type lease struct {
	life   *life
	stage  stage
	cancel context.CancelCauseFunc
	why    error

	mu    sync.Mutex
	timer *time.Timer // nil: no limit
	left  time.Duration
	since time.Time
	held  int
}

// enter gives a context of a stage that ends after d with the cause why; 0 is no limit of its own. It keeps the values of
// ctx and nothing else of it. The lease must be ended.
func (l *life) enter(ctx context.Context, st stage, d time.Duration, why error) (context.Context, *lease) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	le := &lease{life: l, stage: st, cancel: cancel, why: why, left: d}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.over[st]; err != nil {
		cancel(err)
		return ctx, le
	}
	if l.leases[st] == nil {
		l.leases[st] = map[*lease]struct{}{}
	}
	l.leases[st][le] = struct{}{}
	if d > 0 {
		le.since = time.Now()
		le.timer = time.AfterFunc(d, func() { cancel(why) })
		if d <= spent { // nothing may be sent in the moment until a timer fires
			cancel(why)
		}
	}
	return ctx, le
}

// end releases the context.
func (le *lease) end() {
	le.mu.Lock()
	if le.timer != nil {
		le.timer.Stop()
	}
	le.mu.Unlock()
	le.life.mu.Lock()
	delete(le.life.leases[le.stage], le)
	le.life.mu.Unlock()
	le.cancel(context.Canceled)
}

// hold stops the clock of the limit until resume.
func (le *lease) hold() {
	if le == nil || le.timer == nil {
		return
	}
	le.mu.Lock()
	defer le.mu.Unlock()
	if le.held++; le.held > 1 {
		return
	}
	if le.timer.Stop() {
		le.left -= time.Since(le.since)
	} else {
		le.left = 0
	}
}

// resume starts the clock again.
func (le *lease) resume() {
	if le == nil || le.timer == nil {
		return
	}
	le.mu.Lock()
	defer le.mu.Unlock()
	if le.held--; le.held == 0 {
		le.since = time.Now()
		le.timer.Reset(max(le.left, spent)) // one that ran out in the very moment of the hold still ends
	}
}

// stop begins an orderly stop: running ends now, the other stages one after the other. Only the first call counts.
func (l *life) stop(why error) {
	l.mu.Lock()
	if l.why != nil {
		l.mu.Unlock()
		return
	}
	l.why = why
	for st := evidence; st < stages; st++ {
		l.timers = append(l.timers, time.AfterFunc(grace[st], func() { l.finish(st, &graceOver{st}) }))
	}
	l.mu.Unlock()
	l.finish(running, why)
}

// abort ends every stage at once.
func (l *life) abort(why error) {
	l.stop(why)
	for st := evidence; st < stages; st++ {
		l.finish(st, why)
	}
}

func (l *life) finish(st stage, why error) {
	l.mu.Lock()
	if l.over[st] != nil {
		l.mu.Unlock()
		return
	}
	l.over[st] = why
	open := l.leases[st]
	l.leases[st] = nil
	l.mu.Unlock()
	for le := range open {
		le.cancel(why)
	}
}

// stopped gives the cause of the stop, or nil.
func (l *life) stopped() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// close ends the timers of a stop.
func (l *life) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.timers {
		t.Stop()
	}
}
