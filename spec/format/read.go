package format

import (
	"fmt"
	"strings"
)

// reader reads the source by hand, for the library's tree keeps neither comments nor the style of what it read. Only
// files that the library could read come here, and what is made of them is read again: where this reader is mistaken
// the file stays as it is.
type reader struct {
	src     string
	i       int
	pending []remark // own lines before the next content
}

// oddity is a form of YAML that the formatter does not know.
type oddity struct {
	at   int // offset
	what string
}

func (r *reader) fail(what string) { panic(&oddity{r.i, what}) }

// read gives the root of a document with what stands before and behind it.
func read(src string) (root *node, odd *oddity) {
	r := &reader{src: src}
	defer func() {
		if p := recover(); p != nil {
			o, known := p.(*oddity)
			if !known {
				o = &oddity{r.i, fmt.Sprint(p)}
			}
			root, odd = nil, o
		}
	}()
	r.trivia()
	if r.marker("---") {
		r.endOfLine()
		r.trivia()
	}
	root = r.block(-1, false)
	r.trivia()
	if r.marker("...") {
		r.endOfLine()
		r.trivia()
	}
	if r.i < len(r.src) {
		r.fail("this line")
	}
	root.tail = append(root.tail, r.pending...)
	return root, nil
}

// marker steps over the start or end mark of a document.
func (r *reader) marker(mark string) bool {
	if r.col() != 0 || !strings.HasPrefix(r.rest(), mark) || !blankAt(r.src, r.i+len(mark)) {
		return false
	}
	r.i += len(mark)
	return true
}

func (r *reader) rest() string { return r.src[r.i:] }

// line is the source from here to the end of the line.
func (r *reader) line() string {
	rest := r.rest()
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		return rest[:n]
	}
	return rest
}

// col is how many bytes stand before this place on its line; indentation is ASCII.
func (r *reader) col() int { return r.i - strings.LastIndexByte(r.src[:r.i], '\n') - 1 }

func (r *reader) spaces() {
	for r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
		r.i++
	}
}

// blankAt tells that white space or the end of the file is at i.
func blankAt(s string, i int) bool {
	return i >= len(s) || s[i] == ' ' || s[i] == '\t' || s[i] == '\n'
}

// trivia moves to the next content and keeps the own lines before it.
func (r *reader) trivia() {
	for r.i < len(r.src) {
		start := r.i
		r.spaces()
		switch {
		case r.i >= len(r.src):
			return
		case r.src[r.i] == '\n':
			if n := len(r.pending); n == 0 || r.pending[n-1].text != "" {
				r.pending = append(r.pending, remark{})
			}
			r.i++
		case r.src[r.i] == '#':
			r.pending = append(r.pending, remark{strings.TrimRight(r.line(), " \t"), r.i - start})
			r.i += len(r.line())
			if r.i < len(r.src) {
				r.i++
			}
		default:
			return
		}
	}
}

func (r *reader) take() []remark {
	out := r.pending
	r.pending = nil
	return out
}

// endOfLine reads an optional comment and the end of the line.
func (r *reader) endOfLine() (note string) {
	r.spaces()
	rest := strings.TrimRight(r.line(), " \t")
	if rest != "" {
		if rest[0] != '#' || r.col() > 0 && !blankAt(r.src, r.i-1) {
			r.fail("what stands behind the value")
		}
		note = rest
	}
	r.i += len(r.line())
	if r.i < len(r.src) {
		r.i++
	}
	return note
}

// dash tells that an item of a list starts here.
func (r *reader) dash() bool {
	return r.i < len(r.src) && r.src[r.i] == '-' && blankAt(r.src, r.i+1)
}

