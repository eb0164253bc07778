package spec

import (
	"context"
	"sync"

	"github.com/checkrow/checkrow/spec/diag"
)

// Base is the basic type of a value in the expression language.
type Base uint8

// The basic types.
const (
	Any Base = iota
	Bool
	Int
	Float
	String
	List
	Map     // an open map: any key may be there
	Struct  // a map with known Fields: another key is an error with did-you-mean
	Nothing // a step that gives no value
)

// Type is the static type of a name. Maybe marks a value that may be absent because its step may not have run (branch,
// loop, finally): it must be reached by ?. or ??.
type Type struct {
	Base   Base
	Elem   *Type           // of List
	Fields map[string]Type // of Struct
	Maybe  bool
	Fold   bool   // of a Map: its keys are in lower case, and expressions may name them in any
	Unset  string // of a Maybe: it is there for sure where env.NAME of this name is known to be unset
	Doc    string
}

// Scope is what names mean at one place of a suite. A child sees its parents. Steps are added as they are decoded, so
// that a use before its step is an error that names the later line.
type Scope struct {
	Up    *Scope
	Names map[string]Type     // top-level names: vars, env, matrix, loop variables …
	Steps map[string]Type     // ids of steps decoded so far
	Later map[string]diag.Pos // ids that stand further down
	Page  bool                // page functions may be used
	Env   *EnvUses            // collects env.NAME and secrets.NAME uses; shared by all scopes of a run
	// Used collects the ids of steps that expressions read; nil: not wanted. Children share it.
	Used map[string]bool
	// Services collects the names of services that expressions read; nil: not wanted. Children share it.
	Services map[string]bool
	// Asked collects what expressions ask for that a policy may deny; nil: not wanted. Children share it.
	Asked *Asked
	// CheckTarget judges a constant target of a page function: src starts at p. nil: targets are not judged.
	CheckTarget func(src string, p diag.Pos, l *diag.List)
}

// EnvUses lists the environment names that expressions read.
type EnvUses struct {
	mu   sync.Mutex // files are compiled in parallel
	Uses []EnvUse   // read it when all files are compiled
}

func (u *EnvUses) add(use EnvUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.Uses = append(u.Uses, use)
}

// Asked lists what expressions of one suite ask for. It is used by one goroutine.
type Asked struct{ Uses []Use }

// Use is one env.NAME, secrets.NAME or js().
type Use struct {
	What string // env, secrets or js
	Name string // "" of js
	Pos  diag.Pos
}

// EnvUse is one env.NAME. Optional uses have a ?? beside them or are compared with nil.
type EnvUse struct {
	Name     string
	Pos      diag.Pos
	Optional bool
}

// Child gives a scope below s with names and steps of its own.
func (s *Scope) Child() *Scope {
	return &Scope{
		Up: s, Names: map[string]Type{}, Steps: map[string]Type{},
		Page: s.Page, Env: s.Env, Used: s.Used, Services: s.Services, CheckTarget: s.CheckTarget, Asked: s.Asked,
	}
}

// Values are the run-time values of the names of a Scope: top-level name -> value. "steps" is a map[string]any, env and
// secrets map[string]any, and so on. Page functions come from Reader.
type Values map[string]any

// Reader answers page functions: fn is "visible", "text", …; args as written. It must honour ctx.
type Reader interface {
	Read(ctx context.Context, fn string, args []any) (any, error)
}

// PageFunc is the signature of one page function, for the checker and the reference.
type PageFunc struct {
	Name   string
	Params []string // "target", "name", "js"
	Result Type
	Doc    string
}

// Term is one sub-expression and what it was, for the value tree of a failure.
type Term struct {
	Source    string `json:"source"`
	Value     any    `json:"value"`
	Evaluated bool   `json:"evaluated"`
	Sub       []Term `json:"sub,omitempty"`
}

// Expr is a compiled expression. It holds no state of an evaluation and may be shared by goroutines.
type Expr struct {
	compiled
}

// Text is text with ${{ }} parts, compiled. The zero value is empty text.
type Text struct {
	template
}

// CompileExpr compiles a bare expression (if, expect, for, set …) against s. want is the type it must have; Any takes
// all. Problems go to l with the position inside the expression. It never returns nil.
func CompileExpr(n Node, s *Scope, want Type, l *diag.List) *Expr { return compileExpr(n, s, want, l) }

// CompileText compiles a scalar with ${{ }} against s.
func CompileText(n Node, s *Scope, l *diag.List) Text { return compileText(n, s, l) }

// Literal is a Text without ${{ }}.
func Literal(text string, p diag.Pos) Text { return literal(text, p) }

// Static gives the text if it holds no ${{ }}.
func (t Text) Static() (string, bool) { return t.static() }

// Pos is where the text stands.
func (t Text) Pos() diag.Pos { return t.position() }

// Type is what Value gives: String, or the type of the only ${{ }}.
func (t Text) Type() Type { return t.resultType() }

// String renders the text. nil, a map or a list inside text is an error with its position.
func (t Text) String(ctx context.Context, v Values, r Reader) (string, error) {
	return t.render(ctx, v, r)
}

// Value renders the text; a text that is nothing but one ${{ }} keeps its type.
func (t Text) Value(ctx context.Context, v Values, r Reader) (any, error) { return t.value(ctx, v, r) }

// Source is the expression as written.
func (e *Expr) Source() string { return e.source() }

// Pos is where the expression starts.
func (e *Expr) Pos() diag.Pos { return e.position() }

// Type is the static type of the result.
func (e *Expr) Type() Type { return e.resultType() }

// UsesPage tells that the expression calls a page function.
func (e *Expr) UsesPage() bool { return e.usesPage() }

// Uses tells that it reads a top-level name (say value, data, stdout: the result of its own step).
func (e *Expr) Uses(name string) bool { return e.uses(name) }

// Eval evaluates. The Term tree records each comparison and call once, page functions included; time spent in the VM is
// limited to 100 ms, page reads run under ctx.
func (e *Expr) Eval(ctx context.Context, v Values, r Reader) (any, Term, error) {
	return e.eval(ctx, v, r)
}
