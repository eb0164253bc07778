package proc

import (
	"bytes"
	"fmt"
	"sync"
)

// Limits on output.
const (
	defaultLimit = 1 << 20
	maxLine      = 64 << 10
)

// capture keeps the first and the last half of a stream, whatever comes between is counted; and it cuts the stream into
// lines for a callback. Its memory is bounded by the limit and one line, however much is written.
type capture struct {
	half    int
	head    []byte
	ring    []byte // the tail, once the head is full; next is the oldest byte when it is full
	next    int
	full    bool
	dropped int

	line func(string)
	part []byte // the begun line
	over bool   // the begun line is past maxLine: the rest of it is not passed on
}

// newCapture keeps limit bytes; line may be nil.
func newCapture(limit int, line func(string)) *capture {
	if limit <= 0 {
		limit = defaultLimit
	}
	return &capture{half: (limit + 1) / 2, line: line}
}

// add takes what was read.
func (c *capture) add(b []byte) {
	if c.line != nil {
		c.split(b)
	}
	if room := c.half - len(c.head); room > 0 {
		n := min(room, len(b))
		c.head = append(c.head, b[:n]...)
		b = b[n:]
	}
	if len(b) == 0 {
		return
	}
	if c.ring == nil {
		c.ring = make([]byte, 0, min(c.half, 4096))
	}
	if over := len(b) - c.half; over > 0 { // only the end of it can stay
		c.dropped += over
		b = b[over:]
	}
	if !c.full {
		n := min(c.half-len(c.ring), len(b))
		c.ring = append(c.ring, b[:n]...)
		b = b[n:]
		c.full = len(c.ring) == c.half
	}
	c.dropped += len(b)
	for len(b) > 0 {
		n := copy(c.ring[c.next:], b)
		c.next = (c.next + n) % c.half
		b = b[n:]
	}
}

// split passes whole lines on.
func (c *capture) split(b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		chunk, rest := b, []byte(nil)
		if i >= 0 {
			chunk, rest = b[:i], b[i+1:]
		}
		if room := maxLine - len(c.part); room > 0 && !c.over {
			c.part = append(c.part, chunk[:min(room, len(chunk))]...)
		}
		c.over = len(c.part) >= maxLine
		if i >= 0 {
			c.flush()
		}
		b = rest
	}
}

// flush passes the begun line on, without a carriage return at its end.
func (c *capture) flush() {
	c.line(string(bytes.TrimSuffix(c.part, []byte("\r"))))
	c.part, c.over = c.part[:0], false
}

// end passes on a last line without a newline.
func (c *capture) end() {
	if c.line != nil && (len(c.part) > 0 || c.over) {
		c.flush()
	}
}

// bytes is what was kept. Where something was dropped a line says so, and both sides of the gap are cut back to whole
// lines if one ends near: half a line misleads, and half a secret would not be recognised as one.
func (c *capture) bytes() []byte {
	if c.ring == nil {
		return c.head
	}
	tail := append(append(make([]byte, 0, len(c.ring)), c.ring[c.next:]...), c.ring[:c.next]...)
	if c.dropped == 0 {
		return append(c.head, tail...)
	}
	if i := bytes.LastIndexByte(c.head, '\n'); i >= 0 && len(c.head)-i <= maxLine {
		c.dropped += len(c.head) - i - 1
		c.head = c.head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i <= maxLine {
		c.dropped += i + 1
		tail = tail[i+1:]
	}
	out := append(c.head, fmt.Sprintf("\n... %d bytes dropped ...\n", c.dropped)...)
	return append(out, tail...)
}

// readBuffers are handed on from process to process; one that says nothing takes none.
var readBuffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}