// block reads the node at the next content, which stands deeper than parent; a list under a key may stand at the column
// of the key. It reads an empty node if there is none.
func (r *reader) block(parent int, underKey bool) *node {
	col := r.col()
	if r.i >= len(r.src) || col < parent || col == parent && !(underKey && r.dash()) {
		return &node{}
	}
	switch {
	case r.dash():
		return r.items(col)
	case r.keyAhead():
		return r.pairs(col)
	}
	if props := r.props(); props != "" {
		r.spaces()
		if rest := r.line(); rest == "" || rest[0] == '#' {
			if r.endOfLine() != "" {
				r.fail("a comment behind an anchor")
			}
			r.trivia()
			n := r.block(parent, underKey)
			n.props = props
			return n
		}
		n := r.inline(parent)
		n.props = props
		return n
	}
	return r.inline(parent)
}

// items reads a list of dashes at a column.
func (r *reader) items(col int) *node {
	n := &node{sort: list}
	for r.i < len(r.src) && r.col() == col && r.dash() {
		e := &entry{lead: r.take()}
		r.i++
		r.value(e, col, false)
		n.entries = append(n.entries, e)
		r.trivia()
	}
	r.close(n, col)
	return n
}

// pairs reads the keys at a column.
func (r *reader) pairs(col int) *node {
	n := &node{sort: dict}
	for r.i < len(r.src) && r.col() == col && r.keyAhead() {
		e := &entry{lead: r.take()}
		e.key = r.key()
		r.spaces()
		r.i++ // the colon
		r.value(e, col, true)
		n.entries = append(n.entries, e)
		r.trivia()
	}
	r.close(n, col)
	return n
}

// close gives a collection the comments behind its last entry that are indented like it.
func (r *reader) close(n *node, col int) {
	next := -1
	if r.i < len(r.src) {
		if next = r.col(); next > col {
			r.fail("the indentation of this line")
		}
	}
	own := 0
	for i, p := range r.pending {
		if p.text == "" {
			continue
		}
		if p.col < col || p.col <= next {
			break
		}
		own = i + 1
	}
	n.tail, r.pending = r.pending[:own:own], r.pending[own:]
}

// value reads what stands behind a dash or a colon.
func (r *reader) value(e *entry, col int, underKey bool) {
	r.spaces()
	if !underKey && (r.dash() || r.keyAhead()) {
		e.value = r.block(col, false) // - - a, - name: a
		return
	}
	props := r.props()
	r.spaces()
	if rest := r.line(); rest == "" || rest[0] == '#' {
		e.note = r.endOfLine()
		r.trivia()
		held := r.take()
		r.pending = held
		e.value = r.block(col, underKey)
		if e.value.scalar() && e.value.sort != empty {
			if hasComment(held) {
				r.fail("a comment between a key and its value")
			}
			r.pending = r.pending[:len(r.pending)-len(held)]
		}
		if props != "" {
			if e.value.props != "" {
				props += " " + e.value.props
			}
			e.value.props = props
		}
		if e.value.scalar() && e.value.sort != empty && e.note == "" {
			e.note, r.pending = r.lateNote()
		}
		return
	}
	e.value = r.inline(col)
	e.value.props = props
	e.note, r.pending = r.lateNote()
}

// lateNote takes the comment that inline found behind a scalar or a list in brackets.
func (r *reader) lateNote() (string, []remark) {
	if n := len(r.pending); n > 0 && r.pending[0].col < 0 {
		return r.pending[0].text, r.pending[1:]
	}
	return "", r.pending
}

func (n *node) collection() bool { return n.sort >= list }

// noted keeps the comment at the end of a value's last line for lateNote.
func (r *reader) noted() {
	if note := r.endOfLine(); note != "" {
		r.pending = append([]remark{{note, -1}}, r.pending...)
	}
}

// props reads anchor and tag.
func (r *reader) props() string {
	var out []string
	for {
		r.spaces()
		if r.i >= len(r.src) || r.src[r.i] != '&' && r.src[r.i] != '!' {
			return strings.Join(out, " ")
		}
		end := r.i
		for !blankAt(r.src, end) && !strings.ContainsRune(",[]{}", rune(r.src[end])) {
			end++
		}
		out = append(out, r.src[r.i:end])
		r.i = end
	}
}
