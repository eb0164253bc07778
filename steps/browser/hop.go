package browser

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// maxHops is how many redirects a read row follows, and maxFetched how much of an answer it takes.
const (
	maxHops    = 20
	maxFetched = 64 << 20
)

// answer is what a URL answers.
type answer struct {
	status int
	header func(name string) string
	body   []byte
	url    string
}

// get asks for a URL with the session's cookies. The browser does not ask, so each redirect is judged here.
func (s *session) get(ctx context.Context, r *row, to string) (answer, error) {
	ask := s.driven(r)
	if s.o.Hosts == nil && s.o.Schemes == nil {
		return ask(to, nil)
	}
	if s.o.Hosts != nil && s.o.Public {
		ask = s.direct(ctx)
	}
	for range maxHops {
		if why := s.barred(to); why != "" {
			return answer{}, problem(steps.PolicyDenied, "reach", to+" is not read: "+why)
		}
		a, err := ask(to, playwright.Int(0))
		if err != nil {
			return answer{}, err
		}
		at := a.header("location")
		if a.status < 300 || a.status >= 400 || at == "" {
			return a, nil
		}
		base, err := url.Parse(to)
		if err != nil {
			return answer{}, fmt.Errorf("reading %q: %w", to, err)
		}
		next, err := base.Parse(at)
		if err != nil {
			return answer{}, fmt.Errorf("following a redirect to %q: %w", at, err)
		}
		to = next.String()
	}
	return answer{}, errors.New("too many redirects")
}

// driven lets the driver ask.
func (s *session) driven(r *row) func(string, *int) (answer, error) {
	return func(to string, hops *int) (answer, error) {
		resp, err := s.ctx.Request().Get(to, playwright.APIRequestContextGetOptions{Headers: map[string]string{"Accept": accepts}, Timeout: r.ms(), MaxRedirects: hops})
		if err != nil {
			return answer{}, err
		}
		defer func() { _ = resp.Dispose() }()
		headers := resp.Headers()
		a := answer{status: resp.Status(), url: resp.URL(), header: func(name string) string { return headers[name] }}
		if a.status < 400 {
			a.body, err = resp.Body()
		}
		return a, err
	}
}

// direct asks from here: the driver would look a name up itself, and one below a listed domain could lead into a private
// network. The address is judged as it is connected to, so that it cannot be another by then; no proxy chooses it.
func (s *session) direct(ctx context.Context) func(string, *int) (answer, error) {
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, fmt.Errorf("reading the address %q: %w", addr, err)
		}
		d := net.Dialer{Resolver: s.e.o.Resolver, Control: func(_, at string, _ syscall.RawConn) error { return publicOnly(host, at) }}
		return d.DialContext(ctx, network, addr)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true, TLSHandshakeTimeout: 10 * time.Second,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: s.o.IgnoreTLS}}} // the suite's ignore_tls
	return func(to string, _ *int) (answer, error) {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
		if err != nil {
			return answer{}, fmt.Errorf("reading %q: %w", to, err)
		}
		for name, v := range s.o.Headers {
			q.Header.Set(name, v)
		}
		q.Header.Set("Accept", accepts)
		if s.o.UserAgent != "" {
			q.Header.Set("User-Agent", s.o.UserAgent)
		}
		list, err := s.ctx.Cookies(to)
		if err != nil {
			return answer{}, err
		}
		for _, c := range list {
			if strings.HasPrefix(c.Domain, ".") || strings.EqualFold(c.Domain, q.URL.Hostname()) {
				q.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
			}
		}
		resp, err := client.Do(q)
		if err != nil {
			var asked *url.Error
			if errors.As(err, &asked) {
				err = asked.Err
			}
			return answer{}, err
		}
		defer func() { _ = resp.Body.Close() }()
		for _, c := range resp.Cookies() {
			if err := s.setCookie(q.URL, c); err != nil {
				return answer{}, fmt.Errorf("setting the cookie %q: %w", c.Name, err)
			}
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxFetched))
		return answer{status: resp.StatusCode, url: to, header: resp.Header.Get, body: body}, err
	}
}

// publicOnly refuses an address of a private network that a name has turned out to have; one in the list means itself.
func publicOnly(host, at string) error {
	text, _, err := net.SplitHostPort(at)
	if err != nil {
		return fmt.Errorf("reading the address %q: %w", at, err)
	}
	text, _, _ = strings.Cut(text, "%") // a zone
	ip := net.ParseIP(text)
	if ip == nil || !steps.PrivateAddress(ip) || net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return nil
	}
	return problem(steps.PolicyDenied, "private-network", fmt.Sprintf("the host %q is %s, which the policy does not allow: private_networks", host, ip))
}
