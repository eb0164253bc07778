// Package format rewrites suites and fragments in one canonical style: two spaces of indentation, rows on one line where
// they fit, quotes only where they are needed. Comments, order, anchors, block scalars and single blank lines stay. It
// never changes what a file means: the new text is read again and must give the same tree, or nothing comes of it.
package format

import (
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Source gives the canonical form of a YAML file. What is wrong with the file, and what the formatter cannot do without
// changing its meaning, goes to l; then there is no result.
func Source(file string, src []byte, l *diag.List) ([]byte, bool) {
	before := l.Len()
	old := spec.ReadDocument(file, src, l)
	if l.Len() > before {
		return nil, false
	}
	if !old.Root.IsMap() {
		l.Add(old.Root.Pos(), "a suite or fragment is a map, got "+old.Root.Sort(), `it starts with "suite: NAME" or "fragment: NAME"`)
		return nil, false
	}
	text, windows := unixLines(string(src))
	root, odd := read(text)
	if odd != nil {
		line, col := place(text, odd.at)
		l.Add(diag.Pos{File: file, Line: line, Col: col}, odd.what+" cannot be formatted", "write it another way; the file stays as it is")
		return nil, false
	}
	for _, keep := range []bool{false, true} {
		out, ok := draw(root, keep)
		if ok && same(file, out, old) && stable(out, keep) {
			if windows {
				out = strings.ReplaceAll(out, "\n", "\r\n")
			}
			return []byte(out), true
		}
	}
	l.Add(diag.Pos{File: file, Line: 1, Col: 1}, "the file cannot be formatted without changing what it means", "it stays as it is")
	return nil, false
}

// same tells that a text means what a document says.
func same(file, text string, old spec.Document) bool {
	var errs diag.List
	now := spec.ReadDocument(file, []byte(text), &errs)
	return errs.Len() == 0 && old.Same(now)
}

// stable tells that formatting a text again changes nothing.
func stable(text string, keep bool) bool {
	root, odd := read(text)
	if odd != nil {
		return false
	}
	again, ok := draw(root, keep)
	return ok && again == text
}

// draw is write for trees that may hold what nobody thought of: a file is left alone then.
func draw(root *node, keep bool) (out string, ok bool) {
	defer func() { ok = recover() == nil }()
	return write(root, keep), true
}

// unixLines drops a byte order mark and makes every line end "\n"; windows tells that the first was "\r\n".
func unixLines(text string) (out string, windows bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	first := strings.IndexByte(text, '\n')
	windows = first > 0 && text[first-1] == '\r'
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), windows
}

// place gives line and column of an offset.
func place(text string, at int) (line, col int) {
	head := text[:min(at, len(text))]
	start := strings.LastIndexByte(head, '\n') + 1
	return strings.Count(head, "\n") + 1, utf8.RuneCountInString(head[start:]) + 1
}
