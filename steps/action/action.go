// Package action holds the step kind that says a row by words: click, check, fill or select an element by its role, label
// or selector.
package action

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Kind is the action step. It compiles to one row.
var Kind = steps.Kind{
	Name: "action",
	Doc: "Does one thing to one element: click, check, fill or select. The element is named by a selector, or by locator and value: " +
		"a role with its name, a label, a text. A select by role or label acts on exactly one visible combobox or listbox. With " +
		"resolve: snapshot a role with its name is looked for in a snapshot, and must be there exactly once.",
	Example: "- action: { action: click, role: button, name: Pay }\n" +
		"- action: { action: fill, locator: label, value: E-mail, text: ada@example.test }\n" +
		"- action: { action: select, role: combobox, name: Country, values: [at] }\n",
	Keys:   []spec.Key{{Name: "action", Type: "map", Doc: "what is done to which element", Required: true, Keys: keys}},
	Decode: decode,
}

var keys = []spec.Key{
	{Name: "action", Type: "text", Doc: "click, check, fill or select", Required: true, Aka: []string{"do", "verb", "type"}},
	{Name: "selector", Type: "text", Doc: "a target", Excludes: []string{"locator", "role", "name"}, Aka: []string{"target", "element", "css"}},
	{Name: "locator", Type: "text", Doc: "how the element is named: role, text, label, placeholder, alt, title or testid", Excludes: []string{"selector"}, Aka: []string{"by"}},
	{Name: "value", Type: "text", Doc: "what the locator looks for; of a select with a selector or role, the option"},
	{Name: "role", Type: "text", Doc: "short for locator: role with this value", Excludes: []string{"selector"}},
	{Name: "name", Type: "text", Doc: "the accessible name, beside a role", Excludes: []string{"selector"}, Aka: []string{"label"}},
	{Name: "text", Type: "text", Doc: "what fill writes", Excludes: []string{"values"}, Aka: []string{"input", "fill"}},
	{Name: "values", Type: "texts", Doc: "what select chooses: values or labels of options", Excludes: []string{"text"}, Aka: []string{"options", "option"}},
	{Name: "resolve", Type: "text", Doc: "snapshot: act on the one visible element that a snapshot shows with the role and exactly the name",
		Excludes: []string{"selector"}},
}

var (
	verbs    = []string{"click", "check", "fill", "select"}
	locators = []string{"role", "text", "label", "placeholder", "alt", "title", "testid"}
	// chosen are the roles of what a select acts on.
	chosen = []string{"combobox", "listbox"}
)

// act is an action step while it is compiled.
type act struct {
	d    *steps.Decoder
	at   diag.Pos
	k    map[string]spec.Node
	verb string
}

func decode(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	result := steps.Result(nil)
	n, ok := m["action"]
	if !ok {
		return nil, result
	}
	k, ok := n.Map(`"action"`, keys, d.Errs)
	if !ok || k["action"].IsZero() {
		return nil, result
	}
	before := d.Errs.Len()
	a := &act{d: d, at: at.Pos(), k: k}
	a.verb = a.word("action", verbs)
	if d.Errs.Len() > before {
		return nil, result
	}
	cells, finish := a.cells(n)
	if d.Errs.Len() > before {
		return nil, result
	}
	row, ok := d.Generated("action", at.Pos(), cells, finish)
	if !ok {
		return nil, result
	}
	body := steps.Rows{Rows: []steps.Row{row}}
	if a.verb == "fill" {
		body.Verdict = discreet
	}
	return body, steps.RowResult(row.Call)
}

// discreet is the verdict of a fill: what to try next never repeats the text, and never submits (CONTRACT R65).
func discreet(_ context.Context, _ steps.Env, gave []steps.Observation) steps.Observation {
	o := gave[len(gave)-1]
	o.NextActions = slices.DeleteFunc(slices.Clone(o.NextActions), func(n steps.NextAction) bool {
		return slices.Contains(n.Row, "fill") || slices.Contains(n.Row, "Enter")
	})
	return o
}

