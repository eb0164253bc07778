package plan

import (
	"context"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Value is a YAML value whose scalars may hold ${{ }}.
type Value struct {
	lit  any
	text *spec.Text
	list []Value
	dict []pair
	kind valueKind
	typ  spec.Type
}

type valueKind uint8

const (
	literalValue valueKind = iota
	textValue
	listValue
	dictValue
)

type pair struct {
	name  string
	value Value
}

// Type is the static type of the value.
func (v Value) Type() spec.Type { return v.typ }

// Eval gives the value; a scalar that is nothing but one ${{ }} keeps its type.
func (v Value) Eval(ctx context.Context, vals spec.Values, r spec.Reader) (any, error) {
	switch v.kind {
	case textValue:
		return v.text.Value(ctx, vals, r)
	case listValue:
		out := make([]any, len(v.list))
		for i, item := range v.list {
			x, err := item.Eval(ctx, vals, r)
			if err != nil {
				return nil, err
			}
			out[i] = x
		}
		return out, nil
	case dictValue:
		out := make(map[string]any, len(v.dict))
		for _, p := range v.dict {
			x, err := p.value.Eval(ctx, vals, r)
			if err != nil {
				return nil, err
			}
			out[p.name] = x
		}
		return out, nil
	}
	return v.lit, nil
}

// Static tells that the value is known before the run.
func (v Value) Static() bool {
	for _, item := range v.list {
		if !item.Static() {
			return false
		}
	}
	for _, p := range v.dict {
		if !p.value.Static() {
			return false
		}
	}
	return v.kind != textValue
}

// compileValue compiles a node into a Value against s.
func compileValue(n spec.Node, s *spec.Scope, l *diag.List) Value {
	if n.IsMap() {
		v := Value{kind: dictValue, typ: spec.Type{Base: spec.Struct, Fields: map[string]spec.Type{}}}
		for _, e := range n.Entries("a map", l) {
			item := compileValue(e.Value, s, l)
			v.dict = append(v.dict, pair{e.Name, item})
			v.typ.Fields[e.Name] = item.typ
		}
		return v
	}
	if items, ok := n.Seq(); ok {
		v := Value{kind: listValue}
		for _, item := range items {
			v.list = append(v.list, compileValue(item, s, l))
		}
		v.typ = listType(v.list)
		return v
	}
	if text, ok := n.Text(); ok && strings.Contains(text, "${{") {
		t := spec.CompileText(n, s, l)
		if fixed, static := t.Static(); static {
			return Value{lit: fixed, typ: spec.Type{Base: spec.String}}
		}
		return Value{kind: textValue, text: &t, typ: t.Type()}
	}
	lit := n.Value(l)
	return Value{lit: lit, typ: typeOf(lit)}
}

// listType is the type of a list: its items must agree in their base, and maps in a list may differ in their keys.
func listType(items []Value) spec.Type {
	out := spec.Type{Base: spec.List}
	if len(items) == 0 {
		return out
	}
	elem := items[0].typ
	for _, item := range items[1:] {
		elem = unify(elem, item.typ)
	}
	out.Elem = &elem
	return out
}

// unify gives the type that holds both.
func unify(a, b spec.Type) spec.Type {
	switch {
	case a.Base == spec.Struct && b.Base == spec.Struct:
		out := spec.Type{Base: spec.Struct, Fields: map[string]spec.Type{}}
		for name, t := range a.Fields {
			if u, ok := b.Fields[name]; ok {
				out.Fields[name] = unify(t, u)
			} else {
				t.Maybe = true
				out.Fields[name] = t
			}
		}
		for name, t := range b.Fields {
			if _, ok := a.Fields[name]; !ok {
				t.Maybe = true
				out.Fields[name] = t
			}
		}
		return out
	case a.Base == spec.List && b.Base == spec.List && a.Elem != nil && b.Elem != nil:
		elem := unify(*a.Elem, *b.Elem)
		return spec.Type{Base: spec.List, Elem: &elem}
	case a.Base == b.Base:
		return a
	case a.Base == spec.Int && b.Base == spec.Float, a.Base == spec.Float && b.Base == spec.Int:
		return spec.Type{Base: spec.Float}
	}
	return spec.Type{}
}

// typeOf is the type of a literal.
func typeOf(v any) spec.Type {
	switch v := v.(type) {
	case bool:
		return spec.Type{Base: spec.Bool}
	case int, int64, uint64:
		return spec.Type{Base: spec.Int}
	case float64:
		return spec.Type{Base: spec.Float}
	case string:
		return spec.Type{Base: spec.String}
	case []any:
		return spec.Type{Base: spec.List}
	case map[string]any:
		t := spec.Type{Base: spec.Struct, Fields: map[string]spec.Type{}}
		for k, x := range v {
			t.Fields[k] = typeOf(x)
		}
		return t
	}
	return spec.Type{}
}
