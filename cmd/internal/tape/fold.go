package tape

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/checkrow/checkrow/steps"
)

// Fold makes rows of what a person does in a browser.
type Fold struct {
	Base string // origin of the URLs that are spelled as paths

	rows    []made
	secrets map[string]string // name -> value
	notes   []string
	last    string                       // URL of the page, as rows spell it
	acted   bool                         // something was done since the page last changed its URL
	said    map[string]map[string]string // what the page of a tab says, by target
	tab     string
	tabs    []string
	frames  map[string][]string // the frames that are selected, by tab
}

// made is a row and the deed that it comes from.
type made struct {
	Row
	deed steps.Deed
	end  bool // nothing is merged into it
}

// Rows gives the rows so far.
func (f *Fold) Rows() []Row {
	out := make([]Row, len(f.rows))
	for i, r := range f.rows {
		out[i] = r.Row
	}
	return out
}

// Secrets gives what was typed into fields of passwords, by the names that rows have for it. It must not be written.
func (f *Fold) Secrets() map[string]string { return f.secrets }

// Notes are what could not be recorded.
func (f *Fold) Notes() []string { return f.notes }

// Start is the row that opens the first page.
func (f *Fold) Start(at string) Row {
	f.last = f.path(at, true)
	f.said = map[string]map[string]string{}
	r := Row{Cells: []string{"open", f.path(at, true)}}
	f.rows = append(f.rows, made{Row: r, end: true})
	return r
}

// Add takes one deed.
func (f *Fold) Add(d steps.Deed) {
	switch d.Kind {
	case "url":
		f.url(d)
	case "seen":
		f.seen(d)
	case "tab":
		f.tabs, f.tab = append(f.tabs, d.Tab), d.Tab
		if d.URL != "" {
			d.Values = []string{steps.ByPage}
			f.url(d)
		}
	case "closed":
		f.tabs = slices.DeleteFunc(f.tabs, func(t string) bool { return t == d.Tab })
		if f.tab == d.Tab && len(f.tabs) > 0 {
			f.tab = f.tabs[len(f.tabs)-1]
		}
	case "frame":
		f.note("something was done in a frame of another site, which is not recorded: write a frame row and what follows by hand")
	case "end":
	default:
		f.act(d)
	}
}

func (f *Fold) note(text string) {
	if !slices.Contains(f.notes, text) {
		f.notes = append(f.notes, text)
	}
}

func (f *Fold) add(d steps.Deed, cells ...string) {
	f.rows = append(f.rows, made{Row: Row{Cells: cells}, deed: d})
}

// latest is the last row, if it comes from a deed of a kind on a target.
func (f *Fold) latest(d steps.Deed, kind string) *made {
	if len(f.rows) == 0 {
		return nil
	}
	r := &f.rows[len(f.rows)-1]
	if r.end || r.deed.Kind != kind || r.deed.Target != d.Target || r.deed.Tab != d.Tab || !slices.Equal(r.deed.Frames, d.Frames) {
		return nil
	}
	return r
}

// act is what the person has done.
func (f *Fold) act(d steps.Deed) {
	if d.Target == "" && d.Kind != "press" {
		f.note("a " + d.Kind + " is not recorded: nothing tells its element apart from others")
		return
	}
	if f.tab == "" {
		f.tab, f.tabs = d.Tab, []string{d.Tab}
	}
	if d.Tab != f.tab {
		f.add(steps.Deed{}, "tab", d.Tab)
		f.tab = d.Tab
	}
	f.into(d.Tab, d.Frames)
	switch d.Kind {
	case "fill":
		f.fill(d)
		return // a field that is filled goes nowhere by itself
	case "press":
		if d.Target != "" && f.latest(d, "fill") == nil && f.latest(d, "press") == nil {
			f.add(steps.Deed{}, "focus", d.Target)
		}
		f.add(d, "press", d.Values[0])
	case "dblclick":
		for range 2 {
			if f.latest(d, "click") != nil {
				f.rows = f.rows[:len(f.rows)-1]
			}
		}
		f.add(d, "dblclick", d.Target)
	case "select":
		if r := f.latest(d, "select"); r != nil {
			f.rows = f.rows[:len(f.rows)-1]
		}
		f.add(d, append([]string{"select", d.Target}, d.Values...)...)
	case "upload":
		f.add(d, append([]string{"upload", d.Target}, d.Values...)...)
		f.note("the browser does not tell where an uploaded file lies: put " + strings.Join(d.Values, ", ") + " beside the suite")
	default:
		f.add(d, d.Kind, d.Target)
	}
	f.acted = true
}

// into selects the frames that something is done in.
func (f *Fold) into(tab string, frames []string) {
	if slices.Equal(f.frames[tab], frames) {
		return
	}
	if f.frames == nil {
		f.frames = map[string][]string{}
	}
	if len(f.frames[tab]) > 0 {
		f.add(steps.Deed{}, "frame", "main")
	}
	for _, t := range frames {
		f.add(steps.Deed{}, "frame", t)
	}
	f.frames[tab] = frames
}

