package reporters

import (
	"fmt"
	"io"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Style says how a block is drawn. The zero value is 100 columns without colour.
type Style struct {
	Color   bool
	Width   int  // 0: 100; less than 40 counts as 40
	NoTitle bool // the caller has named the test already
}

// label is the column that the values of a block begin in, behind two spaces.
const label = 10

// Block writes the failure block of LANGUAGE §12: all that is needed to mend the failure f of attempt a of test t. For a
// failure of a suite's setup or teardown t and a are nil.
func Block(w io.Writer, t *journal.Test, a *journal.Attempt, f *journal.Failure, s Style) error {
	b := &block{style: s, wide: 100}
	if s.Width > 0 {
		b.wide = max(s.Width, 40)
	}
	if !s.NoTitle {
		b.title(t, a, f)
	}
	b.where(f)
	b.sentence(f)
	b.detail(f.Detail)
	b.page(f)
	b.progress(f.Progress)
	b.partial(f.Partial)
	b.evidence(f)
	_, err := io.WriteString(w, b.String())
	return err
}

// block is a failure block while it is drawn.
type block struct {
	strings.Builder
	style Style
	wide  int
}

// The colours of a block.
const (
	red   = "31"
	bold  = "1;31"
	green = "32"
	dim   = "2"
)

// Paint colours text by an SGR code if the style has colour.
func (s Style) Paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (b *block) line(text string) { b.WriteString(strings.TrimRight(text, " ") + "\n") }

// field writes a labelled value, wrapped under itself.
func (b *block) field(name, text string) {
	for i, l := range wrap(Clean(text), b.wide-label-2) {
		if i > 0 {
			name = ""
		}
		b.put(name, l)
	}
}

// put writes one line of a field as it is.
func (b *block) put(name, text string) {
	b.line("  " + b.style.Paint(dim, fmt.Sprintf("%-*s", label-1, name)) + " " + text)
}

func (b *block) title(t *journal.Test, a *journal.Attempt, f *journal.Failure) {
	word, name := "FAIL", string(f.Phase)+" › "+f.Pos.File
	if !f.Category.IsFailure() {
		word = "ERROR"
	}
	if t != nil {
		name = t.Planned.Key.String()
	}
	var notes []string
	if a != nil && (a.N > 1 || t.Planned.Retries > 0) {
		notes = append(notes, fmt.Sprintf("attempt %d of %d", a.N, max(a.N, t.Planned.Retries+1)))
	}
	if t != nil && f.Phase != journal.PhaseSteps && f.Phase != journal.PhaseNone {
		notes = append(notes, "in "+string(f.Phase))
	}
	if f.Session != "" {
		notes = append(notes, "session "+f.Session)
	}
	text := word + "  " + Clean(name)
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	for _, l := range wrap(strings.ReplaceAll(text, "\n", " "), b.wide) {
		b.line(b.style.Paint(bold, l))
	}
}

// where shows the place in the suite, with the lines around it.
func (b *block) where(f *journal.Failure) {
	if !f.Pos.IsZero() {
		b.line("  " + Clean(f.Pos.String())) // not wrapped: it is to be clicked on
	}
	for _, l := range f.Excerpt {
		b.excerpt(l, f.Pos)
	}
	if f.StepName != "" {
		b.field("step", f.StepName)
	}
	if len(f.Scope) > 0 {
		b.field("scope", strings.Join(f.Scope, " › "))
	}
	if b.style.NoTitle && f.Session != "" {
		b.field("session", f.Session)
	}
	if len(f.Row) > 0 && (len(f.Excerpt) == 0 || rendered(f)) {
		b.field("row", Row(f.Row))
	}
}

// rendered tells that the row was written with ${{ }}, so that its cells are not seen in the excerpt.
func rendered(f *journal.Failure) bool {
	for _, l := range f.Excerpt {
		if l.N >= f.Pos.Line && strings.Contains(l.Text, "${{") {
			return true
		}
	}
	return false
}

// excerpt draws one line of the suite, and a caret under the failed place. A line that is too long is shown from where
// the place is in sight.
func (b *block) excerpt(l journal.Line, at diag.Pos) {
	const gutter = 10
	room := b.wide - gutter
	runes := []rune(strings.ReplaceAll(l.Text, "\t", " "))
	col, cut := max(at.Col, 1)-1, ""
	if l.N == at.Line && col < len(runes) && Columns(string(runes[:col])) > room/2 {
		from := col - room/3
		runes, col, cut = runes[from:], col-from, "…"
	}
	text := Cut(cut+Clean(string(runes)), room)
	if l.N != at.Line {
		b.line(b.style.Paint(dim, fmt.Sprintf("  %5d │ ", l.N)) + text)
		return
	}
	b.line(b.style.Paint(red, fmt.Sprintf("> %5d │ ", l.N)) + text)
	if at.Col > 0 {
		pad := min(Columns(cut+Clean(string(runes[:min(col, len(runes))]))), room-1)
		b.line(b.style.Paint(dim, "        │ ") + strings.Repeat(" ", pad) + b.style.Paint(red, "^"))
	}
}

func (b *block) sentence(f *journal.Failure) {
	kind := string(f.Category)
	if f.Sub != "" && !strings.HasPrefix(f.Sub, kind) { // assertion-failed says no more than assertion
		kind += ", " + f.Sub
	}
	if kind != "" {
		kind = " (" + kind + ")"
	}
	for _, l := range wrap(Clean(f.Message+kind), b.wide-2) {
		b.line("  " + b.style.Paint(red, l))
	}
}

func (b *block) page(f *journal.Failure) {
	if f.Page.URL != "" || f.Page.Title != "" {
		text := f.Page.URL
		if f.Page.Title != "" {
			text += " “" + f.Page.Title + "”"
		}
		b.field("page", strings.TrimSpace(text))
	}
	if r := f.LastWrite; r != nil {
		b.field("changed", Row(r.Row)+" at "+r.Pos.String())
	}
	for i, h := range f.Health {
		if i == maxList {
			b.field("", fmt.Sprintf("… and %d more", len(f.Health)-i))
			break
		}
		b.field(once("health", i), fault(h))
		if h.Source != "" {
			b.field("", "→ "+h.Source)
		}
	}
	for i, text := range f.Services {
		b.field(once("died", i), tail(text, 6))
	}
}

// maxList is how many entries of a list a block shows.
const maxList = 8

func once(name string, i int) string {
	if i > 0 {
		return ""
	}
	return name
}

func fault(h steps.Fault) string {
	text := strings.ReplaceAll(h.Kind, "_", " ") + ": " + h.Text
	if h.Session != "" {
		text = "in session " + h.Session + ", " + text
	}
	if h.URL != "" && !strings.Contains(h.Text, h.URL) { // a request names its URL itself
		text += " (" + h.URL
		if h.Line > 0 {
			text += fmt.Sprintf(":%d", h.Line)
		}
		text += ")"
	}
	return text
}

// tail keeps the last n lines of text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > n {
		lines = append([]string{fmt.Sprintf("… %d lines before", len(lines)-n)}, lines[len(lines)-n:]...)
	}
	return strings.Join(lines, "\n")
}

