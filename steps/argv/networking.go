package argv

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// networking are the rows about requests beside network requests: routes, one request, HAR.
func networking() []*Command {
	return append(routes(),
		&Command{
			Words: words("network request"), Operands: []Operand{{Name: "id", Kind: Text, Doc: "the requestId that network requests gave"}},
			Data: []DataKey{{"requestId", "string", "as given"}, {"url", "string", "of the request"}, {"method", "string", "of the request"},
				{"resourceType", "string", "xhr, fetch, document …"}, {"headers", "map", "of the request"},
				{"postData", "string", "what was sent, or empty"}, {"status", "int", "0 without an answer"}, {"mimeType", "string", "of the answer"},
				{"responseHeaders", "map", "of the answer"},
				{"responseBody", "string", "the text of the answer; for what is no text its size in brackets"},
				{"responseBase64", "string", "the answer if it is no text"}, {"truncated", "bool", "the answer is longer than 1 MiB and was cut"},
				{"failed", "bool", "there was no answer"}, {"error", "any", "why it failed, or nil"}, {"initiator", "string", "what sent it"},
				{"stack", "list", "where in the scripts it was sent, innermost first: url, line, column, function of each"},
				{"timestamp", "int", "when it began, in ms"}, {"seq", "int", "its number"}},
			Value: "responseBody", Traits: ring, Trips: 1,
			Doc: "Reads one request with the body of its answer.", Example: []string{"network", "request", "r12"},
			Differs: "carries seq, failed, error and initiator",
			Check:   checkRequestID,
		},
		&Command{
			Words: words("network har start"), Flags: []Flag{{Name: "--content", Kind: Enum, Values: []string{"text", "all", "none"},
				Doc: "which bodies are kept (default text)"}},
			Data: []DataKey{{"started", "bool", "always true"}}, Value: "started", Trips: 1,
			Doc: "Begins to record requests as HAR; a recording that runs begins anew.", Example: []string{"network", "har", "start"},
			Differs: "one that is open at the end of the test is saved, and the test fails",
		},
		&Command{
			Words: words("network har stop"), Operands: []Operand{pathOperand("ends in .har (default network.har)", true)},
			Data: []DataKey{pathKey, {"requestCount", "int", "number of requests in it"}}, Value: "path", Traits: WritesFile, Trips: 1,
			Doc: "Ends the recording and saves it as HAR 1.2.", Example: []string{"network", "har", "stop", "shop.har"},
			Differs: "without a recording the file is empty, with a warning",
			Check:   func(c *Call, l *diag.List) { suffixed(c, 0, l, ".har") },
		})
}

func routes() []*Command {
	pattern := Operand{Name: "pattern", Kind: URLPattern, Doc: "/glob on the path, scheme://glob on the URL, **glob"}
	optional := pattern
	optional.Optional = true
	return []*Command{
		{
			Words: words("network route"), Operands: []Operand{pattern},
			Flags: []Flag{
				{Name: "--abort", Bool: true, Doc: "the request fails as if there were no network"},
				{Name: "--body", Kind: Text, Doc: "answers with this text"},
				{Name: "--status", Kind: Number, Doc: "answers with this status (default 200)"},
				{Name: "--headers", Kind: Text, Doc: `headers of the answer, a JSON object: {"X-Mock": "1"}`},
				{Name: "--allow-origin", Kind: Text, Doc: "the origin that may read the answer from elsewhere, or *"},
				{Name: "--resource-type", Kind: Text, Doc: "only these types, by comma: xhr,fetch,image"}},
			Data: []DataKey{{"routed", "string", "the pattern"}}, Value: "routed", Traits: Mutates | Repeatable, Trips: 1,
			Doc:     "Answers or aborts the requests that match, in every tab of the session; the newest route that matches counts.",
			Example: []string{"network", "route", "/api/cart", "--status", "503", "--body", "{}"},
			Differs: "takes --status and --headers; patterns as in wait --url; a route without anything to do is an error",
			Check:   checkRoute,
		},
		{
			Words: words("network unroute"), Operands: []Operand{optional},
			Data: []DataKey{{"unrouted", "string", "the pattern, or all"}}, Value: "unrouted", Traits: Mutates | Repeatable, Trips: 1,
			Doc: "Takes routes back: those of a pattern, or all.", Example: []string{"network", "unroute", "/api/cart"},
			Differs: "a pattern that has no route is a warning",
		},
	}
}

