package format

import "strings"

// flow reads a list or map in brackets.
func (r *reader) flow() *node {
	n := &node{sort: list, flow: true}
	closer := byte(']')
	if r.src[r.i] == '{' {
		n.sort, closer = dict, '}'
	}
	r.i++
	outer := r.take()
	var last *entry
	for {
		r.between(last)
		if r.i >= len(r.src) {
			r.fail("a bracket that is never closed")
		}
		if r.src[r.i] == closer {
			r.i++
			n.tail = comments(r.take())
			if len(n.tail) > 0 && len(n.entries) == 0 {
				r.fail("a comment in an empty list")
			}
			r.pending = outer
			return n
		}
		start := r.i
		last = &entry{lead: comments(r.take())}
		r.item(n, last)
		n.entries = append(n.entries, last)
		if r.i == start {
			r.fail("this bracket")
		}
	}
}

// between steps over white space and comments inside brackets. A comment on the line of an item is a note on it.
func (r *reader) between(last *entry) {
	sameLine := last != nil
	for r.i < len(r.src) {
		switch c := r.src[r.i]; {
		case c == ' ' || c == '\t':
			r.i++
		case c == '\n':
			sameLine = false
			r.i++
		case c == '#' && blankAt(r.src, r.i-1):
			text := strings.TrimRight(r.line(), " \t")
			r.i += len(r.line())
			if sameLine && last.note == "" {
				last.note = text
			} else {
				r.pending = append(r.pending, remark{text, 0})
			}
		case c == ',':
			// the comment behind a comma belongs to the item before it
			r.i++
		default:
			return
		}
	}
}

// comments leaves out blank lines: inside brackets they do not count.
func comments(list []remark) []remark {
	var out []remark
	for _, r := range list {
		if r.text != "" {
			out = append(out, r)
		}
	}
	return out
}

// item reads one item of a list, or one pair of a map. `a: b` in a list is a map of its own.
func (r *reader) item(n *node, e *entry) {
	first := r.flowValue()
	r.flowSpaces()
	colon := r.i < len(r.src) && r.src[r.i] == ':'
	if (colon || n.sort == dict) && (len(first.lines) != 1 || first.collection() || first.sort == alias) {
		r.fail("a key that is no text on one line")
	}
	if !colon {
		e.value = first
		if n.sort == dict {
			e.key, e.value = first, &node{}
		}
		return
	}
	r.i++
	pair := e
	if n.sort == list {
		pair = &entry{}
		e.value = &node{sort: dict, flow: true, entries: []*entry{pair}}
	}
	pair.key = first
	r.flowSpaces()
	if r.i < len(r.src) && strings.IndexByte(",]}", r.src[r.i]) >= 0 {
		pair.value = &node{}
		return
	}
	pair.value = r.flowValue()
}

// flowSpaces steps over white space between a key, its colon and its value.
func (r *reader) flowSpaces() {
	for r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t' || r.src[r.i] == '\n') {
		r.i++
	}
}

// flowValue reads one value inside brackets.
func (r *reader) flowValue() *node {
	props := r.props()
	r.flowSpaces()
	if r.i >= len(r.src) {
		r.fail("a bracket that is never closed")
	}
	var n *node
	switch r.src[r.i] {
	case '[', '{':
		held := r.take()
		n = r.flow()
		r.pending = append(held, r.pending...)
	case '"', '\'':
		n = r.quoted()
	case '*':
		n = &node{sort: alias, lines: []string{r.word()}}
	case '#':
		r.fail("a comment between a key and its value")
	case ',', ']', '}':
		n = &node{}
	default:
		n = r.flowPlain()
	}
	n.props = props
	return n
}

// flowPlain reads a scalar without quotes inside brackets.
func (r *reader) flowPlain() *node {
	n := &node{sort: plain}
	for {
		line := r.line()
		end := plainEnd(line, true, false)
		text := strings.TrimRight(line[:end], " \t")
		n.lines = append(n.lines, text)
		r.i += len(text)
		if strings.TrimLeft(line[len(text):], " \t") != "" || r.i+len(r.line()) >= len(r.src) {
			return n
		}
		at := r.i
		r.flowSpaces()
		if r.i >= len(r.src) || strings.IndexByte(",]}:#", r.src[r.i]) >= 0 {
			r.i = at
			return n
		}
	}
}
