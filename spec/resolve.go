package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/checkrow/checkrow/spec/diag"
)

// wideRange is how many steps a range with known ends may have, and how many pairs nested predicates may look at.
const wideRange = 10_000

// resolver finds what names mean, before the library checks types: it knows scopes, steps that come later, steps that
// may not have run, and how to say it.
type resolver struct {
	scope  *Scope
	errs   *diag.List
	at     place
	failed bool

	lets    []string
	uses    map[string]Type // top-level names that are read, but steps
	steps   map[string]Type // ids that are read
	env     []EnvUse
	asked   []Use
	nilSafe map[string]bool          // names of env that are compared with nil somewhere
	okOf    map[*ast.MemberNode]bool // steps.ID.ok of a step that may not have run: false then
	page    bool
	unset   map[string]bool // names of env that are known to be unset here
}

// want says where a value is wanted: whether it may be nil there, and what follows.
type want uint8

const (
	wantValue  want = iota
	wantNilOK       // left of ??, beside == nil
	wantMember      // a member of it is taken
)

func (r *resolver) fail(offset, width int, msg, hint string) Type {
	r.failed = true
	r.errs.AddWide(r.at.pos(offset), width, msg, hint)
	return Type{}
}

func (r *resolver) failAt(n ast.Node, msg, hint string) Type {
	loc := n.Location()
	return r.fail(loc.From, max(1, loc.To-loc.From), msg, hint)
}

// visit resolves a node and gives what is known of its type.
func (r *resolver) visit(n ast.Node, w want) Type {
	t := r.resolve(n, w)
	if t.Maybe && w == wantValue && !r.unset[t.Unset] {
		if !r.isStep(n) {
			return r.failAt(n, strconv.Quote(n.String())+" may be absent", "use ?. and ??")
		}
		return r.failAt(n, "the step may not have run: its values may be absent", "use ?. and ??, or .ok")
	}
	return t
}

func (r *resolver) resolve(n ast.Node, w want) Type {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return r.identifier(n, w)
	case *ast.MemberNode:
		return r.member(n, w)
	case *ast.ChainNode:
		return r.resolve(n.Node, w)
	case *ast.CallNode:
		return r.call(n)
	case *ast.BuiltinNode:
		r.builtin(n)
	case *ast.PredicateNode:
		r.visit(n.Node, wantValue)
	case *ast.UnaryNode:
		r.visit(n.Node, wantValue)
	case *ast.BinaryNode:
		r.binary(n)
	case *ast.ConditionalNode:
		r.conditional(n)
	case *ast.VariableDeclaratorNode:
		r.visit(n.Value, wantNilOK)
		r.lets = append(r.lets, n.Name)
		r.visit(n.Expr, wantValue)
		r.lets = r.lets[:len(r.lets)-1]
	case *ast.SliceNode:
		r.all(n.Node, n.From, n.To)
	case *ast.ArrayNode:
		r.all(n.Nodes...)
	case *ast.SequenceNode:
		r.all(n.Nodes...)
	case *ast.MapNode:
		r.all(n.Pairs...)
	case *ast.PairNode:
		r.all(n.Key, n.Value)
	}
	return Type{}
}

func (r *resolver) all(nodes ...ast.Node) {
	for _, n := range nodes {
		if n != nil {
			r.visit(n, wantValue)
		}
	}
}

func (r *resolver) binary(n *ast.BinaryNode) {
	switch n.Operator {
	case "??":
		r.visit(n.Left, wantNilOK)
		r.where(envNames(n.Left, nil), n.Right)
		return
	case "==", "!=":
		if isNil(n.Left) || isNil(n.Right) {
			r.visit(n.Left, wantNilOK)
			r.visit(n.Right, wantNilOK)
			return
		}
	case "in":
		r.within(n)
		return
	case "..":
		from, ok := n.Left.(*ast.IntegerNode)
		to, ok2 := n.Right.(*ast.IntegerNode)
		if ok && ok2 && to.Value-from.Value >= wideRange {
			r.failAt(n, fmt.Sprintf("the range has more than %d steps", wideRange), "")
			return
		}
	}
	r.all(n.Left, n.Right)
}

