package mask

import (
	"io"
	"sync"
)

// maxHeld bounds what a Writer keeps back; nothing that an encoder writes of a sane secret is longer.
const maxHeld = 1 << 20

// Writer masks a stream, however the secret is cut by the writes. What may be the beginning of a secret is held until
// more comes or until Flush; all else goes on at once, so a log line that something waits for is not delayed.
type Writer struct {
	m    *Masker
	w    io.Writer
	mu   sync.Mutex
	held []byte
}

// NewWriter gives a masking writer before w.
func NewWriter(w io.Writer, m *Masker) *Writer { return &Writer{m: m, w: w} }

// Write masks p and passes it on. It reports len(p) unless the writer behind fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.m.table.Load()
	if t == nil && len(w.held) == 0 {
		return w.w.Write(p)
	}
	w.held = append(w.held, p...)
	out, rest := t.cut(w.held, len(w.held) > maxHeld)
	err := w.pass(out)
	w.held = append(w.held[:0], w.held[rest:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush passes on what was held; call it at the end of the stream.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	out, _ := w.m.table.Load().cut(w.held, true)
	w.held = w.held[:0]
	return w.pass(out)
}

func (w *Writer) pass(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := w.w.Write(b)
	return err
}

// cut masks b as far as it is decided and tells where the undecided rest begins.
func (t *table) cut(b []byte, final bool) (out []byte, rest int) {
	if t == nil {
		return b, len(b)
	}
	last := 0
	for i := 0; i < len(b); {
		r := t.next(b, i, final)
		if r.hold >= 0 {
			return append(out, b[last:max(r.hold, last)]...), max(r.hold, last)
		}
		if !r.found() {
			break
		}
		out = append(out, b[last:max(r.from, last)]...)
		out = append(out, Replacement...)
		last, i = r.to, r.to
	}
	return append(out, b[last:]...), len(b)
}
