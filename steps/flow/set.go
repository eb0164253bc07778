package flow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Set gives values names: vars.NAME from here on.
var Set = steps.Kind{
	Name:    "set",
	Doc:     "Evaluates expressions and keeps the values as vars.NAME for the steps after it. A secret one is masked everywhere.",
	Example: "- set: { order: text(\"#order-id\"), token: { value: js(\"localStorage.token\"), secret: true } }\n",
	Keys:    []spec.Key{{Name: "set", Type: "set", Doc: "NAME: EXPR, or NAME: { value: EXPR, secret: true }", Required: true}},
	Decode:  decodeSet,
}

var (
	varForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	setKeys = []spec.Key{
		{Name: "value", Type: "expr", Doc: "the value", Required: true},
		{Name: "secret", Type: "bool", Doc: "masked in everything that is written"},
	}
)

// assignment is one name that a set defines.
type assignment struct {
	name   string
	expr   *spec.Expr
	secret bool
}

func decodeSet(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	n, ok := m["set"]
	if !ok {
		return nil, anything
	}
	entries := n.Entries(`"set"`, d.Errs)
	if n.IsMap() && len(entries) == 0 {
		d.Errs.Add(n.Pos(), `"set" is empty`, "write set: { name: EXPR }")
	}
	var list []assignment
	for _, e := range entries {
		a := assignment{name: e.Name}
		if !varForm.MatchString(e.Name) {
			d.Errs.AddWide(e.KeyPos, len([]rune(e.Name)), strconv.Quote(e.Name)+" cannot be a name", "letters, digits and _, a letter first")
			continue
		}
		value := e.Value
		if value.IsMap() {
			m, ok := value.Map("a value of set", setKeys, d.Errs)
			if value = m["value"]; !ok || value.IsZero() {
				continue
			}
			a.secret = spec.WantBool(m["secret"], "secret", d.Errs)
		}
		a.expr = spec.CompileExpr(value, d.Scope, anything, d.Errs)
		steps.Define(d.Scope, a.name, a.expr.Type())
		list = append(list, a)
	}
	if len(list) == 0 {
		return nil, anything
	}
	return steps.Opaque{Safe: true, Run: func(ctx context.Context, e steps.Env) steps.Observation {
		return assign(ctx, list, e)
	}}, steps.Result(nil)
}

// assign evaluates in written order; a later value may read an earlier one.
func assign(ctx context.Context, list []assignment, e steps.Env) steps.Observation {
	values := maps.Clone(e.Values)
	vars := map[string]any{}
	if have, ok := values["vars"].(map[string]any); ok {
		maps.Copy(vars, have)
	}
	values["vars"] = vars
	o := steps.Observation{Success: true, Set: map[string]any{}, Data: map[string]any{}}
	for _, a := range list {
		v, _, err := a.expr.Eval(ctx, values, e.Reader)
		if err != nil {
			return unset(ctx, a, err)
		}
		vars[a.name], o.Set[a.name] = v, v
		if a.secret {
			o.Secret = append(o.Secret, fmt.Sprint(v))
			continue
		}
		o.Data[a.name] = v
	}
	return o
}

// unset is the failure of a value that could not be evaluated.
func unset(ctx context.Context, a assignment, err error) steps.Observation {
	var known steps.Observed
	if errors.As(err, &known) {
		o := known.Observation()
		o.Success = false
		return o
	}
	if ctx.Err() != nil {
		return steps.Fail(steps.Timeout, "timeout", "setting "+strconv.Quote(a.name)+": "+context.Cause(ctx).Error())
	}
	return steps.Fail(steps.Validation, "expression", "setting "+strconv.Quote(a.name)+": "+err.Error())
}