// progress shows how far the batch got: some rows before the failed one, it, and some behind.
func (b *block) progress(rows []journal.RowProgress) {
	if len(rows) < 2 {
		return
	}
	failed := 0
	for i, r := range rows {
		if r.State != steps.RowCompleted {
			failed = i
			break
		}
	}
	from, to := max(0, failed-3), min(len(rows), failed+4)
	name := "rows"
	note := func(n int, what string) {
		if n > 0 {
			b.put(name, fmt.Sprintf("… %d more %s", n, what))
			name = ""
		}
	}
	note(from, "before")
	for _, r := range rows[from:to] {
		sign, code, what := glyph(r.State)
		text := fmt.Sprintf("%4d %s%s", r.Pos.Line, Row(r.Row), what)
		b.put(name, b.style.Paint(code, sign)+Cut(text, b.wide-label-3))
		name = ""
	}
	note(len(rows)-to, "behind")
}

func glyph(s steps.RowState) (sign, code, what string) {
	switch s {
	case steps.RowCompleted:
		return "✓", green, ""
	case steps.RowFailed:
		return "✗", red, ""
	case steps.RowSentUnknown:
		return "?", red, "  (sent, outcome unknown)"
	}
	return "–", dim, "  (not run)"
}

func (b *block) evidence(f *journal.Failure) {
	for i, a := range f.Artifacts {
		note := "(" + a.Kind
		if a.State != steps.Saved && a.State != "" {
			note += ", " + string(a.State)
		}
		if a.Error != "" {
			note += ": " + a.Error
		}
		if a.Redacted {
			note += ", secrets hidden"
		}
		b.file(once("files", i), a.Path, note+")")
	}
	for i, n := range f.Next {
		text := n.Reason
		switch {
		case len(n.Row) > 0:
			text = strings.TrimSpace(Row(n.Row) + " " + dash(n.Reason))
		case n.Step != "":
			text = strings.TrimSpace(n.Step + " " + dash(n.Reason))
		}
		b.field(once("try", i), text)
	}
	for i, text := range f.Paste {
		b.put(once("allow", i), Clean(text)) // never wrapped: it is to be pasted
	}
	if f.Rerun != "" {
		b.put("rerun", Clean(f.Rerun)) // never wrapped: it is to be copied
	}
}

// file writes a path with a note behind it, or below it if the path fills the line. A path is never broken: it is to be
// clicked on.
func (b *block) file(name, path, note string) {
	path = strings.ReplaceAll(Clean(path), "\n", " ")
	if Columns(path) <= b.wide-label-2 && !strings.Contains(path, " ") {
		b.field(name, path+" "+note)
		return
	}
	b.put(name, path)
	b.field("", note)
}

func dash(reason string) string {
	if reason == "" {
		return ""
	}
	return "— " + reason
}
