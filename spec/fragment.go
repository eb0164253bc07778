package spec

import (
	"slices"

	"github.com/checkrow/checkrow/spec/diag"
)

func decodeFragment(n Node, l *diag.List) *Fragment {
	m, _ := n.Map("a fragment", FragmentKeys, l)
	f := &Fragment{
		Name:    wantName(m["fragment"], "fragment", l),
		Pos:     m["fragment"].KeyPos(),
		Steps:   wantSteps(m["steps"], "steps", l),
		Outputs: wantNames(m["outputs"], "outputs", l),
	}
	if f.Pos.IsZero() {
		f.Pos = n.Pos()
	}
	for _, e := range wantNames(m["inputs"], "inputs", l) {
		f.Inputs = append(f.Inputs, decodeInput(e, l))
	}
	for _, e := range f.Outputs {
		wantScalar(e.Value, "outputs."+e.Name, l)
	}
	return f
}

// decodeInput reads `user: string` and `pw: { type: string, secret: true, default: … }`.
func decodeInput(e Entry, l *diag.List) Input {
	in := Input{Name: e.Name, Pos: e.KeyPos, Type: "any"}
	kind := e.Value
	if e.Value.IsMap() {
		m, _ := e.Value.Map("the input", InputKeys, l)
		kind = m["type"]
		in.Default = m["default"]
		if v, ok := m["secret"]; ok {
			in.Secret = WantBool(v, "secret", l)
		}
		if kind.IsZero() {
			return in
		}
	}
	name := WantText(kind, "the type of "+e.Name, l)
	if name == "" {
		return in
	}
	if !slices.Contains(InputTypes, name) {
		msg, hint := diag.BadValue("type", name, InputTypes)
		if other, ok := otherTypes[name]; ok {
			hint = `did you mean "` + other + `"?`
		}
		kind.report(l, msg, hint)
		return in
	}
	in.Type = name
	if in.Default.IsZero() {
		return in
	}
	value := in.Default.Value(l)
	_, scalar := in.Default.Text()
	if text := name == "string" && scalar && value != nil; !text && !typeOfInput(name).accepts(value) {
		in.Default.report(l, diag.WantKind("default", name, in.Default.got()), "")
	}
	return in
}

// otherTypes are the names of types in other languages.
var otherTypes = map[string]string{
	"str": "string", "text": "string", "integer": "int", "number": "float", "boolean": "bool", "array": "list",
	"object": "map", "dict": "map",
}
