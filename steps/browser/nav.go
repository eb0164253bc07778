package browser

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// schemes are what a URL may begin with; anything else is a path or a host.
var schemes = map[string]bool{"http": true, "https": true, "about": true, "data": true, "file": true, "blob": true,
	"chrome": true, "chrome-extension": true, "view-source": true, "javascript": true}

// resolve makes the URL that a row means: schemes are kept, everything else resolves against base_url; a bare host gets
// https, as in the dialect.
func (s *session) resolve(raw string) (string, error) {
	to, err := s.absolute(raw)
	if err != nil {
		return "", err
	}
	return to, s.mayOpen(to)
}

// absolute is resolve without a judgement on what it gives.
func (s *session) absolute(raw string) (string, error) {
	if scheme, _, ok := strings.Cut(raw, ":"); ok && schemes[strings.ToLower(scheme)] {
		return raw, nil
	}
	relative := raw == "" || strings.HasPrefix(raw, "/") || strings.HasPrefix(raw, "?") || strings.HasPrefix(raw, "#") ||
		strings.HasPrefix(raw, ".")
	if !relative {
		if host, _, _ := strings.Cut(raw, "/"); strings.ContainsAny(host, ".:") || host == "localhost" {
			return "https://" + raw, nil
		}
	}
	if s.o.BaseURL == "" {
		return "", problem(steps.Validation, "base-url", fmt.Sprintf("%q is a path, and there is no base_url to resolve it against", raw))
	}
	base, err := url.Parse(s.o.BaseURL)
	if err != nil {
		return "", problem(steps.Validation, "base-url", fmt.Sprintf("base_url %q is no URL", s.o.BaseURL))
	}
	u, err := base.Parse(raw)
	if err != nil {
		return "", problem(steps.Validation, "url", fmt.Sprintf("%q is no URL", raw))
	}
	return u.String(), nil
}

func open(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	to, err := s.resolve(r.op(0))
	if err != nil {
		return steps.Observation{}, err
	}
	o := playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateLoad, Timeout: r.ms()}
	if w, ok := r.a.Flag("--wait-until"); ok {
		o.WaitUntil = (*playwright.WaitUntilState)(&w)
	}
	r.sending(map[string]any{"url": to, "status": 0, "title": ""})
	s.leave()
	resp, err := s.page().Goto(to, o)
	if err != nil {
		if isTimeout(err) && s.fate(nil) == nil {
			s.stopLoading(ctx)
			err = problem(steps.Timeout, "open", fmt.Sprintf("%s did not load: waited %s", to, r.waited()))
		}
		s.errorPage(ctx, err)
		return steps.Observation{}, s.strayed(err)
	}
	return s.landed(ctx, r, to, resp)
}

// errorPage waits a moment for the browser's own page about an open that failed, which would break off the next one.
func (s *session) errorPage(ctx context.Context, err error) {
	if text := err.Error(); !strings.Contains(text, "net::ERR_") || strings.Contains(text, "net::ERR_ABORTED") {
		return
	}
	for until := time.Now().Add(errorPageTime); !strings.HasPrefix(s.page().URL(), "chrome-error:") && time.Now().Before(until); {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return
		case <-s.deadCh:
			return
		}
	}
}

// errorPageTime is how long it may take to come.
const errorPageTime = 300 * time.Millisecond

