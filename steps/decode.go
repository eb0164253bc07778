package steps

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

// Steps decodes a list of steps in scope inner (nil: the decoder's own). Rows, maps of every kind and the common keys
// are checked; ids are defined in the scope as they come.
func (d *Decoder) Steps(n spec.Node, inner *spec.Scope) []Step {
	if n.IsZero() {
		return nil
	}
	if inner != nil {
		defer func(outer *spec.Scope) { d.Scope = outer }(d.Scope)
		d.Scope = inner
	}
	items, ok := n.Seq()
	if !ok {
		d.Errs.AddWide(n.Pos(), n.Width(), "wanted a list of steps, got "+n.Sort(), `each step starts with "- "`)
		return nil
	}
	if len(items) == 0 {
		d.Errs.Add(n.Pos(), "a list of steps is empty", `write at least one: - [click, "#buy"]`)
		return nil
	}
	if row, ok := bareRow(items); ok {
		d.Errs.AddWide(items[0].Pos(), items[0].Width(), "a list of steps holds rows, and this is one row itself", "write [["+row[1:]+"], or - "+row)
		return nil
	}
	if d.Scope.CheckTarget == nil {
		d.Scope.CheckTarget = func(src string, p diag.Pos, l *diag.List) { target.Parse(src, p, l) }
	}
	d.announce(items)
	out := make([]Step, 0, len(items))
	for _, item := range items {
		if s, ok := d.step(item); ok {
			out = append(out, s)
		}
	}
	return out
}

// bareRow tells a list of steps that is the row of a command: steps: [open, /].
func bareRow(items []spec.Node) (row string, ok bool) {
	cells := make([]string, len(items))
	for i, item := range items {
		if cells[i], ok = item.Text(); !ok {
			return "", false
		}
	}
	return argv.Row(cells), len(cells) > 1 && argv.Known(cells)
}

// Maybe decodes steps that may not run, or may run more than once: outside their ids and what they set are optional.
func (d *Decoder) Maybe(n spec.Node, inner *spec.Scope) []Step {
	if inner == nil {
		inner = d.Scope.Child()
	}
	out := d.Steps(n, inner)
	d.adopt(inner, true)
	return out
}

// Inner decodes steps that run where they stand but in a scope of their own; outside their ids are known.
func (d *Decoder) Inner(n spec.Node) []Step {
	inner := d.Scope.Child()
	out := d.Steps(n, inner)
	d.adopt(inner, false)
	return out
}

// adopt takes the ids of inner, and the vars that were set in it, into the decoder's scope.
func (d *Decoder) adopt(inner *spec.Scope, maybe bool) {
	for id, t := range inner.Steps {
		t.Maybe = t.Maybe || maybe
		d.Scope.Steps[id] = t
	}
	set, ok := inner.Names["vars"]
	if !ok {
		return
	}
	have, _ := Lookup(d.Scope, "vars")
	for name, t := range set.Fields {
		old, known := have.Fields[name]
		switch {
		case !known:
			t.Maybe = t.Maybe || maybe
		case old.Base != t.Base && maybe:
			t = spec.Type{Base: spec.Any, Maybe: old.Maybe}
		case maybe:
			t = old
		}
		Define(d.Scope, name, t)
	}
}

// Lookup finds what a top-level name means in a scope.
func Lookup(s *spec.Scope, name string) (spec.Type, bool) {
	for ; s != nil; s = s.Up {
		if t, ok := s.Names[name]; ok {
			return t, true
		}
	}
	return spec.Type{}, false
}

// Define makes vars.NAME known in a scope from here on.
func Define(s *spec.Scope, name string, t spec.Type) {
	old, _ := Lookup(s, "vars")
	fields := make(map[string]spec.Type, len(old.Fields)+1)
	for k, v := range old.Fields {
		fields[k] = v
	}
	fields[name] = t
	s.Names["vars"] = spec.Type{Base: spec.Struct, Fields: fields}
}

// announce notes the ids that stand further down, so that using one too early is told with its line.
func (d *Decoder) announce(items []spec.Node) {
	for _, item := range items {
		if !item.IsMap() {
			continue
		}
		if id, ok := item.Get("id").Text(); ok && id != "" {
			if d.Scope.Later == nil {
				d.Scope.Later = map[string]diag.Pos{}
			}
			d.Scope.Later[id] = item.Get("id").Pos()
		}
		for _, key := range []string{"then", "elif", "else", "do"} {
			if inner, ok := item.Get(key).Seq(); ok {
				d.announce(inner)
			}
		}
	}
}

// step decodes one item of a list.
func (d *Decoder) step(n spec.Node) (Step, bool) {
	s := Step{Pos: n.Pos()}
	if _, ok := n.Seq(); ok {
		r, ok := d.Row(n)
		if !ok {
			return s, false
		}
		s.Kind, s.Body = "row", Rows{Rows: []Row{r}}
		d.unread(&s)
		return s, true
	}
	if !n.IsMap() {
		hint := `a step is a row, [click, "#buy"], or a map, { exec: [...] }`
		if text, ok := n.Text(); ok {
			hint = d.scalarHint(text, hint)
		}
		if n.Told() {
			return s, false
		}
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("a step", "a list or a map", n.Sort()), hint)
		return s, false
	}
	k, ok := d.kind(n)
	if !ok {
		return s, false
	}
	return d.mapped(n, k)
}

// scalarHint says what a step that is a text should have been: the row of a command, the map of a kind.
func (d *Decoder) scalarHint(text, hint string) string {
	if argv.Known(cellsOf(text)) {
		return "write " + argv.Row(cellsOf(text))
	}
	if k, ok := d.Kinds[text]; ok && k.Name == text {
		return "write - " + text + ": …, checkrow steps " + text + " says what"
	}
	return hint
}