func isNil(n ast.Node) bool {
	_, ok := n.(*ast.NilNode)
	return ok
}

func (r *resolver) let(name string) bool {
	for _, l := range r.lets {
		if l == name {
			return true
		}
	}
	return false
}

func (r *resolver) identifier(n *ast.IdentifierNode, w want) Type {
	if r.let(n.Value) || n.Value == "$env" && r.failDollar(n) {
		return Type{}
	}
	if n.Value == "steps" {
		if w == wantMember {
			return Type{Base: Struct}
		}
		return r.failAt(n, `"steps" needs the id of a step`, "write steps.ID.value")
	}
	if t, ok := r.scope.name(n.Value); ok {
		if n.Value == "services" && w != wantMember {
			r.service(nil)
		}
		r.uses[n.Value] = t
		return t
	}
	return r.unknown(n)
}

func (r *resolver) failDollar(n ast.Node) bool {
	r.failAt(n, `"$env" is not available`, "name the value itself")
	return true
}

// foreign are words of other languages, with ours.
var foreign = map[string]string{
	"null": "nil", "undefined": "nil", "None": "nil", "NULL": "nil", "True": "true", "False": "false", "TRUE": "true", "FALSE": "false",
}

// givenNames exist where a test or its suite says so.
var givenNames = map[string]string{
	"self":   "only a service reads it, for itself: services.NAME.url is what others read",
	"inputs": "only a fragment has it: inputs: { user: string }",
	"setup":  "only what runs after the suite's setup reads it",
	"matrix": "a test or its suite has it: matrix: { size: [small, large] }", "each": "a test or its suite has it: each: users.csv",
}

func (r *resolver) unknown(n *ast.IdentifierNode) Type {
	name := n.Value
	msg := "unknown name " + strconv.Quote(name)
	if ours, ok := foreign[name]; ok {
		return r.failAt(n, msg, "write "+ours)
	}
	if name == "needs" {
		return r.failAt(n, msg, `a test with a "needs" reads needs.NAME in its vars, if, skip, steps and finally`)
	}
	if hint, ok := givenNames[name]; ok {
		return r.failAt(n, "there is no "+strconv.Quote(name)+" here", hint)
	}
	if _, ok := pageFunc(name); ok {
		return r.failAt(n, strconv.Quote(name)+" is a function", "write "+name+"(…)")
	}
	if _, ok := r.scope.step(name); ok {
		return r.failAt(n, msg, "write steps."+name)
	}
	for _, parent := range []string{"vars", "inputs", "env", "secrets"} {
		if t, ok := r.scope.name(parent); ok && t.Base == Struct {
			if _, ok := t.Fields[name]; ok {
				return r.failAt(n, msg, "write "+parent+"."+name)
			}
		}
	}
	hint := "text stands in quotes"
	if near := diag.Nearest(name, r.scope.names()); len(near) > 0 {
		hint = diag.Suggest(name, near)
	}
	return r.failAt(n, msg, hint)
}

func (r *resolver) member(n *ast.MemberNode, w want) Type {
	prop, constant := n.Property.(*ast.StringNode)
	if id, ok := n.Node.(*ast.IdentifierNode); ok && !r.let(id.Value) {
		switch id.Value {
		case "steps":
			return r.stepOf(n, prop, constant)
		case "env", "secrets":
			if !constant {
				return r.failAt(n, strconv.Quote(id.Value)+" needs a name that is written out", "write "+id.Value+".NAME")
			}
			r.environment(id.Value, prop, n.Optional || w == wantNilOK)
		case "services":
			r.service(prop)
		}
	}
	base := r.visit(n.Node, wantMember)
	if !constant {
		r.visit(n.Property, wantValue)
	}
	if base.Maybe && !n.Optional && !r.unset[base.Unset] {
		if constant && prop.Value == "ok" && r.isStep(n.Node) {
			r.okOf[n] = true
			return Type{Base: Bool}
		}
		name := n.Node.String()
		what := strconv.Quote(name) + " may be absent"
		if r.isStep(n.Node) {
			what = "the step " + strconv.Quote(strings.TrimPrefix(name, "steps.")) + " may not have run"
		}
		hint := "write " + name + "?." + propText(prop)
		return r.failAt(n.Property, what, hint)
	}
	switch base.Base {
	case Nothing:
		return r.failAt(n.Property, strconv.Quote(n.Node.String())+" gives no value", "")
	case Struct:
		if !constant {
			return Type{}
		}
		f, ok := base.Fields[prop.Value]
		if !ok {
			return r.unknownField(n, prop, base)
		}
		return f
	case Map, List:
		if base.Fold {
			n.Property = lowered(n.Property)
		}
		if base.Elem != nil {
			return *base.Elem
		}
	}
	return Type{}
}

