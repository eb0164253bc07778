package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// former makes the forms of one compiled test: they share its steps and differ in matrix, each and what is made of these
// before the run: name, tags, reason to skip, browser.
type former struct {
	*unit
	t     *spec.Test
	base  *Test
	data  data
	known map[string]spec.Type // of vars, what is known before the run
	scope *spec.Scope
	named bool // the name tells rows of each apart itself
	name  spec.Text
	tags  []spec.Text
	texts map[spec.Node]*spec.Text // of browser
	memo  map[string]spec.Browser

	vals   spec.Values      // of the form that is being made
	vars   bool             // its vars are evaluated
	common map[string]any   // vars of the suite, the same for all forms; nil: not evaluated yet
	broken map[string]error // of common, what could not be evaluated
	failed map[string]error // and of the form
}

// former compiles what differs. It is called with the names of the test's data in place.
func (u *unit) former(t *spec.Test, base *Test, d data, all, known map[string]spec.Type, uses *spec.EnvUses) *former {
	f := &former{unit: u, t: t, base: base, data: d, known: known, texts: map[spec.Node]*spec.Text{}, memo: map[string]spec.Browser{}}
	f.scope = u.scope(u.early, known)
	f.scope.Env = uses
	var errs diag.List
	f.name = spec.CompileText(t.Name, f.scope, &errs)
	if errs.Len() > 0 {
		u.badName(t, &errs, all)
		f.data.whole = false
	}
	f.named = f.name.Uses("each")
	f.browsers()
	for _, n := range append(u.s.Spec.TagsOf[:len(u.s.Spec.TagsOf):len(u.s.Spec.TagsOf)], t.TagsOf...) {
		f.tags = append(f.tags, spec.CompileText(n, f.scope, u.l))
	}
	return f
}

// all makes the forms, none if something is wrong with them.
func (f *former) all(uses *spec.EnvUses) []*Test {
	n, ok := f.count(f.data, f.t.Pos)
	if !ok || !f.data.whole || f.t.Name.IsZero() {
		return nil
	}
	f.vals = f.planValues(uses)
	inner := 1 // forms of the test itself, for each of its suite
	for _, v := range f.data.list[len(f.varies.list):] {
		inner *= len(v.forms)
	}
	before := f.l.Len()
	out := make([]*Test, 0, n)
	for i, forms := range f.data.product(n) {
		t := *f.base
		t.Data, t.group, t.own = f.data.values(forms), i/inner, len(f.data.list) > len(f.varies.list)
		f.bind(t.Data)
		if !f.form(&t, forms, i == 0) {
			if f.l.Len() > before+20 {
				break // the same fault in a thousand forms
			}
			continue
		}
		out = append(out, &t)
	}
	return out
}

// form fills in what differs.
func (f *former) form(t *Test, forms []*form, first bool) bool {
	params, ok := f.data.params(forms, f.named)
	if !ok && f.name.Uses("vars") { // which may be made of the row
		params, ok = f.data.params(forms, true)
	}
	if !ok {
		f.unnamed(forms)
		return false
	}
	name, ok := f.render(first)
	if !ok {
		return false
	}
	for _, v := range forms {
		if v.data.Value != nil {
			t.row = v.pos
		}
	}
	t.Params = params
	t.Key = steps.TestKey{Suite: f.s.File, Name: name + bracket(params)}
	t.Needs = pairs(t)
	f.overlay(&t.Limits)
	t.Suite.cut(&t.Limits)
	t.Browser = sessionOptions(spec.Browser{}, f.browser(forms), t.Limits)
	return f.entered(t) && f.tagged(t) && f.skipped(t)
}

// entered tells the session of a form if its name is made of what differs.
func (f *former) entered(t *Test) bool {
	if !f.t.Session.HasText() {
		return true
	}
	f.evalVars()
	name := f.sessionOf(f.t, f.scope, f.vals)
	f.enter(t, name)
	return name != ""
}

