package source

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Network is the network_source step.
var Network = steps.Kind{
	Name: "network_source",
	Doc: "Looks for the code behind requests that failed: what sent them, through source maps where the page serves them, and where the project names " +
		"their URL. It names candidates and judges nothing; expect does.",
	Example: "- network_source: { filter: /api/cart }\n  expect: data.status == \"no-failed-requests\"\n",
	Keys:    []spec.Key{{Name: "network_source", Type: "map", Doc: "which requests", Required: true, Keys: networkKeys}},
	Decode:  decodeNetwork,
}

var networkKeys = []spec.Key{
	{Name: "request_id", Type: "text", Doc: "one request, by its requestId: r12", Aka: []string{"id", "requestid", "request"}},
	{Name: "filter", Type: "text", Doc: "requests whose URL holds this", Aka: []string{"pattern"}},
	{Name: "url", Type: "text", Doc: "the same, where there is no filter", Aka: []string{"path"}},
	filesKey,
}

// trace is a compiled network_source step.
type trace struct {
	files   int
	needles []spec.Text
}

func decodeNetwork(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	typ := result(map[string]spec.Type{"failed_requests": {Base: spec.List, Elem: &spec.Type{Base: spec.Any},
		Doc: "{requestId, method, url, status, error, initiator} of each, without the values of queries"}})
	n, ok := m["network_source"]
	if !ok {
		return nil, typ
	}
	k, ok := n.Map(`"network_source"`, networkKeys, d.Errs)
	if !ok {
		return nil, typ
	}
	before := d.Errs.Len()
	x := &trace{files: filesOf(d, k)}
	var rows []steps.Row
	if id, has := k["request_id"]; has {
		if t, ok := d.TextOf(id, "request_id"); ok {
			if r, ok := d.Generated("network_source.request", at.Pos(), append(steps.Cells(at.Pos(), "network", "request"), t), nil); ok {
				rows = append(rows, r)
			}
		}
	}
	var filter *spec.Text
	for _, key := range []string{"url", "filter"} {
		if v, has := k[key]; has {
			if t, ok := d.TextOf(v, key); ok {
				filter = &t
				x.needles = append(x.needles, t)
			}
		}
	}
	if filter != nil {
		if r, ok := d.Generated("network_source.requests", at.Pos(), append(steps.Cells(at.Pos(), "network", "requests", "--filter"), *filter), nil); ok {
			rows = append(rows, r)
		}
	}
	if d.Errs.Len() == before && len(rows) == 0 && len(n.Keys()) == len(k) {
		d.Errs.Add(n.Pos(), `"network_source" names nothing to look for`, "write request_id, filter or url")
	}
	if d.Errs.Len() > before {
		return nil, typ
	}
	return steps.Rows{Rows: rows, Whole: true, Verdict: x.verdict}, typ
}

// The bounds of the search for URLs (CONTRACT R73).
const (
	maxNeedles = 8
	maxHits    = 10
)

