package spec

import (
	"math"
	"reflect"
	"strings"

	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/types"
)

// Words names a type in messages: "a whole number", "a list".
func (t Type) Words() string { return t.words() }

// words names a type in messages.
func (t Type) words() string {
	switch t.Base {
	case Bool:
		return "true or false"
	case Int:
		return "a whole number"
	case Float:
		return "a number"
	case String:
		return "text"
	case List:
		return "a list"
	case Map, Struct:
		return "a map"
	case Nothing:
		return "nothing"
	}
	return "any value"
}

// TypeOf gives the type of a plain value as it comes from YAML or JSON: a map with text keys has known fields.
func TypeOf(v any) Type {
	switch v := v.(type) {
	case nil:
		return Type{Base: Any}
	case bool:
		return Type{Base: Bool}
	case int, int64:
		return Type{Base: Int}
	case float64:
		return Type{Base: Float}
	case string:
		return Type{Base: String}
	case map[string]any:
		fields := make(map[string]Type, len(v))
		for k, e := range v {
			fields[k] = TypeOf(e)
		}
		return Type{Base: Struct, Fields: fields}
	case []any:
		return Type{Base: List, Elem: elemOf(v)}
	}
	return Type{Base: Any}
}

// elemOf is the common type of the items of a list, or nil. Maps whose keys differ are open maps.
func elemOf(items []any) *Type {
	if len(items) == 0 {
		return nil
	}
	first := TypeOf(items[0])
	for _, item := range items[1:] {
		if t := TypeOf(item); !same(first, t) {
			if t.Base == Struct && first.Base == Struct {
				first = Type{Base: Map}
				continue
			}
			if first.Base == Map && t.Base == Struct {
				continue
			}
			return nil
		}
	}
	return &first
}

func same(a, b Type) bool {
	if a.Base != b.Base || len(a.Fields) != len(b.Fields) || (a.Elem == nil) != (b.Elem == nil) {
		return false
	}
	for k, f := range a.Fields {
		if g, ok := b.Fields[k]; !ok || !same(f, g) {
			return false
		}
	}
	return a.Elem == nil || same(*a.Elem, *b.Elem)
}

// InputType gives the type that a fragment's input declares: string, int, float, bool, list, map, any.
func InputType(name string) Type { return typeOfInput(name) }

func typeOfInput(name string) Type {
	switch name {
	case "string":
		return Type{Base: String}
	case "int":
		return Type{Base: Int}
	case "float":
		return Type{Base: Float}
	case "bool":
		return Type{Base: Bool}
	case "list":
		return Type{Base: List}
	case "map":
		return Type{Base: Map}
	}
	return Type{Base: Any}
}

// Accepts tells that a plain value is of the type. A whole number is a number; text with ${{ }} may become anything.
func (t Type) Accepts(v any) bool { return t.accepts(v) }

func (t Type) accepts(v any) bool {
	if s, ok := v.(string); ok && strings.Contains(s, "${{") {
		return true
	}
	switch t.Base {
	case Bool:
		_, ok := v.(bool)
		return ok
	case Int:
		f, isFloat := v.(float64)
		_, ok := v.(int)
		return ok || isFloat && f == math.Trunc(f) && math.Abs(f) < 1<<53
	case Float:
		switch v.(type) {
		case int, float64:
			return true
		}
		return false
	case String:
		_, ok := v.(string)
		return ok
	case List:
		return v != nil && reflect.TypeOf(v).Kind() == reflect.Slice
	case Map, Struct:
		return v != nil && reflect.TypeOf(v).Kind() == reflect.Map
	}
	return true
}

// exprType turns a type into the checker's own.
func exprType(t Type) types.Type {
	switch t.Base {
	case Bool:
		return types.Bool
	case Int:
		return types.Int
	case Float:
		return types.Float64
	case String:
		return types.String
	case List:
		if t.Elem != nil {
			return types.Array(exprType(*t.Elem))
		}
		return types.Array(types.Any)
	case Map:
		if t.Elem != nil {
			return types.Map{types.Extra: exprType(*t.Elem)}
		}
		return types.Map{types.Extra: types.Any}
	case Struct:
		m := make(types.Map, len(t.Fields))
		for k, f := range t.Fields {
			m[k] = exprType(f)
		}
		return m
	}
	return types.Any
}

// typeOfNature turns what the checker found back into a type.
func typeOfNature(n *nature.Nature) Type {
	switch {
	case n.Nil:
		return Type{Base: Nothing}
	case n.Type == nil:
		return Type{Base: Any}
	case n.Kind == reflect.Bool:
		return Type{Base: Bool}
	case n.IsInteger && n.Type.PkgPath() == "":
		return Type{Base: Int}
	case n.IsFloat:
		return Type{Base: Float}
	case n.Kind == reflect.String:
		return Type{Base: String}
	case n.Kind == reflect.Slice || n.Kind == reflect.Array:
		if n.Ref != nil {
			elem := typeOfNature(n.Ref)
			return Type{Base: List, Elem: &elem}
		}
		return Type{Base: List}
	case n.Kind == reflect.Map:
		return typeOfMap(n)
	}
	return Type{Base: Any}
}

func typeOfMap(n *nature.Nature) Type {
	if n.TypeData == nil {
		return Type{Base: Map}
	}
	if n.Strict {
		fields := make(map[string]Type, len(n.Fields))
		for k, f := range n.Fields {
			fields[k] = typeOfNature(&f)
		}
		return Type{Base: Struct, Fields: fields}
	}
	if n.DefaultMapValue != nil {
		elem := typeOfNature(n.DefaultMapValue)
		return Type{Base: Map, Elem: &elem}
	}
	return Type{Base: Map}
}