// landed reports where a navigation ended and judges its status.
func (s *session) landed(ctx context.Context, r *row, to string, resp playwright.Response) (steps.Observation, error) {
	status := 0
	if resp != nil {
		status = resp.Status()
	}
	data := map[string]any{"url": s.page().URL(), "status": status, "title": ""}
	if title, err := s.readTitle(ctx); err == nil {
		data["title"] = title
	}
	want, expected := 0, false
	if v, ok := r.a.Flag("--status"); ok {
		want, _ = strconv.Atoi(v) // the command table has checked it
		expected = true
	}
	o := steps.OK(data, "url")
	switch {
	case expected && status != want:
		o = steps.Fail(steps.Navigation, "http-status", fmt.Sprintf("%s answered %d, expected %d", to, status, want))
	case !expected && status >= 400:
		o = steps.Fail(steps.Navigation, "http-status", fmt.Sprintf("%s answered %d", to, status))
		o.NextActions = []steps.NextAction{next("retry-with-expected-status", "if the status is meant", append(append([]string{}, r.a.Argv...),
			"--status", strconv.Itoa(status))...)}
	}
	o.Data = data
	return o, nil
}

// leave forgets what belongs to the document that is being left.
func (s *session) leave() {
	s.setScope(s.active(), nil)
	s.rings.leave()
}

func back(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.history(ctx, r, "earlier", func() (playwright.Response, error) {
		return s.page().GoBack(playwright.PageGoBackOptions{Timeout: r.ms()})
	})
}

func forward(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	return s.history(ctx, r, "later", func() (playwright.Response, error) {
		return s.page().GoForward(playwright.PageGoForwardOptions{Timeout: r.ms()})
	})
}

func (s *session) history(ctx context.Context, r *row, which string, move func() (playwright.Response, error)) (steps.Observation, error) {
	was := s.page().URL()
	r.sending(map[string]any{"url": was})
	s.leave()
	_, err := move()
	if err != nil && isTimeout(err) {
		s.stopLoading(ctx)
		err = problem(steps.Timeout, "open", "the page did not load: waited "+r.waited())
	}
	now := s.page().URL()
	if err == nil && now == was {
		r.warning("there is no " + which + " page in the history: nothing moved")
	}
	return steps.OK(map[string]any{"url": now}, "url"), err
}

func reload(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	r.sending(map[string]any{"url": s.page().URL()})
	s.leave()
	resp, err := s.page().Reload(playwright.PageReloadOptions{Timeout: r.ms()})
	if err != nil && isTimeout(err) {
		s.stopLoading(ctx)
		err = problem(steps.Timeout, "open", "the page did not load: waited "+r.waited())
	}
	if err == nil && resp != nil && resp.Status() >= 400 {
		err = problem(steps.Navigation, "http-status", fmt.Sprintf("%s answered %d", s.page().URL(), resp.Status()))
	}
	return steps.OK(map[string]any{"url": s.page().URL()}, "url"), err
}

// protocol gives the CDP session of the active tab.
func (s *session) protocol(ctx context.Context) (playwright.CDPSession, error) {
	tab := s.active()
	select {
	case <-tab.ready:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s.bare() {
		return nil, s.onlyChromium("this row")
	}
	if tab.cdp == nil {
		return nil, problem(steps.Crash, "page-closed", "the page was closed")
	}
	return tab.cdp, nil
}

// readTitle reads the title without the driver's own script.
func (s *session) readTitle(ctx context.Context) (string, error) {
	return s.askPage(ctx, "document.title")
}

// ask reads a text from the main frame without the driver's own script.
func (s *session) ask(ctx context.Context, cdp playwright.CDPSession, js string) (string, error) {
	raw, err := s.send(ctx, cdp, "Runtime.evaluate", map[string]any{"expression": js, "returnByValue": true})
	if err != nil {
		return "", err
	}
	m, _ := raw.(map[string]any)
	if res, ok := m["result"].(map[string]any); ok {
		m = res
	}
	text, _ := m["value"].(string)
	return text, nil
}

// title reads the title for a failure, or gives it up.
func (s *session) title(ctx context.Context, d time.Duration) string {
	got := make(chan string, 1)
	if !s.within(context.WithoutCancel(ctx), d, func() {
		t, _ := s.readTitle(context.WithoutCancel(ctx))
		got <- t
	}) {
		return ""
	}
	select {
	case t := <-got:
		return t
	default:
		return ""
	}
}