// bracket shows the parts of a name: " [size=mobile, role=admin]".
func bracket(params []Param) string {
	if len(params) == 0 {
		return ""
	}
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = p.Value
		if p.Name != "" {
			parts[i] = p.Name + "=" + p.Value
		}
	}
	return " [" + strings.Join(strings.Fields(strings.Join(parts, ", ")), " ") + "]"
}

// unnamed reports rows that nothing tells apart.
func (f *former) unnamed(forms []*form) {
	for i, v := range forms {
		if !f.data.list[i].each {
			continue
		}
		row, isMap := v.data.Value.(map[string]any)
		switch {
		case !isMap:
			f.l.Add(v.pos, "the row is no plain text, and the name of the test does not tell rows apart", "write ${{ each }} into the name")
		case row["name"] != nil || row["id"] != nil:
			f.l.Add(v.pos, `the row's "name" or "id" is empty or not plain text, and the name of the test does not tell rows apart`,
				"a row number would change with the file")
		default:
			f.l.AddWide(f.t.Name.Pos(), f.t.Name.Width(), `the rows of "each" have no column "name" or "id" to be called by`,
				"write one of their columns into the name: ${{ each."+firstColumn(row)+" }}")
		}
		return
	}
}

func firstColumn(row map[string]any) string {
	var names []string
	for name := range row {
		if spec.IsName(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "COLUMN"
	}
	return slices.Min(names)
}

// render makes the name, which must be the same in every run.
func (f *former) render(first bool) (string, bool) {
	if s, ok := f.name.Static(); ok {
		s = f.goodName(f.t, s)
		return s, s != ""
	}
	s, ok := f.text(f.name, "the name", f.t.Name.Pos())
	if ok && first {
		f.common, f.vars = nil, false // again from the start
		if again, _ := f.text(f.name, "the name", f.t.Name.Pos()); again != s {
			f.l.Add(f.t.Name.Pos(), "the name differs from run to run", "a name is the identity of a test in every report")
			return "", false
		}
	}
	if !ok {
		return "", false
	}
	s = f.goodName(f.t, s)
	return s, s != ""
}

// tagged adds the tags that differ.
func (f *former) tagged(t *Test) bool {
	if len(f.tags) == 0 {
		return true
	}
	var own []string
	for _, text := range f.tags {
		tag, ok := f.text(text, "the tag", text.Pos())
		switch {
		case !ok:
			return false
		case tag == "": // this form does not have it
			continue
		case !spec.IsTag(tag):
			f.l.Add(text.Pos(), `the tag "`+tag+`" is no single word`, "letters, digits and _ - . : /")
			return false
		}
		own = append(own, tag)
	}
	t.Tags = tags(t.Tags, own)
	return true
}

// tagsOf lists the tags of all tests of a suite.
func tagsOf(s *Suite) []string {
	set := map[string]bool{}
	for _, t := range s.Tests {
		for _, tag := range t.Tags {
			set[tag] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// skipped makes the reason to skip if it is known before the run, so that a form that is skipped starts nothing.
func (f *former) skipped(t *Test) bool {
	if !t.HasSkip {
		return true
	}
	if _, static := t.Skip.Static(); static {
		return true
	}
	var errs diag.List
	text := spec.CompileText(f.t.Skip, f.scope, &errs)
	if errs.Len() > 0 || text.Uses("env") || text.Uses("secrets") {
		return true // the attempt evaluates it
	}
	if f.evalVars(); len(f.failed) > 0 {
		return true
	}
	s, ok := f.text(text, "skip", text.Pos())
	if ok {
		t.Skip = spec.Literal(s, text.Pos())
	}
	return ok
}

// pairs gives, of the tests that a form needs, those that belong to the same form of the suite.
func pairs(t *Test) []Need {
	if len(t.Needs) == 0 {
		return nil
	}
	out := slices.Clone(t.Needs)
	for i := range out {
		if len(out[i].Tests) > 1 {
			out[i].Tests = slices.DeleteFunc(slices.Clone(out[i].Tests), func(other *Test) bool { return other.group != t.group })
		}
	}
	return out
}
