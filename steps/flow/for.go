package flow

import (
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// maxLoops is how many items a loop may have: a list that is longer is a mistake.
const maxLoops = 10_000

// For runs a list of steps once for each item.
var For = steps.Kind{
	Name:    "for",
	Doc:     "Runs do once for each item of a list, bound to a name of its own. Outside, an id of the loop is that of its last round.",
	Example: "- for: user in vars.users\n  do:\n    - [fill, label=Name, \"${{ user }}\"]\n    - [click, role=button Add]\n",
	Keys: []spec.Key{
		{Name: "for", Type: "expr", Doc: "NAME in LIST", Required: true},
		{Name: "do", Type: "steps", Doc: "what to do with each item", Required: true},
	},
	Decode: decodeFor,
}

var forForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s+in\s+`)

func decodeFor(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	n, ok := m["for"]
	if !ok {
		return nil, anything
	}
	text := spec.WantText(n, "for", d.Errs)
	if text == "" {
		return nil, anything
	}
	f := forForm.FindStringSubmatch(text)
	if f == nil {
		d.Errs.AddWide(n.Pos(), n.Width(), `"for" must be NAME in LIST, got `+strconv.Quote(text), "write for: user in vars.users")
		return nil, anything
	}
	loop := steps.Loop{Var: f[1], Max: maxLoops}
	loop.Over = spec.CompileExpr(n.Rest(len(f[0])), d.Scope, anything, d.Errs)
	inner := d.Scope.Child()
	inner.Names[loop.Var] = item(loop.Over, d.Errs)
	if _, taken := steps.Lookup(d.Scope, loop.Var); taken || spec.Reserved(loop.Var) {
		d.Errs.AddWide(n.Pos(), len(loop.Var), "the loop variable "+strconv.Quote(loop.Var)+" hides another name", "choose a name that is free")
	}
	loop.Do = d.Maybe(m["do"], inner)
	return loop, steps.Result(nil)
}

// item is the type of one item of the list that a loop goes over.
func item(over *spec.Expr, l *diag.List) spec.Type {
	switch t := over.Type(); t.Base {
	case spec.List:
		if t.Elem != nil {
			return *t.Elem
		}
	case spec.Any:
	default:
		l.Add(over.Pos(), `"for" goes over a list, got `+words[t.Base], "keys(m) and values(m) are the lists of a map; 1..3 is a list of numbers")
	}
	return anything
}

// words names types in messages.
var words = map[spec.Base]string{
	spec.Any: "any value", spec.Bool: "true or false", spec.Int: "a whole number", spec.Float: "a number", spec.String: "text",
	spec.List: "a list", spec.Map: "a map", spec.Struct: "a map", spec.Nothing: "nothing",
}