// word decodes a key that is one of some words.
func (a *act) word(key string, of []string) string {
	n, ok := a.k[key]
	if !ok {
		return ""
	}
	before := a.d.Errs.Len()
	w := spec.WantText(n, key, a.d.Errs)
	if a.d.Errs.Len() > before || slices.Contains(of, w) {
		return w
	}
	msg, hint := diag.BadValue(key, w, of)
	switch {
	case key == "action" && w == "uncheck":
		hint = "write the row: - [uncheck, TARGET]"
	case hint == "":
		hint = "one of " + strings.Join(of, ", ")
	}
	a.d.Errs.AddWide(n.Pos(), n.Width(), msg, hint)
	return ""
}

// cells makes the row: the verb on a selector, or a find row.
func (a *act) cells(n spec.Node) ([]spec.Text, func([]string) []string) {
	what := a.what(n)
	resolve := a.resolve()
	if s, ok := a.k["selector"]; ok {
		if v, has := a.k["value"]; has && a.verb != "select" {
			a.d.Errs.AddWide(v.KeyPos(), len("value"), `"value" stands beside a locator, or is the option of a select`,
				"the selector names the element; what fill writes is text")
		}
		t, _ := a.d.TextOf(s, "selector")
		return slices.Concat(steps.Cells(a.at, a.verb), []spec.Text{t}, what), nil
	}
	by, value := a.locator(n)
	if by == "" {
		return nil, nil
	}
	name, named := a.k["name"]
	if named && by != "role" {
		a.d.Errs.AddWide(name.KeyPos(), len("name"), `"name" stands beside a role`, "with "+by+" the value is what is looked for")
		return nil, nil
	}
	if a.verb == "select" {
		return a.choose(by, value, what)
	}
	cells := slices.Concat(steps.Cells(a.at, "find", by), []spec.Text{value}, steps.Cells(a.at, a.verb), what)
	if named {
		if t, ok := a.d.TextOf(name, "name"); ok {
			cells = append(append(cells, steps.Cells(a.at, "--name")...), t)
		}
	}
	return append(cells, resolve...), nil
}

// resolve is the flag of a row that is looked for in a snapshot; it needs a role with its name.
func (a *act) resolve() []spec.Text {
	n, ok := a.k["resolve"]
	if !ok || !a.k["selector"].IsZero() || a.word("resolve", []string{"snapshot"}) == "" {
		return nil
	}
	by, _ := a.k["locator"].Text()
	switch _, role := a.k["role"]; {
	case a.verb == "select":
		a.d.Errs.AddWide(n.KeyPos(), len("resolve"), `"resolve" stands on click, check and fill`, "a select by role or label always acts on the only one")
	case !role && by != "role" || a.k["name"].IsZero():
		a.d.Errs.AddWide(n.KeyPos(), len("resolve"), `"resolve" needs a role with its name`, "write role: button, name: Pay")
	}
	return steps.Cells(a.at, "--resolve", "snapshot")
}

// what is the text of a fill, or the values of a select.
func (a *act) what(n spec.Node) []spec.Text {
	text, hasText := a.k["text"]
	values, hasValues := a.k["values"]
	l := a.d.Errs
	switch {
	case hasText && a.verb != "fill":
		hint := ""
		if a.verb == "select" {
			hint = "write values: [ … ]"
		}
		l.AddWide(text.KeyPos(), len("text"), `"text" is what fill writes, and this is a `+a.verb, hint)
	case hasValues && a.verb != "select":
		l.AddWide(values.KeyPos(), len("values"), `"values" is what select chooses, and this is a `+a.verb, "")
	case a.verb == "fill" && !hasText:
		l.Add(n.Pos(), `a fill needs "text"`, `write text: "" to empty the field`)
	case a.verb == "fill":
		spec.WantText(text, "text", l)
		return []spec.Text{spec.CompileText(text, a.d.Scope, l)}
	case a.verb == "select" && !hasValues:
		return a.single(n)
	case a.verb == "select":
		return a.options(values)
	}
	return nil
}

