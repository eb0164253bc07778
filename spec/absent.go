package spec

import "github.com/expr-lang/expr/ast"

// where visits a part of an expression in which names of env are known to be unset: the right side of `env.NAME ?? …`.
func (r *resolver) where(unset []string, n ast.Node) {
	var fresh []string
	for _, name := range unset {
		if r.unset == nil {
			r.unset = map[string]bool{}
		}
		if name != "" && !r.unset[name] {
			r.unset[name] = true
			fresh = append(fresh, name)
		}
	}
	r.visit(n, wantValue)
	for _, name := range fresh {
		delete(r.unset, name)
	}
}

// conditional visits `COND ? A : B`; where the condition compares env.NAME with nil one side knows that it is unset.
func (r *resolver) conditional(n *ast.ConditionalNode) {
	r.visit(n.Cond, wantValue)
	var then, other []string
	if b, ok := n.Cond.(*ast.BinaryNode); ok && (isNil(b.Left) || isNil(b.Right)) {
		switch names := envNames(b.Left, envNames(b.Right, nil)); b.Operator {
		case "==":
			then = names
		case "!=":
			other = names
		}
	}
	r.where(then, n.Exp1)
	r.where(other, n.Exp2)
}

// envNames collects the names of env of a chain of ??, all of which are unset where what follows is read.
func envNames(n ast.Node, out []string) []string {
	switch n := n.(type) {
	case *ast.ChainNode:
		return envNames(n.Node, out)
	case *ast.BinaryNode:
		if n.Operator == "??" {
			return envNames(n.Right, envNames(n.Left, out))
		}
	case *ast.MemberNode:
		id, isName := n.Node.(*ast.IdentifierNode)
		prop, constant := n.Property.(*ast.StringNode)
		if isName && constant && id.Value == "env" {
			return append(out, prop.Value)
		}
	}
	return out
}

// service notes that a service is read; one that is not written out may be any of them.
func (r *resolver) service(prop *ast.StringNode) {
	if r.scope.Services == nil {
		return
	}
	if prop != nil {
		r.scope.Services[prop.Value] = true
		return
	}
	all, _ := r.scope.name("services")
	for name := range all.Fields {
		r.scope.Services[name] = true
	}
}
