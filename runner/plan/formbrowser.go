package plan

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// axisOnly matches an expression that is nothing but a value of the matrix.
var axisOnly = regexp.MustCompile(`^matrix\.([A-Za-z_][A-Za-z0-9_]*)$`)

// browser resolves the browser keys of a form: the test's over the suite's over the project's.
func (f *former) browser(forms []*form) spec.Browser {
	if f.s.Spec.BrowserOf.IsZero() && f.t.BrowserOf.IsZero() {
		return f.t.Browser.Over(f.s.Spec.Browser)
	}
	key := strings.Builder{}
	for _, v := range forms {
		key.WriteString(strings.Join(v.labels, "\x00") + "\x01")
		if v.data.Value != nil {
			key.WriteString(v.pos.String())
		}
	}
	if b, ok := f.memo[key.String()]; ok {
		return b
	}
	b := f.s.Spec.Browser
	for _, n := range []spec.Node{f.s.Spec.BrowserOf, f.t.BrowserOf} {
		if n.IsZero() {
			continue
		}
		if made, ok := f.filled(n, forms); ok {
			b = spec.DecodeBrowser(made, f.l).Over(b)
		}
	}
	b = f.t.Browser.Over(b)
	f.memo[key.String()] = b
	return b
}

// filled replaces ${{ }} in browser keys. A value of the matrix stands there as it is written, so that what is wrong with it
// is told at its own place; the name of a map is no key of a browser. False if something could not be made, which is told.
func (f *former) filled(n spec.Node, forms []*form) (out spec.Node, ok bool) {
	ok = true
	var fill func(n spec.Node) (spec.Node, bool)
	fill = func(n spec.Node) (spec.Node, bool) {
		text := f.compiled(n)
		source := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text.Source()), "${{"), "}}"))
		if m := axisOnly.FindStringSubmatch(source); m != nil {
			for i, v := range forms {
				if k := slices.Index(f.data.list[i].axes, m[1]); k >= 0 {
					return unlabelled(v.nodes[k]).Rebuild(fill), true
				}
			}
		}
		if !f.ready(*text, "browser", n.Pos()) {
			ok = false
			return spec.Node{}, false
		}
		x, err := text.Value(context.Background(), f.vals, nil)
		if err != nil {
			f.l.Append(&diag.Error{Pos: n.Pos(), Msg: "browser cannot be made: " + err.Error(), Err: err})
			ok = false
			return spec.Node{}, false
		}
		return unlabelled(spec.NodeOf(x, n)), true
	}
	out = n.Rebuild(fill)
	return out, ok
}

// unlabelled takes the name from a map of browser keys that comes from a value: it is the label of that, unless it names a
// browser.
func unlabelled(n spec.Node) spec.Node {
	if !n.IsMap() {
		return n.Without("name")
	}
	if name, ok := n.Get("name").Text(); ok && slices.Contains(spec.BrowserNames, name) {
		return n
	}
	return n.Without("name")
}

// compiled gives the text of a browser key, compiled once for all forms.
func (f *former) compiled(n spec.Node) *spec.Text {
	text := f.texts[n]
	if text == nil {
		c := spec.CompileText(n, f.scope, f.l)
		text = &c
		f.texts[n] = text
	}
	return text
}

// browsers compiles the browser keys, so that what they read of the environment is known before anything is evaluated.
func (f *former) browsers() {
	before := f.l.Len()
	defer func() { f.data.whole = f.data.whole && f.l.Len() == before }()
	for _, n := range []spec.Node{f.s.Spec.BrowserOf, f.t.BrowserOf} {
		n.Rebuild(func(n spec.Node) (spec.Node, bool) {
			f.compiled(n)
			return spec.Node{}, false
		})
	}
	if f.t.Session.HasText() {
		var errs diag.List // told when the session is
		spec.CompileText(f.t.Session, f.scope, &errs)
	}
}

// suiteBrowser resolves the browser of setup and teardown: what is different for each test is left out.
func (u *unit) suiteBrowser() spec.Browser {
	n := u.s.Spec.BrowserOf
	if n.IsZero() {
		return u.s.Spec.Browser
	}
	sc := u.scope(u.early, u.early0)
	sc.Names["matrix"], sc.Names["each"] = spec.Type{}, spec.Type{}
	differs := func(n spec.Node) (yes bool) {
		n.Rebuild(func(n spec.Node) (spec.Node, bool) {
			var errs diag.List // each test reports what is wrong with it
			t := spec.CompileText(n, sc, &errs)
			yes = yes || errs.Len() > 0 || t.Uses("matrix") || t.Uses("each")
			return spec.Node{}, false
		})
		return yes
	}
	if !n.IsMap() {
		return u.s.Spec.Browser
	}
	for _, key := range n.Keys() {
		if v := n.Get(key); v.HasText() && differs(v) {
			n = n.Without(key)
		}
	}
	f := &former{unit: u, t: &spec.Test{}, base: &Test{}, scope: sc, known: u.early0, texts: map[spec.Node]*spec.Text{},
		vals: u.planValues(u.uses)}
	f.bind(nil)
	made, ok := f.filled(n, nil)
	if !ok {
		return u.s.Spec.Browser
	}
	return spec.DecodeBrowser(made, u.l).Over(u.s.Spec.Browser)
}
