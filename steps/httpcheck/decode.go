package httpcheck

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// methods are those of HTTP that a test has a use for, and those of WebDAV and caches.
var methods = strings.Fields("GET HEAD OPTIONS POST PUT PATCH DELETE TRACE QUERY PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK REPORT SEARCH PURGE")

func decode(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	n, ok := m["http"]
	if !ok {
		return nil, result()
	}
	table := slices.Clone(requestKeys)
	for _, key := range misplaced {
		table = append(table, spec.Key{Name: key})
	}
	if text, is := n.Text(); is && !n.Empty() {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("http", "a map", "text"), "write http: { url: "+strconv.Quote(text)+" }")
		return nil, result()
	}
	k, ok := n.Map(`"http"`, table, d.Errs)
	if !ok {
		return nil, result()
	}
	for _, key := range misplaced {
		if v, ok := k[key]; ok {
			msg, _ := diag.Unknown(`"http"`, key, nil)
			d.Errs.AddWide(v.KeyPos(), len(key), msg, "it stands beside http, one level further out")
		}
	}
	r := &request{redirects: defaultRedirects, timeout: defaultTimeout}
	c := decoder{d}
	c.url(r, k["url"])
	r.query, _ = c.fields(k["query"], "query")
	r.headers = c.headers(k["headers"])
	r.payload = c.payload(k)
	c.method(r, k)
	c.auth(r, k)
	c.options(r, k)
	limit := c.limits(r, k["timeout"], m["timeout"])
	if k["url"].IsZero() {
		return nil, result()
	}
	return steps.Opaque{Safe: r.safe(), Checks: true, Run: r.run, Limit: limit, Wants: r.wants, Page: r.cookies, Judged: func(list []*spec.Expr) {
		for _, e := range list {
			r.anyStatus = r.anyStatus || e.Uses("status") || strings.Contains(e.Source(), "data.status")
		}
	}}, result()
}

// decoder adds what http steps need to the one that steps are decoded with.
type decoder struct{ *steps.Decoder }

// text compiles a scalar.
func (c decoder) text(n spec.Node, key string) spec.Text {
	spec.WantText(n, key, c.Errs)
	if _, ok := n.Text(); !ok {
		return spec.Text{}
	}
	return spec.CompileText(n, c.Scope, c.Errs)
}

func (c decoder) url(r *request, n spec.Node) {
	if n.IsZero() {
		return
	}
	r.url = c.text(n, "url")
	r.wants = append(r.wants, steps.Ask{Kind: steps.AskDomain, Text: r.url, Pos: n.Pos()})
	s, static := r.url.Static()
	if _, scalar := n.Text(); !static || !scalar || n.Empty() {
		return
	}
	if _, bad := parseURL(s, stand); bad != nil {
		c.Errs.AddWide(n.Pos(), n.Width(), bad.msg, bad.hint)
	}
}

func (c decoder) method(r *request, k map[string]spec.Node) {
	n, ok := k["method"]
	if !ok {
		r.method = "GET"
		if r.payload != nil {
			r.method = "POST"
		}
		return
	}
	r.method = spec.WantText(n, "method", c.Errs)
	upper := strings.ToUpper(r.method)
	switch {
	case r.method == "": // reported, or empty
		if _, scalar := n.Text(); scalar && !n.Empty() {
			c.Errs.AddWide(n.Pos(), n.Width(), `"method" is empty`, "leave it out for GET, or POST with a body")
		}
	case strings.Contains(r.method, "${{"):
		c.Errs.AddWide(n.Pos(), n.Width(), `"method" must be written out, got ${{ }}`, "whether a step is safe to repeat is known before it runs")
	case slices.Contains(methods, r.method):
	case slices.Contains(methods, upper):
		c.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("method", "in upper case", strconv.Quote(r.method)), "write "+upper)
	default:
		msg, hint := diag.BadValue("method", r.method, methods)
		if hint == "" {
			hint = "one of GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE"
		}
		c.Errs.AddWide(n.Pos(), n.Width(), msg, hint)
	}
	if r.payload != nil && (r.method == "HEAD" || r.method == "TRACE") {
		c.Errs.AddWide(n.Pos(), n.Width(), r.method+" cannot carry a body", "")
	}
}

// fields decodes a map of names to texts or lists of texts, in written order; the entries are where they came from.
func (c decoder) fields(n spec.Node, key string) ([]field, []spec.Entry) {
	entries := n.Entries(strconv.Quote(key), c.Errs)
	out := make([]field, 0, len(entries))
	for _, e := range entries {
		f := field{name: e.Name}
		items, list := e.Value.Seq()
		if !list {
			items = []spec.Node{e.Value}
		}
		for i, item := range items {
			name := e.Name
			if list {
				name = "item " + strconv.Itoa(i+1) + " of " + strconv.Quote(e.Name)
			}
			f.values = append(f.values, c.text(item, name))
		}
		out = append(out, f)
	}
	return out, entries
}

// ruled are headers that follow from the rest of the request.
var ruled = []string{"Content-Length", "Transfer-Encoding", "Connection", "Trailer"}

