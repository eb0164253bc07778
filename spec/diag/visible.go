package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible shows control, bidi and other invisible characters as escapes. Line ends and tabs are escaped as well: what
// goes through here stays one line.
func Visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { _, ok := escaped(r); return ok || r == '\t' }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			b.WriteString(`\t`)
		} else if v, ok := escaped(r); ok {
			b.WriteString(v)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escaped gives the escape of a rune that cannot be seen or that moves what can; tabs are the caller's to expand.
func escaped(r rune) (string, bool) {
	switch {
	case r == '\t':
		return "", false
	case r == '\n':
		return `\n`, true
	case r == '\r':
		return `\r`, true
	case r < 0x20 || r == 0x7f:
		return fmt.Sprintf(`\x%02x`, r), true
	case r < 0x80:
		return "", false
	case r == 0x200d || r == 0xfe0e || r == 0xfe0f:
		return "", false // joins emoji: the next rune shows it
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
		r == 0xa0 || r == 0x3000:
		if r > 0xffff {
			return fmt.Sprintf(`\U%08x`, r), true
		}
		return fmt.Sprintf(`\u%04x`, r), true
	}
	return "", false
}

// wide are the ranges whose runes take two columns on a terminal.
var wide = [][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x25fd, 0x25fe}, {0x2614, 0x2615},
	{0x2648, 0x2653}, {0x26a1, 0x26a1}, {0x26bd, 0x26be}, {0x2705, 0x2705}, {0x274c, 0x274c}, {0x2753, 0x2755},
	{0x2795, 0x2797}, {0x2b50, 0x2b50}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xa960, 0xa97c}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
	{0x1f900, 0x1faff}, {0x20000, 0x3fffd},
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if r == 0x200d || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
		return 0
	}
	for _, w := range wide {
		if r < w[0] {
			break
		}
		if r <= w[1] {
			return 2
		}
	}
	return 1
}
