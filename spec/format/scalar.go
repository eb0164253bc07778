package format

import (
	"strings"
)

// keyAhead tells that a key of a block map starts here.
func (r *reader) keyAhead() bool {
	at := r.i
	defer func() { r.i = at }()
	r.props()
	r.spaces()
	if r.i >= len(r.src) {
		return false
	}
	switch c := r.src[r.i]; {
	case c == '?' && blankAt(r.src, r.i+1):
		r.fail(`a key that starts with "?"`)
	case c == '"' || c == '\'':
		end := quoteEnd(r.line(), 0)
		if end < 0 {
			return false
		}
		rest := strings.TrimLeft(r.line()[end:], " ")
		return strings.HasPrefix(rest, ":") && blankAt(rest, 1)
	case strings.IndexByte("[{|>#", c) >= 0:
		return false
	}
	return plainEnd(r.line(), false, true) >= 0
}

// key reads a key that keyAhead has found.
func (r *reader) key() *node {
	n := &node{sort: plain, props: r.props()}
	r.spaces()
	line := r.line()
	end := 0
	switch line[0] {
	case '"', '\'':
		n.sort = double
		if line[0] == '\'' {
			n.sort = single
		}
		end = quoteEnd(line, 0)
	default:
		end = plainEnd(line, false, true)
	}
	n.lines = []string{strings.TrimRight(line[:end], " \t")}
	r.i += end
	return n
}

// quoteEnd gives the place behind the quote that closes the one at i, or -1.
func quoteEnd(s string, i int) int {
	q := s[i]
	for j := i + 1; j < len(s); j++ {
		switch {
		case q == '"' && s[j] == '\\':
			j++
		case s[j] != q:
		case q == '\'' && j+1 < len(s) && s[j+1] == q:
			j++
		default:
			return j + 1
		}
	}
	return -1
}

// plainEnd gives where a plain scalar at the start of a line ends: with key at its colon, or -1 if it is no key;
// else before a comment, and in flow before what ends an item.
func plainEnd(s string, flow, key bool) int {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ':' && (blankAt(s, i+1) || flow && strings.IndexByte(",[]{}", s[i+1]) >= 0):
			return i
		case c == '#' && i > 0 && blankAt(s, i-1):
			if key {
				return -1
			}
			return i
		case flow && strings.IndexByte(",[]{}", c) >= 0:
			return i
		}
	}
	if key {
		return -1
	}
	return len(s)
}

// inline reads a value that starts on this line and is no block list or map, to the end of its last line.
func (r *reader) inline(parent int) *node {
	var n *node
	switch c := r.src[r.i]; c {
	case '[', '{':
		n = r.flow()
	case '|', '>':
		return r.literal(parent)
	case '"', '\'':
		n = r.quoted()
	case '*':
		n = &node{sort: alias, lines: []string{r.word()}}
	default:
		return r.plain(parent)
	}
	r.noted()
	return n
}

func (r *reader) word() string {
	start := r.i
	for !blankAt(r.src, r.i) && strings.IndexByte(",[]{}", r.src[r.i]) < 0 {
		r.i++
	}
	return r.src[start:r.i]
}

// quoted reads a scalar in quotes, over as many lines as it has.
func (r *reader) quoted() *node {
	n := &node{sort: double}
	if r.src[r.i] == '\'' {
		n.sort = single
	}
	end := quoteEnd(r.src, r.i)
	if end < 0 {
		r.fail("a quote that is never closed")
	}
	n.lines = strings.Split(r.src[r.i:end], "\n")
	for i, l := range n.lines {
		if i > 0 {
			l = strings.TrimLeft(l, " \t")
		}
		if i < len(n.lines)-1 && !strings.HasSuffix(l, `\`) {
			l = strings.TrimRight(l, " \t")
		}
		n.lines[i] = l
	}
	r.i = end
	return n
}

// plain reads a scalar without quotes and the lines that go on with it: those indented deeper than parent.
func (r *reader) plain(parent int) *node {
	n := &node{sort: plain}
	for {
		line := r.line()
		end := plainEnd(line, false, false)
		text := strings.TrimRight(line[:end], " \t")
		n.lines = append(n.lines, text)
		r.i += len(text)
		rest := strings.TrimLeft(line[len(text):], " \t")
		if rest != "" { // a comment ends it
			r.noted()
			return n
		}
		at := r.i
		r.i += len(r.line())
		blanks := 0
		for r.i < len(r.src) { // at a line end
			r.i++
			r.spaces()
			if r.i >= len(r.src) || r.src[r.i] != '\n' {
				break
			}
			blanks++
		}
		if r.i >= len(r.src) || r.col() <= parent || r.src[r.i] == '#' || parent < 0 {
			r.i = at
			r.noted()
			return n
		}
		for range blanks {
			n.lines = append(n.lines, "")
		}
	}
}

// literal reads a block scalar.
func (r *reader) literal(parent int) *node {
	n := &node{sort: literal}
	start := r.i
	for !blankAt(r.src, r.i) {
		r.i++
	}
	n.header = r.src[start:r.i]
	r.noted()
	note := r.pending
	indent := 0
	for i := 1; i < len(n.header); i++ {
		if d := n.header[i]; d >= '1' && d <= '9' {
			indent = max(parent, 0) + int(d-'0')
		}
	}
	var lines []string
	for r.i < len(r.src) {
		line := r.line()
		text := strings.TrimLeft(line, " ")
		deep := len(line) - len(text)
		if text != "" {
			if indent == 0 {
				indent = deep
			}
			if deep < indent || deep <= parent {
				break
			}
		}
		lines = append(lines, line[min(max(indent, 0), len(line)):])
		r.i += len(line)
		if r.i < len(r.src) {
			r.i++
		}
	}
	// Blank lines at the end count only with "+"; else they stand between this entry and the next.
	last := len(lines)
	for last > 0 && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	if !strings.Contains(n.header, "+") {
		if last < len(lines) {
			note = append(note, remark{})
		}
		lines = lines[:last]
	}
	n.lines, r.pending = lines, note
	return n
}
