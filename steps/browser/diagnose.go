package browser

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

// What is said beside a result that may not be what was meant: it costs nothing where all is well.

// oneOfMany warns of a text that was read from one of several matches, or from one that cannot be seen.
func oneOfMany(t target.Target, a world.Answer, o *steps.Observation) {
	last := target.Part{}
	if n := len(t.Parts); n > 0 {
		last = t.Parts[n-1]
	}
	if a.Matches < 2 || t.HasRef() || last.Engine == target.Nth || last.Engine == target.CSS && strings.HasPrefix(last.Value, "#") {
		return
	}
	switch {
	case a.Hidden && a.Visible > 0:
		o.Warnings = append(o.Warnings, fmt.Sprintf("%d elements match %q: the text is of the first, which is not visible though %d others are",
			a.Matches, t.Source, a.Visible))
	default:
		o.Warnings = append(o.Warnings, fmt.Sprintf("%d elements match %q: the text is of the first", a.Matches, t.Source))
	}
	for i := range min(a.Matches, 8) {
		o.NextActions = append(o.NextActions, next(fmt.Sprintf("inspect-visible-text-candidates-%d", i+1), "read this one",
			"get", "text", fmt.Sprintf("%s >> nth=%d", t.Source, i)))
	}
}

// uncalled is a script that is a function and nothing else.
var uncalled = regexp.MustCompile(`(?s)^\s*(async\s*)?(function\b.*\}|(\([^()]*\)|[\w$]+)\s*=>.*)\s*;?\s*$`)

// hintResult warns of a script whose result cannot be what was meant.
func hintResult(js string, o *steps.Observation) {
	v, isMap := o.Data["result"].(map[string]any)
	origin, _ := o.Data["origin"].(string)
	switch {
	case isMap && len(v) == 0 && uncalled.MatchString(js):
		o.Warnings = append(o.Warnings, "the script is a function that nothing calls: write ("+clipped(js, 60)+")()")
		o.NextActions = append(o.NextActions, next("call-the-function", "call it", "eval", "("+strings.TrimRight(strings.TrimSpace(js), ";")+")()"))
	case o.Data["result"] == nil && o.Data["unserializable"] == nil && strings.HasPrefix(origin, "file:"):
		o.Warnings = append(o.Warnings, "the result is null on a page of a file: much of what pages do needs a server")
	}
}

