package code

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ChildArg is argv[1] of the child mode that runs [ChildMain]; cmd/checkrow recognises it before anything else.
const ChildArg = "checkrow:cell"

// The pipe carries a line of JSON for each message. The runner begins with a start and answers each call; the child
// sends calls, what is emitted and logged, and an end.
type (
	// start is what the child needs to begin.
	start struct {
		Source string         `json:"source"`
		Inputs map[string]any `json:"inputs"`
		Limit  int64          `json:"limit"` // milliseconds; 0: the runner alone ends it
		Calls  int            `json:"calls"`
	}
	// answer is that of a call.
	answer struct {
		ID     int             `json:"id"`
		Value  json.RawMessage `json:"value,omitempty"`
		Reject string          `json:"reject,omitempty"`
	}
	// message is one of the child: one of its fields is set.
	message struct {
		Call  *callMessage    `json:"call,omitempty"`
		Emit  json.RawMessage `json:"emit,omitempty"`
		Image *callMessage    `json:"image,omitempty"`
		Log   *string         `json:"log,omitempty"`
		End   *endMessage     `json:"end,omitempty"`
	}
	// callMessage asks for a row, or for an image of one.
	callMessage struct {
		ID   int             `json:"id"`
		Arg  json.RawMessage `json:"arg"`
		Line int             `json:"line,omitempty"`
		Col  int             `json:"col,omitempty"`
	}
	// endMessage is the last: a value, or what went wrong.
	endMessage struct {
		Value json.RawMessage `json:"value,omitempty"`
		Sub   string          `json:"sub,omitempty"` // of a failure
		Error string          `json:"error,omitempty"`
		Line  int             `json:"line,omitempty"`
		Col   int             `json:"col,omitempty"`
	}
)

// The subs of what can go wrong in a cell.
const (
	subScript  = "script-error"
	subSyntax  = "syntax"
	subTimeout = "timeout"
	subCalls   = "call-limit"
	subSize    = "size-limit"
	subMemory  = "memory-limit"
	subStuck   = "never-settles"
)

// errTooLong is the error of a message that is longer than the pipe takes.
var errTooLong = errors.New("a message is longer than " + fmt.Sprint(maxMessage) + " bytes")

// wire reads and writes messages and counts their bytes.
type wire struct {
	in *bufio.Reader

	mu    sync.Mutex
	out   io.Writer
	bytes int
}

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{in: bufio.NewReaderSize(in, 32<<10), out: out}
}

// send writes one message; errTooLong writes nothing.
func (w *wire) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	if len(b) > maxMessage {
		return errTooLong
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes += len(b)
	if _, err := w.out.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("writing to the pipe: %w", err)
	}
	return nil
}

// receive reads one message; io.EOF says that the other side has gone.
func (w *wire) receive(v any) error {
	var line []byte
	for {
		part, err := w.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxMessage+1 {
			return errTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return io.EOF
		}
		break
	}
	w.mu.Lock()
	w.bytes += len(line)
	w.mu.Unlock()
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("reading a message: %w", err)
	}
	return nil
}

// traffic is how many bytes went both ways.
func (w *wire) traffic() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bytes
}
