package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/checkrow/checkrow/spec/diag"
)

// methods of other languages that people write behind a dot, with what to write instead: %[1]s is what stood before the
// dot, %[2]s the first argument.
var methods = map[string]string{
	"contains": "%[1]s contains %[2]s", "includes": "%[1]s contains %[2]s", "startsWith": "%[1]s startsWith %[2]s",
	"endsWith": "%[1]s endsWith %[2]s", "matches": "%[1]s matches %[2]s", "match": "%[1]s matches %[2]s", "test": "%[2]s matches %[1]s",
	"equals": "%[1]s == %[2]s", "toLowerCase": "lower(%[1]s)", "toUpperCase": "upper(%[1]s)", "trim": "trim(%[1]s)",
	"split": "split(%[1]s, %[2]s)", "indexOf": "indexOf(%[1]s, %[2]s)", "length": "len(%[1]s)", "size": "len(%[1]s)",
	"toString": "string(%[1]s)", "filter": "filter(%[1]s, …)", "map": "map(%[1]s, …)", "join": "join(%[1]s, %[2]s)",
}

func (r *resolver) call(n *ast.CallNode) Type {
	if m, ok := n.Callee.(*ast.MemberNode); ok {
		if prop, ok := m.Property.(*ast.StringNode); ok {
			if pattern, ok := methods[prop.Value]; ok {
				arg := "…"
				if len(n.Arguments) > 0 {
					arg = n.Arguments[0].String()
				}
				hint := strings.ReplaceAll(strings.ReplaceAll(pattern, "%[1]s", m.Node.String()), "%[2]s", arg)
				return r.failAt(prop, "values have no method "+strconv.Quote(prop.Value), "write "+hint)
			}
		}
		r.visit(n.Callee, wantValue)
		r.all(n.Arguments...)
		return Type{}
	}
	id, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		r.visit(n.Callee, wantValue)
		r.all(n.Arguments...)
		return Type{}
	}
	if !r.callee(id) {
		return Type{}
	}
	if f, ok := pageFunc(id.Value); ok {
		return r.pageCall(f, n)
	}
	r.all(n.Arguments...)
	return Type{}
}

// callee judges the name of a called function.
func (r *resolver) callee(id *ast.IdentifierNode) bool {
	name := id.Value
	switch {
	case strings.HasPrefix(name, "$"):
	case functions[name] != nil:
		return true
	case disabled[name] != "":
		r.failAt(id, strconv.Quote(name)+" is not available", disabled[name])
		return false
	}
	if _, ok := r.scope.name(name); ok || r.let(name) {
		r.failAt(id, strconv.Quote(name)+" is no function", "")
		return false
	}
	known := make([]string, 0, len(functions)+len(builtins))
	for f := range functions {
		if !strings.HasPrefix(f, "$") {
			known = append(known, f)
		}
	}
	for f := range builtins {
		known = append(known, f)
	}
	r.failAt(id, "unknown function "+strconv.Quote(name), diag.Suggest(name, known))
	return false
}

func (r *resolver) pageCall(f PageFunc, n *ast.CallNode) Type {
	r.page = true
	if !r.scope.Page {
		return r.failAt(n, f.Name+"() reads the page, and there is no page here", "")
	}
	if len(n.Arguments) != len(f.Params) {
		msg := fmt.Sprintf("%s() takes %s, got %d", f.Name, arguments(len(f.Params)), len(n.Arguments))
		hint := "write " + f.Name + "(" + strings.Join(f.Params, ", ") + ")"
		if f.Name == "count" && len(n.Arguments) == 2 {
			hint = "count(target) counts elements; for a list write len(filter(…))"
		}
		return r.failAt(n, msg, hint)
	}
	if f.Name == "js" {
		r.asked = append(r.asked, Use{What: "js", Pos: r.at.pos(n.Location().From)})
	}
	for i, a := range n.Arguments {
		s, constant := a.(*ast.StringNode)
		if constant && f.Params[i] == "target" && r.scope.CheckTarget != nil {
			before := r.errs.Len()
			r.scope.CheckTarget(s.Value, r.at.pos(a.Location().From+1), r.errs)
			r.failed = r.failed || r.errs.Len() > before
		}
	}
	r.all(n.Arguments...)
	return f.Result
}

func arguments(n int) string {
	switch n {
	case 0:
		return "no argument"
	case 1:
		return "1 argument"
	}
	return strconv.Itoa(n) + " arguments"
}

func (r *resolver) builtin(n *ast.BuiltinNode) {
	if why, off := disabled[n.Name]; off {
		r.failAt(n, strconv.Quote(n.Name)+" is not available", why)
		return
	}
	r.all(n.Arguments...)
}
