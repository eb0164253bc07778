package spec

import (
	"strings"
	"unicode"
)

// paste is how a hint starts that shows a line as it should be; diag.Render sets it on a line of its own.
const paste = "write: "

// quote puts a text in the quotes that need the fewest escapes.
func quote(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// pasteRest gives the hint that quotes the scalar which was meant to start at a column.
func pasteRest(line string, col int, flow bool) string {
	fixed, ok := quoteAt(line, col, flow)
	if !ok {
		return ""
	}
	return paste + strings.TrimSpace(fixed)
}

// pasteInsert gives the hint that inserts a text behind a column.
func pasteInsert(line string, col int, text string) string {
	r := []rune(line)
	if col > len(r) {
		return ""
	}
	return paste + strings.TrimSpace(string(r[:col])+text+strings.TrimLeft(string(r[col:]), " "))
}

// quoteAt gives the line with quotes around the scalar that was meant to start at a column.
func quoteAt(line string, col int, flow bool) (string, bool) {
	r := []rune(line)
	start := col - 1
	if start < 0 || start >= len(r) {
		return "", false
	}
	end := intended(r, start, flow)
	if end <= start {
		return "", false
	}
	return string(r[:start]) + quote(string(r[start:end])) + string(r[end:]), true
}

// intended finds where the scalar ends that somebody meant to write from start on: in a list or map in brackets at the
// next comma or closing bracket outside quotes, brackets and ${{ }} of its own, else at the end of the line.
func intended(r []rune, start int, flow bool) int {
	var open []rune
	var quoted rune
	for i := start; i < len(r); i++ {
		c := r[i]
		switch {
		case quoted != 0:
			if c == '\\' {
				i++
			} else if c == quoted {
				quoted = 0
			}
		case (c == '"' || c == '\'') && (i == start || !word(r[i-1])):
			quoted = c
		case c == '(' || c == '[' || c == '{':
			open = append(open, closing(c))
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		case flow && len(open) == 0 && (c == ',' || c == ']' || c == '}'):
			return trimEnd(r, start, i)
		case c == '#' && i+1 < len(r) && r[i+1] == ' ' && i > start && unicode.IsSpace(r[i-1]) && len(open) == 0:
			return trimEnd(r, start, i)
		}
	}
	if flow && (len(open) > 0 || quoted != 0) {
		// Something is left open: the bracket at the end of the line closes the list, not the scalar.
		return trimEnd(r, start, closeOfLine(r, start))
	}
	return trimEnd(r, start, len(r))
}

// closeOfLine finds the closing brackets at the end of a line, at least one rune behind start.
func closeOfLine(r []rune, start int) int {
	end := trimEnd(r, start, len(r))
	if end > start+1 && (r[end-1] == ']' || r[end-1] == '}') {
		return end - 1
	}
	return end
}

func trimEnd(r []rune, start, end int) int {
	for end > start && unicode.IsSpace(r[end-1]) {
		end--
	}
	return end
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func closing(open rune) rune {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// cuts tells that a comment behind a plain scalar was not meant as one: it starts inside a quote or bracket, or it has
// no space behind the "#" and cuts what is neither a number nor a word of YAML.
func cuts(text, comment string) bool {
	if unclosed(text) {
		return true
	}
	if comment == "" || strings.HasPrefix(comment, " ") || strings.HasPrefix(comment, "\t") || strings.HasPrefix(comment, "#") {
		return false
	}
	v := plainValue(text)
	_, isText := v.(string)
	return isText && !duration(text)
}

// unclosed tells that a text opens a quote or bracket that it does not close.
func unclosed(text string) bool {
	var quoted rune
	depth := 0
	prev := ' '
	for _, c := range text {
		switch {
		case quoted != 0:
			if c == quoted && prev != '\\' {
				quoted = 0
			}
		case (c == '"' || c == '\'') && !word(prev):
			quoted = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
		prev = c
	}
	return quoted != 0 || depth > 0
}

// expressionKeys take a bare expression.
var expressionKeys = map[string]bool{
	"if": true, "elif": true, "expect": true, "while": true, "when": true, "valid": true, "for": true,
}

// tagTrap explains a tag that nobody meant: `if: !visible("#a")`, `[expect, !x]`.
func tagTrap(r []rune, col int, flow bool) *trap {
	if col > len(r) {
		return &trap{col: col, msg: `"!" starts a YAML tag here`}
	}
	end := intended(r, col-1, flow)
	text := string(r[col-1 : end])
	if expressionKeys[keyBefore(string(r[:col-1]))] || strings.Contains(text, "(") {
		negated := "not " + strings.TrimLeft(strings.TrimPrefix(text, "!"), " ")
		if !safePlain(negated, flow) {
			negated = quote(negated)
		}
		return &trap{col: col, msg: `"!" starts a YAML tag here, it does not negate`, fixed: string(r[:col-1]) + negated + string(r[end:])}
	}
	fixed, _ := quoteAt(string(r), col, flow)
	return &trap{col: col, msg: `"!" starts a YAML tag here`, fixed: fixed}
}

// keyBefore gives the key whose value starts at the end of a text: "      - if: " gives "if".
func keyBefore(head string) string {
	head = strings.TrimRight(head, " ")
	if !strings.HasSuffix(head, ":") {
		return ""
	}
	head = strings.TrimSuffix(head, ":")
	return strings.Trim(head[strings.LastIndexAny(head, " {,")+1:], `"'`)
}

// safePlain tells that a text can stand without quotes.
func safePlain(s string, flow bool) bool {
	if s == "" || strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`", rune(s[0])) && !(s[0] == '-' && len(s) > 1 && s[1] != ' ') {
		return false
	}
	if strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, " ") {
		return false
	}
	return !flow || !strings.ContainsAny(s, ",[]{}")
}
