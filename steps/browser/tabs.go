package browser

import (
	"fmt"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// tabOf gives the tab of a page, adding it if the event of the page has not.
func (s *session) tabOf(p playwright.Page) *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if t.page == p {
			return t
		}
	}
	return s.addTab(p)
}

// addTab adds a page and makes it the active one, as the dialect does with popups. The caller holds mu. Handlers run on
// the one dispatch goroutine, so the calls that equip the tab are made elsewhere.
func (s *session) addTab(p playwright.Page) *tab {
	s.nextID++
	t := &tab{id: fmt.Sprintf("t%d", s.nextID), page: p, ready: make(chan struct{})}
	s.tabs = append(s.tabs, t)
	s.cur = t
	s.watchPage(t)
	s.spawn(func() {
		defer close(t.ready)
		s.equip(t)
	})
	return t
}

// watchPage registers what is to be known of a page itself.
func (s *session) watchPage(t *tab) {
	p := t.page
	crashed := func(playwright.Page) { safely(func() { s.die(death{sub: subRenderer, text: "the page crashed"}) }) }
	navigated := func(f playwright.Frame) { safely(func() { s.rings.committed(f) }) }
	detached := func(f playwright.Frame) { safely(func() { s.rings.detached(f) }) }
	closed := func(playwright.Page) { safely(func() { s.dropTab(t) }) }
	p.OnCrash(crashed)
	p.OnFrameNavigated(navigated)
	p.OnFrameDetached(detached)
	p.OnClose(closed)
	if s.chr.hub == nil {
		return // the page goes with the session
	}
	s.chr.hub.own(p, s)
	t.deaf = func() {
		p.RemoveListener("crash", crashed)
		p.RemoveListener("framenavigated", navigated)
		p.RemoveListener("framedetached", detached)
		p.RemoveListener("close", closed)
	}
}

// dropTab forgets a page that was closed; the newest of the others becomes the active one.
func (s *session) dropTab(t *tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, x := range s.tabs {
		if x == t && len(s.tabs) > 1 {
			s.tabs = append(s.tabs[:i:i], s.tabs[i+1:]...)
			if s.cur == t {
				s.cur = s.tabs[len(s.tabs)-1]
			}
			return
		}
	}
}

// equip makes the CDP session of a tab, which must be there before the page can hang, and the fast path on it.
func (s *session) equip(t *tab) {
	if s.bare() {
		s.equipBare(t)
		return
	}
	cdp, err := s.ctx.NewCDPSession(t.page)
	if err != nil {
		return
	}
	t.cdp = cdp
	watching := make(chan struct{})
	s.spawn(func() {
		defer close(watching)
		s.watchInitiators(cdp)
	})
	t.fast = newFastPath(t.page, cdp, s.clicks)
	s.dress(t)
	if rec := s.watcher(); rec != nil && s.recordTab(rec, t) == nil {
		rec.say(steps.Deed{Kind: "tab", Tab: t.id, URL: t.page.URL()})
	}
	<-watching
}

// session gives the tab's CDP session if it is there.
func (t *tab) session() playwright.CDPSession {
	if t == nil {
		return nil
	}
	select {
	case <-t.ready:
		return t.cdp
	default:
		return nil
	}
}

// close releases what a tab holds beside its page.
func (t *tab) close() {
	select {
	case <-t.ready:
		if t.fast != nil {
			t.fast.close()
		}
	default:
	}
}
