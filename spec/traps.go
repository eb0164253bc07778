package spec

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/checkrow/checkrow/spec/diag"
)

// trap is a place where YAML reads something else than what was meant.
type trap struct {
	col   int // of the character to blame, 1-based
	width int
	start int // where the mending starts, if not at col
	msg   string
	fixed string // the line as it should be
}

func (t *trap) diagnostic(doc *document, line int) *diag.Error {
	e := &diag.Error{Pos: doc.pos(line, t.col), Width: t.width, Msg: t.msg}
	if t.fixed != "" {
		e.Hint = paste + strings.TrimSpace(t.fixed)
	}
	return e
}

// remedy is an error with the line as it should be, if that is known, and the place in the source as it is read now.
type remedy struct {
	e         *diag.Error
	line, col int
	fixed     string
}

func (t *trap) remedy(doc *document, line int) remedy {
	col := t.col
	if t.start > 0 {
		col = t.start
	}
	return remedy{e: t.diagnostic(doc, line), line: line, col: col, fixed: t.fixed}
}

// explain turns a syntax error of the library into own words. If a known trap explains it, the line as it should be
// comes back as well.
func explain(doc *document, f *fault) remedy {
	if f.tag {
		return tagTrap([]rune(doc.line(f.line)), f.col, f.open != nil).remedy(doc, f.line)
	}
	for _, n := range suspects(f) {
		if t := oddSpace(doc.line(n)); t != nil {
			return t.remedy(doc, n)
		}
		if t := findTrap(doc.line(n)); t != nil {
			return t.remedy(doc, n)
		}
	}
	if t := unclosedBracket(doc, f); t != nil {
		return t.remedy(doc, f.open.Position.Line)
	}
	for n := f.line; n > 0 && n > f.line-3; n-- {
		if t := missingColon(doc, n); t != nil {
			return t.remedy(doc, n)
		}
	}
	msg, hint := plainWords(f.words)
	line, col := f.line, f.col
	if deeper := skipSpace([]rune(doc.line(line+1)), 0); strings.Contains(f.words, "mapping value is not allowed") && deeper+1 >= col-8 &&
		strings.Count(doc.line(line), ":") == 1 && strings.Contains(doc.line(line+1), ":") {
		// The text of this line runs on into the next one, which was meant to be a key of its own.
		line, col = line+1, deeper+1
		msg, hint = "this line is indented deeper than the key above it", "give both the same indentation"
	}
	col = max(1, min(col, len([]rune(doc.line(line)))+1))
	return remedy{e: &diag.Error{Pos: doc.pos(line, col), Msg: msg, Hint: hint}, line: line, col: col}
}

// suspects are the lines that may be to blame for a fault, the most suspicious first.
func suspects(f *fault) []int {
	if strings.Contains(f.words, "tab") {
		return nil
	}
	var lines []int
	if f.open != nil {
		for n := f.open.Position.Line; n < f.line && len(lines) < 20; n++ {
			lines = append(lines, n)
		}
	}
	lines = append(lines, f.line)
	for back := 1; back < 3 && f.line-back > 0; back++ {
		lines = append(lines, f.line-back)
	}
	return lines
}

// unclosedBracket explains a list in brackets that runs on into lines which were meant to stand on their own.
func unclosedBracket(doc *document, f *fault) *trap {
	if f.open == nil || f.open.Position.Line >= f.line {
		return nil
	}
	n, col := f.open.Position.Line, f.open.Position.Column
	r := []rune(doc.line(n))
	if col < 1 || col > len(r) {
		return nil
	}
	var closers []rune
	for i := col - 1; i < len(r); i++ {
		switch c := r[i]; {
		case (c == '"' || c == '\'') && (i == 0 || !word(r[i-1])):
			end := quoteEnd(r, i)
			if end < 0 {
				return nil
			}
			i = end - 1
		case c == '[' || c == '{':
			closers = append(closers, closing(c))
		case len(closers) > 0 && c == closers[len(closers)-1]:
			closers = closers[:len(closers)-1]
		}
	}
	if len(closers) == 0 {
		return nil
	}
	fixed := strings.TrimRight(string(r), " ,")
	for i := len(closers) - 1; i >= 0; i-- {
		fixed += string(closers[i])
	}
	return &trap{col: col, msg: `"` + string(r[col-1]) + `" is never closed`, fixed: fixed}
}

// missingColon explains a line that is nothing but a name above deeper lines: `steps` for `steps:`.
func missingColon(doc *document, n int) *trap {
	line := strings.TrimRight(doc.line(n), " ")
	name := strings.TrimPrefix(strings.TrimLeft(line, " "), "- ")
	next := doc.line(n + 1)
	if !IsName(name) || skipSpace([]rune(next), 0) < skipSpace([]rune(line), 0) || strings.TrimSpace(next) == "" {
		return nil
	}
	col := len([]rune(line)) - len([]rune(name)) + 1
	return &trap{col: col, width: len(name), msg: strconv.Quote(name) + ` has no ":"`, fixed: line + ":"}
}

