package redact

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const (
	// maxUnpacked bounds what an archive may hold to be searched: it can be a bomb.
	maxUnpacked = 1 << 30
	// maxMember bounds one file of it, which is held in memory.
	maxMember = 256 << 20
	// maxNested is how deep archives in archives are searched.
	maxNested = 3
)

var errTooMuch = errors.New("it unpacks to more than can be searched for secrets")

// archive hides secrets in the files of a zip. Files without one are copied as they are; the archive itself comes back if
// there is none in it.
func (s search) archive(content []byte, depth int) ([]byte, error) {
	mask := s.mask
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return content, nil // it is no archive, whatever it begins with: the check says so
	}
	trace := false
	for _, f := range z.File {
		trace = trace || traced(f.Name)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	changed, left := false, int64(maxUnpacked)
	for _, f := range z.File {
		text, n, err := member(f, left)
		if err != nil {
			if trace || errors.Is(err, errTooMuch) {
				return nil, fmt.Errorf("reading %q: %w", f.Name, err)
			}
			return content, nil // encrypted or damaged: nothing can be read in it
		}
		left -= n
		clean, err := s.file(f.Name, text, trace, depth)
		if err != nil {
			return nil, fmt.Errorf("searching %q: %w", f.Name, err)
		}
		did, err := put(w, f, text, clean, mask)
		if err != nil {
			return nil, fmt.Errorf("writing %q: %w", f.Name, err)
		}
		changed = changed || did
	}
	if mask != nil {
		comment := string(mask([]byte(z.Comment)))
		changed = changed || comment != z.Comment
		if err := w.SetComment(comment); err != nil {
			return nil, fmt.Errorf("writing the comment: %w", err)
		}
	}
	if !changed {
		return content, nil
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("writing the archive: %w", err)
	}
	return out.Bytes(), nil
}

// member unpacks one file of an archive.
func member(f *zip.File, left int64) ([]byte, int64, error) {
	if f.Flags&1 != 0 {
		return nil, 0, errors.New("it is encrypted")
	}
	in, err := f.Open()
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	limit := min(left, maxMember)
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, 0, err
	}
	if int64(len(text)) > limit {
		return nil, 0, errTooMuch
	}
	return text, int64(len(text)), nil
}

// file hides secrets in one file of an archive. In a trace credentials are hidden that nobody declared, too.
func (s search) file(name string, text []byte, trace bool, depth int) ([]byte, error) {
	mask := s.mask
	switch kind := http.DetectContentType(text); {
	case strings.HasPrefix(kind, "image/"), strings.HasPrefix(kind, "video/"), strings.HasPrefix(kind, "audio/"), strings.HasPrefix(kind, "font/"):
		return text, nil
	case bytes.HasPrefix(text, []byte("PK\x03\x04")) && depth < maxNested:
		return s.archive(text, depth+1)
	case gzipped(text) && depth < maxNested:
		return s.unzip(name, text, depth+1)
	case tarred(text):
		return s.nested(text, depth)
	case !trace, s.declared:
		return maskJSON(text, mask), nil
	case strings.HasSuffix(name, ".trace"), strings.HasSuffix(name, ".network"), strings.HasSuffix(name, ".stacks"):
		var out []byte
		for line := range bytes.Lines(text) {
			end := bytes.TrimRight(line, "\r\n")
			clean, _ := JSON(end)
			if mask != nil {
				clean = maskJSON(clean, mask)
			}
			// a line of JSON must stay one line
			out = append(append(out, bytes.TrimSpace(bytes.ReplaceAll(clean, []byte("\n"), nil))...), line[len(end):]...)
		}
		if bytes.Equal(out, text) {
			return text, nil
		}
		return out, nil
	}
	return body(text, mask), nil
}

// nested hides secrets in a tar of an archive. One that lies too deep is refused if a secret stands in it: what it holds
// cannot change its length without its headers.
func (s search) nested(text []byte, depth int) ([]byte, error) {
	if depth < maxNested {
		return s.untar(text, depth+1)
	}
	if s.mask != nil && !bytes.Equal(s.mask(text), text) {
		return nil, errors.New("a secret stands in a tar that lies too deep")
	}
	return text, nil
}

// put writes a file to the archive: as it is, if nothing was hidden in it.
func put(w *zip.Writer, f *zip.File, text, clean []byte, mask Mask) (changed bool, err error) {
	name, comment := f.Name, f.Comment
	if mask != nil {
		name, comment = string(mask([]byte(name))), string(mask([]byte(comment)))
	}
	if name == f.Name && comment == f.Comment && bytes.Equal(text, clean) {
		return false, w.Copy(f)
	}
	head := f.FileHeader
	head.Name, head.Comment = name, comment
	head.Extra = nil
	to, err := w.CreateHeader(&head)
	if err != nil {
		return true, err
	}
	_, err = to.Write(clean)
	return true, err
}