func clipped(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// shuts are the words of buttons that take an overlay away.
var shuts = regexp.MustCompile(`(?i)^(close|dismiss|cancel|no,? thanks|not now|got it|ok|accept( all)?( cookies)?|×|✕|✖|x)$`)

// overlayIn finds, in a tree, the buttons that close a dialog that lies over the page: three at most.
func overlayIn(tree string) []steps.NextAction {
	var out []steps.NextAction
	within := -1
	for _, l := range strings.Split(tree, "\n") {
		m := nodeForm.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		in := len(m[1])
		if within >= 0 && in <= within {
			within = -1
		}
		if within < 0 && (m[2] == "dialog" || m[2] == "alertdialog") {
			within = in
			continue
		}
		if name := unquote(m[3]); within >= 0 && len(out) < 3 && (m[2] == "button" || m[2] == "link" || m[2] == "menuitem") && shuts.MatchString(name) {
			out = append(out, closer(len(out), m[2], name))
		}
	}
	return out
}

func closer(i int, role, name string) steps.NextAction {
	return next(fmt.Sprintf("try-overlay-blocker-candidate-%d", i+1), "it seems to close what lies over the page", "click", "role="+role+" "+name)
}

// closersScript lists the buttons of open dialogs and of what is fixed over the page.
const closersScript = `(() => { const seen = [...document.querySelectorAll('dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]')]
	.flatMap(d => [...d.querySelectorAll('button,[role=button],a[href]')]).filter(e => e.checkVisibility());
	return [...new Set(seen.map(e => (e.localName === 'a' ? 'link ' : 'button ') + (e.getAttribute('aria-label') || e.innerText).trim()))].slice(0, 50).join('\n') })()`

// overlayClosers names rows that may take away what covers a target. It is asked only when a row has failed.
func (s *session) overlayClosers(ctx context.Context) []steps.NextAction {
	var out []steps.NextAction
	for _, l := range strings.Split(s.aside(ctx, closersScript), "\n") {
		role, name, _ := strings.Cut(l, " ")
		if len(out) < 3 && shuts.MatchString(name) {
			out = append(out, closer(len(out), role, name))
		}
	}
	return out
}

// aside asks the page for a text that only words a failure; "" if it does not answer soon.
func (s *session) aside(ctx context.Context, js string) string {
	got := make(chan string, 1)
	s.within(context.WithoutCancel(ctx), nearTime, func() {
		text, _ := s.askPage(context.WithoutCancel(ctx), js)
		got <- text
	})
	select {
	case text := <-got:
		return text
	default:
		return ""
	}
}

// comboboxScript tells that the focus is in a combobox whose list is shut.
const comboboxScript = `(() => { const e = document.activeElement && document.activeElement.closest('[role=combobox][aria-expanded=false],[aria-haspopup=listbox][aria-expanded=false]');
	return e ? 'shut' : '' })()`

// shutCombobox says, of a target that is not there, that the list which may hold it is not open.
func (s *session) shutCombobox(ctx context.Context, r *row, o *steps.Observation) {
	if s.aside(ctx, comboboxScript) == "" {
		return
	}
	o.Warnings = append(o.Warnings, "the focus is in a combobox whose list is not open")
	o.NextActions = append(o.NextActions, next("inspect-focused-combobox", "see what it shows", "snapshot", "-i"),
		next("try-open-combobox-with-arrow", "open its list", "press", "ArrowDown"))
	if verb := r.verb(); verb != "fill" && verb != "type" { // Enter would send the form that is being filled in
		o.NextActions = append(o.NextActions, next("try-open-combobox-with-enter", "open its list", "press", "Enter"))
	}
}

// nearest is the row with the nearest target that is there.
func nearest(r *row, old, near string) steps.NextAction {
	id := "try-nearest-candidate"
	switch verb := r.verb(); {
	case verb == "fill" || verb == "type":
		id = "focus-current-editable-ref"
	case strings.HasPrefix(near, "role=button "):
		id = "try-button-name-candidate"
	case strings.HasPrefix(near, "role=link "):
		id = "try-link-name-candidate"
	}
	return next(id, "the nearest that is there", rowAt(r, old, near)...)
}

// routeTrouble says of requests that a route should have answered why they may have no answer. The caller holds the lock
// of the rings.
func (s *session) routeTrouble(entries []*netEntry, o *steps.Observation) {
	list := []any{}
	for _, e := range entries {
		rule := s.extra.routes.find(e.url, e.kind)
		if rule == nil || rule.abort {
			continue
		}
		reason := ""
		switch {
		case !e.done && e.status == 0:
			reason = "pending-routed-request"
		case e.failed && crosses(s.page().URL(), e.url) && shutOut(rule.answer.Headers):
			reason = "cors-likely-routed-request"
		}
		if reason == "" || len(list) >= 5 {
			continue
		}
		id := fmt.Sprint("r", e.seq)
		text := map[string]string{"pending-routed-request": "the route has not answered it yet",
			"cors-likely-routed-request": "the answer of the route does not let the page's origin read it: see its --allow-origin"}[reason]
		list = append(list, map[string]any{"reason": reason, "routePattern": rule.pattern.Source, "mode": "fulfill", "requestId": id,
			"requestUrl": e.url, "summary": text})
		o.Warnings = append(o.Warnings, id+": "+text)
		if len(list) == 1 {
			o.NextActions = append(o.NextActions, next("inspect-routed-network-request", "see what came of it", "network", "request", id),
				next("start-network-har-capture-for-route-mock", "record what is sent", "network", "har", "start"),
				next("clear-network-requests-before-repro", "begin with an empty list", "network", "requests", "--clear"))
		}
	}
	if len(list) > 0 {
		o.Data["routeDiagnostics"] = list
		return
	}
	if i := slices.IndexFunc(entries, func(e *netEntry) bool { return e.failed || e.status >= 400 }); i >= 0 {
		o.NextActions = append(o.NextActions, next("inspect-network-request", "the first that failed", "network", "request", fmt.Sprint("r", entries[i].seq)))
	}
}

// shutOut tells that the headers of an answer name who may read it, and not everybody may. Without such a header the
// driver lets everybody.
func shutOut(headers map[string]string) bool {
	for name, v := range headers {
		if strings.EqualFold(name, "Access-Control-Allow-Origin") {
			return v != "*"
		}
	}
	return false
}

// crosses tells that two URLs are of different origins.
func crosses(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && (x.Scheme != y.Scheme || x.Host != y.Host)
}
