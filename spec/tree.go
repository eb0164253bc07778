package spec

import (
	"sync"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// kind is what a node of the tree is.
type kind uint8

const (
	kindEmpty  kind = iota // nothing was written where a value may stand
	kindPlain              // a scalar without quotes
	kindSingle             // '…'
	kindDouble             // "…"
	kindBlock              // | or >
	kindSeq
	kindMap
)

// words names a kind in messages.
func (k kind) words() string {
	switch k {
	case kindEmpty:
		return "nothing"
	case kindSeq:
		return "a list"
	case kindMap:
		return "a map"
	}
	return "text"
}

// node is one node of the own tree. The tree is built once from the library's and shares what an alias names, so an
// alias costs a pointer; expanded counts what a walk over it would see.
type node struct {
	doc       *document
	line, col int
	kind      kind
	flow      bool
	text      string // of a scalar
	items     []*node
	pairs     []pair
	expanded  int
	told      bool  // what is wrong with it was reported
	whole     *node // what this is the rest of, from rune skip on
	skip      int
}

// pair is one entry of a map; merged ones came by a merge key.
type pair struct {
	key, value *node
	merged     bool
}

func (n *node) pos() diag.Pos {
	if n.whole != nil {
		return place{n: n.whole}.pos(n.skip)
	}
	return n.doc.pos(n.line, n.col)
}

func (n *node) scalar() bool { return n.kind < kindSeq }

// width is how many runes a caret under the node underlines.
func (n *node) width() int {
	switch n.kind {
	case kindPlain:
		return runesOfLine(n.text)
	case kindSingle, kindDouble:
		return runesOfLine(n.text) + 2
	}
	return 1
}

func runesOfLine(s string) int {
	for i, r := range s {
		if r == '\n' {
			return utf8.RuneCountInString(s[:i])
		}
	}
	return max(1, utf8.RuneCountInString(s))
}

// document is what all nodes of a file share.
type document struct {
	file    string
	src     string // without byte order mark; as repaired, if it had to be
	repairs []repair
	tags    map[int][]int // columns of tags by line: the library counts one column too few behind each

	once  sync.Once
	start []int // offset of each line, built when a message first needs the source
}

// maxMended is how long a line may be to be mended.
const maxMended = 4096

// repair says that a line was changed to be able to read on: what stood between two rune columns got quotes around it
// and grew by some runes.
type repair struct{ line, from, to, by int }

// pos gives the place in the file as the user has it: a repaired line is longer than what the user wrote.
func (d *document) pos(line, col int) diag.Pos {
	for _, r := range d.repairs {
		switch {
		case r.line != line || col <= r.from:
		case col > r.to:
			col = max(r.from, col-r.by)
		default:
			col--
		}
	}
	return diag.Pos{File: d.file, Line: line, Col: col}
}

// withLine gives a document with another text of one line.
func (d *document) withLine(n int, fixed string) *document {
	old := d.line(n)
	from := 0
	a, b := []rune(old), []rune(fixed)
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	tail := 0
	for tail < len(a)-from && tail < len(b)-from && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	start := d.start[n-1]
	return &document{
		file: d.file, src: d.src[:start] + fixed + d.src[start+len(old):],
		repairs: append(d.repairs[:len(d.repairs):len(d.repairs)], repair{line: n, from: from + 1, to: len(b) - tail, by: len(b) - len(a)}),
	}
}

// repaired tells that a place is inside what was mended already: the mending did not help.
func (d *document) repaired(line, col int) bool {
	if len(d.line(line)) > maxMended {
		return true
	}
	for _, r := range d.repairs {
		if r.line == line && col <= r.to {
			return true
		}
	}
	return false
}

// line gives a source line without its end.
func (d *document) line(n int) string {
	d.once.Do(func() { d.start = lineStarts(d.src) })
	if n < 1 || n > len(d.start) {
		return ""
	}
	return lineAt(d.src, d.start[n-1])
}

// lines counts the lines.
func (d *document) lines() int {
	d.once.Do(func() { d.start = lineStarts(d.src) })
	return len(d.start)
}

func lineStarts(src string) []int {
	starts := []int{0}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n') { // a file over the limits is raw
			starts = append(starts, i+1)
		}
	}
	return starts
}

func lineAt(src string, start int) string {
	for i := start; i < len(src); i++ {
		if src[i] == '\n' || src[i] == '\r' {
			return src[start:i]
		}
	}
	return src[start:]
}
