package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// session is one browser context with its tabs. One goroutine uses it at a time; what the handlers share with it is
// under mu.
type session struct {
	e   *Engine
	chr *chrome
	o   steps.SessionOptions
	ctx playwright.BrowserContext

	mu     sync.Mutex
	tabs   []*tab
	cur    *tab
	nextID int
	dead   *death
	closed bool
	parked bool          // opened ahead, of nobody yet; under the lock of chr
	deadCh chan struct{} // closed when dead is set
	rings  rings
	talk   dialogs
	at     spot // of the row that runs
	extra  extras

	recorder *recorder // nil: nobody records

	lastURL    string    // where the page was before the row that last changed something
	lastChange string    // that row
	changed    time.Time // when a row last changed something
	shots      int
}

// tab is one page of the session.
type tab struct {
	id, label string
	page      playwright.Page
	cdp       playwright.CDPSession
	fast      *fastPath
	ready     chan struct{} // closed when cdp and fast are set, or could not be had
	frame     *frameScope   // the selected frame, nil: the main frame; under the session's mu
	refs      *refBook      // the refs of the last snapshot; under the session's mu
	borrowed  bool          // it is somebody else's: never closed
	deaf      func()        // takes the handlers from its page
	shown     bool          // of an app: it showed something else than about:blank when a row ended
}

// frameScope is the frame that the frame row selected.
type frameScope struct {
	frame playwright.Frame
	path  []target.Target // the way to it, outermost first
	name  string
}

var _ steps.Session = (*session)(nil)

// Open opens a session: a fresh context with one page, on the browser that its options ask for. It may have been opened
// ahead.
func (e *Engine) Open(ctx context.Context, o steps.SessionOptions) (steps.Session, error) {
	if s := e.takeSpare(ctx, o); s != nil {
		return s, nil
	}
	s, err := e.fresh(ctx, o, false)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// fresh opens a session, parked if nobody has asked for it yet.
func (e *Engine) fresh(ctx context.Context, o steps.SessionOptions, parked bool) (*session, error) {
	c, err := e.browser(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &session{e: e, chr: c, o: o, parked: parked, deadCh: make(chan struct{})}
	s.talk.init()
	s.rings.init()
	s.rings.reach = steps.SessionOptions{Hosts: o.Hosts, Schemes: o.Schemes}
	c.add(s)
	returned := make(chan struct{})
	s.spawn(func() {
		defer close(returned)
		err = s.open()
	})
	select {
	case <-returned:
	case <-s.deadCh: // the driver does not answer what it was asked about a browser that died
		s.Close()
		return nil, fmt.Errorf("opening a browser context: %w", &failed{crashed(*s.fate(nil))})
	case <-ctx.Done():
		s.rescue(returned)
		s.Close()
		return nil, fmt.Errorf("opening a browser context: %w", context.Cause(ctx))
	}
	if err != nil {
		if d := s.fate(err); d != nil {
			err = &failed{crashed(*d)}
		}
		s.Close()
		return nil, fmt.Errorf("opening a browser context: %w", err)
	}
	return s, nil
}

func (s *session) open() error {
	if s.chr.hub != nil {
		return s.attach()
	}
	bc, err := s.chr.b.NewContext(contextOptions(s.o))
	if err != nil {
		return err
	}
	s.ctx = bc
	s.listen()
	if err := s.hookReact(); err != nil {
		return err
	}
	p, err := bc.NewPage()
	if err != nil {
		return err
	}
	t := s.tabOf(p)
	s.filmAll(p, t) // before the trace, whose own pictures are smaller: a page is filmed in one size
	s.traceAll()
	select {
	case <-t.ready:
	case <-s.deadCh:
		return errors.New(s.fate(nil).text)
	}
	return nil
}

// contextOptions turns what a suite asks for into what the driver takes.
func contextOptions(o steps.SessionOptions) playwright.BrowserNewContextOptions {
	c := playwright.BrowserNewContextOptions{AcceptDownloads: playwright.Bool(true)}
	if o.Viewport[0] > 0 && o.Viewport[1] > 0 {
		c.Viewport = &playwright.Size{Width: o.Viewport[0], Height: o.Viewport[1]}
	}
	text := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	c.Locale, c.TimezoneId, c.UserAgent = text(o.Locale), text(o.Timezone), text(o.UserAgent)
	if o.Scheme != "" {
		scheme := playwright.ColorScheme(o.Scheme)
		c.ColorScheme = &scheme
	}
	if o.Scale > 0 {
		c.DeviceScaleFactor = &o.Scale
	}
	if o.Mobile {
		c.IsMobile = playwright.Bool(true)
	}
	if o.Touch {
		c.HasTouch = playwright.Bool(true)
	}
	if len(o.Headers) > 0 {
		c.ExtraHttpHeaders = o.Headers
	}
	if o.StorageState != "" {
		c.StorageStatePath = &o.StorageState
	}
	if o.IgnoreTLS {
		c.IgnoreHttpsErrors = playwright.Bool(true)
	}
	return c
}

// Close releases the context; it returns at once, the engine waits for the rest. What does not close in time is ended
// with the browser when the engine closes.
func (s *session) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	tabs := s.tabs
	dead := s.dead
	s.mu.Unlock()
	s.chr.drop(s)
	if s.chr.hub != nil {
		s.release(tabs)
		return
	}
	if s.extra.profile != nil && dead == nil { // it belongs to the browser and would go on
		s.spawn(func() { _, _ = s.chr.b.StopTracing() })
	}
	for _, t := range tabs {
		t.close()
	}
	if dead != nil && dead.sub != subHung && dead.sub != subRenderer || s.ctx == nil { // in this order: it may still be opening
		return
	}
	closed, drop := make(chan struct{}), s.leavings()
	s.spawn(func() {
		defer close(closed)
		_ = s.ctx.Close()
		drop()
	})
	// the library waits for an event that never comes if the driver is killed in that moment: then it is told so
	s.spawn(func() {
		select {
		case <-closed:
		case <-s.chr.gone:
			if !await(closed, rungBrowser) {
				s.ctx.Emit("close", s.ctx)
			}
		}
	})
}

// die marks the session: it can do nothing any more. The first reason stands.
func (s *session) die(d death) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead != nil {
		return
	}
	s.dead = &d
	close(s.deadCh)
	for _, t := range s.tabs { // what waits in the own world is released
		t.close()
	}
}

