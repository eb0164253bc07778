package spec

import (
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker/nature"
)

// termInfo is the static part of a Term: its source and the terms below it.
type termInfo struct {
	source string
	sub    []int
}

// instrument rewrites a checked tree so that running it records terms once, asks the reader of this evaluation, and
// notices when it takes too long. New nodes keep the type of what they wrap, for the compiler chooses opcodes by it.
type instrument struct {
	terms  []termInfo
	parent int // index of the term being built, or -1
	okOf   map[*ast.MemberNode]bool
	seen   map[ast.Node]ast.Node // "1 < a < 3" has a twice in the tree
	ids    map[ast.Node]int
	pages  int
	level  int // of predicates
}

// record rewrites what stands below a term and wraps it.
func (x *instrument) record(n ast.Node, below func() ast.Node) ast.Node {
	if x.level > 0 {
		return below() // it runs once per item: no single value could be shown
	}
	id := len(x.terms)
	x.ids[n] = id
	x.terms = append(x.terms, termInfo{source: n.String()})
	if x.parent >= 0 {
		x.terms[x.parent].sub = append(x.terms[x.parent].sub, id)
	}
	outer := x.parent
	x.parent = id
	inner := below()
	x.parent = outer
	return call(fnTerm, n, &ast.IntegerNode{Value: id}, inner)
}

// call makes a call of one of our own functions that stands for n.
func call(fn string, n ast.Node, args ...ast.Node) ast.Node {
	c := &ast.CallNode{
		Callee: &ast.IdentifierNode{Value: fn}, Arguments: append([]ast.Node{&ast.IdentifierNode{Value: runVar}}, args...),
	}
	c.SetLocation(n.Location())
	c.SetNature(*n.Nature())
	c.Callee.SetLocation(n.Location())
	return c
}

func (x *instrument) node(n ast.Node) ast.Node {
	if n == nil {
		return nil
	}
	if done, ok := x.seen[n]; ok {
		if id, ok := x.ids[n]; ok && x.parent >= 0 && x.level == 0 {
			x.terms[x.parent].sub = append(x.terms[x.parent].sub, id)
		}
		return done
	}
	out := x.rewrite(n)
	x.seen[n] = out
	return out
}

func (x *instrument) rewrite(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return x.record(n, func() ast.Node { return n })
	case *ast.MemberNode:
		return x.record(n, func() ast.Node { return x.member(n) })
	case *ast.ChainNode:
		return x.record(n, func() ast.Node { return x.chain(n) })
	case *ast.CallNode:
		return x.record(n, func() ast.Node { return x.call(n) })
	case *ast.BuiltinNode:
		return x.record(n, func() ast.Node { return x.builtin(n) })
	case *ast.BinaryNode:
		return x.record(n, func() ast.Node {
			n.Left, n.Right = x.node(n.Left), x.node(n.Right)
			return x.sized(n, n.Operator == "+" || n.Operator == "/")
		})
	case *ast.UnaryNode:
		n.Node = x.node(n.Node)
	case *ast.ConditionalNode:
		n.Cond, n.Exp1, n.Exp2 = x.node(n.Cond), x.node(n.Exp1), x.node(n.Exp2)
	case *ast.VariableDeclaratorNode:
		n.Value, n.Expr = x.node(n.Value), x.node(n.Expr)
	case *ast.SliceNode:
		n.Node, n.From, n.To = x.node(n.Node), x.node(n.From), x.node(n.To)
	case *ast.ArrayNode:
		x.nodes(n.Nodes)
	case *ast.SequenceNode:
		x.nodes(n.Nodes)
	case *ast.MapNode:
		x.nodes(n.Pairs)
	case *ast.PairNode:
		n.Key, n.Value = x.node(n.Key), x.node(n.Value)
	}
	return n
}

func (x *instrument) nodes(list []ast.Node) {
	for i := range list {
		list[i] = x.node(list[i])
	}
}

// base rewrites what a member is taken of. A path such as steps.a.value is one term, not three.
func (x *instrument) base(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return n
	case *ast.MemberNode:
		return x.member(n)
	case *ast.ChainNode:
		return x.chain(n)
	}
	return x.node(n)
}

func (x *instrument) member(n *ast.MemberNode) ast.Node {
	if done, ok := x.seen[n]; ok {
		return done
	}
	if _, constant := n.Property.(*ast.StringNode); !constant {
		n.Property = x.node(n.Property)
	}
	n.Node = x.base(n.Node)
	if !x.okOf[n] {
		return n
	}
	// steps.ID.ok of a step that may not have run is false.
	n.Optional = true
	boolean := nature.FromType(boolType)
	chain := &ast.ChainNode{Node: n}
	chain.SetNature(*n.Nature())
	or := &ast.BinaryNode{Operator: "??", Left: chain, Right: &ast.BoolNode{}}
	or.Right.SetNature(boolean)
	or.SetNature(boolean)
	for _, made := range []ast.Node{chain, or, or.Right} {
		made.SetLocation(n.Location())
	}
	return or
}

func (x *instrument) chain(n *ast.ChainNode) ast.Node {
	n.Node = x.base(n.Node)
	return n
}

func (x *instrument) call(n *ast.CallNode) ast.Node {
	if m, ok := n.Callee.(*ast.MemberNode); ok {
		m.Node = x.base(m.Node)
	}
	x.nodes(n.Arguments)
	id, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return n
	}
	if id.Value == "totp" {
		return call(fnTotp, n, n.Arguments...)
	}
	if _, ok := pageFunc(id.Value); ok {
		x.pages++
		head := []ast.Node{
			&ast.IdentifierNode{Value: ctxVar}, &ast.StringNode{Value: id.Value}, &ast.IntegerNode{Value: x.pages - 1},
		}
		return call(fnPage, n, append(head, n.Arguments...)...)
	}
	return n
}

// builders are builtins whose result can be larger than what went in.
var builders = map[string]bool{
	"concat": true, "flatten": true, "toJSON": true, "split": true, "splitAfter": true, "map": true,
}

func (x *instrument) builtin(n *ast.BuiltinNode) ast.Node {
	for i, arg := range n.Arguments {
		p, ok := arg.(*ast.PredicateNode)
		if !ok {
			n.Arguments[i] = x.node(arg)
			continue
		}
		x.level++
		body := x.node(p.Node)
		p.Node = call(fnTick, p.Node, &ast.IdentifierNode{Value: ctxVar}, &ast.IntegerNode{Value: x.level}, body)
		x.level--
	}
	return x.sized(n, builders[n.Name])
}

// sized makes the size of a result checked at once where no term does it.
func (x *instrument) sized(n ast.Node, grows bool) ast.Node {
	if grows && x.level > 0 {
		return call(fnSize, n, n)
	}
	return n
}
