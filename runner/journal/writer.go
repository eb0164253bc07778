package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// FileName is the name of the journal in a run folder.
const FileName = "journal.jsonl"

// flushAt is how many bytes of buffered lines are kept before they are written anyway.
const flushAt = 64 << 10

// Masker replaces secrets in text: a line of JSON or one string of it. It gives its argument back, the same slice, if
// there is nothing to replace, and never changes it.
type Masker interface{ Mask([]byte) []byte }

// file is what the writer needs of *os.File.
type file interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// WriteError says that the journal could not be written, most often because the disk is full. Whatever was appended
// before Offset is whole; nothing is appended any more, so a run must end (exit 3).
type WriteError struct {
	Path   string
	Offset int64
	Err    error
}

// Error names the file and the cause.
func (e *WriteError) Error() string {
	return fmt.Sprintf("writing %q: %v (the first %d bytes are intact, nothing more is recorded)", e.Path, e.Err, e.Offset)
}

// Unwrap gives the cause: ENOSPC, EFBIG, EIO …
func (e *WriteError) Unwrap() error { return e.Err }

// Writer appends events to RUN/journal.jsonl: mask -> append -> fold -> observers. It is safe for many goroutines.
type Writer struct {
	path    string
	mask    Masker
	observe func(Event, *State)
	began   time.Time // by the wall clock; from there on only the monotonic one counts

	mu     sync.Mutex // guards all below
	f      file
	good   int64        // bytes of whole lines in the file
	buf    bytes.Buffer // lines not yet written
	seq    uint64
	state  *State
	failed error
	closed bool
	names  *names   // masked identities, if the plan holds a secret
	queue  []queued // appended, not yet observed
	synced uint64   // every event up to it is on disk

	spent  spent
	syncMu sync.Mutex // held while syncing; those who wait for it share the next sync
}

// queued is an event that its observers have not seen. One that must be on disk waits for its sync, and those behind it
// wait too: a report is never ahead of the journal (DECISIONS 8).
type queued struct {
	event Event
	disk  bool
}

// Create makes RUN/journal.jsonl in dir; it must not exist. observe is called for each event after it was appended and
// folded, one at a time and in order, with the masked event; it may be nil. It runs under the writer's lock, so it must
// not call the writer. While an event of another goroutine waits for its sync, the State may be ahead of the event.
func Create(dir string, m Masker, observe func(Event, *State)) (*Writer, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the journal: %w", err)
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("creating the journal: %w", err), f.Close())
	}
	if d, err := os.Open(dir); err == nil { // the name must survive a power cut as well; where that cannot be, it is no error
		_ = d.Sync()
		_ = d.Close()
	}
	return newWriter(f, path, m, observe), nil
}

func newWriter(f file, path string, m Masker, observe func(Event, *State)) *Writer {
	return &Writer{path: path, mask: m, observe: observe, began: time.Now(), f: f, state: NewState()}
}

// Append writes e and returns when it has the durability asked for. Seq and At are filled in. After a write error (disk
// full) it truncates the torn line and every later Append returns the same error. What e points at must not be changed
// afterwards: the fold keeps it.
func (w *Writer) Append(e Event, d Durability) error {
	wait, err := w.Begin(e, d)
	if err != nil {
		return err
	}
	return wait()
}

// Begin is Append in two parts, for whoever need not wait for the disk: when it returns, e is in the journal, behind all that
// was appended before, and with the kernel if it is to be on disk. wait brings it there and tells the observers; it must be
// called.
func (w *Writer) Begin(e Event, d Durability) (wait func() error, err error) {
	start := time.Now()
	l := newLine()
	defer l.release()
	body, known, err := l.body(e.Body, w.mask)
	if err != nil {
		return nil, fmt.Errorf("encoding a %q event: %w", e.Body.Kind(), err)
	}
	e.Body = body
	w.mu.Lock()
	defer w.mu.Unlock()
	defer since(&w.spent.append, start)
	if known != nil {
		w.names = known
	}
	if err := w.append(&e, l, d); err != nil {
		return nil, err
	}
	if d != Disk {
		w.deliver()
		return func() error { return nil }, nil
	}
	seq := e.Seq
	return func() error {
		err := w.sync(seq)
		w.mu.Lock()
		defer w.mu.Unlock()
		defer since(&w.spent.append, time.Now())
		w.deliver()
		return err
	}, nil
}

