package spec

import (
	"slices"
	"strings"
)

// HasText tells that a scalar somewhere in the node holds ${{ }}.
func (n Node) HasText() bool { return n.n != nil && n.n.hasText() }

func (n *node) hasText() bool {
	switch n.kind {
	case kindSeq:
		return slices.ContainsFunc(n.items, (*node).hasText)
	case kindMap:
		return slices.ContainsFunc(n.pairs, func(p pair) bool { return p.value.hasText() })
	}
	return strings.Contains(n.text, "${{")
}

// Rebuild gives the node with each scalar that holds ${{ }} replaced by what fn makes of it, and so on inside of that
// too. The keys stay. False from fn leaves an empty node there: whoever could not make it has said why.
func (n Node) Rebuild(fn func(Node) (Node, bool)) Node {
	if n.n == nil || !n.n.hasText() {
		return n
	}
	return Node{n: n.n.rebuild(fn), key: n.key}
}

func (n *node) rebuild(fn func(Node) (Node, bool)) *node {
	if !n.hasText() {
		return n
	}
	out := *n
	switch n.kind {
	case kindSeq:
		out.items = make([]*node, len(n.items))
		for i, item := range n.items {
			out.items[i] = item.rebuild(fn)
		}
	case kindMap:
		out.pairs = make([]pair, len(n.pairs))
		for i, p := range n.pairs {
			out.pairs[i] = pair{key: p.key, value: p.value.rebuild(fn), merged: p.merged}
		}
	default:
		made, ok := fn(Node{n: n})
		if !ok || made.n == nil {
			return &node{doc: n.doc, line: n.line, col: n.col, kind: kindEmpty}
		}
		return made.n
	}
	return &out
}

// NodeOf makes a node of a plain value that stands where at does. Text is as if it stood there without quotes.
func NodeOf(v any, at Node) Node {
	if at.n == nil {
		return Node{}
	}
	return Node{n: nodeOf(v, at.n), key: at.key}
}

func nodeOf(v any, at *node) *node {
	out := &node{doc: at.doc, line: at.line, col: at.col, kind: kindPlain}
	switch v := v.(type) {
	case nil:
		out.kind = kindEmpty
	case []any:
		out.kind = kindSeq
		for _, item := range v {
			out.items = append(out.items, nodeOf(item, at))
		}
	case map[string]any:
		out.kind = kindMap
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			out.pairs = append(out.pairs, pair{key: nodeOf(name, at), value: nodeOf(v[name], at)})
		}
	default:
		text, err := FormatValue(v)
		if err != nil {
			out.kind = kindEmpty
		}
		out.text = text
	}
	return out
}

// Without gives a map without a key.
func (n Node) Without(key string) Node {
	if !n.Has(key) {
		return n
	}
	out := *n.n
	out.pairs = slices.DeleteFunc(slices.Clone(n.n.pairs), func(p pair) bool { return p.key.text == key })
	return Node{n: &out, key: n.key}
}
