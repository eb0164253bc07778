package world

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// request is one call to the script.
type request struct {
	Op
	Query json.RawMessage `json:"q,omitempty"`
	Wait  int64           `json:"w,omitempty"` // ms to poll
	Until *Until          `json:"u,omitempty"`
	Token string          `json:"t,omitempty"`
	Count int             `json:"count,omitempty"`
	Want  *bool           `json:"want,omitempty"`
	Life  int64           `json:"life,omitempty"` // ms after which an arm no longer counts
	Over  json.RawMessage `json:"ov,omitempty"`   // overlays to look for
	Root  bool            `json:"root,omitempty"` // of a bare world: the query is the script's, not the driver's
}

const (
	// margin is the time kept for the answer's way back when the page is told how long it may wait.
	margin = 30 * time.Millisecond
	// patience is how long a Finder may look at most. There is always a match, the document's head, so that it does not
	// wait as a rule; but the driver's first look at a document can take long on a busy machine.
	patience = 10 * time.Second
	// leastLook is how long a bare world may look at least.
	leastLook = 500 * time.Millisecond
)

func (w *World) token() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens++
	return "t" + strconv.Itoa(w.tokens)
}

// ask sends one request and reads the answer.
func (w *World) ask(ctx context.Context, q Query, r request) (Answer, error) {
	var text string
	var err error
	switch {
	case q.via != nil:
		text, err = w.probe(ctx, q.via, r)
	case w.bare != nil:
		r.Query, r.Wait, r.Root = q.json, 0, true
		text, err = w.probe(ctx, w.bare.root, r)
	default:
		r.Query = q.json
		if r.Wait > 0 {
			r.Over = q.over
		}
		data, jerr := json.Marshal(r)
		if jerr != nil {
			return Answer{}, fmt.Errorf("encoding a request: %w", jerr)
		}
		text, err = w.evaluate(ctx, "__cr.run("+string(data)+")", r.Wait > 0)
	}
	if errors.Is(err, errNoWorld) {
		return Answer{Reason: InFrame, Detail: err.Error()}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	return Answered(text)
}

// probe asks through a locator of the driver. The request is encoded so that no selector grammar can misread it.
func (w *World) probe(ctx context.Context, find Finder, r request) (string, error) {
	if r.Token == "" {
		r.Token = w.token()
	}
	data, err := json.Marshal(map[string]any{"k": secret(), "o": r})
	if err != nil {
		return "", fmt.Errorf("encoding a request: %w", err)
	}
	look := min(patience, time.Duration(left(ctx))*time.Millisecond)
	if w.bare != nil { // there is a match always: what takes time is the driver, and a last look must not miss it
		look = max(look, leastLook)
	}
	text, err := find(ctx, `internal:or="head" >> `+w.engine()+"="+base64.StdEncoding.EncodeToString(data), look)
	if errors.Is(err, ErrNoMatch) {
		return noMatch(r.Op), nil
	}
	return text, err
}

// noMatch is the answer of an op whose locator found nothing.
func noMatch(op Op) string {
	switch {
	case op.Name == "count", op.Name == "describe":
		return `{}`
	case op.Name == "is" && (op.Text == string(Hidden) || op.Text == string(Detached)):
		return `{"s":"missing","b":true}`
	}
	return `{"s":"missing"}`
}

func (w *World) do(ctx context.Context, q Query, op Op) (Answer, error) {
	for {
		a, err := w.ask(ctx, q, request{Op: op})
		again := errors.Is(err, errNotRun) || (errors.Is(err, ErrGone) && !op.mutate)
		if !again || ctx.Err() != nil {
			return w.typed(op, a, err)
		}
	}
}

// typed completes a fill that the script has prepared for an editor: it is focused, its content selected.
func (w *World) typed(op Op, a Answer, err error) (Answer, error) {
	if err != nil || a.Reason != "type" {
		return a, err
	}
	insert := func() error {
		_, err := w.cdp.Send("Input.insertText", map[string]any{"text": op.Text})
		return err
	}
	if w.bare != nil {
		insert = func() error { return w.bare.insert(op.Text) }
	}
	if err := insert(); err != nil {
		return a, fmt.Errorf("inserting text: %w", err)
	}
	a.Reason, a.Value = OK, op.Text
	return a, nil
}

// left is the time until the deadline of ctx, less the margin, in ms; one minute without a deadline, one at least.
func left(ctx context.Context) int64 {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Minute.Milliseconds()
	}
	return max(1, (time.Until(end) - margin).Milliseconds())
}

func (w *World) wait(ctx context.Context, q Query, op Op, u Until) (Answer, error) {
	a, err := w.poll(ctx, q, request{Op: op, Until: &u})
	return w.typed(op, a, err)
}

// poll sends a request that waits, again after each navigation, and keeps what was seen in all documents.
func (w *World) poll(ctx context.Context, q Query, r request) (Answer, error) {
	if q.via != nil || w.bare != nil {
		return w.pollVia(ctx, q, r)
	}
	var seen []Seen
	for {
		r.Wait = left(ctx)
		a, err := w.ask(ctx, q, r)
		gone := errors.Is(err, errNotRun) || errors.Is(err, ErrGone)
		if err != nil && (!gone || ctx.Err() != nil) {
			return Answer{Reason: Missing, Seen: seen}, err
		}
		seen = append(seen, a.Seen...)
		if !gone {
			a.Seen = seen
			return a, nil
		}
	}
}
