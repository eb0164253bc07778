package browser

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// hub is the profile of a browser that somebody uses. Its sessions share it, each with tabs of its own; what happens in a tab
// is told to the session that has it, and that of all others to nobody.
type hub struct {
	ctx playwright.BrowserContext

	mu   sync.Mutex
	all  *session                     // it has every tab, those to come too: the browser is an app that was launched for it
	of   map[playwright.Page]*session // tabs that sessions have, and those of their own that are still closing
	lent map[playwright.Page]bool     // of these, the adopted ones
}

func (h *hub) owner(p playwright.Page) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all != nil {
		return h.all
	}
	return h.of[p]
}

// own gives a page to a session.
func (h *hub) own(p playwright.Page, s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.of[p] = s
}

// drop lets the tab go that a session has adopted. Its own ones stay its own until they are closed.
func (h *hub) drop(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p, x := range h.of {
		if x == s && h.lent[p] || p.IsClosed() {
			delete(h.of, p)
			delete(h.lent, p)
		}
	}
}

// theirs lists the tabs that are not a session's own.
func (h *hub) theirs() []playwright.Page {
	all := h.ctx.Pages()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(all), func(p playwright.Page) bool { return p.IsClosed() || h.of[p] != nil && !h.lent[p] })
}

// adopt gives a session the one tab whose URL contains part. Nobody else may have it.
func (h *hub) adopt(s *session, part string) (playwright.Page, error) {
	var fits []playwright.Page
	var all []string
	for _, p := range h.theirs() {
		if strings.Contains(p.URL(), part) {
			fits = append(fits, p)
		}
		all = append(all, shownTab(p.URL()))
	}
	if len(fits) > 1 {
		fits = s.chr.inProfile(fits)
	}
	if len(fits) == 0 {
		return nil, problem(steps.NotFound, "no-tab", fmt.Sprintf("no tab of the browser at %s has %q in its URL; it shows %s", s.chr.name, part, listed(all)))
	}
	if len(fits) > 1 {
		all = all[:0]
		for _, p := range fits {
			all = append(all, shownTab(p.URL()))
		}
		return nil, problem(steps.Validation, "several-tabs", fmt.Sprintf("%d tabs of the browser at %s have %q in their URL, and one must: %s",
			len(fits), s.chr.name, part, listed(all)))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if by := h.of[fits[0]]; by != nil {
		return nil, problem(steps.Validation, "taken", fmt.Sprintf("the tab with %q in its URL is used by another session", part))
	}
	h.of[fits[0]], h.lent[fits[0]] = s, true
	return fits[0], nil
}

// inProfile leaves the tabs out that are in contexts of others who drive the browser: the driver takes them for the profile's.
// Such a context may be gone before its tabs are, and a tab before the driver hears of it: neither counts, nor does what cannot
// be asked, for it could not be driven either.
func (c *chrome) inProfile(list []playwright.Page) []playwright.Page {
	far, err := c.b.NewBrowserCDPSession()
	if err != nil {
		return list
	}
	defer func() { _ = far.Detach() }()
	raw, err := far.Send("Target.getBrowserContexts", nil)
	if err != nil {
		return list
	}
	known, _ := raw.(map[string]any)
	profile, _ := known["defaultBrowserContextId"].(string) // not told by older browsers
	others, is := known["browserContextIds"].([]any)
	if !is {
		others, _ = raw.([]any)
	}
	return slices.DeleteFunc(list, func(p playwright.Page) bool {
		id, err := contextOf(p)
		if err != nil {
			return true
		}
		return profile != "" && id != profile || slices.Contains(others, any(id))
	})
}

// contextOf is the id of the context that a tab is in.
func contextOf(p playwright.Page) (string, error) {
	near, err := p.Context().NewCDPSession(p)
	if err != nil {
		return "", err
	}
	defer func() { _ = near.Detach() }()
	raw, err := near.Send("Target.getTargetInfo", nil)
	if err != nil {
		return "", err
	}
	m, _ := raw.(map[string]any)
	if inner, is := m["targetInfo"].(map[string]any); is {
		m = inner
	}
	id, _ := m["browserContextId"].(string)
	return id, nil
}

// shownTabs is how many tabs an error names.
const shownTabs = 6

// listed names some tabs.
func listed(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	slices.Sort(all)
	more := ""
	if len(all) > shownTabs {
		more = fmt.Sprintf(" and %d more", len(all)-shownTabs)
		all = all[:shownTabs]
	}
	return strings.Join(all, ", ") + more
}

// shownTab is the URL of somebody's tab in a message: without what may be private.
func shownTab(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "a tab"
	}
	text := u.Scheme + "://" + u.Host + u.EscapedPath()
	if u.Host == "" {
		return strings.TrimSuffix(u.Scheme+":"+map[bool]string{true: u.Opaque, false: "…"}[u.Scheme == "about"], ":")
	}
	return text[:min(80, len(text))]
}

// attach begins a session in the profile of a browser that somebody uses (R187).
func (s *session) attach() error {
	h := s.chr.hub
	s.ctx = h.ctx
	if s.o.Window != "" {
		return s.moveIn()
	}
	var p playwright.Page
	var err error
	if s.o.Adopt != "" {
		p, err = h.adopt(s, s.o.Adopt)
	} else {
		p, err = h.ctx.NewPage()
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed { // meanwhile
		s.mu.Unlock()
		h.drop(s)
		if s.o.Adopt == "" {
			_ = p.Close()
		}
		return errClosed
	}
	t := s.addTab(p)
	t.borrowed = s.o.Adopt != ""
	s.mu.Unlock()
	s.filmAll(p, t)
	if s.o.Record.Trace {
		s.failedCapture(errors.New("a trace would record every tab of the browser that is attached to"))
	}
	select {
	case <-t.ready:
	case <-s.deadCh:
		return errors.New(s.fate(nil).text)
	}
	if t.cdp == nil {
		return errors.New("the tab cannot be driven: it is closed, or shows a page of the browser's own")
	}
	// Presses reach a tab in the background too, and it need not be brought to the front.
	_, _ = t.cdp.Send("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	return nil
}

// release leaves the browser as it was: tabs that the session has opened are closed, and one that it has adopted is let go.
func (s *session) release(tabs []*tab) {
	s.chr.hub.drop(s)
	for _, t := range tabs {
		if t.deaf != nil {
			t.deaf()
		}
		t.close()
		s.spawn(func() {
			if !t.borrowed && s.o.Window == "" {
				_ = t.page.Close()
				return
			}
			<-t.ready
			if t.cdp != nil {
				_ = t.cdp.Detach()
			}
		})
	}
}
