package spec

import (
	"context"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Compound is a YAML value whose scalars may hold ${{ }}: an entry of vars, a value of a matrix, an input of a fragment.
// The zero value is nil.
type Compound struct {
	lit  any
	text *Text
	list []Compound
	dict []member
	kind compoundKind
	typ  Type
}

type compoundKind uint8

const (
	literalValue compoundKind = iota
	textValue
	listValue
	dictValue
)

type member struct {
	name  string
	value Compound
}

// Constant is a value that is known before the run; t is what the checker is told of it.
func Constant(v any, t Type) Compound { return Compound{lit: v, typ: t} }

// MapOf is a map of values by name.
func MapOf(names []string, values []Compound) Compound {
	v := Compound{kind: dictValue, typ: Type{Base: Struct, Fields: make(map[string]Type, len(names))}}
	static, lit := true, make(map[string]any, len(names))
	for i, name := range names {
		v.dict = append(v.dict, member{name, values[i]})
		v.typ.Fields[name] = values[i].typ
		static = static && values[i].kind == literalValue
		lit[name] = values[i].lit
	}
	if static { // an attempt then takes it as it is
		return Constant(lit, v.typ)
	}
	return v
}

// Type is the static type of the value.
func (v Compound) Type() Type { return v.typ }

// Eval gives the value; a scalar that is nothing but one ${{ }} keeps its type.
func (v Compound) Eval(ctx context.Context, vals Values, r Reader) (any, error) {
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
func (v Compound) Static() bool {
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

// CompileCompound compiles a node against s.
func CompileCompound(n Node, s *Scope, l *diag.List) Compound {
	if n.IsMap() {
		v := Compound{kind: dictValue, typ: Type{Base: Struct, Fields: map[string]Type{}}}
		for _, e := range n.Entries("a map", l) {
			item := CompileCompound(e.Value, s, l)
			v.dict = append(v.dict, member{e.Name, item})
			v.typ.Fields[e.Name] = item.typ
		}
		return v
	}
	if items, ok := n.Seq(); ok {
		v := Compound{kind: listValue}
		for _, item := range items {
			v.list = append(v.list, CompileCompound(item, s, l))
		}
		v.typ = listType(v.list)
		return v
	}
	if text, ok := n.Text(); ok && strings.Contains(text, "${{") {
		t := CompileText(n, s, l)
		if fixed, static := t.Static(); static {
			return Constant(fixed, Type{Base: String})
		}
		return Compound{kind: textValue, text: &t, typ: t.Type()}
	}
	lit := n.Value(l)
	return Constant(lit, TypeOf(lit))
}

// listType is the type of a list: its items must agree in their base, and maps in a list may differ in their keys.
func listType(items []Compound) Type {
	out := Type{Base: List}
	if len(items) == 0 {
		return out
	}
	elem := items[0].typ
	for _, item := range items[1:] {
		elem = Unify(elem, item.typ)
	}
	out.Elem = &elem
	return out
}

// Unify gives the type that holds both: a key that only one of two maps has may be absent.
func Unify(a, b Type) Type {
	switch {
	case a.Base == Struct && b.Base == Struct:
		out := Type{Base: Struct, Fields: make(map[string]Type, len(a.Fields))}
		for name, t := range a.Fields {
			if u, ok := b.Fields[name]; ok {
				maybe := t.Maybe || u.Maybe
				t = Unify(t, u)
				t.Maybe = maybe
			} else {
				t.Maybe = true
			}
			out.Fields[name] = t
		}
		for name, t := range b.Fields {
			if _, ok := a.Fields[name]; !ok {
				t.Maybe = true
				out.Fields[name] = t
			}
		}
		return out
	case a.Base == List && b.Base == List && a.Elem != nil && b.Elem != nil:
		elem := Unify(*a.Elem, *b.Elem)
		return Type{Base: List, Elem: &elem}
	case a.Base == b.Base:
		return a
	case a.Base == Int && b.Base == Float, a.Base == Float && b.Base == Int:
		return Type{Base: Float}
	}
	return Type{}
}
