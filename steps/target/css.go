package target

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// foreignPseudo are the pseudo-classes that Playwright adds to CSS; a browser's own querySelector refuses them.
var foreignPseudo = regexp.MustCompile(
	`(?i):(has-text|text|text-is|text-matches|visible|nth-match|right-of|left-of|above|below|near|light)(\(|$|[^\w-])`)

// checkCSS finds what no CSS selector can be: it is no CSS parser, the browser has the last word. at is a byte offset.
func checkCSS(s string) (at int, msg, hint string) {
	bare := blank(s)
	for i := 0; i < len(bare); i++ {
		switch c := bare[i]; {
		case c == '\\':
			i++
		case c == '#' || c == '.':
			if msg, hint := checkName(s, bare, i); msg != "" {
				return i, msg, hint
			}
		case strings.HasPrefix(bare[i:], "“"), strings.HasPrefix(bare[i:], "”"), strings.HasPrefix(bare[i:], "„"):
			return i, "a curly quote cannot stand in a CSS selector", `write straight quotes: "…"`
		case strings.IndexByte("$%!@;/=?`^{}<", c) >= 0:
			return i, strconv.Quote(string(c)) + " cannot stand in a CSS selector", "for an element by its text write text=…, by role role=button …"
		}
	}
	if i := strings.IndexByte(bare, ','); i >= 0 {
		for _, one := range strings.Split(bare, ",") {
			if strings.TrimSpace(one) == "" {
				return i, "a selector of the list is empty", "a comma stands between two selectors"
			}
		}
	}
	trimmed := strings.TrimRight(bare, " ")
	if trimmed != "" && strings.IndexByte(">+~", trimmed[len(trimmed)-1]) >= 0 {
		return len(trimmed) - 1, "the selector ends with " + strconv.Quote(trimmed[len(trimmed)-1:]), "name the element after it"
	}
	if m := containsForm.FindStringIndex(bare); m != nil {
		return m[0], `":contains" is no CSS`, `write :has-text("…"), or text=…`
	}
	return 0, "", ""
}

var containsForm = regexp.MustCompile(`(?i):contains\b`)

// checkName checks what follows "#" or "." at i.
func checkName(s, bare string, i int) (msg, hint string) {
	kind := "class"
	if bare[i] == '#' {
		kind = "id"
	}
	if i+1 >= len(bare) || strings.IndexByte(" .#:>+~,*()[]", bare[i+1]) >= 0 {
		return strconv.Quote(bare[i:i+1]) + " is followed by no name", "#name is an element by its id, .name by its class"
	}
	if c := rune(bare[i+1]); unicode.IsDigit(c) {
		name := s[i+1:]
		if j := strings.IndexAny(bare[i+1:], " .#:>+~,[]()"); j >= 0 {
			name = name[:j]
		}
		if kind == "id" {
			return "an id in CSS cannot start with a digit", `write [id="` + name + `"]`
		}
		return "a class in CSS cannot start with a digit", `write [class~="` + name + `"]`
	}
	return "", ""
}

// blank replaces what stands in quotes, brackets and parentheses by "_", byte by byte, so that offsets stay.
func blank(s string) string {
	b := []byte(s)
	depth := 0
	for i := 0; i < len(b); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '\'':
			end := closingQuote(s, i, true)
			if end < 0 {
				end = len(s) - 1
			}
			for ; i < end; i++ {
				b[i] = '_'
			}
			b[i] = '_'
			continue
		case c == '\\':
			i++
			if depth > 0 && i < len(b) {
				b[i-1], b[i] = '_', '_'
			}
			continue
		case c == '(' || c == '[':
			depth++
			if depth > 1 {
				b[i] = '_'
			}
			continue
		case c == ')' || c == ']':
			depth--
			if depth > 0 {
				b[i] = '_'
			}
			continue
		}
		if depth > 0 {
			b[i] = '_'
		}
	}
	return string(b)
}

// native tells that a document's own querySelectorAll and evaluate can resolve t.
func native(t Target) bool {
	for _, p := range t.Parts {
		switch p.Engine {
		case XPath, Nth:
		case CSS:
			if foreignPseudo.MatchString(unquoted(p.Value)) {
				return false
			}
		default:
			return false
		}
	}
	return len(t.Parts) > 0
}

// unquoted drops what stands in quotes, and attribute selectors, so that [title=":visible"] is no pseudo-class.
func unquoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			i++
		case '"', '\'':
			if end := closingQuote(s, i, true); end > 0 {
				i = end
			}
		case '[':
			if end := strings.IndexByte(s[i:], ']'); end > 0 && !strings.ContainsAny(s[i:i+end], `"'`) {
				i += end
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