// findTrap looks for a known trap in a line that the library could not read. It reads the line the way a human does:
// dashes, a key, then a value or a list in brackets.
func findTrap(line string) *trap {
	r := []rune(line)
	i := skipSpace(r, 0)
	for i+1 < len(r) && (r[i] == '-' || r[i] == '?') && r[i+1] == ' ' {
		i = skipSpace(r, i+1)
	}
	if i >= len(r) || r[i] == '#' {
		return nil
	}
	if v := valueStart(r, i); v > 0 {
		i = v
	}
	if i >= len(r) {
		return nil
	}
	if r[i] == '[' || r[i] == '{' {
		return flowTrap(r, i)
	}
	return blockTrap(r, i)
}

// valueStart finds where the value behind a key on a line starts; 0 if there is no key.
func valueStart(r []rune, i int) int {
	if r[i] == '"' || r[i] == '\'' {
		end := quoteEnd(r, i)
		if end > 0 && end < len(r) && r[end] == ':' && (end+1 == len(r) || r[end+1] == ' ') {
			return skipSpace(r, end+1)
		}
		return 0
	}
	if !word(r[i]) && r[i] != '$' {
		return 0
	}
	for j := i; j < len(r); j++ {
		switch {
		case r[j] == ':' && (j+1 == len(r) || r[j+1] == ' '):
			return skipSpace(r, j+1)
		case !word(r[j]) && r[j] != '-' && r[j] != '.' && r[j] != '/' && r[j] != ' ':
			return 0
		}
	}
	return 0
}

// blockTrap judges a value that runs to the end of its line.
func blockTrap(r []rune, i int) *trap {
	if t := badStart(r, i, false); t != nil {
		return t
	}
	switch r[i] {
	case '"', '\'':
		end := quoteEnd(r, i)
		if end < 0 {
			return nil // an open quote may well go on in the next line
		}
		if rest := strings.TrimSpace(string(r[end:])); rest != "" && rest[0] != '#' && rest[0] != ':' {
			return quotedAs(r, i, skipSpace(r, end), false, "text goes on behind the closing quote")
		}
		return nil
	case '|', '>', '&', '!':
		return nil
	}
	for j := i; j+1 < len(r); j++ {
		if r[j] == ':' && r[j+1] == ' ' {
			return quotedAs(r, i, j, false, `": " ends a key here; text that holds it must stand in quotes`)
		}
		if r[j] == '#' && unicode.IsSpace(r[j-1]) && j > i && cuts(strings.TrimSpace(string(r[i:j])), string(r[j+1:])) {
			return quotedAs(r, i, j, false, `"#" starts a comment here and cuts the text`)
		}
	}
	return nil
}

// badStart finds a character that a scalar cannot start with.
func badStart(r []rune, i int, flow bool) *trap {
	c := r[i]
	switch {
	case c == '@' || c == '`':
		return quotedAs(r, i, i, flow, `text cannot start with "`+string(c)+`" without quotes`)
	case c == '%':
		return quotedAs(r, i, i, flow, `text that starts with "%" must stand in quotes`)
	case c == '#' && flow:
		return quotedAs(r, i, i, flow, `"#" starts a comment here and cuts the list`)
	case c == '*':
		return quotedAs(r, i, i, flow, `"*" starts an alias here; text that starts with it must stand in quotes`)
	case c == '!' && (flow || strings.ContainsAny(string(r[i:]), "{}")):
		return tagTrap(r, i+1, flow)
	case flow && (c == '|' || c == '>' || c == '&'):
		return quotedAs(r, i, i, flow, `text that starts with "`+string(c)+`" must stand in quotes`)
	}
	return nil
}

// quotedAs is the trap whose mending is quotes around the scalar at i; blame is where the caret goes.
func quotedAs(r []rune, i, blame int, flow bool, msg string) *trap {
	fixed, ok := quoteAt(string(r), i+1, flow)
	if !ok {
		return nil
	}
	return &trap{col: blame + 1, start: i + 1, msg: msg, fixed: fixed}
}

func skipSpace(r []rune, i int) int {
	for i < len(r) && (r[i] == ' ' || r[i] == '\t') {
		i++
	}
	return i
}

// quoteEnd gives the place behind the quote that closes the one at i, or -1.
func quoteEnd(r []rune, i int) int {
	q := r[i]
	for j := i + 1; j < len(r); j++ {
		switch {
		case q == '"' && r[j] == '\\':
			j++
		case r[j] != q:
		case q == '\'' && j+1 < len(r) && r[j+1] == q:
			j++
		default:
			return j + 1
		}
	}
	return -1
}

// closeOf gives the place of the bracket that closes the one at i, or -1.
func closeOf(r []rune, i int) int {
	depth := 0
	for j := i; j < len(r); j++ {
		switch r[j] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}
