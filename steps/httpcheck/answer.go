package httpcheck

import (
	"bytes"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

const (
	// shownBody is how much of a body the journal and the reports have, and shownLines how many of its lines a failure.
	shownBody  = 4 << 10
	shownLines = 8
	shownLine  = 200
	// shownHops is how many redirects a failure names.
	shownHops = 3
)

// answer is a response as expressions see it.
type answer struct {
	x        *exchange
	kind     string // media type
	text     string
	json     any
	isJSON   bool
	binary   bool
	headers  map[string]any
	warnings []string
}

// read takes an answer apart.
func read(x *exchange) *answer {
	a := &answer{x: x, kind: mediaOf(x.res.Header.Get("Content-Type")), headers: map[string]any{}}
	for name, values := range x.res.Header {
		sep := ", "
		if name == "Set-Cookie" {
			sep = "\n" // a date in it has a comma
		}
		a.headers[strings.ToLower(name)] = strings.ToValidUTF8(strings.Join(values, sep), "\uFFFD")
	}
	if x.dropped {
		a.warnings = append(a.warnings, fmt.Sprintf("the body of %s is larger than %s: the rest was dropped", x.asked(), size(maxBody)))
	}
	a.binary = binary(a.kind, x.body)
	a.text = strings.ToValidUTF8(string(x.body), "\uFFFD")
	if len(a.text) > maxText {
		a.text = strings.ToValidUTF8(a.text[:maxText], "")
		a.warnings = append(a.warnings, fmt.Sprintf("\"body\" of %s has only the first %s", x.asked(), size(maxText)))
	}
	a.decode()
	return a
}

// decode reads JSON where the server says that it is some, or says nothing of use and it looks like it.
func (a *answer) decode() {
	body := bytes.TrimSpace(bytes.TrimPrefix(a.x.body, []byte("\uFEFF")))
	said := a.kind == "application/json" || strings.HasSuffix(a.kind, "+json") || a.kind == "text/json"
	looks := len(body) > 0 && (body[0] == '{' || body[0] == '[') && (a.kind == "" || a.kind == "text/plain" || a.kind == "application/octet-stream")
	if len(body) == 0 || !said && !looks {
		return
	}
	v, err := spec.DecodeJSON(body)
	if err == nil {
		a.json, a.isJSON = v, true
	} else if said {
		a.warnings = append(a.warnings, fmt.Sprintf("the body of %s is called %s and is none: %s", a.x.asked(), a.kind, strings.TrimPrefix(err.Error(), "reading JSON: ")))
	}
}

func mediaOf(header string) string {
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(header, ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

// binary tells a body that is no text, whatever it is called.
func binary(kind string, body []byte) bool {
	head := body[:min(len(body), 1024)]
	for i := 0; i < 4 && len(head) > 0 && len(body) > len(head) && !utf8.Valid(head); i++ {
		head = head[:len(head)-1] // a rune may have been cut
	}
	for _, family := range []string{"image/", "audio/", "video/", "font/"} {
		if strings.HasPrefix(kind, family) && kind != "image/svg+xml" {
			return true
		}
	}
	return bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head) && !strings.HasPrefix(kind, "text/")
}

// full is what expressions see.
func (a *answer) full() *steps.Full {
	f := &steps.Full{Value: any(a.text), Raw: a.x.body}
	if a.isJSON {
		f.Value = a.json
	}
	f.Data = map[string]any{"status": a.x.res.StatusCode, "url": a.x.url.Redacted(), "redirects": a.hops(), "headers": a.headers,
		"body": a.text, "json": a.json}
	return f
}

func (a *answer) hops() []any {
	out := make([]any, 0, len(a.x.hops))
	for _, h := range a.x.hops {
		out = append(out, map[string]any{"method": h.method, "url": h.url, "status": h.status, "to": h.to})
	}
	return out
}

// preview is what journal and reports have: the body cut short, JSON not a second time, cookies without their values.
func (a *answer) preview() map[string]any {
	out := map[string]any{"status": a.x.res.StatusCode, "url": a.x.url.Redacted()}
	if len(a.x.hops) > 0 {
		out["redirects"] = a.hops()
	}
	headers := a.headers
	if _, sets := headers["set-cookie"]; sets {
		headers = maps.Clone(headers)
		headers["set-cookie"] = cookieNames(a.x.res.Header["Set-Cookie"])
	}
	out["headers"] = headers
	if !a.isJSON || len(a.x.body) > shownBody {
		out["body"] = a.short()
	}
	return out
}

// cookieNames leaves the values of cookies out: who has them is logged in.
func cookieNames(list []string) string {
	out := make([]string, len(list))
	for i, line := range list {
		pair, rest, more := strings.Cut(line, ";")
		name, _, _ := strings.Cut(pair, "=")
		out[i] = name + "=…"
		if more {
			out[i] += ";" + rest
		}
	}
	return strings.ToValidUTF8(strings.Join(out, "\n"), "\uFFFD")
}

// shown is the value for journal and reports.
func (a *answer) shown() any {
	switch {
	case !a.isJSON:
		return nil // it is the body
	case len(a.x.body) > shownBody:
		return nil
	}
	return a.json
}

// short is the beginning of the body, or its type and size if it is no text.
func (a *answer) short() string {
	n := int64(len(a.x.body))
	if a.binary {
		kind := a.kind
		if kind == "" {
			kind = http.DetectContentType(a.x.body)
		}
		return fmt.Sprintf("(%s, %s)", kind, size(n))
	}
	if n <= shownBody {
		return a.text
	}
	return strings.ToValidUTF8(a.text[:min(len(a.text), shownBody)], "") + fmt.Sprintf("… (%s)", size(n))
}

// lines show the exchange in a failure: each redirect, the answer, the first lines of its body. A reporter shows the last
// twelve lines of it.
func (x *exchange) lines() string {
	var out []string
	for i, h := range x.hops {
		if len(x.hops) > shownHops && i == 1 {
			out = append(out, fmt.Sprintf("… %s between", redirects(len(x.hops)-2)))
		}
		if len(x.hops) <= shownHops || i == 0 || i == len(x.hops)-1 {
			out = append(out, fmt.Sprintf("%s %s → %d, to %s", h.method, h.url, h.status, h.to))
		}
	}
	if x.res == nil {
		return strings.Join(out, "\n")
	}
	a := &answer{x: x, kind: mediaOf(x.res.Header.Get("Content-Type"))}
	line := strings.TrimSpace(fmt.Sprintf("%s %s → %d %s", x.method, x.url.Redacted(), x.res.StatusCode, http.StatusText(x.res.StatusCode)))
	for _, part := range []string{a.kind, size(int64(len(x.body))), x.took.Round(time.Millisecond).String()} {
		if part != "" {
			line += ", " + part
		}
	}
	out = append(out, line)
	if binary(a.kind, x.body) {
		return strings.Join(out, "\n")
	}
	return strings.Join(append(out, firstLines(x.body)...), "\n")
}

// firstLines gives the beginning of a text, fit for a terminal.
func firstLines(body []byte) []string {
	text := strings.ToValidUTF8(string(body[:min(len(body), shownBody)]), "")
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	list := strings.Split(text, "\n")
	cut := len(body) > shownBody
	if len(list) > shownLines {
		list, cut = list[:shownLines], true
	}
	for i, l := range list {
		l = diag.Visible(strings.TrimRight(strings.ReplaceAll(l, "\t", "  "), " "))
		if r := []rune(l); len(r) > shownLine {
			l = string(r[:shownLine]) + "…"
		}
		list[i] = l
	}
	if cut && !strings.HasSuffix(list[len(list)-1], "…") {
		list[len(list)-1] += " …"
	}
	return list
}
