package markdown

import (
	"strings"
)

// Outline lists the headings of a text, indented by their level.
func Outline(md, source string) string {
	var b strings.Builder
	b.WriteString("# Outline\n\nSource: " + source + "\n\n")
	found := false
	top := 7
	each(md, func(_ string, level int, _ string) {
		if level > 0 {
			top = min(top, level)
		}
	})
	each(md, func(_ string, level int, title string) {
		if level > 0 {
			b.WriteString(strings.Repeat("  ", level-top) + "- " + title + "\n")
			found = true
		}
	})
	if !found {
		b.WriteString("(no headings)")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Filter keeps the sections, each a heading and what follows it up to the next, that hold a text in any case of its
// letters.
func Filter(md, text string) string {
	var kept, now []string
	want := strings.ToLower(text)
	flush := func() {
		if section := strings.Trim(strings.Join(now, "\n"), "\n"); section != "" && strings.Contains(strings.ToLower(section), want) {
			kept = append(kept, section)
		}
		now = nil
	}
	each(md, func(line string, level int, _ string) {
		if level > 0 {
			flush()
		}
		now = append(now, line)
	})
	flush()
	return strings.Join(kept, "\n\n")
}

// each calls f for every line, with the level and title of a heading; a line of code is none.
func each(md string, f func(line string, level int, title string)) {
	code := false
	for _, l := range strings.Split(md, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			code = !code
		}
		marks := len(l) - len(strings.TrimLeft(l, "#"))
		if code || marks < 1 || marks > 6 || !strings.HasPrefix(l[marks:], " ") {
			f(l, 0, "")
			continue
		}
		f(l, marks, strings.TrimSpace(l[marks:]))
	}
}