// fate gives why the session is dead, or nil. An error that only a dead browser or driver gives is waited for: the event
// that says so may come a moment later than the failed call.
func (s *session) fate(err error) *death {
	s.mu.Lock()
	d := s.dead
	s.mu.Unlock()
	if d != nil || err == nil {
		return d
	}
	switch {
	case connectionClosed(err) && s.chr.remote && !s.chr.drv.lost():
		s.chr.died(subBrowser, nil, s.chr.count() == 1)
	case connectionClosed(err):
		s.chr.drv.died(nil)
	case targetCrashed(err):
		s.die(death{sub: subRenderer, text: "the page crashed"})
	case targetClosed(err):
		select {
		case <-s.deadCh:
		case <-time.After(300 * time.Millisecond):
			if !s.chr.b.IsConnected() {
				s.chr.died(subBrowser, nil, s.chr.count() == 1)
			}
		}
	default:
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead
}

// active gives the tab that rows act on. It is nil only before the first page is there.
func (s *session) active() *tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur
}

// page gives the page that rows act on.
func (s *session) page() playwright.Page { return s.active().page }

// scope gives the frame that is selected in a tab, or nil.
func (s *session) scope(t *tab) *frameScope {
	s.mu.Lock()
	defer s.mu.Unlock()
	return t.frame
}

func (s *session) setScope(t *tab, f *frameScope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.frame = f
}

// book gives the refs of the last snapshot of a tab, or nil.
func (s *session) book(t *tab) *refBook {
	s.mu.Lock()
	defer s.mu.Unlock()
	return t.refs
}

func (s *session) setBook(t *tab, b *refBook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.refs = b
}

// base gives the frame that locators start from: the selected frame, or the main frame. A selected frame whose element
// was replaced is looked up again, once.
func (s *session) base(ctx context.Context, t *tab) (playwright.Frame, error) {
	f := s.scope(t)
	if f == nil {
		return t.page.MainFrame(), nil
	}
	if !f.frame.IsDetached() {
		return f.frame, nil
	}
	again, err := s.resolveFrame(ctx, t.page.MainFrame(), f.path)
	if err != nil {
		return nil, problem(steps.NotFound, "frame-gone", fmt.Sprintf("the selected frame %q is not there any more", f.name),
			next("leave-frame", "go back to the main frame", "frame", "main"))
	}
	s.setScope(t, &frameScope{frame: again, path: f.path, name: f.name})
	return again, nil
}
