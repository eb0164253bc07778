package spec

import (
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// place says where the runes of a piece of a scalar stand in the file. The work is done only when there is an error.
type place struct {
	n    *node
	at   diag.Pos // if there is no node
	base int      // rune offset of the piece in the scalar's text
}

// pos gives the position of a rune of the piece.
func (p place) pos(offset int) diag.Pos {
	if p.n == nil {
		return p.at
	}
	offset += p.base
	if p.n.whole != nil {
		return place{n: p.n.whole}.pos(offset + p.n.skip)
	}
	switch p.n.kind {
	case kindSingle, kindDouble:
		return p.n.quotedPos(offset)
	case kindBlock:
		return p.n.blockPos(offset)
	}
	return p.n.plainPos(offset)
}

// rawPos walks the runes of the source from the node on; step gives how many source runes make one rune of the text.
func (n *node) rawPos(skip, offset int, step func(src []rune) int) diag.Pos {
	line, col := n.line, n.col+skip
	src := []rune(n.doc.line(line))
	for offset > 0 {
		i := col - 1
		if i >= len(src) {
			// A line end inside a scalar is folded: it and the indentation of the next line are one space, but each
			// empty line is a line end of its own.
			line++
			src = []rune(n.doc.line(line))
			col = skipSpace(src, 0) + 1
			if line > n.doc.lines() {
				return n.pos() // the text is not what the source says: a mended line
			}
			offset--
			continue
		}
		width := step(src[i:])
		if width == 0 { // an escaped line end is no rune of the text
			line++
			src = []rune(n.doc.line(line))
			col = skipSpace(src, 0) + 1
			continue
		}
		col += width
		offset--
	}
	if line > n.doc.lines() {
		return n.pos()
	}
	return n.doc.pos(line, min(col, len(src)+1))
}

func (n *node) plainPos(offset int) diag.Pos {
	return n.rawPos(0, offset, func([]rune) int { return 1 })
}

func (n *node) quotedPos(offset int) diag.Pos {
	if n.kind == kindSingle {
		return n.rawPos(1, offset, func(src []rune) int {
			if src[0] == '\'' && len(src) > 1 {
				return 2
			}
			return 1
		})
	}
	return n.rawPos(1, offset, func(src []rune) int {
		if src[0] != '\\' {
			return 1
		}
		if len(src) == 1 {
			return 0
		}
		switch src[1] {
		case 'x':
			return 4
		case 'u':
			return 6
		case 'U':
			return 10
		}
		return 2
	})
}

// blockPos finds the source line of a line of a literal block. In a folded one lines are joined, so that only the block
// itself can be named.
func (n *node) blockPos(offset int) diag.Pos {
	head := []rune(n.doc.line(n.line))
	if n.col-1 < len(head) && head[n.col-1] == '>' {
		return n.pos()
	}
	runes := []rune(n.text)
	before := string(runes[:min(offset, len(runes))])
	row := strings.Count(before, "\n")
	col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	text := n.text
	for range row {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	src := n.doc.line(n.line + 1 + row)
	if text == "" || !strings.HasSuffix(src, text) {
		return n.pos()
	}
	return n.doc.pos(n.line+1+row, utf8.RuneCountInString(src)-utf8.RuneCountInString(text)+col+1)
}
