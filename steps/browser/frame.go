package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// frame selects the frame that the rows after it are about; a target inside the selected frame goes deeper.
func frame(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	if r.a.Has("--name") || r.a.Has("--url") {
		return s.frameBy(ctx, r)
	}
	tab := s.active()
	if r.op(0) == "main" {
		s.setScope(tab, nil)
		return steps.OK(map[string]any{"frame": "main"}, "frame"), nil
	}
	t := r.a.Target(0)
	e, err := s.element(ctx, t)
	if err != nil {
		return steps.Observation{}, err
	}
	f, err := frameAt(e.any(), r.ms())
	switch {
	case errors.Is(err, errNoFrame):
		err = problem(steps.NotActionable, "wrong-element", fmt.Sprintf("%q is no frame", t.Source))
	case isTimeout(err):
		if a, werr := e.try(ctx, world.Is(world.Attached)); werr == nil {
			a.Reason = world.Missing
			err = e.refuse(ctx, r, a)
		}
	}
	if err != nil {
		return steps.Observation{}, err
	}
	var path []target.Target
	if was := s.scope(tab); was != nil && !t.HasRef() {
		path = append(path, was.path...)
	}
	name := f.Name()
	if name == "" {
		name = t.Source
	}
	s.setScope(tab, &frameScope{frame: f, path: append(path, t), name: name})
	return steps.OK(map[string]any{"frame": name}, "frame"), nil
}

// errNoFrame is the error of an element that has no document of its own.
var errNoFrame = errors.New("the element is no frame")

// frameAt gives the frame of an iframe element.
func frameAt(l playwright.Locator, limit *float64) (playwright.Frame, error) {
	h, err := l.ElementHandle(playwright.LocatorElementHandleOptions{Timeout: limit})
	if err != nil {
		return nil, err
	}
	f, err := h.ContentFrame() // the handle goes with its document
	if err == nil && f == nil {
		err = errNoFrame
	}
	return f, err
}

// resolveFrame finds a frame again by the way to it.
func (s *session) resolveFrame(_ context.Context, from playwright.Frame, path []target.Target) (playwright.Frame, error) {
	limit := float64(findTime.Milliseconds())
	for _, t := range path {
		f, err := frameAt(from.Locator(selector(t)+" >> nth=0"), &limit)
		if err != nil {
			return nil, err
		}
		from = f
	}
	return from, nil
}

func tabList(ctx context.Context, s *session, _ *row) (steps.Observation, error) {
	s.mu.Lock()
	tabs, cur := append([]*tab(nil), s.tabs...), s.cur
	s.mu.Unlock()
	list := []any{}
	for _, t := range tabs {
		m := map[string]any{"tabId": t.id, "url": t.page.URL(), "active": t == cur, "type": "page", "title": "", "label": labelOf(t)}
		if s.talk.current() == nil {
			if title, err := s.titleOf(ctx, t); err == nil {
				m["title"] = title
			}
		}
		list = append(list, m)
	}
	return steps.OK(map[string]any{"tabs": list}, "tabs"), nil
}

func tabNew(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	to := ""
	if len(r.a.Operands) > 0 {
		u, err := s.resolve(r.op(0))
		if err != nil {
			return steps.Observation{}, err
		}
		to = u
	}
	label, labelled := r.a.Flag("--label")
	if labelled {
		if err := s.free(label); err != nil {
			return steps.Observation{}, err
		}
	}
	r.sending(map[string]any{"tabId": "", "url": to})
	p, err := s.ctx.NewPage()
	if err != nil {
		return steps.Observation{}, err
	}
	t := s.tabOf(p)
	if labelled {
		s.mu.Lock()
		t.label = label
		s.mu.Unlock()
	}
	s.choose(t)
	select {
	case <-t.ready:
	case <-ctx.Done():
		return steps.Observation{}, context.Cause(ctx)
	}
	if to != "" {
		resp, err := p.Goto(to, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateLoad, Timeout: r.ms()})
		if err != nil {
			return steps.Observation{}, err
		}
		if resp != nil && resp.Status() >= 400 {
			return steps.Observation{}, problem(steps.Navigation, "http-status", fmt.Sprintf("%s answered %d", to, resp.Status()))
		}
	}
	s.mu.Lock()
	n := len(s.tabs)
	s.mu.Unlock()
	return steps.OK(map[string]any{"tabId": t.id, "total": n, "url": p.URL(), "label": labelOf(t)}, "tabId"), nil
}

// choose makes a tab the active one; the frame and the refs belong to the one before.
func (s *session) choose(t *tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cur = t
	t.frame, t.refs = nil, nil
}

// tabCalled waits for a tab by its id: a popup may take a moment to come.
func (s *session) tabCalled(ctx context.Context, r *row, id string) (*tab, error) {
	for {
		s.mu.Lock()
		var names []string
		for _, t := range s.tabs {
			if t.id == id || t.label != "" && t.label == id {
				s.mu.Unlock()
				return t, nil
			}
			names = append(names, strings.TrimSpace(t.id+" "+t.label))
		}
		s.mu.Unlock()
		if !r.pause(ctx, pollEach) {
			return nil, s.ended(ctx, problem(steps.NotFound, "no-tab", fmt.Sprintf("there is no tab %q, there are %s: waited %s", id,
				strings.Join(names, ", "), r.waited()), next("list-tabs-after-tab-gone", "see the tabs", "tab", "list")))
		}
	}
}

func tabSwitch(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t, err := s.tabCalled(ctx, r, r.op(0))
	if err != nil {
		return steps.Observation{}, err
	}
	s.choose(t)
	select {
	case <-t.ready:
	case <-ctx.Done():
		return steps.Observation{}, context.Cause(ctx)
	}
	if !s.o.Headless { // a background tab with a window gets one frame a second
		if err := t.page.BringToFront(); err != nil {
			return steps.Observation{}, err
		}
	}
	data := map[string]any{"tabId": t.id, "title": "", "url": t.page.URL(), "label": labelOf(t)}
	if s.talk.current() == nil {
		if title, err := s.readTitle(ctx); err == nil {
			data["title"] = title
		}
	}
	return steps.OK(data, "tabId"), nil
}

func tabClose(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := s.active()
	if len(r.a.Operands) > 0 {
		var err error
		if t, err = s.tabCalled(ctx, r, r.op(0)); err != nil {
			return steps.Observation{}, err
		}
	}
	if t.borrowed {
		return steps.Observation{}, problem(steps.Validation, "borrowed", "the tab that was adopted is not this test's: it is never closed")
	}
	s.mu.Lock()
	only := len(s.tabs) == 1
	s.mu.Unlock()
	if only {
		return steps.Observation{}, problem(steps.Validation, "last-tab", "the last tab cannot be closed")
	}
	r.sent()
	t.close()
	if err := t.page.Close(); err != nil {
		return steps.Observation{}, err
	}
	s.dropTab(t)
	return steps.OK(map[string]any{"closed": true, "tabId": t.id, "label": labelOf(t)}, "tabId"), nil
}
