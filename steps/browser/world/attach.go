package world

import (
	"fmt"
	"strings"
	"sync"
)

// World is the own world of one page. It is used by one goroutine at a time.
type World struct {
	cdp   CDP
	mouse Mouse
	bare  *bare // instead of both

	mu      sync.Mutex
	unique  map[int]string // unique id of each context of this world, by its number, in the live documents
	current string         // unique id of the main frame's context; "" while there is none
	changed chan struct{}  // closed and replaced whenever current changes
	waiting *gesture       // the click whose events are awaited
	tokens  int
	logged  int // console messages since their objects were released
	presses sync.WaitGroup
	closed  chan struct{}
	once    sync.Once
}

// releaseEvery is how many console messages may pass before the objects they hold in the page are let go. The session
// gets console messages it does not want because bindings need Runtime.enable.
const releaseEvery = 500

func attach(cdp CDP, mouse Mouse) (*World, error) {
	w := &World{cdp: cdp, mouse: mouse, unique: map[int]string{}, changed: make(chan struct{}), closed: make(chan struct{})}
	cdp.On("Runtime.executionContextCreated", w.onCreated)
	cdp.On("Runtime.executionContextsCleared", w.onCleared)
	cdp.On("Runtime.bindingCalled", w.onBinding)
	cdp.On("Runtime.consoleAPICalled", w.onConsole)
	// The four calls are independent of each other, so that they may travel together and arrive in any order.
	calls := []struct {
		method string
		params map[string]any
	}{
		{"Runtime.enable", nil},
		{"Runtime.addBinding", map[string]any{"name": binding, "executionContextName": worldName}},
		{"Page.enable", nil},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": coreSource(), "worldName": worldName}},
	}
	errs := make([]error, len(calls))
	var wg sync.WaitGroup
	for i, c := range calls {
		wg.Go(func() {
			if _, err := cdp.Send(c.method, c.params); err != nil {
				errs[i] = fmt.Errorf("installing the page world: %s: %w", c.method, err)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

func (w *World) close() { w.once.Do(func() { close(w.closed) }) }

func (w *World) drained() <-chan struct{} {
	done := make(chan struct{})
	go func() { w.presses.Wait(); close(done) }()
	return done
}

// set makes id the main frame's context. The lock must be held.
func (w *World) set(id string) {
	if w.current == id {
		return
	}
	w.current = id
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *World) onCreated(m map[string]any) {
	c, _ := m["context"].(map[string]any)
	if c == nil || c["name"] != worldName {
		return
	}
	id, _ := c["uniqueId"].(string)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unique[whole(c["id"])] = id
}

func (w *World) onCleared(map[string]any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.unique)
	w.set("")
}

// onBinding reads what the world says: "@" when it was installed in a main frame, "TOKEN WORD …" about a click.
func (w *World) onBinding(m map[string]any) {
	if m["name"] != binding {
		return
	}
	payload, _ := m["payload"].(string)
	w.mu.Lock()
	defer w.mu.Unlock()
	if payload == "@" {
		if id := w.unique[whole(m["executionContextId"])]; id != "" {
			w.set(id)
		}
		return
	}
	if token, rest, ok := strings.Cut(payload, " "); ok && w.waiting != nil && w.waiting.token == token {
		w.waiting.told(rest)
	}
}

func (w *World) onConsole(map[string]any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.logged++; w.logged < releaseEvery {
		return
	}
	w.logged = 0
	w.presses.Go(func() {
		// Without an answer nothing is lost but memory of a page that has gone.
		_, _ = w.cdp.Send("Runtime.releaseObjectGroup", map[string]any{"objectGroup": "console"})
	})
}

// whole reads a number of a decoded event, whichever way the driver decodes numbers.
func whole(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case int64:
		return int(n)
	case float64:
		return int(n)
	}
	return -1
}
