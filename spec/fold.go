package spec

import (
	"strings"

	"github.com/expr-lang/expr/ast"
)

// lowered gives a key of a map whose keys are all in lower case, as the names of HTTP headers are.
func lowered(key ast.Node) ast.Node {
	if s, ok := key.(*ast.StringNode); ok {
		s.Value = strings.ToLower(s.Value)
		return s
	}
	out := &ast.BuiltinNode{Name: "lower", Arguments: []ast.Node{key}}
	out.SetLocation(key.Location())
	return out
}

// within resolves `key in map`.
func (r *resolver) within(n *ast.BinaryNode) {
	r.visit(n.Left, wantValue)
	if r.visit(n.Right, wantValue).Fold {
		n.Left = lowered(n.Left)
	}
}