// single is the value of a select that has a selector or role and no list of values.
func (a *act) single(n spec.Node) []spec.Text {
	value, ok := a.k["value"]
	_, by := a.k["locator"]
	if ok && !by {
		if t, ok := a.d.TextOf(value, "value"); ok {
			return []spec.Text{t}
		}
		return nil
	}
	a.d.Errs.Add(n.Pos(), `a select needs "values"`, "write values: [ the option's value or label ]")
	return nil
}

func (a *act) options(n spec.Node) []spec.Text {
	items, ok := n.Seq()
	if !ok || len(items) == 0 {
		spec.WantTexts(n, "values", a.d.Errs)
		if ok {
			a.d.Errs.Add(n.Pos(), `"values" is empty`, "name at least one option")
		}
		return nil
	}
	var out []spec.Text
	for _, item := range items {
		spec.WantText(item, "values", a.d.Errs)
		out = append(out, spec.CompileText(item, a.d.Scope, a.d.Errs))
	}
	return out
}

// locator gives how the element is named and by what; role may stand for both.
func (a *act) locator(n spec.Node) (by string, value spec.Text) {
	of := locators
	if a.verb == "select" {
		of = []string{"role", "label"}
	}
	role, hasRole := a.k["role"]
	given, hasValue := a.k["value"]
	l := a.d.Errs
	if _, has := a.k["locator"]; has {
		if by = a.word("locator", of); by == "" {
			return "", value
		}
	} else if hasRole {
		by = "role"
	}
	switch {
	case by == "":
		l.Add(n.Pos(), `an action names no element`, "write selector: TARGET, role: button with name: …, or locator: label with value: …")
		return "", value
	case hasRole && by != "role":
		l.AddWide(role.KeyPos(), len("role"), diag.Conflict("role", "locator: "+by), "")
		return "", value
	case hasRole && hasValue && a.verb != "select":
		r, _ := role.Text()
		if v, _ := given.Text(); v != r {
			l.AddWide(given.Pos(), given.Width(), "value "+strconv.Quote(v)+" and role "+strconv.Quote(r)+" do not agree", "leave value out")
			return "", value
		}
	case !hasRole && !hasValue:
		l.Add(n.Pos(), `a locator needs "value"`, "write value: what the "+by+" is")
		return "", value
	}
	if hasRole {
		value, _ = a.d.TextOf(role, "role")
	} else {
		value, _ = a.d.TextOf(given, "value")
	}
	return by, value
}

// choose makes the row of a select by role or label. The row grammar resolves it to exactly one visible element and
// fails before it acts (DECISIONS 19).
func (a *act) choose(by string, value spec.Text, what []spec.Text) ([]spec.Text, func([]string) []string) {
	if by == "label" {
		return slices.Concat(steps.Cells(a.at, "select"), []spec.Text{value}, what), named("label=")
	}
	role, _ := value.Static()
	if !slices.Contains(chosen, role) {
		at := a.k["role"]
		if at.IsZero() {
			at = a.k["value"]
		}
		a.d.Errs.AddWide(at.Pos(), at.Width(), "a select acts on a combobox or a listbox, not on "+strconv.Quote(value.Source()),
			"write role: combobox with name: …")
		return nil, nil
	}
	name, ok := a.k["name"]
	if !ok {
		a.d.Errs.Add(a.at, `a select by role needs "name"`, "write name: the label of the "+role)
		return nil, nil
	}
	t, _ := a.d.TextOf(name, "name")
	return slices.Concat(steps.Cells(a.at, "select"), []spec.Text{t}, what), named("role=" + role + " ")
}

// named makes a target of the second cell, a name. One that would read as more than a name is put in quotes.
func named(before string) func([]string) []string {
	return func(texts []string) []string {
		out := slices.Clone(texts)
		name := out[1]
		if strings.Contains(name, ">>") || strings.ContainsAny(name, `"'`) {
			name = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		}
		out[1] = before + name
		return out
	}
}
