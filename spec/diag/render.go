package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Style says how Render draws.
type Style struct {
	Color bool
}

const (
	excerptWidth = 120 // columns of a source line that are shown; a longer line is cut around the caret
	tabWidth     = 4
)

// paste is how a hint starts that holds a corrected line: Render gives it a line of its own, ready to be copied.
const paste = "write: "

// Render draws each diagnostic with its place, the line before, its line and a caret. source gives the bytes of a file
// and may return nil. Control and bidi characters of the file are shown as escapes, so that a hostile suite cannot
// repaint the terminal.
func Render(w io.Writer, errs []*Error, source func(file string) []byte, style Style) error {
	var b strings.Builder
	for _, e := range errs {
		renderOne(&b, e, source, style)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing diagnostics: %w", err)
	}
	return nil
}

func renderOne(b *strings.Builder, e *Error, source func(string) []byte, style Style) {
	word, tint := "error", "31"
	if e.Severity == Lint {
		word, tint = "lint", "33"
	}
	if p := e.Pos.String(); p != "" {
		b.WriteString(style.paint("1", Visible(p)+":") + " ")
	}
	b.WriteString(style.paint(tint, word+":") + " " + style.paint("1", Visible(e.Msg)))
	fix := strings.HasPrefix(e.Hint, paste)
	if e.Hint != "" && !fix {
		b.WriteString(" (" + Visible(e.Hint) + ")")
	}
	b.WriteByte('\n')
	gutter := excerpt(b, e, source, style, tint)
	if fix {
		b.WriteString(strings.Repeat(" ", gutter) + " = " + style.paint("32", Visible(e.Hint)) + "\n")
	}
}

// excerpt writes the lines around e and gives the width of the line number column.
func excerpt(b *strings.Builder, e *Error, source func(string) []byte, style Style, tint string) int {
	gutter := len(strconv.Itoa(e.Pos.Line)) + 2
	if e.Pos.Line < 1 || source == nil {
		return gutter
	}
	lines := linesAt(source(e.Pos.File), e.Pos.Line)
	if len(lines) == 0 {
		return gutter
	}
	cell := lay(lines[len(lines)-1])
	from, to := caret(cell, e)
	first, last := window(cell, from)
	if len(lines) == 2 && strings.TrimSpace(lines[0]) != "" {
		b.WriteString(pad(e.Pos.Line-1, gutter) + " | " + cut(lay(lines[0]), first, last) + "\n")
	}
	b.WriteString(pad(e.Pos.Line, gutter) + " | " + cut(cell, first, last) + "\n")
	if e.Pos.Col < 1 {
		return gutter
	}
	lead := 0
	if first > 0 {
		lead = 1 // the ellipsis
	}
	mark := strings.Repeat(" ", max(0, from-first+lead)) + style.paint(tint, strings.Repeat("^", max(1, min(to, last)-from)))
	b.WriteString(strings.Repeat(" ", gutter) + " | " + mark + "\n")
	return gutter
}

// column is one rune of a source line as it is shown: its text and the screen column where it starts.
type column struct {
	text  string
	at    int
	width int
}

// lay shows a line rune by rune.
func lay(line string) []column {
	out := make([]column, 0, len(line))
	at := 0
	for _, r := range line {
		c := column{text: string(r), at: at, width: runeWidth(r)}
		if r == '\t' {
			c.width = tabWidth - at%tabWidth
			c.text = strings.Repeat(" ", c.width)
		} else if v, ok := escaped(r); ok {
			c.text, c.width = v, len(v)
		}
		at += c.width
		out = append(out, c)
	}
	return out
}

// caret gives the screen columns that e underlines.
func caret(line []column, e *Error) (from, to int) {
	start := max(0, e.Pos.Col-1)
	end := start + max(1, e.Width)
	place := func(i int) int {
		if i < len(line) {
			return line[i].at
		}
		if len(line) == 0 {
			return 0
		}
		last := line[len(line)-1]
		return last.at + last.width
	}
	from, to = place(start), place(end)
	return from, max(to, from+1)
}

// window chooses which screen columns of a long line are shown.
func window(line []column, from int) (first, last int) {
	total := 0
	if len(line) > 0 {
		c := line[len(line)-1]
		total = c.at + c.width
	}
	if total <= excerptWidth {
		return 0, max(excerptWidth, from+1)
	}
	first = max(0, from-excerptWidth/2)
	if first+excerptWidth > total {
		first = max(0, total-excerptWidth)
	}
	// Start on a rune, so that a wide one is not cut in half.
	for _, c := range line {
		if c.at >= first {
			first = c.at
			break
		}
	}
	return first, first + excerptWidth
}

// cut gives the part of a line between two screen columns, with an ellipsis where something is missing.
func cut(line []column, first, last int) string {
	var b strings.Builder
	if first > 0 && len(line) > 0 {
		b.WriteString("…")
	}
	for _, c := range line {
		if c.at < first {
			continue
		}
		if c.at+c.width > last {
			b.WriteString("…")
			break
		}
		b.WriteString(c.text)
	}
	return b.String()
}

func pad(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat(" ", width-len(s)) + s
}

// linesAt gives line n of src and the one before it, without their line ends; nothing if src has no such line.
func linesAt(src []byte, n int) []string {
	text := strings.TrimPrefix(string(src), "\ufeff")
	var prev string
	for i := 1; ; i++ {
		end := strings.IndexAny(text, "\r\n")
		line := text
		if end >= 0 {
			line = text[:end]
		}
		if i == n {
			if n == 1 {
				return []string{clean(line)}
			}
			return []string{clean(prev), clean(line)}
		}
		if end < 0 {
			return nil
		}
		if strings.HasPrefix(text[end:], "\r\n") {
			end++
		}
		prev, text = line, text[end+1:]
	}
}

func clean(line string) string {
	if utf8.ValidString(line) {
		return line
	}
	return string([]rune(line)) // one rune for each broken byte, as columns are counted
}

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