// verdict gathers the requests that failed and the candidates of each.
func (x *trace) verdict(ctx context.Context, e steps.Env, gave []steps.Observation) steps.Observation {
	var bad []map[string]any
	var broken *steps.Observation
	seen := map[string]bool{}
	for i := range gave {
		if !gave[i].Success {
			broken = &gave[i]
			continue
		}
		for _, r := range requestsOf(gave[i]) {
			if id := text(r["requestId"]); failed(r) && !seen[id] {
				seen[id] = id != ""
				bad = append(bad, r)
			}
		}
	}
	w := openWorkspace(ctx, e.Root, x.files)
	maps := newMaps(e.BaseURL, e.Jar)
	var found []candidate
	var needles []string
	for _, t := range x.needles {
		if s, err := t.String(ctx, e.Values, e.Reader); err == nil {
			needles = append(needles, s)
		}
	}
	list := make([]any, 0, len(bad))
	for _, r := range bad {
		for _, p := range stackOf(r) {
			if c, ok := w.place(ctx, maps, p); ok {
				found = append(found, c)
			}
		}
		needles = append(needles, needlesOf(text(r["url"]))...)
		list = append(list, map[string]any{"requestId": r["requestId"], "method": r["method"], "url": Redacted(text(r["url"])), "status": number(r["status"]),
			"error": r["error"], "initiator": r["initiator"]})
	}
	limits := w.limits()
	if len(bad) > 0 {
		hits, cut := w.literals(ctx, needles)
		found, limits = append(found, hits...), append(limits, cut...)
	}
	found = ranked(found)
	status := "failed-requests-found"
	switch {
	case len(bad) == 0:
		status = "no-failed-requests"
	case len(found) == 0:
		status = "no-candidates"
	}
	o := outcome(status, found, limits)
	o.Data["failed_requests"] = list
	inProject(e, gave, &o)
	if broken != nil {
		o.Success, o.Category, o.Sub, o.Error, o.NextActions = false, broken.Category, broken.Sub, broken.Error, broken.NextActions
	}
	return o
}

// requestsOf are the requests that a row gave: a list, or one.
func requestsOf(o steps.Observation) []map[string]any {
	data := whole(o)
	list, many := data["requests"].([]any)
	if !many {
		return []map[string]any{data}
	}
	var out []map[string]any
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func failed(r map[string]any) bool {
	word, is := r["error"].(string)
	return number(r["status"]) >= 400 || r["failed"] == true || is && word != ""
}

func number(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case float64:
		return int(n)
	}
	return 0
}

// stackOf is where a request was sent, innermost first. Requests of another recorder carry it as words.
func stackOf(r map[string]any) []steps.Place {
	var out []steps.Place
	frames, _ := r["stack"].([]any)
	for _, x := range frames {
		m, _ := x.(map[string]any)
		out = append(out, steps.Place{URL: text(m["url"]), Line: number(m["line"]), Column: number(m["column"]), Func: text(m["function"])})
	}
	for _, key := range []string{"initiator", "stack", "source", "trace"} {
		if words := text(r[key]); words != "" && len(frames) == 0 {
			out = append(out, inWords(words)...)
		}
	}
	return out
}

var spot = regexp.MustCompile(`((?:https?://|\.{0,2}/)?[\w@.~/%-]*?[\w-]+\.(?:tsx|jsx|mjs|cjs|ts|js|vue|svelte))(?:\?[^\s:)]*)?(?::(\d+))?(?::(\d+))?`)

// inWords finds the files that a text names.
func inWords(s string) []steps.Place {
	var out []steps.Place
	for _, m := range spot.FindAllStringSubmatch(s, 20) {
		out = append(out, steps.Place{URL: m[1], Line: digits(m[2]), Column: digits(m[3])})
	}
	return out
}

// needlesOf are the texts that a project may write for a URL: the whole, and its path.
func needlesOf(raw string) []string {
	out := []string{raw}
	if u, err := url.Parse(raw); err == nil && u.Path != "" && u.Path != "/" {
		out = append(out, u.Path)
	}
	return out
}

// Redacted is a URL without the values of its query.
func Redacted(raw string) string {
	head, query, ok := strings.Cut(raw, "?")
	if !ok {
		return raw
	}
	query, hash, _ := strings.Cut(query, "#")
	parts := strings.Split(query, "&")
	for i, p := range parts {
		if name, _, has := strings.Cut(p, "="); has {
			parts[i] = name + "=[REDACTED]"
		}
	}
	if hash != "" {
		hash = "#" + hash
	}
	return head + "?" + strings.Join(parts, "&") + hash
}

// ranked puts the likeliest first and leaves out what is there twice.
func ranked(list []candidate) []candidate {
	order := []string{high, medium, low}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return slices.Index(order, a.confidence) - slices.Index(order, b.confidence)
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(c candidate) bool {
		was := seen[c.place()]
		seen[c.place()] = true
		return was
	})
}