// append does what must be done under the lock, except observing.
func (w *Writer) append(e *Event, l *line, d Durability) error {
	if w.closed {
		return fmt.Errorf("appending to %q: %w", w.path, fs.ErrClosed)
	}
	if w.failed != nil {
		return w.failed
	}
	w.identify(e)
	e.Seq, e.At = w.seq+1, w.now()
	if err := w.state.check(*e); err != nil {
		return fmt.Errorf("appending a %q event: %w", e.Body.Kind(), err)
	}
	l.encode(*e)
	w.buf.Write(l.bytes())
	if d >= Kernel || w.buf.Len() >= flushAt {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.seq = e.Seq
	w.state.apply(*e)
	w.queue = append(w.queue, queued{*e, d == Disk})
	return nil
}

// now does not jump when somebody sets the clock: the times of a journal go back in no life.
func (w *Writer) now() time.Time {
	return w.began.Add(time.Since(w.began)).UTC().Truncate(time.Microsecond)
}

// flush writes the buffered lines in one call. On a short write the file is cut back to its last whole line.
func (w *Writer) flush() error {
	n, err := w.f.Write(w.buf.Bytes())
	if err == nil && n < w.buf.Len() {
		err = io.ErrShortWrite
	}
	if err == nil {
		w.good += int64(n)
		w.buf.Reset()
		return nil
	}
	w.good += int64(bytes.LastIndexByte(w.buf.Bytes()[:n], '\n') + 1)
	if terr := w.f.Truncate(w.good); terr != nil {
		err = errors.Join(err, terr)
	}
	return w.fail(err)
}

func (w *Writer) fail(err error) error {
	w.failed = &WriteError{Path: w.path, Offset: w.good, Err: err}
	return w.failed
}

// sync makes every event up to seq durable. Whoever holds syncMu syncs for all that were written by then.
func (w *Writer) sync(seq uint64) error {
	w.syncMu.Lock()
	defer w.syncMu.Unlock()
	w.mu.Lock()
	upto, done, failed := w.seq, w.synced >= seq, w.failed
	if w.buf.Len() > 0 && failed == nil {
		failed = w.flush()
	}
	w.mu.Unlock()
	if done || failed != nil {
		return failed
	}
	start := time.Now()
	err := w.f.Sync()
	since(&w.spent.sync, start)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		return w.fail(err)
	}
	w.synced = upto
	return nil
}

// deliver tells the observer of what is durable enough, in order. Once the journal has failed nobody will sync again:
// what was written is shown.
func (w *Writer) deliver() {
	n := 0
	for ; n < len(w.queue); n++ {
		q := w.queue[n]
		if q.disk && q.event.Seq > w.synced && w.failed == nil {
			break
		}
		if w.observe != nil {
			w.observe(q.event, w.state)
		}
	}
	w.queue = append(w.queue[:0], w.queue[n:]...)
}

// Read calls fn with the fold so far under the writer's lock. It sees at least what the caller has appended.
func (w *Writer) Read(fn func(*State)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fn(w.state)
}

// GoneError says that the journal is not where it was: its folder was removed or replaced while the run went on.
type GoneError struct{ Path string }

// Error says what cannot be done any more.
func (e *GoneError) Error() string {
	return fmt.Sprintf("%q is gone: its folder was removed while the run went on. The reports tell what is known; the run cannot be resumed, verified or reported again", e.Path)
}

// there tells that the journal has its name yet: what is written to a file without one is lost.
func (w *Writer) there() error {
	f, ok := w.f.(*os.File)
	if !ok {
		return nil
	}
	mine, err := f.Stat()
	if err != nil {
		return fmt.Errorf("looking at %q: %w", w.path, err)
	}
	if now, err := os.Stat(w.path); err != nil || !os.SameFile(mine, now) {
		return &GoneError{w.path}
	}
	return nil
}

// Close syncs and closes the file, and tells whether it is still there. A second call does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	seq, failed := w.seq, w.failed
	w.mu.Unlock()
	var errs []error
	if failed == nil {
		errs = append(errs, w.sync(seq))
	}
	w.syncMu.Lock() // a sync of another goroutine may still use the file
	defer w.syncMu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deliver()
	errs = append(errs, w.there())
	if err := w.f.Close(); err != nil {
		errs = append(errs, fmt.Errorf("closing %q: %w", w.path, err))
	}
	return errors.Join(errs...)
}