// mapped decodes a step of a kind.
func (d *Decoder) mapped(n spec.Node, k Kind) (Step, bool) {
	s := Step{Pos: n.Pos(), Kind: k.Name}
	if d.tables == nil {
		d.tables = map[string][]spec.Key{}
	}
	table, ok := d.tables[k.Name]
	if !ok {
		table = keysOf(k)
		d.tables[k.Name] = table
	}
	m, ok := n.Map(article(k.Name)+" step", table, d.Errs)
	if !ok {
		return s, false
	}
	d.before(&s, k, m)
	body, result := k.Decode(d, m, n)
	if s.If != nil || m["skip"] != (spec.Node{}) {
		result.Maybe = true
	}
	s.Body = body
	d.expect(&s, m, result)
	d.after(&s, m, result)
	if s.Save != nil && !writesFile(body) {
		result = withSave(result)
	}
	if s.ID != "" {
		d.Scope.Steps[s.ID] = result
		for up := d.Scope; up != nil; up = up.Up {
			delete(up.Later, s.ID)
		}
	}
	if body == nil {
		return s, false
	}
	d.wrappers(&s, m)
	if _, named := m["id"]; !named || s.ID != "" { // an id that cannot be used was reported
		d.unread(&s)
	}
	return s, true
}

// kind finds the kind of a map by its keys. "if" and "expect" are kinds only where no other kind's key stands; "if" only
// where "then" does.
func (d *Decoder) kind(n spec.Node) (Kind, bool) {
	var found []string
	for _, key := range n.Keys() {
		if _, ok := d.Kinds[key]; ok && key != "if" && key != "expect" && !slices.Contains(found, key) {
			found = append(found, key)
		}
	}
	switch {
	case len(found) == 1:
		return d.Kinds[found[0]], true
	case len(found) > 1:
		at := n.Get(found[1])
		d.Errs.AddWide(at.KeyPos(), len(found[1]), diag.Conflict(found[0], found[1]), "a step does one thing; write two steps")
		return Kind{}, false
	}
	k, isIf := d.Kinds["if"]
	if isIf && (n.Has("then") || n.Has("elif") || n.Has("else")) {
		return k, true
	}
	if k, ok := d.Kinds["expect"]; ok && n.Has("expect") && !d.misspelt(n) {
		return k, true
	}
	d.noKind(n)
	return Kind{}, false
}

// misspelt tells that a key of the map is near the name of a kind: { exce: …, expect: … } is no bare expect.
func (d *Decoder) misspelt(n spec.Node) bool {
	for _, key := range n.Keys() {
		if !isCommon(key) && len(diag.Nearest(key, d.kindNames())) > 0 {
			return true
		}
	}
	return false
}

func isCommon(key string) bool {
	return slices.ContainsFunc(CommonKeys, func(k spec.Key) bool { return k.Name == key })
}

// noKind reports a map that is no step.
func (d *Decoder) noKind(n spec.Node) {
	keys := n.Keys()
	if len(keys) == 0 {
		d.Errs.Add(n.Pos(), "a step is empty", `write [click, "#buy"], or { exec: [...] }`)
		return
	}
	names := d.kindNames()
	for _, key := range keys {
		if isCommon(key) {
			continue
		}
		at := n.Get(key)
		if near := diag.Nearest(key, names); len(near) > 0 {
			d.Errs.AddWide(at.KeyPos(), len([]rune(key)), strconv.Quote(key)+" is no kind of step", "did you mean "+strconv.Quote(near[0])+"?")
			return
		}
		hint := "one of " + strings.Join(names, ", ")
		if row := commandKey(key, at); row != "" {
			hint = "a row is a list: - " + row
		}
		if key == "do" && n.Has("if") {
			hint = `an "if" has its steps under "then"`
		}
		d.Errs.AddWide(at.KeyPos(), len([]rune(key)), strconv.Quote(key)+" is no kind of step", hint)
		return
	}
	if n.Has("if") {
		d.Errs.AddWide(n.Get("if").KeyPos(), 2, `an "if" needs "then"`, "write then: with the steps below it, or row: or exec: beside the if")
		return
	}
	d.Errs.Add(n.Pos(), "a step says nothing to do", "one of "+strings.Join(names, ", "))
}

// cellsOf splits a row that was written as one text: at spaces, but not inside quotes, which are left out.
func cellsOf(text string) []string {
	var out []string
	var cell strings.Builder
	quoted, some := rune(0), false
	for _, c := range text {
		switch {
		case quoted == 0 && (c == '"' || c == '\'') && !some:
			quoted, some = c, true
		case c == quoted:
			quoted = 0
		case quoted == 0 && unicode.IsSpace(c):
			if some {
				out = append(out, cell.String())
			}
			cell.Reset()
			some = false
		default:
			cell.WriteRune(c)
			some = true
		}
	}
	if some {
		out = append(out, cell.String())
	}
	return out
}

// commandKey spells `click: "#a"` as the row it was meant to be, or "".
func commandKey(key string, value spec.Node) string {
	if _, ok := argv.Lookup(key); !ok {
		return ""
	}
	row := []string{key}
	if items, ok := value.Seq(); ok {
		for _, i := range items {
			text, _ := i.Text()
			row = append(row, text)
		}
	} else if text, ok := value.Text(); ok && !value.Empty() {
		row = append(row, text)
	}
	return argv.Row(row)
}

// kindNames are the kinds that are there, sorted.
func (d *Decoder) kindNames() []string {
	var out []string
	for name := range d.Kinds {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeio") || word == "http" {
		return "an " + word
	}
	return "a " + word
}