var requestForm = regexp.MustCompile(`^r[1-9][0-9]*$`)

func checkRequestID(c *Call, l *diag.List) {
	if text, p, ok := c.staticOperand(0); ok && !requestForm.MatchString(text) {
		l.Add(p, strconv.Quote(text)+" is no request", "requests are r1, r2 …: the requestId of [network, requests]")
	}
}

func checkRoute(c *Call, l *diag.List) {
	answers := c.Has("--body") || c.Has("--status") || c.Has("--headers")
	switch {
	case c.Has("--abort") && answers:
		l.Add(c.Pos, "--abort and an answer exclude each other", "")
	case !c.Has("--abort") && !answers:
		l.Add(c.Pos, "a route needs something to do", "--abort, --body TEXT, --status N or --headers JSON")
	case c.Has("--allow-origin") && !answers:
		l.Add(c.Pos, "--allow-origin needs an answer", "add --body TEXT or --status N")
	}
	if text, p, ok := c.static("--status"); ok {
		if n, err := strconv.Atoi(text); err == nil && (n < 200 || n > 599) {
			l.Add(p, "--status expects an HTTP status, not "+strconv.Quote(text), "200 to 599")
		}
	}
	if text, p, ok := c.static("--headers"); ok {
		checkHeaders(text, "--headers", p, l)
	}
	if text, p, ok := c.static("--resource-type"); ok {
		checkTypes(text, "--resource-type", p, l)
	}
}

// resourceTypes are the words for what a request is for.
var resourceTypes = words("document stylesheet image media font script texttrack xhr fetch eventsource websocket manifest other ping")

func checkTypes(text, what string, p diag.Pos, l *diag.List) {
	for _, t := range strings.Split(text, ",") {
		checkEnum(t, p, what, resourceTypes, l)
	}
}

// Headers reads a JSON object of header names and texts.
func Headers(text string) (map[string]string, error) {
	var out map[string]string
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, err
	}
	return out, nil
}

var headerForm = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

func checkHeaders(text, what string, p diag.Pos, l *diag.List) {
	const hint = `write {"X-Name": "text"}`
	m, err := Headers(text)
	if err != nil || m == nil {
		l.Add(p, what+" expects a JSON object of texts, not "+strconv.Quote(text), hint)
		return
	}
	for name, value := range m {
		if !headerForm.MatchString(name) || strings.ContainsAny(value, "\r\n\x00") {
			l.Add(p, strconv.Quote(name+": "+value)+" is no header", hint)
		}
	}
}

// checkRequests checks the filters of network requests.
func checkRequests(c *Call, l *diag.List) {
	for _, f := range []struct {
		flag string
		form *regexp.Regexp
		hint string
	}{
		{"--status", statusForm, "write 200, 4xx or 400-499"},
		{"--method", methodForm, "write GET, POST …"},
	} {
		if text, p, ok := c.static(f.flag); ok && !f.form.MatchString(text) {
			l.Add(p, f.flag+" does not understand "+strconv.Quote(text), f.hint)
		}
	}
	if text, p, ok := c.static("--type"); ok {
		checkTypes(text, "--type", p, l)
	}
	var only []string
	for _, f := range []string{"--current-page", "--current-origin", "--current-url"} {
		if c.Has(f) {
			only = append(only, f)
		}
	}
	if len(only) > 1 {
		l.Add(c.Pos, strings.Join(only, " and ")+" exclude each other", "")
	}
}

var (
	statusForm = regexp.MustCompile(`^([1-5][0-9][0-9]|[1-5]xx|[1-5][0-9][0-9]-[1-5][0-9][0-9])$`)
	methodForm = regexp.MustCompile(`^[A-Za-z]+$`)
)
