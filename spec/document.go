package spec

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/token"

	"github.com/checkrow/checkrow/spec/diag"
)

// Document is a YAML file as it is read, before anything decides what it is. What rewrites a file compares the documents
// of its old and new text.
type Document struct {
	Root     Node
	Comments []string // without the "#", in order
	Marks    []string // anchors, aliases and tags, in order
}

// ReadDocument reads the single YAML document of a file. Syntax errors and the traps of YAML go to l.
func ReadDocument(file string, src []byte, l *diag.List) Document {
	before := l.Len()
	root := readTree(file, src, l)
	out := Document{Root: Node{n: root}}
	if root == nil || l.Len() > before {
		return out
	}
	tokens, limit := scan(newDocument(file, src))
	if limit != nil {
		return out // readTree has said so
	}
	for _, tk := range tokens {
		switch tk.Type {
		case token.CommentType:
			out.Comments = append(out.Comments, strings.TrimRight(tk.Value, " \t"))
		case token.AnchorType, token.AliasType:
			mark := tk.Value
			if tk.Next != nil {
				mark += tk.Next.Value
			}
			out.Marks = append(out.Marks, mark)
		case token.TagType:
			out.Marks = append(out.Marks, tk.Value)
		}
	}
	return out
}

// Same tells that two documents mean the same: equal trees with values of equal types, and the same comments, anchors,
// aliases and tags.
func (d Document) Same(other Document) bool {
	return slices.Equal(d.Comments, other.Comments) && slices.Equal(d.Marks, other.Marks) && sameNode(d.Root.n, other.Root.n)
}

func sameNode(a, b *node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.scalar() != b.scalar():
		return false
	case a.scalar():
		return a.text == b.text && (a.kind == kindEmpty) == (b.kind == kindEmpty) && a.typed() == b.typed()
	case a.kind != b.kind || len(a.items) != len(b.items) || len(a.pairs) != len(b.pairs):
		return false
	}
	for i := range a.items {
		if !sameNode(a.items[i], b.items[i]) {
			return false
		}
	}
	for i := range a.pairs {
		p, q := a.pairs[i], b.pairs[i]
		if p.merged != q.merged || p.key.text != q.key.text || !sameNode(p.value, q.value) {
			return false
		}
	}
	return true
}

// typed tells a scalar whose text YAML reads as something else than text.
func (n *node) typed() bool { return n.kind == kindPlain && !IsPlainText(n.text) }

// IsPlainText tells that a scalar without quotes is read as this very text, and not as a number, true, false or null.
func IsPlainText(s string) bool {
	_, text := plainValue(s).(string)
	return text
}
