package spec

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"

	"github.com/checkrow/checkrow/spec/diag"
)

// The limits on a file (DESIGN §14). Each is checked before the step whose cost it bounds: bytes before the scanner,
// which needs some 300 bytes of memory a token; tokens before the parser, whose stack grows with the nesting and whose
// time grows with the square of the keys in one map.
const (
	maxBytes   = 4 << 20
	maxDepth   = 100
	maxWeight  = 800_000
	maxKeys    = 2_000
	maxAnchors = 1_000
	maxAliased = 10_000
)

const bom = "\ufeff"

var (
	tooDeep        = fmt.Sprintf("the file nests deeper than %d levels", maxDepth)
	tooManyAnchors = fmt.Sprintf("the file has more than %d anchors", maxAnchors)
)

// weights of the bytes that can end a token.
var weights = [256]uint8{
	'[': 4, ']': 4, '{': 4, '}': 4, ',': 4, ':': 4, '\n': 4, '\r': 4, '?': 2, '-': 2, '&': 4, '*': 4, '!': 4, '#': 2,
	'"': 1, '\'': 1, '@': 1, '`': 1, '%': 2, '|': 2, '>': 2,
}

// checkBytes finds what no valid file has, in one cheap pass. It gives the offset of the fault.
func checkBytes(src []byte) (offset int, msg string) {
	if len(src) > maxBytes {
		return 0, fmt.Sprintf("the file is larger than %d MB", maxBytes>>20)
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return i, "the file holds a NUL byte: it is no text"
	}
	if !utf8.Valid(src) {
		return invalidUTF8(src), "the file is not UTF-8"
	}
	// A weight is twice the tokens that the byte can make: an indicator and the text before it, or half a quoted text.
	weight, depth, deep, anchors := 0, 0, 0, 0
	for i, c := range src {
		w := weights[c]
		if w == 0 {
			continue
		}
		switch c {
		case '[', '{':
			if depth++; depth > maxDepth && deep == 0 {
				deep = i
			}
		case ']', '}':
			depth--
		case '&':
			if i > 0 && src[i-1] == ' ' && i+1 < len(src) && src[i+1] > ' ' && src[i+1] != '&' {
				anchors++
			}
			if anchors > 10*maxAnchors { // some may be text, but not all of them
				return i, tooManyAnchors
			}
		}
		if weight += int(w); weight <= maxWeight {
			continue
		}
		if depth > maxDepth { // brackets in text count here, so this alone proves nothing
			return deep, tooDeep
		}
		return i, "the file holds too many values"
	}
	return 0, ""
}

func invalidUTF8(src []byte) int {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return 0
}

// scan reads the tokens of a document. It stops at the first invalid one, and at the first limit that is passed.
func scan(doc *document) (token.Tokens, *diag.Error) {
	var s scanner.Scanner
	s.Init(doc.src)
	var all token.Tokens
	var depth gauge
	for {
		part, err := s.Scan()
		for _, tk := range part {
			if msg := depth.add(tk); msg != "" {
				p := tk.Position
				return nil, &diag.Error{Pos: doc.pos(p.Line, max(1, p.Column)), Msg: msg}
			}
		}
		all.Add(part...)
		if err != nil {
			return all, nil // the end, or an invalid token that the parser reports
		}
	}
}

// gauge measures how deep tokens nest, without recursion. Block structure is a stack of columns, as in the parser.
type gauge struct {
	flow    int
	blocks  []block
	anchors int
	prev    *token.Token
}

// block is one level of block structure: the column of its dashes or keys, and how many keys it has.
type block struct {
	col  int
	keys int
	list bool
}

func (g *gauge) add(tk *token.Token) string {
	before := g.prev
	g.prev = tk
	switch tk.Type {
	case token.SequenceStartType, token.MappingStartType:
		g.flow++
	case token.SequenceEndType, token.MappingEndType:
		g.flow = max(0, g.flow-1)
	case token.AnchorType:
		if g.anchors++; g.anchors > maxAnchors {
			return tooManyAnchors
		}
	case token.SequenceEntryType, token.MappingKeyType:
		if g.flow == 0 {
			g.level(tk.Position.Column, tk.Type == token.SequenceEntryType)
		}
	case token.MappingValueType:
		if g.flow > 0 {
			break
		}
		col := tk.Position.Column
		if before != nil && before.Position.Line == tk.Position.Line {
			col = before.Position.Column
		}
		if b := g.level(col, false); b != nil {
			if b.keys++; b.keys > maxKeys {
				return fmt.Sprintf("a map has more than %d keys", maxKeys)
			}
		}
	}
	if g.flow+len(g.blocks) > maxDepth {
		return tooDeep
	}
	return ""
}

// level enters or returns to the block at a column.
func (g *gauge) level(col int, list bool) *block {
	for len(g.blocks) > 0 {
		top := &g.blocks[len(g.blocks)-1]
		if top.col < col || top.col == col && list && !top.list {
			break // a list may stand at the column of its key
		}
		if top.col == col && top.list == list {
			return top
		}
		g.blocks = g.blocks[:len(g.blocks)-1]
	}
	g.blocks = append(g.blocks, block{col: col, list: list})
	return &g.blocks[len(g.blocks)-1]
}

// newDocument strips the byte order mark and makes every line end "\n": the library counts a line too many behind a
// comment that ends in "\r\n".
func newDocument(file string, src []byte) *document {
	text := strings.TrimPrefix(string(src), bom)
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return &document{file: file, src: text}
}
