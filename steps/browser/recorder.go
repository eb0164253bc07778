package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

var _ steps.Watcher = (*session)(nil)

// The world in which a recording lives, and its function.
const (
	recordWorld = "crrecord"
	recordTell  = "__crrecord"
)

// recorder tells what a person does in a session.
type recorder struct {
	mu   sync.Mutex // one deed at a time
	tell func(steps.Deed)
	over bool
}

func (r *recorder) say(d steps.Deed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.over = d.Kind == "end"
	r.tell(d)
}

// Record implements steps.Watcher.
func (s *session) Record(ctx context.Context, tell func(steps.Deed)) error {
	if s.bare() {
		return errors.New("only Chromium can be recorded")
	}
	rec := &recorder{tell: tell}
	s.mu.Lock()
	s.recorder = rec
	tabs := append([]*tab(nil), s.tabs...)
	s.mu.Unlock()
	for _, t := range tabs {
		select {
		case <-t.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := s.recordTab(rec, t); err != nil {
			return err
		}
	}
	s.spawn(func() {
		select {
		case <-s.deadCh:
		case <-s.chr.gone:
		}
		rec.say(steps.Deed{Kind: "end"})
	})
	return nil
}

// watcher gives the recorder of the session, or nil.
func (s *session) watcher() *recorder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recorder
}

// recordTab begins to record a tab. What its page does is heard from the next document on, and at once where there is one.
func (s *session) recordTab(rec *recorder, t *tab) error {
	if t.cdp == nil {
		return errors.New("the tab cannot be recorded: it is closed")
	}
	say := func(d steps.Deed) {
		d.Tab = t.id
		rec.say(d)
	}
	wire{t.cdp}.On("Runtime.bindingCalled", func(m map[string]any) {
		if m["name"] != recordTell {
			return
		}
		text, _ := m["payload"].(string)
		var d steps.Deed
		if json.Unmarshal([]byte(text), &d) == nil {
			say(d)
		}
	})
	var asked atomic.Bool // by the page, not by the person in the address bar
	wire{t.cdp}.On("Page.frameRequestedNavigation", func(map[string]any) { asked.Store(true) })
	t.page.OnFrameNavigated(func(f playwright.Frame) {
		safely(func() {
			if f.ParentFrame() != nil {
				return
			}
			d := steps.Deed{Kind: "url", URL: f.URL()}
			if asked.Swap(false) {
				d.Values = []string{steps.ByPage}
			}
			say(d)
		})
	})
	t.page.OnClose(func(playwright.Page) {
		safely(func() {
			say(steps.Deed{Kind: "closed"})
			if s.openTabs() == 0 {
				say(steps.Deed{Kind: "end"})
			}
		})
	})
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Runtime.addBinding", map[string]any{"name": recordTell, "executionContextName": recordWorld}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": world.Recording(recordTell), "worldName": recordWorld, "runImmediately": true}},
	} {
		if _, err := t.cdp.Send(c.method, c.params); err != nil {
			return fmt.Errorf("recording a tab: %s: %w", c.method, err)
		}
	}
	return nil
}

// openTabs counts the tabs that are not closed.
func (s *session) openTabs() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, t := range s.tabs {
		if !t.page.IsClosed() {
			n++
		}
	}
	return n
}
