package browser

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

func cookiesGet(_ context.Context, s *session, _ *row) (steps.Observation, error) {
	all, err := s.ctx.Cookies(s.page().URL())
	if err != nil {
		return steps.Observation{}, err
	}
	list := make([]any, len(all))
	for i, c := range all {
		m := map[string]any{"name": c.Name, "value": c.Value, "domain": c.Domain, "path": c.Path, "expires": plain(c.Expires),
			"size": len(c.Name) + len(c.Value), "httpOnly": c.HttpOnly, "secure": c.Secure, "session": c.Expires < 0}
		if c.SameSite != nil {
			m["sameSite"] = string(*c.SameSite)
		}
		list[i] = m
	}
	return steps.OK(map[string]any{"cookies": list}, "cookies"), nil
}

func cookiesClear(_ context.Context, s *session, r *row) (steps.Observation, error) {
	r.sent()
	return steps.OK(map[string]any{"cleared": true}, "cleared"), s.ctx.ClearCookies()
}

func cookiesSet(_ context.Context, s *session, r *row) (steps.Observation, error) {
	list := []playwright.OptionalCookie{{Name: r.op(0), Value: r.op(1)}}
	if name, ok := r.a.Flag("--curl"); ok {
		content, err := readText(r.input(name), name)
		if err != nil {
			return steps.Observation{}, err
		}
		if list = curlCookies(content); len(list) == 0 {
			return steps.Observation{}, problem(steps.Validation, "no-cookies", fmt.Sprintf("%q holds no cookies", name))
		}
	}
	for i := range list {
		if err := s.owner(r, &list[i]); err != nil {
			return steps.Observation{}, err
		}
	}
	r.sent()
	o := steps.OK(map[string]any{"set": true, "count": len(list)}, "set")
	o.Argv = conceal(r, r.op(1))
	return o, s.ctx.AddCookies(list)
}

// owner completes a cookie by the flags of the row: whose it is, and how it is kept.
func (s *session) owner(r *row, c *playwright.OptionalCookie) error {
	path := "/"
	if p, ok := r.a.Flag("--path"); ok {
		path = p
	}
	switch domain, ok := r.a.Flag("--domain"); {
	case c.Domain != nil: // a cookie jar says it
	case ok:
		c.Domain, c.Path = &domain, &path
	default:
		at := s.page().URL()
		if u, ok := r.a.Flag("--url"); ok {
			to, err := s.resolve(u)
			if err != nil {
				return err
			}
			at = to
		}
		host := hostOf(at)
		if host == "" {
			return problem(steps.Validation, "no-site", fmt.Sprintf("%q is no site that can have a cookie", at),
				next("retry-with-cookie-url", "say whose cookie it is", append(append([]string{}, r.a.Argv...), "--url", "/")...))
		}
		c.Domain, c.Path = &host, &path
	}
	if r.a.Has("--http-only") {
		c.HttpOnly = playwright.Bool(true)
	}
	if r.a.Has("--secure") {
		c.Secure = playwright.Bool(true)
	}
	if v, ok := r.a.Flag("--same-site"); ok {
		site := playwright.SameSiteAttribute(v)
		c.SameSite = &site
	}
	if v, ok := r.a.Flag("--expires"); ok {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return problem(steps.Validation, "expires", fmt.Sprintf("%q is no time", v))
		}
		c.Expires = &f
	}
	return nil
}

// readText reads a text file that a row names.
func readText(path, name string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", problem(steps.Validation, "no-file", fmt.Sprintf("%q cannot be read: %s (it resolves to %s)", name, cause(err), path))
	}
	if len(b) > 16<<20 || !utf8.Valid(b) {
		return "", problem(steps.Validation, "no-text", fmt.Sprintf("%q is no text file", name))
	}
	return string(b), nil
}

// curlCookies reads cookies from what people have at hand: a cookie jar, a curl command as a browser copies it, a Cookie
// header, or a=1; b=2.
func curlCookies(text string) []playwright.OptionalCookie {
	if jar := jarCookies(text); len(jar) > 0 {
		return jar
	}
	words := shellWords(text)
	header, found := "", false
	for i, w := range words {
		low := strings.ToLower(w)
		switch {
		case (w == "-b" || w == "--cookie") && i+1 < len(words):
			header, found = words[i+1], true
		case (w == "-H" || w == "--header") && i+1 < len(words) && strings.HasPrefix(strings.ToLower(words[i+1]), "cookie:"):
			header, found = words[i+1][len("cookie:"):], true
		case strings.HasPrefix(low, "--cookie="):
			header, found = w[len("--cookie="):], true
		}
	}
	if !found && len(words) > 0 && words[0] == "curl" {
		return nil
	}
	if !found {
		header = strings.TrimSpace(text)
		if len(header) > 7 && strings.EqualFold(header[:7], "cookie:") {
			header = header[7:]
		}
	}
	var out []playwright.OptionalCookie
	for _, part := range strings.FieldsFunc(header, func(c rune) bool { return c == ';' || c == '\n' || c == '\r' }) {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if ok && name != "" && !strings.ContainsAny(name, " \t") {
			out = append(out, playwright.OptionalCookie{Name: name, Value: value})
		}
	}
	return out
}

// jarCookies reads the lines of a cookie jar: domain, subdomains, path, secure, expires, name, value.
func jarCookies(text string) []playwright.OptionalCookie {
	var out []playwright.OptionalCookie
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		httpOnly := strings.HasPrefix(line, "#HttpOnly_")
		f := strings.Split(strings.TrimPrefix(line, "#HttpOnly_"), "\t")
		if len(f) != 7 || strings.HasPrefix(line, "#") && !httpOnly {
			continue
		}
		c := playwright.OptionalCookie{Name: f[5], Value: f[6], Domain: &f[0], Path: &f[2], HttpOnly: &httpOnly,
			Secure: playwright.Bool(f[3] == "TRUE")}
		if at, err := strconv.ParseFloat(f[4], 64); err == nil && at > 0 {
			c.Expires = &at
		}
		out = append(out, c)
	}
	return out
}

// shellWords splits a command line as a shell does: quotes, and a backslash before a character or a line's end.
func shellWords(text string) []string {
	var out []string
	var b strings.Builder
	open, in := rune(0), false
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		switch {
		case c == '\\' && open != '\'' && i+1 < len(runes):
			i++
			if runes[i] != '\n' {
				b.WriteRune(runes[i])
				in = true
			}
		case open != 0 && c == open:
			open = 0
		case open == 0 && (c == '\'' || c == '"'):
			open, in = c, true
		case open == 0 && strings.ContainsRune(" \t\r\n", c):
			if in {
				out = append(out, b.String())
				b.Reset()
				in = false
			}
		default:
			b.WriteRune(c)
			in = true
		}
	}
	if in {
		out = append(out, b.String())
	}
	return out
}
