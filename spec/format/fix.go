package format

import (
	"slices"
	"strings"
	"unicode"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Correction is one line that Fix has rewritten.
type Correction struct {
	Line     int
	Why      string // the message that the line was answered with
	Old, New string // without indentation
}

// readyLine starts a hint that is a corrected line.
const readyLine = "write: "

// maxCorrections bounds how often one file is read again.
const maxCorrections = 500

// Fix writes the corrections of the YAML traps that reading a file reports: each hint that is a ready line takes the place
// of its line. What is left to be corrected by hand stays as it is.
func Fix(file string, src []byte) ([]byte, []Correction) {
	text, windows := unixLines(string(src))
	var done []Correction
	for range maxCorrections {
		c, ok := nextCorrection(file, text, done)
		if !ok {
			break
		}
		lines := strings.Split(text, "\n")
		old := lines[c.Line-1]
		lines[c.Line-1] = indentation(old) + c.New
		text = strings.Join(lines, "\n")
		c.Old = strings.Trim(old, " ")
		done = append(done, c)
	}
	switch {
	case len(done) == 0:
		return src, nil
	case windows:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text), done
}

// indentation gives the spaces that a line is indented by; what only looks like a space counts as one.
func indentation(line string) string {
	return pad(width(line) - width(strings.TrimLeftFunc(line, unicode.IsSpace)))
}

// nextCorrection finds the first ready line that has not been tried.
func nextCorrection(file, text string, done []Correction) (Correction, bool) {
	var l diag.List
	doc := spec.ReadDocument(file, []byte(text), &l)
	steps(doc.Root, &l)
	lines := strings.Split(text, "\n")
	for _, e := range l.All() {
		fixed, ready := strings.CutPrefix(e.Hint, readyLine)
		if !ready || e.Pos.Line < 1 || e.Pos.Line > len(lines) || strings.Trim(lines[e.Pos.Line-1], " ") == fixed {
			continue
		}
		c := Correction{Line: e.Pos.Line, Why: e.Msg, New: fixed}
		tried := func(t Correction) bool { return t.Line == c.Line && t.New == c.New }
		if !slices.ContainsFunc(done, tried) {
			return c, true
		}
	}
	return Correction{}, false
}

// stepKeys are the keys whose value is a list of steps.
var stepKeys = map[string]bool{
	"steps": true, "setup": true, "teardown": true, "before_each": true, "after_each": true, "finally": true, "do": true,
	"then": true, "else": true, "elif": true, "rows": true, "tests": true,
}

// steps reports the cells of rows that YAML takes for a list or map, which reading a tree alone does not.
func steps(n spec.Node, l *diag.List) {
	for _, key := range n.Keys() {
		v := n.Get(key)
		items, isList := v.Seq()
		switch {
		case key == "row" || key == "exec":
			cells(v, l)
		case stepKeys[key] && isList:
			for _, item := range items {
				cells(item, l)
				steps(item, l)
			}
		}
	}
}

// cells looks at one row.
func cells(row spec.Node, l *diag.List) {
	items, _ := row.Seq()
	for _, cell := range items {
		if hint := cell.QuoteHint(); hint != "" {
			l.Append(&diag.Error{Pos: cell.Pos(), Hint: hint, Msg: diag.WantKind("a cell", "text", cell.Sort())})
		}
	}
}