func propText(prop *ast.StringNode) string {
	if prop == nil {
		return "…"
	}
	return prop.Value
}

func (r *resolver) isStep(n ast.Node) bool {
	m, ok := n.(*ast.MemberNode)
	if !ok {
		return false
	}
	id, ok := m.Node.(*ast.IdentifierNode)
	return ok && id.Value == "steps"
}

func (r *resolver) unknownField(n *ast.MemberNode, prop *ast.StringNode, base Type) Type {
	name := n.Node.String()
	fields := make([]string, 0, len(base.Fields))
	for k := range base.Fields {
		fields = append(fields, k)
	}
	msg := strconv.Quote(name) + " has no " + strconv.Quote(prop.Value)
	if len(fields) == 0 {
		hint := strconv.Quote(name) + " is empty"
		if _, inFragment := r.scope.name("inputs"); inFragment && name == "vars" {
			hint = "a fragment does not see the vars of who uses it: declare an input and read inputs." + prop.Value
		}
		return r.failAt(prop, msg, hint)
	}
	return r.failAt(prop, msg, diag.Suggest(prop.Value, fields))
}

func (r *resolver) stepOf(n *ast.MemberNode, prop *ast.StringNode, constant bool) Type {
	if !constant {
		return r.failAt(n, `"steps" needs an id that is written out`, "write steps.ID")
	}
	id := prop.Value
	if t, ok := r.scope.step(id); ok {
		r.steps[id] = t
		if r.scope.Used != nil {
			r.scope.Used[id] = true
		}
		return t
	}
	if p, ok := r.scope.later(id); ok {
		if r.scope.Used != nil {
			r.scope.Used[id] = true // too early, but it is used
		}
		msg := "the step " + strconv.Quote(id) + " comes later, at line " + strconv.Itoa(p.Line)
		return r.failAt(prop, msg+": it has no value here yet", "")
	}
	ids := r.scope.ids()
	hint := diag.Suggest(id, ids)
	if len(ids) == 0 {
		hint = "no step above has an id"
	}
	return r.failAt(prop, "no step has the id "+strconv.Quote(id), hint)
}

// environment notes that a name of the environment is read.
func (r *resolver) environment(kind string, prop *ast.StringNode, optional bool) {
	if kind == "env" && optional {
		r.nilSafe[prop.Value] = true
	}
	if kind == "secrets" {
		if t, ok := r.scope.name(kind); ok && t.Base == Struct {
			if _, declared := t.Fields[prop.Value]; !declared {
				return // reported as an unknown field
			}
		}
	}
	r.asked = append(r.asked, Use{What: kind, Name: prop.Value, Pos: r.at.pos(prop.Location().From)})
	r.env = append(r.env, EnvUse{Name: prop.Value, Pos: r.at.pos(prop.Location().From), Optional: kind == "env" && optional})
}

// finish hands what was found to the scope. An env name that is compared with nil somewhere in the expression is
// optional everywhere in it.
func (r *resolver) finish() {
	if r.scope.Asked != nil {
		r.scope.Asked.Uses = append(r.scope.Asked.Uses, r.asked...)
	}
	if r.scope.Env == nil {
		return
	}
	for _, use := range r.env {
		use.Optional = use.Optional || r.nilSafe[use.Name]
		r.scope.Env.add(use)
	}
}