// fill keeps the last text of a field.
func (f *Fold) fill(d steps.Deed) {
	text := d.Values[0]
	if d.Secret {
		text = "${{ secrets." + f.secret(d) + " }}"
	} else {
		text = strings.ReplaceAll(text, "${{", "$${{")
	}
	if r := f.latest(d, "fill"); r != nil {
		r.Cells[len(r.Cells)-1] = text
		return
	}
	f.add(d, "fill", d.Target, text)
}

// secret keeps what is typed into a field of a password, and names it after the field.
func (f *Fold) secret(d steps.Deed) string {
	if f.secrets == nil {
		f.secrets = map[string]string{}
	}
	base := strings.Trim(regexp.MustCompile(`[^A-Z0-9]+`).ReplaceAllString(strings.ToUpper(d.Name), "_"), "_")
	if base == "" || base[0] <= '9' {
		base = strings.TrimRight("PASSWORD_"+base, "_")
	}
	if r := f.latest(d, "fill"); r != nil { // it is still being typed
		name := r.deed.Name
		f.secrets[name] = d.Values[0]
		return name
	}
	name := base
	for i := 2; ; i++ {
		if _, used := f.secrets[name]; !used {
			break
		}
		name = fmt.Sprintf("%s_%d", base, i)
	}
	f.secrets[name] = d.Values[0]
	f.rows = append(f.rows, made{Row: Row{Cells: []string{"fill", d.Target, ""}}, deed: steps.Deed{Kind: "fill", Target: d.Target, Tab: d.Tab, Frames: d.Frames, Name: name}})
	return name
}

// url is a page that came: by what was done, or because the person went there.
func (f *Fold) url(d steps.Deed) {
	if d.URL == "about:blank" || strings.HasPrefix(d.URL, "chrome-error:") {
		return
	}
	to := f.path(d.URL, true)
	if to == f.last {
		return
	}
	was := f.path(f.last, false)
	f.last = to
	pattern := f.pattern(d.URL)
	if pattern != was || !f.acted {
		f.into(d.Tab, nil)
	}
	n, byPage := len(f.rows), slices.Contains(d.Values, steps.ByPage)
	switch {
	case n > 0 && f.rows[n-1].deed.Kind == "url" && f.rows[n-1].deed.Tab == d.Tab && f.rows[n-1].Cells[0] == "wait" && byPage: // a redirect
		f.rows[n-1].Cells = []string{"wait", "--url", pattern}
	case !f.acted && !byPage:
		f.add(steps.Deed{Kind: "url", Tab: d.Tab}, "open", to)
	case pattern != was:
		f.add(steps.Deed{Kind: "url", Tab: d.Tab}, "wait", "--url", pattern)
	}
	f.acted = false
}

// seen is what the page says now: what is new since the last deed becomes a check.
func (f *Fold) seen(d steps.Deed) {
	now, before := map[string]string{}, f.said[d.Tab]
	defer func() { f.said[d.Tab] = now }()
	for i := 0; i+1 < len(d.Values); i += 2 {
		now[d.Values[i]] = d.Values[i+1]
	}
	for i := 0; i+1 < len(d.Values); i += 2 {
		at, text := d.Values[i], d.Values[i+1]
		if f.tab != "" && d.Tab != f.tab || before[at] == text || strings.ContainsFunc(text, unicode.IsDigit) || strings.Contains(text, "${{") || len(f.rows) == 0 {
			continue // what has a number in it will be another one tomorrow
		}
		f.into(d.Tab, nil)
		from := len(f.rows)
		for from > 0 && f.rows[from-1].deed.Kind == "seen" {
			from--
		}
		later := slices.DeleteFunc(slices.Clone(f.rows[from:]), func(r made) bool { return r.deed.Target == at })
		f.rows = append(f.rows[:from], later...)
		f.add(steps.Deed{Kind: "seen", Target: at, Tab: d.Tab}, "expect", "text", at, text)
	}
}

// path spells a URL as rows do: without the base if it begins with it; query says whether its query is kept.
func (f *Fold) path(raw string, query bool) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme+"://"+u.Host != f.Base && u.Host != "" {
		return raw
	}
	out := u.EscapedPath()
	if out == "" {
		out = "/"
	}
	if query && u.RawQuery != "" {
		out += "?" + u.RawQuery
	}
	return out
}

// numbered tells a part of a path that is made for one visit: an id, a token.
var numbered = regexp.MustCompile(`\d{2,}|^\d+$|^[0-9a-fA-F-]{8,}$|^.{33,}$|^[A-Z0-9]+-[A-Z0-9]+$`)

// pattern is a pattern of URLs that this one matches, and will match tomorrow.
func (f *Fold) pattern(raw string) string {
	path := f.path(raw, false)
	if u, err := url.Parse(path); err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host + "/**"
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if numbered.MatchString(p) || strings.ContainsAny(p, "*?[]{}\\") {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}
