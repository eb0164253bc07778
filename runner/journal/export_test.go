package journal

import "io"

// File is what the writer needs of a file, for tests with a disk that fails.
type File = file

// NewWriter is a writer over any file.
func NewWriter(f File, m Masker, observe func(Event, *State)) *Writer {
	return newWriter(f, "journal.jsonl", m, observe)
}

// Fold is Load of any reader.
func Fold(r io.Reader) (*State, error) { return fold(r, "journal.jsonl", nil) }
