package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The bounds of a message: an editor sends whole files, and a file of checkrow has at most 4 MB.
const (
	maxBody   = 64 << 20
	maxHeader = 4 << 10 // of all header lines of one message
)

// errFrame is a message that does not begin as the protocol says.
var errFrame = errors.New("no Content-Length header, or one that cannot be")

// reader takes messages apart: header lines, an empty line, and as many bytes as Content-Length says.
type reader struct{ in *bufio.Reader }

func newReader(in io.Reader) *reader { return &reader{bufio.NewReaderSize(in, maxHeader)} }

// next gives the body of the next message; io.EOF between messages is the end.
func (r *reader) next() ([]byte, error) {
	length, read := -1, 0
	for {
		line, err := r.in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && read == 0 && len(line) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil: // also a line that is longer than all may be
			return nil, fmt.Errorf("%w: %w", errFrame, err)
		}
		if read += len(line); read > maxHeader {
			return nil, errFrame
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, errFrame
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
			if err != nil || n > maxBody || length >= 0 && uint64(length) != n {
				return nil, errFrame
			}
			length = int(n)
		}
	}
	if length < 0 {
		return nil, errFrame
	}
	// What is announced is not what comes: memory is taken as the bytes do.
	body, err := io.ReadAll(io.LimitReader(r.in, int64(length)))
	if err == nil && len(body) < length {
		err = io.ErrUnexpectedEOF
	}
	return body, err
}

// writeFrame writes one message at once.
func writeFrame(out io.Writer, body []byte) error {
	frame := fmt.Appendf(make([]byte, 0, len(body)+32), "Content-Length: %d\r\n\r\n", len(body))
	if _, err := out.Write(append(frame, body...)); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}
