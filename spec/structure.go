package spec

import (
	"context"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Structure is a value of any shape whose texts may hold ${{ }}: an entry of vars, an argument of with. The zero value is
// nil.
type Structure struct {
	plain any // if nothing in it is dynamic
	text  *Text
	list  []Structure
	pairs map[string]Structure
	typ   Type
}

// CompileStructure compiles a node of any kind against s. Scalars without quotes keep their type, as in Node.Value.
func CompileStructure(n Node, s *Scope, l *diag.List) Structure {
	if !dynamic(n) {
		v := n.Value(l)
		return Structure{plain: v, typ: TypeOf(v)}
	}
	if items, ok := n.Seq(); ok {
		out := Structure{list: make([]Structure, len(items)), typ: Type{Base: List}}
		for i, item := range items {
			out.list[i] = CompileStructure(item, s, l)
		}
		return out
	}
	if n.IsMap() {
		out := Structure{pairs: map[string]Structure{}, typ: Type{Base: Struct, Fields: map[string]Type{}}}
		for _, e := range n.Entries("the value", l) {
			v := CompileStructure(e.Value, s, l)
			out.pairs[e.Name] = v
			out.typ.Fields[e.Name] = v.typ
		}
		return out
	}
	t := CompileText(n, s, l)
	return Structure{text: &t, typ: t.Type()}
}

// dynamic tells that a text somewhere in n holds ${{.
func dynamic(n Node) bool {
	if n.n == nil {
		return false
	}
	if n.n.scalar() {
		return strings.Contains(n.n.text, "${{")
	}
	for _, item := range n.n.items {
		if dynamic(Node{n: item}) {
			return true
		}
	}
	for _, p := range n.n.pairs {
		if dynamic(Node{n: p.value}) {
			return true
		}
	}
	return false
}

// Type is the type of what Value gives.
func (c Structure) Type() Type { return c.typ }

// Static gives the value if nothing in it is dynamic.
func (c Structure) Static() (any, bool) {
	return c.plain, c.text == nil && c.list == nil && c.pairs == nil
}

// Value renders every text in it.
func (c Structure) Value(ctx context.Context, v Values, r Reader) (any, error) {
	switch {
	case c.text != nil:
		return c.text.Value(ctx, v, r)
	case c.list != nil:
		out := make([]any, len(c.list))
		for i, item := range c.list {
			value, err := item.Value(ctx, v, r)
			if err != nil {
				return nil, err
			}
			out[i] = value
		}
		return out, nil
	case c.pairs != nil:
		out := make(map[string]any, len(c.pairs))
		for k, item := range c.pairs {
			value, err := item.Value(ctx, v, r)
			if err != nil {
				return nil, err
			}
			out[k] = value
		}
		return out, nil
	}
	return c.plain, nil
}
