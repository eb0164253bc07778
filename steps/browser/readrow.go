package browser

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/markdown"
)

// maxRead is how much of a text a read row keeps.
const maxRead = 1 << 20

// document is a text with what is known of it.
type document struct {
	text, kind, url, final, source string
	status                         int
}

// accepts is what a read row would like, best first.
const accepts = "text/markdown, text/plain;q=0.9, text/html;q=0.8, */*;q=0.5"

// readRow reads the page, or what a URL answers, as text.
func readRow(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	var d document
	var err error
	switch {
	case r.op(0) != "" || r.a.Has("--llms"):
		d, err = s.requested(ctx, r)
	default:
		d, err = s.pageSource(ctx)
	}
	if err != nil {
		return steps.Observation{}, err
	}
	cut := len(d.text) > maxRead
	if cut {
		d.text = strings.ToValidUTF8(d.text[:maxRead], "")
	}
	if err := d.shape(r); err != nil {
		return steps.Observation{}, err
	}
	o := steps.OK(map[string]any{"content": d.text, "contentType": d.kind, "url": d.url, "finalUrl": d.final, "source": d.source,
		"status": d.status, "truncated": cut}, "content")
	if want, ok := r.a.Flag("--filter"); ok && d.text == "" {
		o.Warnings = append(o.Warnings, fmt.Sprintf("no section holds %q", want))
	}
	return o, nil
}

// shape makes Markdown of HTML and takes the part that the row asks for.
func (d *document) shape(r *row) error {
	media, _, err := mime.ParseMediaType(d.kind)
	if err != nil {
		media = d.kind
	}
	if r.a.Has("--require-md") && media != "text/markdown" {
		return problem(steps.HTTP, "not-markdown", fmt.Sprintf("%s answered %s, text/markdown was expected", d.url, media))
	}
	if r.a.Has("--raw") {
		d.source = "raw"
		return nil
	}
	switch {
	case media == "text/html" || media == "application/xhtml+xml":
		if d.text, err = markdown.FromHTML(d.text); err != nil {
			return problem(steps.Internal, "html", firstLine(err))
		}
	case d.source == "llms":
	case media == "text/markdown":
		d.source = "markdown"
	default:
		d.source = "raw"
	}
	if r.a.Has("--outline") {
		d.text, d.source = markdown.Outline(d.text, d.final), d.source+"-outline"
	}
	if want, ok := r.a.Flag("--filter"); ok {
		d.text, d.source = markdown.Filter(d.text, want), d.source+"-filtered"
	}
	return nil
}

// pageScript reads the document as it is now; a text that the browser shows as it is has no HTML of its own.
const pageScript = `(() => { const d = document, html = /html|xml/.test(d.contentType);
	return { kind: d.contentType, text: html ? d.documentElement.outerHTML : d.body ? d.body.innerText : '' } })()`

func (s *session) pageSource(ctx context.Context) (document, error) {
	v, err := s.evaluate(ctx, pageScript)
	if err != nil {
		return document{}, err
	}
	at := s.page().URL()
	m, _ := v.(map[string]any)
	d := document{url: at, final: at, source: "active-tab-html"}
	d.kind, _ = m["kind"].(string)
	d.text, _ = m["text"].(string)
	return d, nil
}

// requested asks for a URL with the session's cookies; no page is loaded.
func (s *session) requested(ctx context.Context, r *row) (document, error) {
	to, source, err := s.source(r)
	if err != nil {
		return document{}, err
	}
	a, err := s.get(ctx, r, to)
	if err != nil {
		if f := (*failed)(nil); asFailed(err, &f) {
			return document{}, err
		}
		if isTimeout(err) || errors.Is(err, context.DeadlineExceeded) {
			return document{}, problem(steps.Timeout, "read", fmt.Sprintf("%s did not answer: waited %s", to, r.waited()))
		}
		if s.fate(nil) != nil {
			return document{}, err
		}
		return document{}, problem(steps.Navigation, "net", fmt.Sprintf("%s cannot be read: %s", to, requestError(err)))
	}
	if a.status >= 400 {
		return document{}, problem(steps.Navigation, "http-status", fmt.Sprintf("%s answered %d", to, a.status))
	}
	d := document{text: string(a.body), kind: a.header("content-type"), url: to, final: a.url, source: source, status: a.status}
	if !utf8.ValidString(d.text) || strings.ContainsRune(d.text, 0) {
		return document{}, problem(steps.NotActionable, "not-text", fmt.Sprintf("%s answered %s, which is no text", to, orElse(d.kind, "something")))
	}
	return d, nil
}

// source gives the URL that a row reads, and what its text is called.
func (s *session) source(r *row) (to, source string, err error) {
	to = s.page().URL()
	if raw := r.op(0); raw != "" {
		if to, err = s.resolve(raw); err != nil {
			return "", "", err
		}
	}
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", "", problem(steps.Validation, "url", fmt.Sprintf("%q cannot be fetched: http and https can", to))
	}
	which, ok := r.a.Flag("--llms")
	if !ok {
		return to, "html-fallback", nil
	}
	file := map[string]string{"index": "/llms.txt", "full": "/llms-full.txt"}[which]
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: file}).String(), "llms", nil
}

// requestError is what a fetch says of a server that it cannot talk to: "connect ECONNREFUSED 127.0.0.1:1".
func requestError(err error) string {
	text := cleanError(err)
	if _, rest, ok := strings.Cut(text, "apiRequestContext.get: "); ok {
		text = rest
	}
	return text
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
