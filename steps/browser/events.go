package browser

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// listen registers the handlers of the session's context.
func (s *session) listen() {
	hear(s.ctx, func(func() playwright.Page) *session { return s })
}

// hear registers the handlers of a context; they cover popups too, and go to the session that of names by the page that an
// event is from; nil drops it. They run on the one dispatch goroutine of the driver's connection, where a panic would end
// the process and anything slow would delay every session: each only appends, and recovers.
func hear(c playwright.BrowserContext, of func(from func() playwright.Page) *session) {
	tell := func(from func() playwright.Page, fn func(s *session)) {
		safely(func() {
			if s := of(from); s != nil {
				fn(s)
			}
		})
	}
	c.OnConsole(func(m playwright.ConsoleMessage) { tell(m.Page, func(s *session) { s.rings.addConsole(m) }) })
	c.OnWebError(func(w playwright.WebError) { tell(w.Page, func(s *session) { s.rings.addError(w) }) })
	itself := func(r playwright.Request) func() playwright.Page {
		return asker(func() playwright.Request { return r })
	}
	c.OnRequest(func(r playwright.Request) { tell(itself(r), func(s *session) { s.addRequest(r) }) })
	c.OnResponse(func(r playwright.Response) { tell(asker(r.Request), func(s *session) { s.rings.addResponse(r) }) })
	c.OnRequestFinished(func(r playwright.Request) { tell(itself(r), func(s *session) { s.rings.endRequest(r, "") }) })
	c.OnRequestFailed(func(r playwright.Request) {
		tell(itself(r), func(s *session) {
			text := "failed"
			if err := r.Failure(); err != nil {
				text = err.Error()
			}
			s.rings.endRequest(r, text)
		})
	})
	c.OnPage(func(p playwright.Page) { tell(opener(p), func(s *session) { s.tabOf(p) }) })
	c.OnDownload(func(d playwright.Download) { tell(d.Page, func(s *session) { s.onDownload(d) }) })
	c.OnDialog(func(d playwright.Dialog) { tell(d.Page, func(s *session) { s.onDialog(d) }) })
}

// asker gives the page that a request is from; nil if it is none's.
func asker(of func() playwright.Request) func() playwright.Page {
	return func() playwright.Page {
		if f := of().Frame(); f != nil {
			return f.Page()
		}
		return nil
	}
}

// opener gives the page that has opened another.
func opener(p playwright.Page) func() playwright.Page {
	return func() playwright.Page {
		by, _ := p.Opener()
		return by
	}
}

// safely runs a handler and swallows its panic.
func safely(fn func()) {
	defer func() { _ = recover() }()
	fn()
}

// addConsole keeps a message. Its arguments are handles into the page and are not looked at.
func (r *rings) addConsole(m playwright.ConsoleMessage) {
	e := &consoleEntry{kind: m.Type(), text: bounded(m.Text())}
	if l := m.Location(); l != nil {
		e.url, e.line, e.column = l.URL, l.LineNumber+1, l.ColumnNumber+1
	}
	e.at, _ = m.Timestamp()
	r.mu.Lock()
	defer r.mu.Unlock()
	e.seq = r.console.add(e)
	r.consoleFault(e)
}

func (r *rings) addError(w playwright.WebError) {
	e := &errorEntry{}
	var pe *playwright.Error
	if err := w.Error(); errors.As(err, &pe) {
		e.name, e.text, e.stack = pe.Name, bounded(pe.Message), bounded(pe.Stack)
	} else if err != nil {
		e.text = bounded(err.Error())
	}
	if l := w.Location(); l != nil {
		e.url, e.line, e.column = l.URL, l.Line+1, l.Column+1
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.seq = r.errors.add(e)
	r.errorFault(e)
}

// addRequest keeps a request when it begins. A redirect is a request of its own.
func (s *session) addRequest(q playwright.Request) {
	e := &netEntry{method: q.Method(), url: bounded(q.URL()), kind: q.ResourceType(), headers: q.Headers()}
	if body, err := q.PostData(); err == nil {
		e.post = bounded(body)
	}
	e.navigation, e.frame = q.IsNavigationRequest(), q.Frame()
	e.at = time.Now().UnixMilli()
	r := &s.rings
	r.mu.Lock()
	defer r.mu.Unlock()
	e.initiator = r.inits[e.method+" "+e.url]
	delete(r.inits, e.method+" "+e.url)
	e.seq = r.network.add(e)
	e.id = fmt.Sprintf("r%d", e.seq)
	if len(r.open) < 4*keepNetwork {
		r.open[q] = e
	}
	e.row = r.faults.row
	r.stray(e)
	r.moved(e)
	r.lastMove = e.at
}

func (r *rings) addResponse(p playwright.Response) {
	headers := p.Headers()
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.open[p.Request()]; e != nil {
		e.status, e.responseHeaders = p.Status(), headers
		e.mime, _, _ = strings.Cut(headers["content-type"], ";")
		e.answeredAt, e.answer = time.Now().UnixMilli(), p
		r.answered(e)
	}
	r.lastMove = time.Now().UnixMilli()
}

func (r *rings) endRequest(q playwright.Request, failure string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.open[q]; e != nil {
		e.done, e.failed, e.failure = true, failure != "", reason(failure)
		delete(r.open, q)
		if e.failed {
			r.unanswered(e)
		}
	}
	r.lastMove = time.Now().UnixMilli()
}

// quietFor is how long no request has begun or ended, or 0 while one is under way.
func (r *rings) quietFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.open) > 0 {
		return 0
	}
	return time.Since(time.UnixMilli(r.lastMove))
}

// navigationStatus is the status of the newest answered main document request for a URL, or 0.
func (r *rings) navigationStatus(url string) int {
	url, _, _ = strings.Cut(url, "#")
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.network.list) - 1; i >= 0; i-- {
		e := r.network.list[i]
		if u, _, _ := strings.Cut(e.url, "#"); e.navigation && u == url && e.status != 0 {
			return e.status
		}
	}
	return 0
}

// watchInitiators notes which script or parser caused each request: only the browser's own protocol says so. The event
// comes before the library's for the same request, which picks it up by method and URL.
func (s *session) watchInitiators(cdp playwright.CDPSession) {
	cdp.On("Network.requestWillBeSent", func(m map[string]any) {
		safely(func() { s.rings.addInitiator(m) })
	})
	_, _ = cdp.Send("Network.enable", map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
}

func (r *rings) addInitiator(m map[string]any) {
	q, _ := m["request"].(map[string]any)
	init, _ := m["initiator"].(map[string]any)
	if q == nil || init == nil {
		return
	}
	by := initiatorOf(init)
	key := fmt.Sprint(q["method"], " ", q["url"])
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.inits) > keepNetwork { // requests the library hides, such as icons
		clear(r.inits)
	}
	// whichever of the two events comes first
	for i := len(r.network.list) - 1; i >= 0 && i >= len(r.network.list)-8; i-- {
		if e := r.network.list[i]; e.initiator.text == "" && !e.done && e.method+" "+e.url == key {
			e.initiator = by
			return
		}
	}
	r.inits[key] = by
}

// number reads a JSON number.
func number(v any) int {
	switch n := v.(type) {
	case float64:
		return int(n)
	case int:
		return n
	}
	return 0
}
