package redact

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// block is the unit of a tar: headers are one, contents are padded to full ones.
const block = 512

// tarred tells a tar by the checksum of its first header, which old ones without a magic word have too.
func tarred(b []byte) bool {
	if len(b) < block || b[0] == 0 {
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(b[148:156]), " \x00"), 8, 32)
	if err != nil {
		return false
	}
	sum := int64(0)
	for i, c := range b[:block] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}

// untar hides secrets in the files of a tar and in what its headers say. The tar itself comes back if there is none in it.
// One that is cut off or damaged, or of a form that cannot be written anew, is refused if a secret stands in it.
func (s search) untar(content []byte, depth int) ([]byte, error) {
	r := tar.NewReader(bytes.NewReader(content))
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	var broken error // of what is read, or of what is written
	changed, left := false, int64(maxUnpacked)
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			broken = err
			break
		}
		text, err := io.ReadAll(io.LimitReader(r, min(left, maxMember)+1))
		if int64(len(text)) > min(left, maxMember) {
			return nil, fmt.Errorf("reading %q: %w", head.Name, errTooMuch)
		}
		left -= int64(len(text))
		clean, failed := s.file(head.Name, text, traced(head.Name), depth)
		if failed != nil {
			return nil, fmt.Errorf("searching %q: %w", head.Name, failed)
		}
		changed = s.header(head) || changed || !bytes.Equal(clean, text)
		if err != nil {
			broken = err
			break
		}
		if broken == nil {
			broken = entry(w, head, clean)
		}
	}
	if broken == nil {
		broken = w.Close()
	}
	switch {
	case broken == nil && changed:
		return out.Bytes(), nil
	case changed, broken != nil && s.mask != nil && !bytes.Equal(s.mask(content), content):
		return nil, fmt.Errorf("a secret stands in it, and it cannot be written anew: %w", broken)
	}
	return content, nil
}

// traced tells a file of a trace by its name.
func traced(name string) bool {
	return strings.HasSuffix(name, ".trace") || strings.HasSuffix(name, ".network")
}

// header hides secrets in the texts of a header.
func (s search) header(h *tar.Header) (changed bool) {
	if s.mask == nil {
		return false
	}
	hide := func(text string) string {
		clean := string(s.mask([]byte(text)))
		changed = changed || clean != text
		return clean
	}
	for _, field := range []*string{&h.Name, &h.Linkname, &h.Uname, &h.Gname} {
		*field = hide(*field)
	}
	for _, k := range slices.Sorted(maps.Keys(h.PAXRecords)) {
		h.PAXRecords[k] = hide(h.PAXRecords[k])
	}
	return changed
}

// entry writes a file of a tar with the content that it has now.
func entry(w *tar.Writer, h *tar.Header, text []byte) error {
	if h.Typeflag == tar.TypeReg || len(text) > 0 {
		h.Size = int64(len(text))
	}
	for _, k := range []string{"path", "linkpath", "size", "uname", "gname"} { // the writer makes them of the fields
		delete(h.PAXRecords, k)
	}
	h.Format = tar.FormatUnknown // a mark instead of a secret may be no ASCII
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err := w.Write(text)
	return err
}
