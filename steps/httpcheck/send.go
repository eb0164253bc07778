package httpcheck

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/checkrow/checkrow/steps"
)

// pauses are waited before a request that could not be delivered is sent again.
var pauses = []time.Duration{100 * time.Millisecond, 400 * time.Millisecond}

// hop is one redirect that was followed.
type hop struct {
	method, url, to string
	status          int
}

// exchange is what became of a request.
type exchange struct {
	req     *built
	hops    []hop
	res     *http.Response // nil if none came; its body is closed
	url     *url.URL       // that answered
	method  string         // with which it was asked
	body    []byte
	dropped bool // the body is longer
	tries   int
	before  error // of the try before the last
	took    time.Duration
	err     error
	policy  *steps.Policy
}

// tooMany is the error of a redirect too much.
type tooMany struct{ limit int }

func (t *tooMany) Error() string { return fmt.Sprintf("more than %d redirects", t.limit) }

// send sends the request until it is answered: what could not be delivered, and changes nothing, is sent again.
func (r *request) send(ctx context.Context, b *built, e steps.Env) *exchange {
	x := &exchange{req: b, url: b.url, method: b.method, policy: e.Policy}
	if x.err = e.Policy.URL(b.url.String()); x.err != nil {
		return x
	}
	transport, err := r.transport(ctx, e)
	if err != nil {
		x.err = err
		return x
	}
	defer transport.CloseIdleConnections()
	jar, err := r.jar(ctx, b, e)
	if err != nil {
		x.err = err
		return x
	}
	for {
		x.tries++
		received := x.once(ctx, r, transport, jar)
		if x.err == nil || received || ctx.Err() != nil || !again(b.method, x.err) || x.tries > len(pauses) || jar.failed() != nil {
			break
		}
		x.before = x.err
		if !pause(ctx, pauses[x.tries-1]) {
			break
		}
	}
	if err := jar.failed(); err != nil {
		x.err = err
	}
	return x
}

// again tells an error that may go away: not one of a certificate, nor of the chain of redirects.
func again(method string, err error) bool {
	var cert *tls.CertificateVerificationError
	var many *tooMany
	var denied *steps.Denied
	return (method == http.MethodGet || method == http.MethodHead) && !errors.As(err, &cert) && !errors.As(err, &many) &&
		!errors.As(err, &denied)
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// once sends the request once and reads the answer. received tells that a server said something.
func (x *exchange) once(ctx context.Context, r *request, transport *http.Transport, jar *jar) (received bool) {
	x.hops, x.res, x.body, x.dropped, x.err = nil, nil, nil, false, nil
	start := time.Now()
	defer func() { x.took = time.Since(start) }()
	var got atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() { got.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, x.req.method, x.req.url.String(), bytes.NewReader(x.req.body))
	if err != nil {
		x.err = err
		return false
	}
	if x.req.body == nil {
		req.Body, req.GetBody, req.ContentLength = nil, nil, 0
	}
	req.Header = x.req.header.Clone()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	client := &http.Client{Transport: transport, Jar: jar.cookieJar(), CheckRedirect: x.redirect(r.redirects)}
	res, err := client.Do(req)
	if err != nil {
		x.err = err
		return got.Load()
	}
	defer res.Body.Close()
	x.res, x.url, x.method = res, res.Request.URL, res.Request.Method
	x.body, x.err = io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if len(x.body) > maxBody {
		x.body, x.dropped = x.body[:maxBody], true
	}
	return true
}

// redirect notes each redirect and says whether it is followed.
func (x *exchange) redirect(limit int) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, via []*http.Request) error {
		if limit < 0 {
			return http.ErrUseLastResponse
		}
		last := via[len(via)-1]
		h := hop{method: last.Method, url: last.URL.Redacted(), to: next.URL.Redacted()}
		if next.Response != nil {
			h.status = next.Response.StatusCode
		}
		x.hops = append(x.hops, h)
		if err := x.policy.URL(next.URL.String()); err != nil {
			return err
		}
		if len(via) > limit {
			return &tooMany{limit}
		}
		return nil
	}
}