func (c decoder) headers(n spec.Node) []field {
	list, entries := c.fields(n, "headers")
	first := map[string]string{}
	for i, e := range entries {
		wide := func(msg, hint string) { c.Errs.AddWide(e.KeyPos, len([]rune(e.Name)), msg, hint) }
		canonical := http.CanonicalHeaderKey(e.Name)
		switch {
		case !httpguts.ValidHeaderFieldName(e.Name):
			wide(strconv.Quote(e.Name)+" cannot be the name of a header", "")
		case slices.Contains(ruled, canonical):
			wide(strconv.Quote(e.Name)+" is set by the request itself", "leave it out")
		case first[canonical] != "":
			wide(strconv.Quote(e.Name)+" and "+strconv.Quote(first[canonical])+" are the same header",
				"give it a list: "+first[canonical]+": [one, two]")
		default:
			first[canonical] = e.Name
		}
		if s, static := single(list[i]); static && !httpguts.ValidHeaderFieldValue(s) {
			c.Errs.AddWide(e.Value.Pos(), e.Value.Width(), strconv.Quote(e.Name)+" holds a line break or another control character", "")
		}
	}
	return list
}

func single(f field) (string, bool) {
	if len(f.values) != 1 {
		return "", false
	}
	return f.values[0].Static()
}

func (c decoder) auth(r *request, k map[string]spec.Node) {
	n, ok := k["auth"]
	if !ok {
		return
	}
	m, ok := n.Map(`"auth"`, authKeys, c.Errs)
	if !ok {
		return
	}
	basic, hasBasic := m["basic"]
	bearer, hasBearer := m["bearer"]
	switch {
	case hasBasic:
		items, isList := basic.Seq()
		if !isList || len(items) != 2 {
			got := basic.Sort()
			if isList {
				got = "a list of " + strconv.Itoa(len(items))
			}
			c.Errs.AddWide(basic.Pos(), basic.Width(), diag.WantKind("basic", "a list of user and password", got), "write basic: [ada, secret]")
			return
		}
		for i, what := range []string{"the user", "the password"} {
			r.basic = append(r.basic, c.text(items[i], what+` of "basic"`))
		}
	case hasBearer:
		t := c.text(bearer, "bearer")
		r.bearer = &t
	case len(n.Keys()) == 0:
		c.Errs.AddWide(n.Pos(), n.Width(), `"auth" is empty`, "write auth: { bearer: TOKEN } or auth: { basic: [USER, PASSWORD] }")
	}
	for _, f := range r.headers {
		if http.CanonicalHeaderKey(f.name) == "Authorization" {
			c.Errs.AddWide(n.KeyPos(), len("auth"), diag.Conflict("auth", f.name), "leave one of them out")
		}
	}
}

func (c decoder) options(r *request, k map[string]spec.Node) {
	if n, ok := k["redirects"]; ok {
		r.redirects = c.redirects(n)
	}
	r.cookies = spec.WantBool(k["with_page_cookies"], "with_page_cookies", c.Errs)
	if r.cookies {
		for _, f := range r.headers {
			if http.CanonicalHeaderKey(f.name) == "Cookie" {
				c.Errs.AddWide(k["with_page_cookies"].KeyPos(), len("with_page_cookies"), diag.Conflict("with_page_cookies", f.name), "leave one of them out")
			}
		}
	}
	n, ok := k["tls"]
	if !ok {
		return
	}
	m, ok := n.Map(`"tls"`, tlsKeys, c.Errs)
	if !ok {
		return
	}
	r.insecure = spec.WantBool(m["insecure"], "insecure", c.Errs)
	r.identity = c.identity(m)
	if ca, ok := m["ca"]; ok {
		t := c.text(ca, "ca")
		r.ca = &t
	}
}

// redirects is a number of at least one, or false.
func (c decoder) redirects(n spec.Node) int {
	text, ok := n.Text()
	if ok && !n.Quoted() {
		if text == "false" {
			return -1
		}
		if i, err := strconv.Atoi(text); err == nil && i > 0 && i <= 100 {
			return i
		}
	}
	got := n.Sort()
	if ok && !n.Empty() {
		got = strconv.Quote(text)
	}
	hint := "write false to follow none"
	if ok && text == "true" {
		hint = "leave it out to follow " + strconv.Itoa(defaultRedirects)
	}
	c.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("redirects", "a number from 1 to 100, or false", got), hint)
	return defaultRedirects
}

// limits decodes the request's own timeout, and gives it; 0 if there is none. The step's timeout goes for all reads
// together, and takes the place of the default.
func (c decoder) limits(r *request, own, step spec.Node) time.Duration {
	if !step.IsZero() {
		r.timeout = 0
	}
	if own.IsZero() {
		return 0
	}
	before := c.Errs.Len()
	limit := spec.WantDuration(own, "timeout", c.Errs)
	if limit <= 0 {
		if c.Errs.Len() == before {
			c.Errs.AddWide(own.Pos(), own.Width(), `"timeout" must be longer than nothing`, "leave it out for the default of 30s")
		}
		return 0
	}
	r.timeout = limit
	if text, ok := step.Text(); ok {
		if outer, err := time.ParseDuration(text); err == nil && outer < limit {
			c.Errs.AddWide(own.Pos(), own.Width(), "the request may take "+limit.String()+", longer than its step ("+outer.String()+")",
				"an inner limit cannot be longer than an outer one")
		}
	}
	return limit
}
