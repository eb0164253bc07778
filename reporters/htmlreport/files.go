package htmlreport

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/steps"
)

// How much of the artifacts is in the report; the rest are links.
const (
	maxText   = 24 << 10 // of one file
	maxTexts  = 4 << 20  // of all
	maxImage  = 2 << 20
	maxImages = 16 << 20
)

// image is a picture of a failure.
type image struct {
	id, kind string
	data     []byte
}

// files reads artifacts of a run. A file that cannot be read is a link that leads nowhere, and no error: the report says of
// every artifact what the run knew of it.
type files struct {
	root         *os.Root
	texts        map[string]string // of the chunk
	images       []image
	known        map[string]bool // pictures by digest
	texted, seen int             // bytes used
}

func newFiles() *files { return &files{known: map[string]bool{}, texts: map[string]string{}} }

// list gives artifacts, with their contents if they are those of a failure.
func (f *files) list(in []steps.Artifact, whole bool) []artifact {
	var out []artifact
	for _, a := range in {
		d := artifact{Artifact: a}
		if whole && a.State != steps.Missing {
			switch {
			case picture(a.Type):
				d.Image = f.image(a)
			case strings.HasPrefix(a.Type, "text/"):
				d.Text, d.Cut = f.text(a)
			}
		}
		out = append(out, d)
	}
	return out
}

// picture tells which types the page shows; SVG is none of them, as it can hold scripts.
func picture(kind string) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/webp", "image/gif":
		return true
	}
	return false
}

// read gives the first or last bytes of a file.
func (f *files) read(path string, limit int64, tail bool) (data []byte, cut bool) {
	if f.root == nil || path == "" {
		return nil, false
	}
	file, err := f.root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	cut = info.Size() > limit
	if cut && tail {
		if _, err := file.Seek(-limit, io.SeekEnd); err != nil {
			return nil, false
		}
	}
	data, err = io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return nil, false
	}
	return data, cut
}

func (f *files) image(a steps.Artifact) string {
	if a.Bytes > maxImage || a.SHA256 != "" && f.known[short(a.SHA256)] {
		return pick(a.Bytes <= maxImage, short(a.SHA256))
	}
	if f.seen+int(a.Bytes) > maxImages {
		return ""
	}
	data, cut := f.read(a.Path, maxImage, false)
	if len(data) == 0 || cut {
		return ""
	}
	id := digest(data)
	if !f.known[id] {
		f.known[id], f.seen = true, f.seen+len(data)
		f.images = append(f.images, image{id, a.Type, data})
	}
	return id
}

func pick(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}

// text keeps the start of a snapshot and the end of a log.
func (f *files) text(a steps.Artifact) (id string, cut bool) {
	if f.texted > maxTexts {
		return "", false
	}
	data, cut := f.read(a.Path, maxText, a.Kind != "snapshot")
	if len(data) == 0 {
		return "", false
	}
	if cut { // whole lines only
		text := string(data)
		if i := strings.IndexByte(text, '\n'); a.Kind != "snapshot" && i >= 0 {
			text = text[i+1:]
		} else if i := strings.LastIndexByte(text, '\n'); a.Kind == "snapshot" && i >= 0 {
			text = text[:i+1]
		}
		data = []byte(text)
	}
	if !utf8.Valid(data) {
		return "", false
	}
	id = digest(data)
	if _, known := f.texts[id]; !known {
		f.texts[id], f.texted = string(data), f.texted+len(data)
	}
	return id, cut
}

// digest names content as short does by the digest of the artifact.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:12]
}

func short(sum string) string {
	return strings.TrimPrefix(sum, "sha256:")[:min(12, len(strings.TrimPrefix(sum, "sha256:")))]
}
