package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Scrub hides secrets in the content of a file. It is the one gate that every file passes before it is checked, hashed and
// moved in place: text, JSON and HAR of rows, saved results, the evidence of failures, downloads, and archives such as
// traces. media is the type by content, name the destination, which tells a HAR or a trace from others. It gives content
// back, the same slice, if there is nothing to hide; with an error the file is not kept at all.
type Scrub func(media, name string, content []byte) ([]byte, error)

// maxScrub bounds what is read into memory to be scrubbed; what is larger and may hold a secret is not kept.
const maxScrub = 256 << 20

// scrubbed are the media types that can hold a readable secret. Pictures, videos and PDFs are not scrubbed.
var scrubbed = map[string]bool{"text/plain": true, "application/json": true, "application/zip": true,
	"application/gzip": true, "application/x-tar": true}

// scrub lets a file through the gate. It tells whether something in it was hidden.
func (s *Store) scrub(p place, tmp temporary, bare bool) (hidden bool, err error) {
	gate := s.Scrub
	if bare && s.Bare != nil {
		gate = s.Bare
	}
	if gate == nil {
		return false, nil
	}
	name := filepath.FromSlash(tmp.name)
	info, err := p.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || links(info) > 1 {
		return false, nil // which the check tells of
	}
	file, err := p.root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false, fmt.Errorf("reading it back: %w", err)
	}
	defer file.Close()
	head := make([]byte, tarHeader)
	n, _ := file.ReadAt(head, 0)
	media := sniff(head[:n], p.show)
	if !scrubbed[media] || media == "text/plain" && !validText(io.NewSectionReader(file, 0, info.Size())) {
		return false, nil
	}
	if info.Size() > maxScrub {
		return false, errors.New("it is too large to look for secrets in it, and was not kept")
	}
	content, err := io.ReadAll(file)
	if err != nil {
		return false, fmt.Errorf("reading it back: %w", err)
	}
	clean, err := gate(media, p.show, content)
	if err != nil {
		return false, fmt.Errorf("hiding secrets in it, so that it was not kept: %w", err)
	}
	if len(clean) == len(content) && (len(clean) == 0 || &clean[0] == &content[0] || bytes.Equal(clean, content)) {
		return false, nil
	}
	if _, err := file.WriteAt(clean, 0); err != nil {
		return false, fmt.Errorf("writing it without secrets: %w", err)
	}
	if err := file.Truncate(int64(len(clean))); err != nil {
		return false, fmt.Errorf("writing it without secrets: %w", err)
	}
	return true, nil
}
