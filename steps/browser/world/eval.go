package world

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// errNotRun tells that a request did not reach its document: it was not run and may be sent to the next one.
var errNotRun = errors.New("the document was replaced before the call")

// errNoWorld tells that a document takes no script of ours, so that only the driver can work in it.
var errNoWorld = errors.New("the document takes no script")

// settle is how long a document that has just been committed may take to report its world, before it is installed from
// here.
const settle = 50 * time.Millisecond

// evaluate runs an expression in the main frame's context, once, and gives its text.
func (w *World) evaluate(ctx context.Context, expr string, await bool) (string, error) {
	id, err := w.context(ctx)
	if err != nil {
		return "", err
	}
	r, err := w.cdp.Send("Runtime.evaluate", map[string]any{
		"expression": expr, "uniqueContextId": id, "returnByValue": true, "awaitPromise": await,
	})
	if err != nil {
		return "", w.classify(id, err)
	}
	m, _ := r.(map[string]any)
	if d, _ := m["exceptionDetails"].(map[string]any); d != nil {
		return "", fmt.Errorf("running the page world: %s", exceptionText(d))
	}
	res, _ := m["result"].(map[string]any)
	s, _ := res["value"].(string)
	return s, nil
}

// classify tells a document that went away from a call that failed.
func (w *World) classify(id string, err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "Cannot find context"), strings.Contains(text, "uniqueContextId not found"):
		w.mu.Lock()
		if w.current == id {
			w.set("") // the event that says so is on its way
		}
		w.mu.Unlock()
		return fmt.Errorf("%w: %w", errNotRun, err)
	case strings.Contains(text, "context was destroyed"), strings.Contains(text, "navigated or closed"),
		strings.Contains(text, "Promise was collected"):
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

func exceptionText(d map[string]any) string {
	if x, _ := d["exception"].(map[string]any); x != nil {
		if s, _ := x["description"].(string); s != "" {
			return s
		}
	}
	s, _ := d["text"].(string)
	return s
}

// context gives the context of the main frame, waits a moment for a document that is just coming, and installs the world
// in one that has none: an initial about:blank, or a popup that was there before the session.
func (w *World) context(ctx context.Context) (string, error) {
	timer := time.NewTimer(settle)
	defer timer.Stop()
	for installed := false; ; {
		w.mu.Lock()
		id, changed := w.current, w.changed
		w.mu.Unlock()
		if id != "" {
			return id, nil
		}
		select {
		case <-changed:
		case <-w.closed:
			return "", ErrClosed
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-timer.C:
			if installed {
				return "", errNoWorld
			}
			if err := w.install(); err != nil {
				return "", err
			}
			installed = true
			timer.Reset(settle)
		}
	}
}

// install puts the world into the document that is there now.
func (w *World) install() error {
	tree, err := w.cdp.Send("Page.getFrameTree", nil)
	if err != nil {
		return fmt.Errorf("reading the frame tree: %w", err)
	}
	m, _ := tree.(map[string]any)
	if t, _ := m["frameTree"].(map[string]any); t != nil {
		m = t
	}
	frame, _ := m["frame"].(map[string]any)
	r, err := w.cdp.Send("Page.createIsolatedWorld", map[string]any{"frameId": frame["id"], "worldName": worldName})
	if err != nil {
		return fmt.Errorf("making the page world: %w", err)
	}
	made, _ := r.(map[string]any)
	_, err = w.cdp.Send("Runtime.evaluate", map[string]any{"expression": coreSource(), "contextId": made["executionContextId"]})
	if err != nil {
		return w.classify("", err)
	}
	return nil
}
