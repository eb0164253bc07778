package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// settleTime is how long the page may take to say what it has to say before a verdict.
const settleTime = 250 * time.Millisecond

// A page that was left alone for calm has drawn what the last row changed: its next frame need not be waited for.
const calm = 50 * time.Millisecond

// barrier waits for the page's tasks that are due; what they report is in the rings when it returns.
const barrier = `new Promise(f => setTimeout(f))`

// settle is a barrier behind the page's next frame.
const settle = `new Promise(f => { const t = setTimeout(f, 200); requestAnimationFrame(() => setTimeout(() => { clearTimeout(t); f(0) }, 0)) })`

// Mark gives the position of the rings now; it costs nothing. Signals since a mark are those of the rows after it.
func (s *session) Mark() steps.Mark {
	s.talk.mu.Lock()
	asked := s.talk.count
	s.talk.mu.Unlock()
	l := &s.rings
	l.mu.Lock()
	defer l.mu.Unlock()
	return steps.Mark{Console: l.console.last, Errors: l.errors.last, Network: l.network.last, Faults: l.faults.seq, Dialogs: asked,
		Row: l.faults.row}
}

// Signals settles the page and reads what happened since a mark.
func (s *session) Signals(ctx context.Context, since steps.Mark) (steps.Signals, steps.Mark) {
	if s.fate(nil) == nil && s.talk.current() == nil {
		wait := settle
		if time.Since(s.changed) > calm {
			wait = barrier
		}
		if s.bare() {
			s.within(ctx, settleTime, func() { _, _ = s.evaluateBare(ctx, s.active(), wait) })
		} else if cdp := s.active().session(); cdp != nil {
			s.within(ctx, settleTime, func() {
				_, _ = s.send(ctx, cdp, "Runtime.evaluate", map[string]any{"expression": wait, "awaitPromise": true, "returnByValue": true})
			})
		}
	}
	return s.Seen(since), s.Mark()
}

// Seen reads what the page has told since a mark.
func (s *session) Seen(since steps.Mark) steps.Signals {
	out := steps.Signals{Dialogs: s.talk.since(since.Dialogs)}
	l := &s.rings
	l.mu.Lock()
	home := host(s.o.BaseURL)
	if home == "" {
		home = l.faults.home
	}
	out.Faults, out.Lost = l.faults.since(since.Faults)
	l.mu.Unlock()
	for i := range out.Faults {
		out.Faults[i].Site = siteOf(home, out.Faults[i].URL)
	}
	out.Dropped = out.Lost.Console + out.Lost.Errors + out.Lost.Network
	return out
}

// words say a request and how it ended.
func (e *netEntry) words() string {
	if e.failed {
		return fmt.Sprintf("%s %s: %s", e.method, e.url, e.failure)
	}
	return fmt.Sprintf("%s %s answered %d (%s)", e.method, e.url, e.status, e.kind)
}

// partTime is how long each part of the evidence may take, and hastyTime how long where the time for it is over already; none
// delays another beyond it. A page that is well gives both in a moment, on a busy machine in some more.
const (
	partTime  = 3 * time.Second
	hastyTime = time.Second
	keepTail  = 50 // lines of console and network
)

// forPart gives a part of the evidence its time.
func forPart(ctx context.Context) (context.Context, time.Duration) {
	if ctx.Err() != nil {
		return context.WithoutCancel(ctx), hastyTime
	}
	return ctx, partTime
}

// Evidence shows the page of a failed attempt.
func (s *session) Evidence(ctx context.Context) steps.Evidence {
	var ev steps.Evidence
	s.logTail(&ev)
	t := s.active()
	if t == nil {
		ev.Problems = append(ev.Problems, "there was no page")
		return ev
	}
	ev.URL = t.page.URL()
	if d := s.fate(nil); d != nil {
		ev.Problems = append(ev.Problems, "no screenshot and no snapshot: "+d.text)
		return ev
	}
	ctx, most := forPart(ctx)
	if d := s.talk.current(); d != nil {
		ev.Problems = append(ev.Problems, "no screenshot and no snapshot: a "+describe(d)+" dialog blocks the page")
		return ev
	}
	if !s.o.Record.NoScreenshot {
		shot, err := s.Picture(ctx)
		ev.Screenshot = shot
		problemOf(&ev, "screenshot", err)
	}
	limit := float64(most.Milliseconds())
	trees := make(chan part, 1)
	if s.within(ctx, most, func() {
		text, err := s.aria(ctx, &limit)
		trees <- part{nil, withoutRefs(text), err}
	}) {
		p := take(trees)
		ev.Snapshot = p.text
		problemOf(&ev, "snapshot", p.err)
	} else {
		ev.Problems = append(ev.Problems, "no snapshot: the page did not give one within "+span(most))
	}
	ev.Title = s.title(context.WithoutCancel(ctx), 200*time.Millisecond)
	return ev
}

// part is one part of the evidence.
type part struct {
	bytes []byte
	text  string
	err   error
}

func take(c chan part) part {
	select {
	case p := <-c:
		return p
	default:
		return part{err: fmt.Errorf("the call panicked")}
	}
}

// logTail gives the newest lines of console, errors and network.
func (s *session) logTail(ev *steps.Evidence) {
	l := &s.rings
	l.mu.Lock()
	defer l.mu.Unlock()
	messages, _ := l.console.since(0)
	for _, e := range messages[max(0, len(messages)-keepTail):] {
		ev.Console = append(ev.Console, fmt.Sprintf("%s: %s%s", e.kind, e.text, place(e.url, e.line)))
	}
	uncaught, _ := l.errors.since(0)
	for _, e := range uncaught[max(0, len(uncaught)-keepTail):] {
		ev.Console = append(ev.Console, fmt.Sprintf("uncaught %s%s", e.message(), place(e.url, e.line)))
	}
	requests, _ := l.network.since(0)
	for _, e := range requests[max(0, len(requests)-keepTail):] {
		status := "pending"
		switch {
		case e.failed:
			status = e.failure
		case e.status != 0:
			status = fmt.Sprint(e.status)
		}
		ev.Network = append(ev.Network, fmt.Sprintf("%s %s %s (%s)", e.method, e.url, status, e.kind))
	}
}

func place(url string, line int) string {
	if url == "" {
		return ""
	}
	if i := strings.LastIndexByte(url, '/'); i >= 0 && len(url) > 120 {
		url = "…" + url[i:]
	}
	return fmt.Sprintf(" (%s:%d)", url, line)
}

func problemOf(ev *steps.Evidence, what string, err error) {
	if err != nil {
		ev.Problems = append(ev.Problems, "no "+what+": "+cleanError(err))
	}
}
