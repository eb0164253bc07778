package browser

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// keepDialogs is how many answered dialogs are kept for `expect dialog`.
const keepDialogs = 100

// dialogs are what the page asked: the one that is held, and those that were answered for the user.
type dialogs struct {
	mu      sync.Mutex
	held    playwright.Dialog
	heldSeq uint64
	log     []dialogEntry
	all     []steps.Dialog // the newest, however they were answered
	count   uint64
	press   chan struct{} // of the click under way, closed when a dialog is held; nil: none
	opened  chan struct{} // gets a value when a dialog is held
}

// dialogEntry is one dialog that was accepted on its own: alert and beforeunload.
type dialogEntry struct {
	kind, message string
	met           bool // an expect row saw it
}

func (d *dialogs) init() { d.opened = make(chan struct{}, 1) }

// onDialog accepts alerts and beforeunload, and holds confirm and prompt until a dialog row answers. It runs in a
// goroutine of the library's, so it may call the driver.
func (s *session) onDialog(d playwright.Dialog) {
	kind := d.Type()
	t := &s.talk
	t.mu.Lock()
	t.note(kind, bounded(d.Message()))
	if kind == "confirm" || kind == "prompt" {
		t.held, t.heldSeq = d, t.count
		if t.press != nil {
			close(t.press)
			t.press = nil
		}
		select {
		case t.opened <- struct{}{}:
		default:
		}
		t.mu.Unlock()
		return
	}
	if len(t.log) >= keepDialogs {
		t.log = append(t.log[:0:0], t.log[1:]...)
	}
	t.log = append(t.log, dialogEntry{kind: kind, message: bounded(d.Message())})
	t.mu.Unlock()
	_ = d.Accept()
}

// note keeps what was asked.
func (t *dialogs) note(kind, text string) {
	if len(t.all) >= keepDialogs {
		t.all = append(t.all[:0:0], t.all[1:]...)
	}
	t.count++
	t.all = append(t.all, steps.Dialog{Kind: kind, Text: text, Seq: t.count})
}

// since gives the dialogs after a number; of several the last can be the one that is held.
func (t *dialogs) since(n uint64) []steps.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []steps.Dialog
	for _, d := range t.all {
		if d.Seq > n {
			d.Held = t.held != nil && d.Seq == t.heldSeq
			out = append(out, d)
		}
	}
	return out
}

// current gives the held dialog, or nil.
func (t *dialogs) current() playwright.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.held
}

// take gives the held dialog and forgets it.
func (t *dialogs) take() playwright.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := t.held
	t.held = nil
	select {
	case <-t.opened:
	default:
	}
	return d
}

// heldNow gives a channel that is closed when a dialog is held from now on.
func (t *dialogs) heldNow() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.press = make(chan struct{})
	return t.press
}

// describe says what a dialog asks.
func describe(d playwright.Dialog) string { return fmt.Sprintf("%s %q", d.Type(), d.Message()) }

// blocked is the failure of a row that needs the page while a dialog is held.
func blocked(d playwright.Dialog) error {
	p := problem(steps.DialogBlocked, "dialog-blocked", "a "+describe(d)+" dialog is open and blocks the page",
		next("accept-dialog-after-timeout", "answer it with OK", "dialog", "accept"),
		next("dismiss-dialog-after-timeout", "answer it with Cancel", "dialog", "dismiss"))
	p.obs.Detail = &steps.Detail{Dialog: describe(d)}
	return p
}

// waitDialog waits until a dialog is held.
func (s *session) waitDialog(ctx context.Context, r *row) playwright.Dialog {
	for {
		if d := s.talk.current(); d != nil || !r.pause(ctx, 20*time.Millisecond) {
			return d
		}
	}
}

// DismissDialog answers a held dialog with Cancel; it tells whether there was one. The runner calls it before cleanup.
func (s *session) DismissDialog(ctx context.Context) bool {
	d := s.talk.take()
	if d == nil {
		return false
	}
	s.within(ctx, time.Second, func() { _ = d.Dismiss() })
	return true
}

func dialogStatus(_ context.Context, s *session, _ *row) (steps.Observation, error) {
	d := s.talk.current()
	data := map[string]any{"hasDialog": d != nil}
	if d != nil {
		data["type"], data["message"], data["defaultPrompt"] = d.Type(), d.Message(), d.DefaultValue()
	}
	return steps.OK(data, "hasDialog"), nil
}

func dialogAccept(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return answerDialog(ctx, s, r, true)
}

func dialogDismiss(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return answerDialog(ctx, s, r, false)
}

func answerDialog(ctx context.Context, s *session, r *row, accept bool) (steps.Observation, error) {
	if s.waitDialog(ctx, r) == nil {
		return steps.Observation{}, problem(steps.NotFound, "no-dialog", "no dialog is open: waited "+r.waited())
	}
	d := s.talk.take()
	if d == nil {
		return steps.Observation{}, problem(steps.NotFound, "no-dialog", "the dialog closed by itself")
	}
	data := map[string]any{"handled": true, "accepted": accept, "type": d.Type(), "message": d.Message()}
	r.sent()
	var err error
	switch {
	case !accept:
		err = d.Dismiss()
	case len(r.a.Operands) > 0 && d.Type() == "prompt":
		err = d.Accept(r.op(0))
	case len(r.a.Operands) > 0:
		return steps.Observation{}, problem(steps.Validation, "no-prompt", "a "+d.Type()+" dialog takes no text")
	default:
		err = d.Accept()
	}
	return steps.OK(data, "message"), err
}
