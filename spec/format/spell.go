package format

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/checkrow/checkrow/spec"
)

// spell gives the lines of a scalar: joined to one where that says the same, without quotes where they are not needed.
func (w *writer) spell(n *node, flow bool) []string {
	lines := n.lines
	if n.sort == empty {
		return []string{""}
	}
	if len(lines) > 1 {
		if slices.Contains(lines, "") || slices.ContainsFunc(lines, func(l string) bool { return strings.HasSuffix(l, `\`) }) ||
			!flow && width(strings.Join(lines, " ")) > wide-20 {
			return lines
		}
		lines = []string{strings.Join(lines, " ")}
	}
	if w.keep || n.sort == alias {
		return lines
	}
	text, ok := meaning(n.sort, lines[0])
	if !ok {
		return lines
	}
	if n.sort == plain {
		if !strings.Contains(text, "${{") && (!flow || safe(text, true)) {
			return lines
		}
		if !spec.IsPlainText(text) {
			return lines
		}
		return []string{quote(text)}
	}
	if !strings.Contains(text, "${{") && safe(text, flow) && spec.IsPlainText(text) && !other11(text) {
		return []string{text}
	}
	return []string{quote(text)}
}

// meaning gives the text of a scalar of one line; false if escapes stand in it, which are kept as they are.
func meaning(s sort, src string) (string, bool) {
	switch s {
	case plain:
		return src, true
	case single:
		return strings.ReplaceAll(src[1:len(src)-1], "''", "'"), true
	}
	inner := src[1 : len(src)-1]
	plainQuotes := strings.ReplaceAll(inner, `\"`, `"`)
	if strings.Contains(strings.ReplaceAll(inner, `\"`, ""), `\`) {
		return "", false
	}
	return plainQuotes, true
}

// quote puts a text in the quotes that need the fewest escapes.
func quote(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// word11 are words that other readers of YAML take for something else than text: they keep their quotes.
var word11 = map[string]bool{"yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

// form11 are dates and times, 2031-05-04 and 12:30, which such readers take for a time or a number.
var form11 = regexp.MustCompile(`^(\d{4}-\d{1,2}-\d{1,2}([Tt ].*)?|[-+]?\d+(:[0-5]?\d)+)$`)

func other11(s string) bool {
	return word11[strings.ToLower(s)] || s[0] <= '9' && form11.MatchString(s)
}

// safe tells that a text can stand without quotes, in brackets or outside.
func safe(s string, flow bool) bool {
	if s == "" || s != strings.TrimSpace(s) || s == "<<" || s == "=" || strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		return false
	}
	if strings.IndexByte("?:,[]{}#&*!|>'\"%@`~=", s[0]) >= 0 || s[0] == '-' && blankAt(s, 1) {
		return false
	}
	if strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || strings.Contains(s, " #") || strings.Contains(s, "${{") {
		return false
	}
	if flow && strings.ContainsAny(s, ",[]{}") {
		return false
	}
	return balanced(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != ' ' && (unicode.IsSpace(r) || !unicode.IsPrint(r))
	})
}

// balanced tells that quotes and brackets in a text are closed: a comment behind it would look as if it cut the text.
func balanced(s string) bool {
	depth := 0
	var quoted rune
	for _, c := range s {
		switch {
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"':
			quoted = c
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && quoted == 0
}
