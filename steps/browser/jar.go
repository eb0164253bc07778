package browser

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

var _ steps.Jar = (*session)(nil)

// Cookies implements steps.Jar.
func (s *session) Cookies(ctx context.Context, at string) ([]*http.Cookie, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, fmt.Errorf("reading cookies of %q: %w", at, err)
	}
	var list []playwright.Cookie
	err = s.exchange(ctx, func() (err error) {
		list, err = s.ctx.Cookies(at)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]*http.Cookie, 0, len(list))
	for _, c := range list {
		if !strings.HasPrefix(c.Domain, ".") && !strings.EqualFold(c.Domain, u.Hostname()) {
			continue // the driver gives a host's own cookies to the hosts below it too, and browsers do not
		}
		out = append(out, &http.Cookie{Name: c.Name, Value: c.Value})
	}
	return out, nil
}

// SetCookies implements steps.Jar.
func (s *session) SetCookies(ctx context.Context, at string, list []*http.Cookie) error {
	u, err := url.Parse(at)
	if err != nil {
		return fmt.Errorf("setting cookies of %q: %w", at, err)
	}
	return s.exchange(ctx, func() error {
		for _, c := range list { // in their order: the last of a name wins
			if err := s.setCookie(u, c); err != nil {
				return fmt.Errorf("setting the cookie %q: %w", c.Name, err)
			}
		}
		return nil
	})
}

// exchange runs a call to the driver that is no row: it ends with ctx, and its failure is told as that of a page function is.
func (s *session) exchange(ctx context.Context, call func() error) error {
	if d := s.fate(nil); d != nil {
		return &failed{crashed(*d)}
	}
	limit := readTime
	if d, ok := ctx.Deadline(); ok {
		limit = time.Until(d)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, hung{limit})
	defer cancel()
	var err error
	returned := make(chan struct{})
	s.spawn(func() {
		defer close(returned)
		err = call()
	})
	select {
	case <-returned:
	case <-ctx.Done():
		s.rescue(returned)
		return problem(steps.Timeout, subHung, firstLine(context.Cause(ctx)))
	}
	if err != nil {
		return &failed{s.explain(ctx, &row{started: time.Now(), limit: limit}, err)}
	}
	return nil
}

// setCookie sets one cookie as a response from u would, or removes it. One of another site is ignored, as browsers do.
func (s *session) setCookie(u *url.URL, c *http.Cookie) error {
	host := strings.ToLower(u.Hostname())
	domain := host
	if d := strings.ToLower(strings.TrimPrefix(c.Domain, ".")); d != "" {
		numeric := net.ParseIP(host) != nil
		if host != d && (numeric || !strings.HasSuffix(host, "."+d)) {
			return nil
		}
		if !numeric {
			domain = "." + d
		}
	}
	at := cookiePath(u, c)
	expires := c.Expires
	if c.MaxAge > 0 {
		expires = time.Now().Add(time.Duration(min(c.MaxAge, 400*24*3600)) * time.Second)
	}
	if c.MaxAge < 0 || !expires.IsZero() && expires.Before(time.Now()) {
		return s.ctx.ClearCookies(playwright.BrowserContextClearCookiesOptions{Name: c.Name, Domain: domain, Path: at})
	}
	value := c.Value
	if c.Quoted {
		value = `"` + value + `"`
	}
	o := playwright.OptionalCookie{Name: c.Name, Value: value, Domain: &domain, Path: &at, HttpOnly: &c.HttpOnly, Secure: &c.Secure}
	if !expires.IsZero() {
		o.Expires = playwright.Float(float64(expires.Unix()))
	}
	switch c.SameSite {
	case http.SameSiteStrictMode:
		o.SameSite = playwright.SameSiteAttributeStrict
	case http.SameSiteLaxMode:
		o.SameSite = playwright.SameSiteAttributeLax
	case http.SameSiteNoneMode:
		o.SameSite = playwright.SameSiteAttributeNone
	}
	return s.ctx.AddCookies([]playwright.OptionalCookie{o})
}

// cookiePath is the path of a cookie: its own, or the folder of the URL that set it.
func cookiePath(u *url.URL, c *http.Cookie) string {
	if strings.HasPrefix(c.Path, "/") {
		return c.Path
	}
	if dir := path.Dir(u.Path); strings.HasPrefix(dir, "/") {
		return dir
	}
	return "/"
}
