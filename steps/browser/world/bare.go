package world

import (
	"context"
	"strings"
	"sync"
)

// bare is the way of a world without a CDP session: it lives in the driver's own isolated world, where its script comes
// with a selector engine, and everything is asked through the driver.
type bare struct {
	root   Finder                  // to the root element of the main frame
	insert func(text string) error // into the field that has the focus
}

// Bare makes a world for a page whose browser speaks no CDP. It finds, reads, fills and waits as any other, at the price
// of polling from here; a click it only prepares, and leaves to the driver: see Click.Fallback. The engine SelfName with
// the source Self() must be registered with the driver as a content script; every Finder must be one of this browser.
func Bare(root Finder, insert func(text string) error) *World {
	return &World{bare: &bare{root, insert}, unique: map[int]string{}, changed: make(chan struct{}), closed: make(chan struct{})}
}

// SelfName is the name under which Self() must be registered.
const SelfName = "crself"

// Self is the source of the selector engine that brings the script of the world along.
var Self = sync.OnceValue(func() string {
	probe := probeSource()
	at := strings.Index(probe, "queryAll(root, s) {")
	if at < 0 {
		panic("the probe has no queryAll") // embedded at build time
	}
	at += len("queryAll(root, s) {")
	return probe[:at] + "\nif (!globalThis.__cr) " + coreSource() + ";" + probe[at:]
})

// engine is the selector engine that the world's requests go through.
func (w *World) engine() string {
	if w.bare != nil {
		return SelfName
	}
	return ProbeName
}

// aim waits until the target can be pressed, as a click does, and leaves the press to the driver.
func (w *World) aim(ctx context.Context, q Query, o ClickOptions) (Click, error) {
	r := request{Op: Op{Name: "point", Loose: o.First, mutate: true}, Want: o.Want}
	var a Answer
	var err error
	if o.Wait > 0 {
		limited, cancel := context.WithTimeout(ctx, o.Wait)
		defer cancel()
		a, err = w.pollVia(limited, q, r)
	} else {
		a, err = w.ask(ctx, q, r)
	}
	c := Click{Verdict: NotSent, Answer: a, Aimed: err == nil && a.Reason == OK}
	if c.Aimed {
		c.Answer.Reason = NoWorld
	}
	return c, err
}
