package spec

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/checkrow/checkrow/spec/diag"
)

// maxNodes bounds the size of one expression.
const maxNodes = 500

var boolType = reflect.TypeFor[bool]()

// compiled is an expression after all checks; program is nil if one failed.
type compiled struct {
	src     string
	at      place
	typ     Type
	want    Type
	program *vm.Program
	terms   []termInfo
	pages   int
	names   []string // top-level names that it reads
	ids     []string // ids of steps that it reads
	onPage  bool
	whole   bool // the expression as a whole is a term
}

func compileExpr(n Node, s *Scope, want Type, l *diag.List) *Expr {
	e := &Expr{compiled{at: place{n: n.n, at: n.Pos()}}}
	text, ok := n.Text()
	if n.IsZero() {
		return e
	}
	if !ok || n.Empty() {
		n.report(l, diag.WantKind("an expression", "text", n.Sort()), `write it as text: value == "Hello"`)
		return e
	}
	e.src = text
	if i := strings.Index(text, "${{"); i >= 0 {
		inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "${{"), "}}"))
		hint := "leave them out"
		if !strings.Contains(inner, "${{") && inner != "" {
			hint = "write " + inner
		}
		l.AddWide(e.at.pos(utf8.RuneCountInString(text[:i])), 3, "an expression stands here without ${{ }}", hint)
		return e
	}
	e.compile(s, want, l)
	return e
}

// compile runs parse, names, types and code of the source at its place.
func (c *compiled) compile(s *Scope, want Type, l *diag.List) {
	c.want = want
	if strings.TrimFunc(c.src, unicode.IsSpace) == "" {
		l.Add(c.at.pos(0), "the expression is empty", "")
		return
	}
	cfg := &conf.Config{ShortCircuit: true, MaxNodes: maxNodes, Functions: functions, Builtins: builtins, Disabled: offTable}
	tree, err := parser.ParseWithConfig(c.src, cfg)
	if err != nil {
		c.report(err, l)
		return
	}
	r := &resolver{
		scope: s, errs: l, at: c.at, uses: map[string]Type{}, steps: map[string]Type{},
		nilSafe: map[string]bool{}, okOf: map[*ast.MemberNode]bool{},
	}
	r.visit(tree.Node, wantNilOK)
	r.finish()
	c.onPage = r.page
	for name := range r.uses {
		c.names = append(c.names, name)
	}
	for id := range r.steps {
		c.ids = append(c.ids, id)
	}
	if r.failed {
		return
	}
	cfg.WithEnv(environment(r))
	if _, err := checker.Check(tree, cfg); err != nil {
		c.report(err, l)
		return
	}
	c.typ = typeOfNature(tree.Node.Nature())
	if !c.fits(want, l) {
		return
	}
	x := &instrument{parent: -1, okOf: r.okOf, seen: map[ast.Node]ast.Node{}, ids: map[ast.Node]int{}}
	tree.Node = x.node(tree.Node)
	c.terms, c.pages, c.whole = x.terms, x.pages, isCall(tree.Node, fnTerm)
	program, err := compiler.Compile(tree, cfg)
	if err != nil {
		l.Append(&diag.Error{Pos: c.at.pos(0), Msg: "the expression cannot be compiled", Err: err})
		return
	}
	c.program = program
}

func isCall(n ast.Node, fn string) bool {
	c, ok := n.(*ast.CallNode)
	if !ok {
		return false
	}
	id, ok := c.Callee.(*ast.IdentifierNode)
	return ok && id.Value == fn
}

// environment is the checker's view of the names that an expression reads.
func environment(r *resolver) types.Map {
	env := make(types.Map, len(r.uses)+2)
	for name, t := range r.uses {
		env[name] = exprType(t)
	}
	if len(r.steps) > 0 {
		steps := make(types.Map, len(r.steps))
		for id, t := range r.steps {
			steps[id] = exprType(t)
		}
		env["steps"] = steps
	}
	return env
}

// fits checks that the expression is of the type that its place wants. What is unknown fits everywhere but where true
// or false is wanted: there a text that is never empty would always pass.
func (c *compiled) fits(want Type, l *diag.List) bool {
	if want.Base == Any || c.typ.Base == want.Base {
		return true
	}
	switch {
	case c.typ.Base == Any && want.Base != Bool, want.Base == Float && c.typ.Base == Int, want.Base == Map && c.typ.Base == Struct:
		return true
	}
	src := strings.TrimSpace(c.src)
	msg := "the expression must be " + want.words() + ", got " + c.typ.words()
	hint := ""
	if want.Base == Bool {
		switch c.typ.Base {
		case Any:
			msg = "the expression must be true or false, and the type of this is not known"
			hint = "write " + src + " == true"
		case String:
			hint = "write " + src + ` != ""`
		case Int, Float:
			hint = "write " + src + " > 0"
		case List:
			hint = "write len(" + src + ") > 0"
		}
		if strings.ContainsAny(src, " ?") && hint != "" {
			hint = "compare it with something"
		}
	}
	start := len([]rune(c.src)) - len([]rune(strings.TrimLeftFunc(c.src, unicode.IsSpace)))
	first, _, _ := strings.Cut(src, "\n")
	l.AddWide(c.at.pos(start), utf8.RuneCountInString(first), msg, hint)
	return false
}

// report turns an error of the library into a diagnostic at its place in the file.
func (c *compiled) report(err error, l *diag.List) {
	var e *file.Error
	if !errors.As(err, &e) {
		l.Append(&diag.Error{Pos: c.at.pos(0), Msg: "the expression is not valid", Err: err})
		return
	}
	runes := []rune(c.src)
	from := min(e.From, len(runes))
	if strings.Contains(e.Message, "literal not terminated") {
		from = openQuote(runes) // the library points at the end
		e.To = len(runes)
	}
	msg, hint := exprWords(e.Message, c.src, from)
	width := max(1, min(e.To, len(runes))-from)
	if strings.HasPrefix(msg, `"===`) || strings.HasPrefix(msg, `"!==`) {
		from, width = from-2, 3 // the library points at the last of the three
	}
	l.AddWide(c.at.pos(from), width, msg, hint)
}

// openQuote finds where the text starts that is never closed.
func openQuote(src []rune) int {
	start, quoted := 0, rune(0)
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case quoted == 0 && (c == '"' || c == '\'' || c == '`'):
			quoted, start = c, i
		case quoted != 0 && c == '\\' && quoted != '`':
			i++
		case c == quoted:
			quoted = 0
		}
	}
	return start
}

func (c *compiled) source() string     { return strings.TrimSpace(c.src) }
func (c *compiled) position() diag.Pos { return c.at.pos(0) }
func (c *compiled) resultType() Type   { return c.typ }
func (c *compiled) usesPage() bool     { return c.onPage }

func (c *compiled) uses(name string) bool {
	for _, n := range c.names {
		if n == name {
			return true
		}
	}
	return name == "steps" && len(c.ids) > 0
}

func (c *compiled) eval(ctx context.Context, v Values, r Reader) (any, Term, error) {
	return evaluate(ctx, c, v, r)
}
