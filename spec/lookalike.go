package spec

import (
	"strings"
	"unicode"
)

// oddSpace explains white space that looks like a space in the indentation and is none: text from a web page has it.
func oddSpace(line string) *trap {
	for i, r := range []rune(line) {
		switch {
		case r == ' ':
			continue
		case r == '\t' || !unicode.IsSpace(r) && r != '\u200b' && r != '\ufeff':
			return nil
		}
		fixed := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' })
		return &trap{col: i + 1, msg: "this is no space, though it looks like one", fixed: strings.Repeat(" ", indentOf(line)) + fixed}
	}
	return nil
}

// indentOf counts the columns that the white space at the start of a line takes.
func indentOf(line string) int {
	n := 0
	for _, r := range line {
		switch {
		case r == '\u200b' || r == '\ufeff':
		case unicode.IsSpace(r):
			n++
		default:
			return n
		}
	}
	return n
}

// behindQuote is text that goes on behind the closing quote of a cell: the quotes are meant to go around all of it. In an
// expression they are a text of its own.
func behindQuote(r []rune, i, quoteEnd, j int) *trap {
	t := quotedAs(r, i, j, true, "text goes on behind the closing quote")
	inner := string(r[i+1 : quoteEnd-1])
	end := intended(r, i, true)
	if t == nil || strings.ContainsAny(inner, `\"'`) || end < quoteEnd || expressionKeys[keyBefore(beforeBracket(r, i))] {
		return t
	}
	t.fixed = string(r[:i]) + quote(inner+string(r[quoteEnd:end])) + string(r[end:])
	return t
}

// beforeBracket gives the line up to the bracket that the item at i stands in.
func beforeBracket(r []rune, i int) string {
	depth := 0
	for j := i - 1; j >= 0; j-- {
		switch r[j] {
		case ']', '}':
			depth++
		case '[', '{':
			if depth == 0 {
				return string(r[:j])
			}
			depth--
		}
	}
	return ""
}