// transport makes the connections of one step; nobody else shares them.
func (r *request) transport(ctx context.Context, e steps.Env) (*http.Transport, error) {
	t := &http.Transport{
		Proxy:                  proxy(e.Environ),
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: 1 << 20,
		TLSClientConfig:        &tls.Config{InsecureSkipVerify: r.insecure}, //nolint:gosec // the suite asks for it
	}
	if e.Policy != nil {
		t.Proxy, t.DialContext = nil, guarded(e.Policy)
	}
	if r.identity != nil {
		pair, err := r.identity.load(ctx, e)
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	if r.ca == nil {
		return t, nil
	}
	name, err := r.ca.String(ctx, e.Values, e.Reader)
	if err != nil {
		return nil, wrap("tls.ca", err)
	}
	if err := allowed(e, name); err != nil {
		return nil, err
	}
	pem, err := readFile(e.Dir, name, 1<<20)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("reading %q: it holds no certificate in PEM form", name)
	}
	t.TLSClientConfig.RootCAs = pool
	return t, nil
}

// proxy chooses by the environment of the run, as programs do: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY.
func proxy(environ []string) func(*http.Request) (*url.URL, error) {
	env := map[string]string{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if upper := strings.ToUpper(name); strings.HasSuffix(upper, "_PROXY") && (env[upper] == "" || name != upper) && value != "" {
			env[upper] = value // the lower case wins, as with curl
		}
	}
	if len(env) == 0 {
		return nil
	}
	or := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	choose := (&httpproxy.Config{
		HTTPProxy: or(env["HTTP_PROXY"], env["ALL_PROXY"]), HTTPSProxy: or(env["HTTPS_PROXY"], env["ALL_PROXY"]), NoProxy: env["NO_PROXY"],
	}).ProxyFunc()
	return func(req *http.Request) (*url.URL, error) { return choose(req.URL) }
}

// jar holds the cookies of a request: those of the page, or its own, which live as long as its redirects.
type jar struct {
	own  http.CookieJar
	page *pageJar
}

func (j *jar) cookieJar() http.CookieJar {
	if j.page != nil {
		return j.page
	}
	return j.own
}

func (j *jar) failed() error {
	if j.page == nil {
		return nil
	}
	return j.page.err
}

// jar makes the cookies of a request. The page is asked before anything is sent: without it nothing is.
func (r *request) jar(ctx context.Context, b *built, e steps.Env) (*jar, error) {
	if !r.cookies {
		own, err := cookiejar.New(nil)
		return &jar{own: own}, err
	}
	if e.Jar == nil {
		return nil, errors.New("with_page_cookies: there is no page here")
	}
	list, err := e.Jar.Cookies(ctx, b.url.String())
	if err != nil {
		return nil, fmt.Errorf("reading the cookies of the page: %w", err)
	}
	p := &pageJar{first: list, asked: b.url.String()}
	p.read = func(u string) ([]*http.Cookie, error) { return e.Jar.Cookies(ctx, u) }
	p.write = func(u string, list []*http.Cookie) error { return e.Jar.SetCookies(ctx, u, list) }
	return &jar{page: p}, nil
}

// pageJar lends the cookies of the page to the library.
type pageJar struct {
	asked string
	first []*http.Cookie // of asked, until it is used or something is set
	read  func(url string) ([]*http.Cookie, error)
	write func(url string, list []*http.Cookie) error
	err   error // the first
}

var _ http.CookieJar = (*pageJar)(nil)

// Cookies implements http.CookieJar.
func (p *pageJar) Cookies(u *url.URL) []*http.Cookie {
	at := u.String()
	if p.asked == at {
		p.asked = ""
		return p.first
	}
	list, err := p.read(at)
	p.note("reading", err)
	return list
}

// SetCookies implements http.CookieJar.
func (p *pageJar) SetCookies(u *url.URL, list []*http.Cookie) {
	p.asked = ""
	p.note("setting", p.write(u.String(), list))
}

func (p *pageJar) note(what string, err error) {
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%s the cookies of the page: %w", what, err)
	}
}
