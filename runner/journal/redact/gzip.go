package redact

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// gzipped tells a gzip file.
func gzipped(b []byte) bool { return bytes.HasPrefix(b, []byte("\x1f\x8b\x08")) }

// unzip hides secrets in what a gzip file holds; it comes back itself if there is none. One that is cut off or damaged is
// refused if a secret stands in what can still be read of it.
func (s search) unzip(name string, content []byte, depth int) ([]byte, error) {
	mask := s.mask
	in, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return content, nil // it is none, whatever it begins with
	}
	head := in.Header
	text, err := io.ReadAll(io.LimitReader(in, maxMember+1))
	if len(text) > maxMember {
		return nil, errTooMuch
	}
	inner := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".GZ")
	clean, failed := s.file(inner, text, traced(inner), depth)
	if failed != nil {
		return nil, fmt.Errorf("searching what it holds: %w", failed)
	}
	if mask != nil {
		head.Name, head.Comment = string(mask([]byte(head.Name))), string(mask([]byte(head.Comment)))
	}
	switch {
	case bytes.Equal(clean, text) && head.Name == in.Name && head.Comment == in.Comment:
		return content, nil
	case err != nil:
		return nil, fmt.Errorf("a secret stands in it, and it cannot be written anew: %w", err)
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Header = head
	if _, err := w.Write(clean); err != nil {
		return nil, fmt.Errorf("writing it: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("writing it: %w", err)
	}
	return out.Bytes(), nil
}
