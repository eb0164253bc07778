// Package world is the fast path to the page: an isolated JavaScript world of our own, installed at document start over
// the page's CDP session, that finds elements and acts on them in one driver call.
//
// A row costs the calls it must cost and no more: a read, a fill or a state is one call, a click is two (arm, press).
// A click is judged by what the page's own event saw, not by what was checked before it: the listener of this world is
// the first in every window, decides on the first trusted event of the gesture, lets a hit pass, stops a miss before any
// handler of the page sees it, and reports through a binding that the page cannot see. Nothing is ever sent twice.
//
// The package knows no driver library; it talks through CDP, Mouse and Finder, which the caller adapts.
package world

import (
	"context"
	"encoding/json"
	"time"

	"github.com/checkrow/checkrow/steps/target"
)

// CDP is the CDP session of one page. Send blocks until the answer is there; On registers a handler that only appends.
type CDP interface {
	Send(method string, params map[string]any) (any, error)
	On(event string, fn func(map[string]any))
}

// Mouse moves to a point of the main frame's viewport and clicks there with the left button, count times, as one driver
// call that returns when the browser has dealt with the last event.
type Mouse interface {
	Click(x, y float64, count int) error
}

// Finder appends suffix to a locator (`locator >> suffix`), reads the attribute "v" of what that finds, and gives it
// back: for targets that only the driver's own engines can resolve (role, ref, text, frames of other origins). patience
// is the timeout to give the driver for finding a match; when there is none in that time the error wraps ErrNoMatch.
type Finder func(ctx context.Context, suffix string, patience time.Duration) (string, error)

// Attach installs the world on a page that has not been navigated yet; three calls that travel together. For a page
// that is already somewhere (a popup) the first call installs what is missing.
func Attach(cdp CDP, mouse Mouse) (*World, error) { return attach(cdp, mouse) }

// Close releases what the world waits for; calls in flight end with ErrClosed. Presses that the driver has not answered
// yet (a held dialog) end when the page does; Drained tells when.
func (w *World) Close() { w.close() }

// Drained is closed once no press is in flight any more.
func (w *World) Drained() <-chan struct{} { return w.drained() }

// Query is a compiled way to an element. The zero value matches nothing.
type Query struct {
	json json.RawMessage // for the world itself: frames and parts
	via  Finder          // for the driver's engines
	over json.RawMessage // a list of queries: overlays
}

// Compile makes a query that the world resolves by itself: all engines of the grammar but refs and some roles of table
// cells. The frames are the iframes around the element, outermost first. ok is false for what only Via can resolve; and
// an Answer with Reason InFrame says at run time that Via must be used.
func Compile(t target.Target, frames ...target.Target) (q Query, ok bool) { return compile(t, frames) }

// Via makes a query that the driver's engines resolve, all ops and waits included. The engine ProbeName with the source
// Probe() must be registered with the driver as a content script.
func Via(f Finder) Query { return Query{via: f} }

// ProbeName is the name under which Probe() must be registered.
const ProbeName = "crprobe"

// Probe is the source of the selector engine that hands an element over to this world.
func Probe() string { return probeSource() }

// Do performs one op once, without waiting, in one driver call. Reads take the first match and are sent again when the
// document was replaced under them; ops that change the page need exactly one visible match, else Answer.Reason says why
// nothing was done. A document that goes away under a change is ErrGone: nobody knows how far it came.
func (w *World) Do(ctx context.Context, q Query, op Op) (Answer, error) { return w.do(ctx, q, op) }

// Wait performs op once the element is ready for it, or until the value of a read is as u asks. It polls inside the
// page, so it is one call as a rule; it survives navigations. It ends at the deadline of ctx, less a margin for the way
// back, with the last answer: Reason says what was missing, Met tells whether it was fulfilled.
func (w *World) Wait(ctx context.Context, q Query, op Op, u Until) (Answer, error) {
	return w.wait(ctx, q, op, u)
}

// Click waits until the one visible match can be clicked, clicks it and judges the click. Two driver calls as a rule.
func (w *World) Click(ctx context.Context, q Query, o ClickOptions) (Click, error) {
	return w.click(ctx, q, o)
}

// ClickOptions are the variations of a click; the zero value is a single click that does not wait.
type ClickOptions struct {
	Count int           // 2: double click
	Wait  time.Duration // how long to wait for the target to become ready; bounded by ctx
	First bool          // not strict: of several visible matches take the first
	// Want makes it check ("true") or uncheck ("false"): nothing is pressed if the box is as wanted already, and
	// Answer.Checked says how it is afterwards.
	Want *bool
	// Held is closed (or sent to) when the page opens a dialog that nobody answers: Click then returns with Held set
	// instead of blocking until somebody does.
	Held <-chan struct{}
}

// Verdict is what became of a click.
type Verdict uint8

// The verdicts. Only NotSent and Missed may be tried again, or given to the driver's own click: in both nothing of the
// page has seen a press.
const (
	NotSent Verdict = iota // no press was made; Answer.Reason says why, or Already for check
	Hit                    // the press reached the element, and a click followed
	Pressed                // the press reached the element; no click followed (re-rendered, dragged away): success, warn
	Missed                 // the press would have reached something else (Answer.Detail); it was stopped before any handler
	Unknown                // pressed, but no event was seen: another document or frame may have got it; never repeat
)

// Click is the outcome of a click. Held tells that the page holds a dialog and the press is still in flight; Gone that
// the document was replaced before it could say how a box is afterwards.
type Click struct {
	Verdict Verdict
	Answer  Answer
	Held    bool
	Gone    bool
	Aimed   bool // in a bare world: all is ready for the press, which the driver has to make
}

// Fallback tells that the driver's own click may be used: nothing was delivered, and the reason is one that another way
// could overcome (frames of other origins, a scaled viewport) or judge in its own words.
func (c Click) Fallback() bool { return c.fallback() }
