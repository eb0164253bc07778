package plan

import (
	"slices"
	"strings"
	"unicode"
)

// tagExpr is a parsed tag expression.
type tagExpr func(tags []string) bool

// tagError is what is wrong with a tag expression, at a column counted in runes from 1.
type tagError struct {
	col  int
	msg  string
	hint string
}

// tagParser reads: or := and {"or" and} · and := not {"and" not} · not := "not" not | "(" or ")" | NAME.
type tagParser struct {
	words []tagWord
	at    int
	names []string
	err   *tagError
}

type tagWord struct {
	text string
	col  int
}

// parseTags compiles a tag expression and lists the names in it.
func parseTags(src string) (tagExpr, []string, *tagError) {
	p := &tagParser{words: tagWords(src)}
	e := p.or(0)
	if p.err == nil && p.at < len(p.words) {
		w := p.words[p.at]
		p.fail(w.col, `expected "and" or "or" before "`+w.text+`"`, "")
	}
	return e, p.names, p.err
}

func tagWords(src string) []tagWord {
	var out []tagWord
	word, start := "", 0
	col := 0
	flush := func() {
		if word != "" {
			out = append(out, tagWord{word, start})
		}
		word = ""
	}
	for _, r := range src {
		col++
		switch {
		case unicode.IsSpace(r):
			flush()
		case r == '(' || r == ')':
			flush()
			out = append(out, tagWord{string(r), col})
		default:
			if word == "" {
				start = col
			}
			word += string(r)
		}
	}
	flush()
	return out
}

func (p *tagParser) fail(col int, msg, hint string) {
	if p.err == nil {
		p.err = &tagError{col, msg, hint}
	}
}

func (p *tagParser) peek() string {
	if p.at < len(p.words) {
		return p.words[p.at].text
	}
	return ""
}

func (p *tagParser) take(word string) bool {
	if p.at < len(p.words) && strings.EqualFold(p.words[p.at].text, word) {
		p.at++
		return true
	}
	return false
}

// maxTagDepth bounds nesting, so that a long row of brackets is an error and not a deep recursion.
const maxTagDepth = 100

func (p *tagParser) or(depth int) tagExpr {
	left := p.and(depth)
	for p.err == nil && p.take("or") {
		a, b := left, p.and(depth)
		left = func(t []string) bool { return a(t) || b(t) }
	}
	return left
}

func (p *tagParser) and(depth int) tagExpr {
	left := p.not(depth)
	for p.err == nil && p.take("and") {
		a, b := left, p.not(depth)
		left = func(t []string) bool { return a(t) && b(t) }
	}
	return left
}

func (p *tagParser) not(depth int) tagExpr {
	never := func([]string) bool { return false }
	if p.err != nil {
		return never
	}
	if p.at >= len(p.words) || depth > maxTagDepth {
		col := 1
		if n := len(p.words); n > 0 {
			col = p.words[n-1].col + len([]rune(p.words[n-1].text))
		}
		p.fail(col, "expected a tag", `say "smoke and not slow"`)
		return never
	}
	w := p.words[p.at]
	switch {
	case p.take("not"):
		inner := p.not(depth + 1)
		return func(t []string) bool { return !inner(t) }
	case p.take("("):
		inner := p.or(depth + 1)
		if !p.take(")") {
			p.fail(w.col, `"(" is not closed`, "")
		}
		return inner
	case strings.EqualFold(w.text, "and"), strings.EqualFold(w.text, "or"), w.text == ")":
		p.fail(w.col, `expected a tag, got "`+w.text+`"`, `say "smoke and not slow"`)
		return never
	case strings.ContainsAny(w.text, `!&|"',`):
		p.fail(w.col, `"`+w.text+`" is no tag`, `use "and", "or", "not" and brackets`)
		return never
	}
	p.at++
	if !slices.Contains(p.names, w.text) {
		p.names = append(p.names, w.text)
	}
	return func(t []string) bool { return slices.Contains(t, w.text) }
}
