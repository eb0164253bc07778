package reporters

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Clean makes text of a page, a process or a suite safe to print: escape sequences go, and what a terminal would act on
// or hide (control and bidi characters, zero-width ones, odd line ends) is shown by name. Line ends stay, a tab is four
// spaces.
func Clean(s string) string {
	if plainASCII(s) {
		return s
	}
	s = strings.ReplaceAll(stripEscapes(s), "\r\n", "\n")
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == zwj && joins(s, i):
			b.WriteRune(r)
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case r == 0xa0:
			b.WriteRune(' ')
		default:
			b.WriteString(shown(r))
		}
	}
	return b.String()
}

// Visible is Clean for a value that is compared: tabs, no-break spaces, line ends and spaces at either end are shown too.
func Visible(s string) string {
	var b strings.Builder
	for _, c := range visible([]rune(s)) {
		b.WriteString(c)
	}
	return b.String()
}

// visible gives what each rune is shown as.
func visible(runes []rune) []string {
	out := make([]string, len(runes))
	first, last := 0, len(runes)
	for first < last && runes[first] == ' ' {
		first++
	}
	for last > first && runes[last-1] == ' ' {
		last--
	}
	for i, r := range runes {
		switch {
		case r == ' ' && (i < first || i >= last):
			out[i] = "·"
		case r == '\n':
			out[i] = "↵"
		case r == '\t':
			out[i] = "⇥"
		default:
			out[i] = shown(r)
		}
	}
	return out
}

// zwj joins the parts of an emoji, such as those of a family.
const zwj = '\u200d'

// joins tells that the joiner at byte i of s stands between two symbols, where it hides nothing: they are one picture.
func joins(s string, i int) bool {
	next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(zwj):])
	before := s[:i]
	for {
		last, size := utf8.DecodeLastRuneInString(before)
		if last != 0xfe0f && !unicode.Is(unicode.Sk, last) { // how it is drawn, and the colour of a skin
			return symbol(last) && symbol(next)
		}
		before = before[:len(before)-size]
	}
}

func symbol(r rune) bool { return unicode.Is(unicode.So, r) && r != utf8.RuneError }

// named are the characters that cannot be seen and have a name that people know.
var named = map[rune]string{
	'\r': "CR", 0: "NUL", 0x1b: "ESC", 0xa0: "NBSP", 0xad: "SHY", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM",
	0x200f: "RLM", 0x2028: "LS", 0x2029: "PS", 0x202f: "NNBSP", 0x2060: "WJ", 0xfeff: "BOM",
}

// shown is a rune itself, or its name in brackets if it would not be seen.
func shown(r rune) string {
	if name, ok := named[r]; ok {
		return "[" + name + "]"
	}
	if r != ' ' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) || unicode.Is(unicode.Co, r)) {
		return fmt.Sprintf("[U+%04X]", r)
	}
	return string(r)
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n') || c >= 0x7f {
			return false
		}
	}
	return true
}

// stripEscapes drops ANSI sequences: CSI, OSC and the two-byte ones.
func stripEscapes(s string) string {
	if !strings.ContainsRune(s, 0x1b) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			i++
			continue
		}
		i += escapeLen(s[i:])
	}
	return b.String()
}

// escapeLen is the length of the escape sequence that s begins with.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i
			}
		}
		return len(s)
	case ']':
		for i := 2; i < len(s); i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			if s[i] == '\n' {
				return i
			}
		}
		return len(s)
	}
	if s[1] >= 0x20 && s[1] <= 0x7e {
		return 2
	}
	return 1
}

// Columns is how many columns of a terminal s takes: two for wide characters, none for marks.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	return n
}

func columns(r rune) int {
	switch {
	case r < 0x7f:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut shortens s to at most n columns, the last of them an ellipsis if something is missing.
func Cut(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	used := 0
	for i, r := range s {
		if c := columns(r); used+c > n-1 {
			return s[:i] + "…"
		} else {
			used += c
		}
	}
	return s
}

// wrap breaks text into lines of at most n columns, at spaces where there are any.
func wrap(text string, n int) []string {
	n = max(n, 8)
	var out []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		for Columns(line) > n {
			at := breakAt(line, n)
			out = append(out, strings.TrimRight(line[:at], " "))
			line = strings.TrimLeft(line[at:], " ")
		}
		out = append(out, line)
	}
	return out
}

// breakAt finds the byte to break a line at: behind the last space in reach unless that leaves less than a third.
func breakAt(line string, n int) int {
	used, space := 0, 0
	for i, r := range line {
		if r == ' ' {
			space = i + 1
		}
		used += columns(r)
		if used > n {
			if r != ' ' && space > 0 && Columns(line[:space]) >= n/3 {
				return space
			}
			if i == 0 {
				return utf8.RuneLen(r)
			}
			return i
		}
	}
	return len(line)
}
