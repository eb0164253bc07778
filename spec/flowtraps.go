package spec

import (
	"strings"
	"unicode"
)

// flowTrap judges the items of a list or map in brackets.
func flowTrap(r []rune, i int) *trap {
	list := r[i] == '['
	for i++; i < len(r); {
		i = skipSpace(r, i)
		if i >= len(r) || r[i] == ']' || r[i] == '}' {
			return nil
		}
		if r[i] == ',' {
			if t := missingItem(r, i); t != nil {
				return t
			}
			i++
			continue
		}
		if v := valueStart(r, i); v > 0 && v < len(r) && !list {
			i = v
		}
		next, t := flowItem(r, i)
		if t != nil {
			return t
		}
		i = max(next, i+1)
	}
	return nil
}

// missingItem finds `[a, , b]`.
func missingItem(r []rune, i int) *trap {
	j := skipSpace(r, i+1)
	if j >= len(r) || r[j] != ',' {
		return nil
	}
	return &trap{col: j + 1, msg: "a list item is empty", fixed: string(r[:i+1]) + ` ""` + string(r[j:])}
}

// flowItem judges one item and gives where the next starts.
func flowItem(r []rune, i int) (next int, t *trap) {
	if t := badStart(r, i, true); t != nil {
		return 0, t
	}
	end := intended(r, i, true)
	switch r[i] {
	case '"', '\'':
		q := quoteEnd(r, i)
		if q < 0 {
			return len(r), nil
		}
		j := skipSpace(r, q)
		if j < len(r) && !strings.ContainsRune(",]}:", r[j]) {
			return 0, behindQuote(r, i, q, j)
		}
		return j, nil
	case '[', '{':
		if inner := closeOf(r, i); inner > 0 && inner+1 < len(r) {
			if j := skipSpace(r, inner+1); j < len(r) && !strings.ContainsRune(",]}:", r[j]) {
				return 0, quotedAs(r, i, i, true, `"`+string(r[i])+`" opens a list or map here; text that starts with it must stand in quotes`)
			}
		}
		return i + 1, flowTrap(r, i)
	}
	for j := i; j < end; j++ {
		switch c := r[j]; {
		case c == '{' && strings.HasPrefix(string(r[max(i, j-1):]), "${{"):
			return 0, quotedAs(r, i, j-1, true, `"${{" must stand in quotes inside [ ] and { }`)
		case c == '[' || c == '{' || c == ']' || c == '}':
			return 0, quotedAs(r, i, j, true, `"`+string(c)+`" is a bracket of YAML here; text that holds it must stand in quotes`)
		case c == '#' && j > i && unicode.IsSpace(r[j-1]):
			return 0, quotedAs(r, i, j, true, `"#" starts a comment here and cuts the text`)
		case c == ':' && j+1 < end && r[j+1] == ' ':
			return 0, quotedAs(r, i, j, true, `": " ends a key here; text that holds it must stand in quotes`)
		}
	}
	return end, nil
}
