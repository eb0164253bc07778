package spec

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// template is text with ${{ }} parts. Text without them costs nothing but a search for "${{".
type template struct {
	text  string
	at    diag.Pos
	parts []part // nil if the text is static
}

// part is a piece of literal text, or an expression.
type part struct {
	literal string
	expr    *Expr
}

func literal(text string, p diag.Pos) Text { return Text{template{text: text, at: p}} }

func compileText(n Node, s *Scope, l *diag.List) Text {
	text, ok := n.Text()
	t := template{text: text, at: n.Pos()}
	if !ok {
		if !n.IsZero() {
			n.report(l, diag.WantKind("the value", "text", n.Sort()), n.QuoteHint())
		}
		return Text{t}
	}
	if strings.Contains(text, "${{") {
		t.split(n, s, l)
	}
	return Text{t}
}

// split cuts the text into its parts and compiles them.
func (t *template) split(n Node, s *Scope, l *diag.List) {
	at := place{n: n.n, at: n.Pos()}
	rest, done := t.text, 0 // done counts bytes of t.text
	var literal strings.Builder
	for {
		i := strings.Index(rest, "${{")
		if i < 0 {
			break
		}
		if i > 0 && rest[i-1] == '$' { // $${{ is literal
			literal.WriteString(rest[:i-1] + "${{")
			rest, done = rest[i+3:], done+i+3
			continue
		}
		literal.WriteString(rest[:i])
		start := utf8.RuneCountInString(t.text[:done+i])
		length := exprEnd(rest[i+3:])
		if length < 0 {
			l.AddWide(at.pos(start), 3, `"${{" is never closed`, `add "}}", or write "$${{" for the text itself`)
			t.text, t.parts = "", nil
			return
		}
		if literal.Len() > 0 {
			t.parts = append(t.parts, part{literal: literal.String()})
			literal.Reset()
		}
		e := &Expr{compiled{src: rest[i+3 : i+3+length], at: place{n: n.n, at: n.Pos(), base: start + 3}}}
		e.compile(s, Type{}, l)
		t.parts = append(t.parts, part{expr: e})
		if alone := i == 0 && literal.Len() == 0 && len(t.parts) == 1 && length+i+5 == len(rest); !alone {
			e.inText(l)
		}
		rest, done = rest[i+3+length+2:], done+i+3+length+2
	}
	literal.WriteString(rest)
	if len(t.parts) == 0 {
		t.text = literal.String()
		return
	}
	if literal.Len() > 0 {
		t.parts = append(t.parts, part{literal: literal.String()})
	}
}

// inText refuses an expression beside other text whose value is known to have no form in text.
func (e *Expr) inText(l *diag.List) {
	hint := "choose one of its values"
	switch e.typ.Base {
	case List:
		hint = "write ${{ join(" + strings.TrimSpace(e.src) + `, ", ") }}`
	case Map, Struct:
	default:
		return
	}
	l.AddWide(e.Pos(), runesOfLine(e.Source()), e.typ.words()+" cannot stand in text", hint)
}

// exprEnd finds the "}}" that ends an expression: not one in quotes, and not that of a map in the expression.
func exprEnd(s string) int {
	depth := 0
	var quoted byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted != 0:
			if c == '\\' && quoted != '`' {
				i++
			} else if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quoted = c
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '}' && i+1 < len(s) && s[i+1] == '}':
			return i
		}
	}
	if quoted != 0 {
		// A quote that is never closed is the expression's own fault, and better explained there.
		return strings.Index(s, "}}")
	}
	return -1
}

func (t template) static() (string, bool) { return t.text, t.parts == nil }

func (t template) position() diag.Pos { return t.at }

func (t template) only() *Expr {
	if len(t.parts) == 1 {
		return t.parts[0].expr
	}
	return nil
}

func (t template) resultType() Type {
	if e := t.only(); e != nil {
		return e.Type()
	}
	return Type{Base: String}
}

func (t template) render(ctx context.Context, v Values, r Reader) (string, error) {
	if t.parts == nil {
		return t.text, nil
	}
	var b strings.Builder
	for _, p := range t.parts {
		if p.expr == nil {
			b.WriteString(p.literal)
			continue
		}
		value, _, err := p.expr.Eval(ctx, v, r)
		if err != nil {
			return "", err
		}
		s, err := FormatValue(value)
		if err != nil {
			hint := ""
			if value == nil {
				hint = "write ${{ " + p.expr.Source() + ` ?? "" }}`
			}
			src := p.expr.Source()
			return "", &diag.Error{
				Pos: p.expr.Pos(), Width: runesOfLine(src), Msg: "${{ " + src + " }}: " + err.Error(), Hint: hint, Err: err,
			}
		}
		b.WriteString(s)
		if b.Len() > 2*maxText {
			return "", &diag.Error{Pos: t.at, Msg: errTooLarge.Error(), Err: errTooLarge}
		}
	}
	return b.String(), nil
}

func (t template) value(ctx context.Context, v Values, r Reader) (any, error) {
	if e := t.only(); e != nil {
		value, _, err := e.Eval(ctx, v, r)
		return value, err
	}
	return t.render(ctx, v, r)
}

// Source is the text as the suite has it, with its ${{ }}.
func (t Text) Source() string { return t.text }

// Uses tells that the text reads a top-level name.
func (t Text) Uses(name string) bool {
	for _, p := range t.parts {
		if p.expr != nil && p.expr.Uses(name) {
			return true
		}
	}
	return false
}

// UsesPage tells that the text calls a page function.
func (t Text) UsesPage() bool {
	for _, p := range t.parts {
		if p.expr != nil && p.expr.UsesPage() {
			return true
		}
	}
	return false
}
