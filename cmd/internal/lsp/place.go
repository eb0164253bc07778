package lsp

import (
	"regexp"
	"strings"
)

// place is what stands around the cursor. It is read line by line, for a file that is being written is no YAML yet.
type place struct {
	path    []string // keys from the top; "[]" is an item of a list
	word    string   // what is written of the key, value or cell up to the cursor
	from    int      // where word begins on its line, in runes
	key     bool     // a key is written here
	present []string // the other keys of the same map
	cells   []string // in a list in brackets: the cells before this one
	row     bool     // in a list in brackets
	dash    bool     // at the beginning of an item of a list
}

// item is the sign of an item of a list in a path.
const item = "[]"

// level is a key or a dash that holds what stands further right.
type level struct {
	col    int
	name   string
	before []string // of a key: those of the same map before it
}

var (
	keyForm   = regexp.MustCompile(`^("[^"]*"|'[^']*'|[A-Za-z_][\w.*-]*)\s*:(?:\s|$)`)
	blockForm = regexp.MustCompile(`[:\-]\s+[|>][+-]?\d*\s*$`)
)

// around reads what stands around a place of a document.
func (d *document) around(at position) place {
	var stack []level
	end := -1 // column of the key whose text stands on the lines below it
	for n := 0; n < at.Line; n++ {
		line := d.line(n)
		col := indent(line)
		if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") && end < 0 {
			continue
		}
		if end >= 0 && col > end {
			continue
		}
		end = -1
		stack, _, _ = descend(stack, line)
		if len(stack) > 0 && blockForm.MatchString(line) {
			end = stack[len(stack)-1].col
		}
	}
	line := []rune(d.line(at.Line))
	cut := min(d.runes(at), len(line))
	before := string(line[:cut])
	if end >= 0 && (strings.TrimSpace(before) == "" || indent(before) > end) && indent(string(line)) > end {
		return place{from: cut}
	}
	return d.inLine(stack, at.Line, before)
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// descend takes the dashes and the key of a line onto the stack. col is where the rest of the line begins.
func descend(stack []level, line string) (out []level, rest string, col int) {
	col = indent(line)
	rest = line[col:]
	for rest == "-" || strings.HasPrefix(rest, "- ") {
		stack = pop(stack, func(l level) bool { return l.col > col || l.col == col && l.name == item })
		stack = append(stack, level{col: col, name: item})
		trimmed := strings.TrimLeft(rest[1:], " ")
		col += len(rest) - len(trimmed)
		rest = trimmed
	}
	m := keyForm.FindStringSubmatch(rest)
	if m == nil {
		return stack, rest, col
	}
	name := strings.Trim(m[1], `"'`)
	var seen []string
	stack = pop(stack, func(l level) bool {
		if l.col == col && l.name != item {
			seen = append(append([]string{}, l.before...), l.name)
		}
		return l.col >= col
	})
	return append(stack, level{col: col, name: name, before: seen}), rest[len(m[0]):], col + len(m[0])
}

func pop(stack []level, over func(level) bool) []level {
	for len(stack) > 0 && over(stack[len(stack)-1]) {
		stack = stack[:len(stack)-1]
	}
	return stack
}

// inLine reads the line of the cursor up to it.
func (d *document) inLine(stack []level, n int, before string) place {
	bare := strings.TrimLeft(before, " ")
	if strings.HasPrefix(bare, "#") {
		return place{from: len([]rune(before))}
	}
	stack, rest, col := descend(stack, before)
	m := keyForm.FindStringSubmatch(strings.TrimLeft(before, " -"))
	if m == nil && !strings.ContainsAny(rest, "[{\"' ") { // a key that is not finished, or a value in a list
		var seen []string
		stack = pop(stack, func(l level) bool {
			if l.col == col && l.name != item {
				seen = append(append([]string{}, l.before...), l.name)
			}
			return l.col >= col
		})
		p := place{path: names(stack), word: rest, from: len([]rune(before)) - len([]rune(rest)), key: true}
		p.dash = len(stack) > 0 && stack[len(stack)-1].name == item && len(seen) == 0
		p.present = append(seen, d.below(n, col)...)
		return p
	}
	p := place{path: names(stack)}
	p.flow(rest, len([]rune(before))-len([]rune(rest)))
	return p
}

// below lists the keys of the same map that stand below a line.
func (d *document) below(n, col int) []string {
	var out []string
	for n++; n < len(d.lines); n++ {
		line := d.lines[n]
		at := indent(line)
		if strings.TrimSpace(line) == "" || at > col {
			continue
		}
		m := keyForm.FindStringSubmatch(strings.TrimLeft(line, " "))
		if at < col || m == nil {
			break
		}
		out = append(out, strings.Trim(m[1], `"'`))
	}
	return out
}

func names(stack []level) []string {
	out := make([]string, len(stack))
	for i, l := range stack {
		out[i] = l.name
	}
	return out
}

// open is a bracket that is not closed before the cursor.
type open struct {
	brace bool
	key   string   // of a map: what stands before the last colon
	keys  []string // of a map: those before it
	cells []string // of a list: those before the last comma
}

// flow reads a value up to the cursor: a text, or brackets in brackets.
func (p *place) flow(text string, from int) {
	var opened []open
	runes := []rune(text)
	begin, quote := 0, rune(0)
	top := func() *open {
		if len(opened) == 0 {
			return nil
		}
		return &opened[len(opened)-1]
	}
	for i, r := range runes {
		switch {
		case quote != 0:
			if r == quote && (quote == '\'' || runes[i-1] != '\\') {
				quote = 0
			}
		case (r == '"' || r == '\'') && strings.TrimSpace(string(runes[begin:i])) == "":
			quote = r
		case r == '[' || r == '{':
			opened, begin = append(opened, open{brace: r == '{'}), i+1
		case (r == ']' || r == '}') && len(opened) > 0:
			opened, begin = opened[:len(opened)-1], i+1
		case r == ',' && top() != nil:
			if t := top(); t.brace {
				t.keys, t.key = append(t.keys, t.key), ""
			} else {
				t.cells = append(t.cells, unquote(string(runes[begin:i])))
			}
			begin = i + 1
		case r == ':' && top() != nil && top().brace && top().key == "" && (i+1 == len(runes) || runes[i+1] == ' '):
			top().key, begin = unquote(string(runes[begin:i])), i+1
		}
	}
	for begin < len(runes) && runes[begin] == ' ' {
		begin++
	}
	p.word, p.from = string(runes[begin:]), from+begin
	for _, o := range opened {
		switch {
		case !o.brace:
			p.path = append(p.path, item)
		case o.key != "":
			p.path = append(p.path, o.key)
		}
	}
	if t := top(); t != nil && t.brace {
		p.key, p.present = t.key == "", t.keys
	} else if t != nil {
		p.row, p.cells = true, t.cells
		p.path = p.path[:len(p.path)-1]
	}
}

// unquote is the text of a cell or key.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
