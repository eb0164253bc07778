package httpcheck

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/http/httpguts"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// built is a rendered request.
type built struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte
}

// build renders the request.
func (r *request) build(ctx context.Context, e steps.Env) (*built, error) {
	raw, err := r.url.String(ctx, e.Values, e.Reader)
	if err != nil {
		return nil, wrap("url", err)
	}
	b := &built{method: r.method, header: http.Header{}}
	if b.url, err = resolve(e.BaseURL, raw); err != nil {
		return nil, err
	}
	query, err := pairs(ctx, r.query, "query", e)
	if err != nil {
		return nil, err
	}
	if query != "" && b.url.RawQuery != "" {
		query = "&" + query
	}
	b.url.RawQuery += query
	kind := ""
	if r.payload != nil {
		if b.body, kind, err = r.payload(ctx, e); err != nil {
			return nil, err
		}
	}
	b.header.Set("Accept", "*/*")
	b.header.Set("User-Agent", "checkrow")
	if kind != "" {
		b.header.Set("Content-Type", kind)
	}
	if err := r.header(ctx, b.header, e); err != nil {
		return nil, err
	}
	return b, r.authorize(ctx, b, e)
}

// header renders the headers; each takes the place of a default of the same name.
func (r *request) header(ctx context.Context, h http.Header, e steps.Env) error {
	for _, f := range r.headers {
		values, err := f.render(ctx, "headers", e)
		if err != nil {
			return err
		}
		h.Del(f.name)
		for _, v := range values {
			if !httpguts.ValidHeaderFieldValue(v) {
				return fmt.Errorf("header %s of http holds a line break or another control character", strconv.Quote(f.name))
			}
			h.Add(f.name, v)
		}
	}
	return nil
}

func (r *request) authorize(ctx context.Context, b *built, e steps.Env) error {
	switch {
	case r.bearer != nil:
		token, err := r.bearer.String(ctx, e.Values, e.Reader)
		if err != nil {
			return wrap("auth.bearer", err)
		}
		if token == "" || !httpguts.ValidHeaderFieldValue(token) {
			return errors.New("auth.bearer of http is empty, or holds a control character")
		}
		b.header.Set("Authorization", "Bearer "+token)
	case len(r.basic) == 2:
		user, err := r.basic[0].String(ctx, e.Values, e.Reader)
		if err != nil {
			return wrap("auth.basic", err)
		}
		password, err := r.basic[1].String(ctx, e.Values, e.Reader)
		if err != nil {
			return wrap("auth.basic", err)
		}
		if strings.Contains(user, ":") {
			return errors.New(`the user in auth.basic of http holds ":", which cannot be sent`)
		}
		req := http.Request{Header: b.header}
		req.SetBasicAuth(user, password)
	}
	return nil
}

// problem is what is wrong with a URL, and how to mend it.
type problem struct{ msg, hint string }

func (p *problem) Error() string {
	if p.hint == "" {
		return p.msg
	}
	return p.msg + " (" + p.hint + ")"
}

// stand takes the place of base_url where it is not known yet.
const stand = "http://base.invalid/"

// resolve makes a URL of what a suite says: a whole one, or a path on base_url.
func resolve(base, raw string) (*url.URL, error) {
	u, bad := parseURL(raw, base)
	if bad != nil {
		return nil, bad
	}
	return u, nil
}

// parseURL parses a URL, which may be a path on base. "localhost:80/x" and "example.test/x" are neither, and refused:
// taken for a path they would ask the wrong server.
func parseURL(raw, base string) (*url.URL, *problem) {
	quoted := `"` + diag.Visible(raw) + `"`
	if strings.ContainsFunc(raw, unicode.IsControl) {
		return nil, &problem{"the URL " + quoted + " holds a control character", ""}
	}
	head := raw // what stands before the path, the query and the fragment
	if i := strings.IndexAny(raw, "/?#"); i >= 0 {
		head = raw[:i]
	}
	scheme, _, colon := strings.Cut(head, ":")
	switch {
	case raw == "":
		return nil, &problem{"the URL is empty", `write "/" for base_url itself`}
	case colon && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")):
		return absolute(raw, quoted)
	case colon && strings.HasPrefix(raw[len(head):], "//"):
		return nil, &problem{quoted + " is no URL of HTTP", "it starts with http:// or https://"}
	case strings.HasPrefix(raw, "//"):
		return nil, &problem{quoted + " has no scheme", "write http:" + raw + " or https:" + raw}
	case strings.ContainsAny(head, ".:") && strings.Trim(head, ".") != "", head == "localhost":
		return nil, &problem{quoted + " is neither a URL nor a path", "write http://" + raw + ", or /" + raw + " for a path on base_url"}
	}
	if base == "" {
		return nil, &problem{quoted + " is a path, and there is no base_url to resolve it against", "write the whole URL"}
	}
	root, bad := absolute(base, `"`+diag.Visible(base)+`"`)
	if bad != nil {
		return nil, &problem{"base_url: " + bad.msg, bad.hint}
	}
	u, err := root.Parse(raw)
	if err != nil {
		return nil, &problem{quoted + " is no URL: " + reason(err), ""}
	}
	return tidy(u), nil
}

func absolute(raw, quoted string) (*url.URL, *problem) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &problem{quoted + " is no URL: " + reason(err), ""}
	}
	if u.Hostname() == "" || u.Opaque != "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &problem{quoted + " names no host", "write http://HOST/PATH or https://HOST/PATH"}
	}
	return tidy(u), nil
}

// reason is the cause of an error without the URL, which is told beside it.
func reason(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// tidy leaves out the fragment, which is never sent, and escapes what may not stand in a query: the library sends it as
// it is, and a space would end the request line.
func tidy(u *url.URL) *url.URL {
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	var b strings.Builder
	for i := range len(u.RawQuery) {
		c := u.RawQuery[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	u.RawQuery = b.String()
	return u
}
