package qa

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// network judges the requests: one that failed, was refused or aborted, or was answered with an error counts, but for an
// icon that is not there (CONTRACT R57).
func (f *findings) network(o steps.Observation) {
	var bad []string
	icons, known := 0, 0
	for _, x := range list(o, "requests") {
		r, _ := x.(map[string]any)
		switch {
		case !failed(r):
		case isData(r):
		case benignIcon(r):
			icons++
		case f.explained(requestFault(r)):
			known++
		default:
			bad = append(bad, requestWords(r))
			f.show(len(bad), requestWords(r)+from(r)+f.source(r))
		}
	}
	if icons > 0 {
		f.warnings = append(f.warnings, fmt.Sprintf("%d benign network request failure(s) ignored", icons))
	}
	f.expected(known, "failed request")
	f.settle(partNetwork, bad, "failed request", "failed requests", number(o.Data["dropped"]))
}

func (f *findings) explained(x steps.Fault) bool { return f.env.Explained != nil && f.env.Explained(x) }

// expected notes what a step has provoked, or health allows.
func (f *findings) expected(n int, what string) {
	switch {
	case n == 1:
		f.known = append(f.known, "1 expected "+what+" ignored")
	case n > 1:
		f.known = append(f.known, fmt.Sprintf("%d expected %ss ignored", n, what))
	}
}

func (f *findings) show(n int, line string) {
	switch {
	case n <= maxFound:
		f.found = append(f.found, line)
	case n == maxFound+1:
		f.found = append(f.found, "… and more of this sort")
	}
}

// console judges the messages: those of type error count. A line that the browser itself writes for a request that failed
// is the network check's.
func (f *findings) console(o steps.Observation) {
	var bad []string
	known := 0
	for _, x := range list(o, "messages") {
		m, _ := x.(map[string]any)
		kind, said := text(m["type"]), text(m["text"])
		switch {
		case !strings.Contains(strings.ToLower(kind+" "+text(m["level"])), "error"):
		case strings.HasPrefix(said, "Failed to load resource"):
		case f.explained(steps.Fault{Kind: steps.FaultConsole, Text: said, URL: text(m["url"]), Line: number(m["line"])}):
			known++
		default:
			bad = append(bad, said+place(m))
			f.show(len(bad), "console "+kind+": "+said+place(m)+f.locate(placeOf(m)))
		}
	}
	f.expected(known, "console error")
	f.settle(partConsole, bad, "console error", "console errors", number(o.Data["dropped"]))
}

// pageErrors judges the uncaught errors against those that were there before the page was opened (CONTRACT R55). Where
// entries are numbered the newest one of the baseline is a cursor; else what is the same in both could be either.
func (f *findings) pageErrors(o steps.Observation) {
	have := map[string]int{}
	cursor, numbered := 0, false
	for _, x := range f.baseline {
		have[signature(x)]++
		if m, _ := x.(map[string]any); m["seq"] != nil {
			cursor, numbered = max(cursor, number(m["seq"])), true
		}
	}
	var bad []string
	known, same := 0, 0
	for _, x := range list(o, "errors") {
		m, _ := x.(map[string]any)
		if numbered && number(m["seq"]) <= cursor {
			continue
		}
		if sig := signature(x); have[sig] > 0 {
			have[sig]--
			same++
			continue
		}
		said := text(m["message"])
		if said == "" {
			said, _, _ = strings.Cut(text(m["text"]), "\n")
		}
		if f.explained(steps.Fault{Kind: steps.FaultPageError, Text: said, URL: text(m["url"]), Line: number(m["line"])}) {
			known++
			continue
		}
		bad = append(bad, said+place(m))
		f.show(len(bad), "uncaught "+said+place(m)+f.locate(append(stackOf(text(m["text"])), placeOf(m)...)))
	}
	f.expected(known, "page error")
	f.settle(partErrors, bad, "page error", "page errors", number(o.Data["dropped"]))
	if same > 0 {
		f.warnings = append(f.warnings, fmt.Sprintf("%d page error(s) are the same as before the page was opened", same))
		f.unverifiedErrors()
	}
}

// unverifiedErrors says that the page errors may be new or old.
func (f *findings) unverifiedErrors() {
	f.failed = append(f.failed, unverified(partErrors, 0))
	if c := &f.checks[len(f.checks)-1]; c.State == steps.CheckPassed {
		c.State, c.Text = steps.CheckUnverified, unverified(partErrors, 0)
	}
}

func signature(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func failed(r map[string]any) bool {
	word, isText := r["error"].(string)
	return number(r["status"]) >= 400 || r["failed"] == true || isText && word != ""
}

var icon = regexp.MustCompile(`(?i)(?:^|/)(?:favicon(?:[-.\w]*)?\.(?:ico|png|svg)|apple-touch-icon(?:[-.\w]*)?\.png)$`)

// benignIcon tells a request for an icon that is not there, which says nothing of the page.
func benignIcon(r map[string]any) bool {
	path := text(r["url"])
	if u, err := url.Parse(path); err == nil {
		path = u.Path
	}
	kind := strings.ToLower(text(r["resourceType"]))
	if kind == "" {
		kind = strings.ToLower(text(r["mimeType"]))
	}
	word, isText := r["error"].(string)
	gone := number(r["status"]) == 404 || r["failed"] == true || isText && word != ""
	return gone && icon.MatchString(path) && (kind == "" || kind == "image" || kind == "img" || kind == "other" || strings.HasPrefix(kind, "image/"))
}

// isData tells a picture that came with the page.
func isData(r map[string]any) bool { return strings.HasPrefix(text(r["url"]), "data:") }

func requestFault(r map[string]any) steps.Fault {
	f := steps.Fault{Kind: steps.FaultHTTP, URL: text(r["url"]), Method: text(r["method"]), Type: text(r["resourceType"]), Status: number(r["status"]),
		Request: uint64(max(0, number(r["seq"]))), Text: requestWords(r)}
	if r["failed"] == true {
		f.Kind = steps.FaultRequest
	}
	return f
}

func requestWords(r map[string]any) string {
	what := text(r["method"]) + " " + text(r["url"])
	if word := text(r["error"]); word != "" {
		return what + ": " + word
	}
	if n := number(r["status"]); n > 0 {
		return fmt.Sprintf("%s answered %d (%s)", what, n, text(r["resourceType"]))
	}
	return what + ": failed"
}

// from says what made a request.
func from(r map[string]any) string {
	if by := text(r["initiator"]); by != "" {
		return ", from " + by
	}
	return ""
}

func place(m map[string]any) string {
	at := text(m["url"])
	if at == "" {
		return ""
	}
	if n := number(m["line"]); n > 0 {
		at += fmt.Sprintf(":%d", n)
		if c := number(m["column"]); c > 0 {
			at += fmt.Sprintf(":%d", c)
		}
	}
	return " (" + at + ")"
}
