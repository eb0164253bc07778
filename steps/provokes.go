package steps

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// ProvokesKeys are the keys of provokes: one of the first five, and a URL that narrows it.
var ProvokesKeys = []spec.Key{
	{Name: "http", Type: "text", Excludes: []string{"console", "page_error", "dialog", "category"},
		Doc: "A response with this status, of 400 or more: 422, 4xx, 500-599.", Aka: []string{"status", "httperror", "response"}},
	{Name: "console", Type: "text", Excludes: []string{"http", "page_error", "dialog", "category"},
		Doc: "A console error that holds this text.", Aka: []string{"consoleerror", "log"}},
	{Name: "page_error", Type: "text", Excludes: []string{"http", "console", "dialog", "category"},
		Doc: "An uncaught error that holds this text.", Aka: []string{"error", "exception", "pageerror", "jserror"}},
	{Name: "dialog", Type: "text", Excludes: []string{"http", "console", "page_error", "category"},
		Doc: "A dialog with this text; a confirm or prompt stays open for a dialog row.", Aka: []string{"alert", "confirm", "prompt"}},
	{Name: "category", Type: "text", Excludes: []string{"http", "console", "page_error", "dialog", "url"},
		Doc: "The step itself fails, with this category or finer name: not-found, timeout, covered.", Aka: []string{"fails", "failure"}},
	{Name: "url", Type: "text", Excludes: []string{"category"},
		Doc: "A URL pattern: of the response, or of the script that said it.", Aka: []string{"path"}},
}

// Provokes is the `provokes` key: the fault that a step must cause. Exactly one of the first five is set.
type Provokes struct {
	Pos       diag.Pos
	HTTP      string // 422, 4xx, 400-499
	Console   string
	PageError string
	Dialog    string
	Category  string // a category, or a finer name
	URL       string // a URL pattern, or ""
	pattern   argv.Pattern
	made      []provoked // the keys with ${{ }}, whose fields hold the source until Made
}

// provoked is a key of provokes.
type provoked struct {
	key  string
	text spec.Text
}

// field is where the text of a key goes.
func (p *Provokes) field(key string) *string {
	switch key {
	case "http":
		return &p.HTTP
	case "console":
		return &p.Console
	case "page_error":
		return &p.PageError
	case "dialog":
		return &p.Dialog
	case "category":
		return &p.Category
	}
	return &p.URL
}

// provocable are the categories that a step can fail with and the test go on.
var provocable = []Category{Assertion, NotFound, NotActionable, StaleRef, DialogBlocked, Timeout, ArtifactBad, Navigation, Process,
	HTTP, Validation, Environment}

// String says what is to be provoked.
func (p *Provokes) String() string {
	out := ""
	switch {
	case p.HTTP != "":
		out = "a response with status " + p.HTTP
	case p.Console != "":
		out = "a console error with " + strconv.Quote(p.Console)
	case p.PageError != "":
		out = "an uncaught error with " + strconv.Quote(p.PageError)
	case p.Dialog != "":
		return "a dialog " + strconv.Quote(p.Dialog)
	default:
		return "a failure of category " + p.Category
	}
	switch {
	case p.URL == "":
		return out
	case p.HTTP != "":
		return out + " from " + p.URL
	}
	return out + " of " + p.URL
}

// Fault tells whether f is the fault that is to be provoked.
func (p *Provokes) Fault(f Fault) bool {
	switch {
	case p.HTTP != "":
		if f.Kind != FaultHTTP || !inStatus(p.HTTP, f.Status) {
			return false
		}
	case p.Console != "":
		if f.Kind != FaultConsole || !strings.Contains(squash(f.Text), squash(p.Console)) {
			return false
		}
	case p.PageError != "":
		if f.Kind != FaultPageError || !strings.Contains(squash(f.Text), squash(p.PageError)) {
			return false
		}
	default:
		return false
	}
	return p.URL == "" || p.pattern.Match(f.URL)
}

// Opens tells whether d is the dialog that is to be provoked.
func (p *Provokes) Opens(d Dialog) bool { return p.Dialog != "" && squash(d.Text) == squash(p.Dialog) }

// Failure tells whether a failed observation is the failure that is to be provoked.
func (p *Provokes) Failure(o Observation) bool {
	if p.Category == "" || !slices.Contains(provocable, o.Category) {
		return false
	}
	return p.Category == string(o.Category) || slices.Contains(strings.Split(o.Sub, ", "), p.Category)
}

// Faults tells that it is a fault of the page that is to be provoked, not a dialog or a failure.
func (p *Provokes) Faults() bool { return p.HTTP != "" || p.Console != "" || p.PageError != "" }

func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

// inStatus tells that a status is in 422, 4xx or 400-499.
func inStatus(want string, status int) bool {
	lo, hi, ok := statusRange(want)
	return ok && status >= lo && status <= hi
}

func statusRange(want string) (lo, hi int, ok bool) {
	if class, is := strings.CutSuffix(strings.ToLower(want), "xx"); is {
		n, err := strconv.Atoi(class)
		return n * 100, n*100 + 99, err == nil && n >= 1 && n <= 5
	}
	from, to, is := strings.Cut(want, "-")
	if !is {
		to = from
	}
	lo, err := strconv.Atoi(strings.TrimSpace(from))
	hi, err2 := strconv.Atoi(strings.TrimSpace(to))
	return lo, hi, err == nil && err2 == nil && lo <= hi && lo >= 100 && hi <= 599
}

// provokes decodes the key; nil if it is missing or wrong.
func (d *Decoder) provokes(n spec.Node) *Provokes {
	if n.IsZero() {
		return nil
	}
	before := d.Errs.Len()
	m, ok := n.Map(`"provokes"`, ProvokesKeys, d.Errs)
	if !ok {
		return nil
	}
	p := &Provokes{Pos: n.KeyPos()}
	for _, k := range ProvokesKeys {
		d.provoked(m, k.Name, p)
	}
	if d.Errs.Len() > before {
		return nil
	}
	if !p.Faults() && p.Dialog == "" && p.Category == "" {
		d.Errs.Add(n.Pos(), `"provokes" says nothing that is to happen`, "one of http, console, page_error, dialog, category")
		return nil
	}
	if p.Dialog != "" && p.URL != "" {
		d.Errs.AddWide(m["url"].KeyPos(), len("url"), diag.Conflict("url", "dialog"), "")
		return nil
	}
	d.checkProvokes(p, m)
	return p
}

func (d *Decoder) provoked(m map[string]spec.Node, key string, p *Provokes) {
	n, ok := m[key]
	if !ok {
		return
	}
	before := d.Errs.Len()
	text := d.madeText(n, key)
	if d.Errs.Len() > before {
		return
	}
	to := p.field(key)
	if fixed, static := text.Static(); static {
		*to = fixed
		if fixed == "" && n.Quoted() {
			d.Errs.Add(n.Pos(), strconv.Quote(key)+" is empty", "say what is to be provoked")
		}
		return
	}
	if t := text.Type(); key == "http" && (t.Base == spec.Bool || t.Base == spec.Float) {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind(key, "a status", t.Words()), "write 422, 4xx or 400-499")
	}
	*to = text.Source()
	p.made = append(p.made, provoked{key, text})
}

// dynamic tells that a key has ${{ }}.
func (p *Provokes) dynamic(key string) bool {
	return slices.ContainsFunc(p.made, func(m provoked) bool { return m.key == key })
}

// checkProvokes checks what is known before the run.
func (d *Decoder) checkProvokes(p *Provokes, m map[string]spec.Node) {
	if n := m["http"]; p.HTTP != "" && !p.dynamic("http") {
		if msg, hint := badStatus(p.HTTP); msg != "" {
			d.Errs.AddWide(n.Pos(), n.Width(), msg, hint)
		}
	}
	if n := m["url"]; p.URL != "" && !p.dynamic("url") {
		pattern, err := argv.ParsePattern(p.URL)
		if err != nil {
			d.Errs.AddWide(n.Pos(), n.Width(), err.Error(), "")
		}
		p.pattern = pattern
	}
	if n := m["category"]; p.Category != "" && !p.dynamic("category") {
		if msg, hint := badCategory(p.Category); msg != "" {
			d.Errs.AddWide(n.Pos(), n.Width(), msg, hint)
		}
	}
}

// badStatus says what is wrong with the status that is to be provoked, "" for nothing.
func badStatus(text string) (msg, hint string) {
	lo, _, ok := statusRange(text)
	switch {
	case !ok:
		return diag.WantKind("http", "a status", text), "write 422, 4xx or 400-499"
	case lo < 400:
		return "a status below 400 is no error", "what must be answered otherwise is read with network requests"
	}
	return "", ""
}

// badCategory says what is wrong with a category, "" for nothing: no step can fail with it, or the test cannot go on after
// it. A finer name is taken as it is: engines have their own; one that is nearly a category is a mistake.
func badCategory(name string) (msg, hint string) {
	var valid []string
	for _, c := range provocable {
		valid = append(valid, string(c))
	}
	switch {
	case slices.Contains(valid, name), slices.Contains(FinerNames, name):
		return "", ""
	case slices.Contains([]Category{Crash, Health, Setup, PolicyDenied, Interrupted, Internal}, Category(name)):
		return "a step cannot provoke " + strconv.Quote(name) + ": the test cannot go on after it", "one of " + strings.Join(valid, ", ")
	}
	hint = "categories are " + strings.Join(valid, ", ")
	if near := diag.Nearest(name, append(valid, FinerNames...)); len(near) > 0 {
		hint = diag.DidYouMean(near)
	}
	return "no step fails with " + strconv.Quote(name), hint
}

// FinerNames are the finer names of failures that steps have; an engine may know more.
var FinerNames = strings.Fields(`a11y ambiguous assertion-failed base-url covered deadline disabled document-replaced exit-status expect
	expression frame-gone http-status invisible malformed-value moving net no-browser no-dialog no-option no-tab not-moved
	not-startable obstructed offscreen open page-hung qa readonly row row-limit signal step-limit unfocused unknown-key value-mismatch
	wait while-max while-within wrong-element`)
