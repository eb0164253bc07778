package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/checkrow/checkrow/steps"
)

// check tells what a written file is: fresh, of which type, whole, blank, and its digest. What is no longer a file of its
// own is an error.
func (p place) check(tmp temporary) (steps.Artifact, error) {
	a := steps.Artifact{Path: p.show, Kind: kindOf(p.show), State: steps.Saved}
	info, err := p.root.Lstat(filepath.FromSlash(tmp.name))
	if err != nil {
		p.nothing(&a, tmp, "wrote no file: "+cause(err).Error())
		return a, nil
	}
	switch {
	case !info.Mode().IsRegular():
		return a, errors.New("what was written is no regular file")
	case info.Size() == 0:
		p.nothing(&a, tmp, "wrote nothing")
		return a, nil
	case links(info) > 1:
		return a, errors.New("what was written has a second name: it is a hard link")
	case info.ModTime().Before(tmp.oldest(time.Now())):
		a.State, a.Error = steps.Stale, "what lies there is older than the row"
		return a, nil
	}
	return a, p.read(&a, tmp.name, false)
}

// nothing says that a row wrote nothing. A file that lies at the destination all the same is one of an earlier try, or of
// an earlier run.
func (p place) nothing(a *steps.Artifact, tmp temporary, what string) {
	a.State, a.Error = steps.Missing, "the row "+what
	if before := tmp.before; before != nil {
		a.State, a.Error = steps.Stale, "the row "+what+"; what lies there was written before it"
	}
}

// read fills in type, size, digest and what the content says. thorough decodes what else its checksums vouch for.
func (p place) read(a *steps.Artifact, name string, thorough bool) error {
	file, err := p.root.Open(filepath.FromSlash(name))
	if err != nil {
		return fmt.Errorf("reading it back: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err != nil {
		return fmt.Errorf("reading it back: %w", err)
	}
	a.Bytes, a.SHA256 = n, hex.EncodeToString(sum.Sum(nil))
	describe(a, file, n, thorough)
	return nil
}

// kindOf guesses what a file is for from its suffix.
func kindOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".webp", ".gif":
		return "screenshot"
	case ".yaml", ".yml":
		return "snapshot"
	case ".txt", ".log":
		return "text"
	case ".json":
		return "data"
	case ".pdf":
		return "pdf"
	case ".webm", ".mp4":
		return "video"
	case ".har":
		return "har"
	}
	return "file"
}

// describe finds the media type by content and checks what can be checked. A suffix that promises another type is a fault:
// a PNG under a JPEG's name fools every viewer.
func describe(a *steps.Artifact, file *os.File, size int64, thorough bool) {
	head := make([]byte, tarHeader)
	n, _ := file.ReadAt(head, 0)
	head = head[:n]
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		bad(a, "cannot be read back: "+err.Error())
		return
	}
	a.Type = sniff(head, a.Path)
	switch a.Type {
	case "image/png":
		picturePNG(a, file, thorough)
	case "image/jpeg", "image/gif":
		decode(a, file)
	case "image/webp":
		pictureWebP(a, file, head, size)
	case "application/pdf":
		document(a, file, size)
	case "application/zip":
		archive(a, file, size)
	case "video/webm", "video/mp4":
		video(a, file, size)
	case "application/json":
		structured(a, file)
	case "text/plain":
		if !validText(file) {
			a.Type = "application/octet-stream"
		}
	}
	if want := typeOfSuffix(a.Path); want != "" && want != a.Type && a.State != steps.Invalid {
		bad(a, "is "+a.Type+", not "+want+" as its name says")
	}
}

func bad(a *steps.Artifact, why string) { a.State, a.Error = steps.Invalid, why }

// sniff gives the media type by content.
func sniff(head []byte, name string) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return "image/gif"
	case len(head) >= 12 && bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WEBP":
		return "image/webp"
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return "application/pdf"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "application/zip"
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return "application/gzip"
	case bytes.HasPrefix(head, []byte("\x1a\x45\xdf\xa3")):
		return "video/webm"
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return "video/mp4"
	case tarred(head):
		return "application/x-tar"
	case strings.EqualFold(path.Ext(name), ".json"), strings.EqualFold(path.Ext(name), ".har"):
		return "application/json"
	}
	return "text/plain"
}

// tarred tells a tar by the checksum of its first header.
func tarred(head []byte) bool {
	if len(head) < tarHeader || head[0] == 0 {
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(head[148:156]), " \x00"), 8, 32)
	sum := int64(8 * ' ')
	for _, part := range [][]byte{head[:148], head[156:tarHeader]} {
		for _, c := range part {
			sum += int64(c)
		}
	}
	return err == nil && sum == want
}

// tarHeader is the length of a header of a tar.
const tarHeader = 512

// suffixes are the media types that a suffix promises.
var suffixes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".webp": "image/webp", ".pdf": "application/pdf", ".webm": "video/webm", ".mp4": "video/mp4", ".zip": "application/zip"}

// typeOfSuffix is the type that a suffix promises, or "" if it promises none.
func typeOfSuffix(name string) string { return suffixes[strings.ToLower(path.Ext(name))] }

// validText tells that a file is UTF-8 without NUL.
func validText(r io.Reader) bool {
	buf := make([]byte, 64<<10)
	rest := 0
	for {
		n, err := r.Read(buf[rest:])
		chunk := buf[:rest+n]
		if bytes.IndexByte(chunk, 0) >= 0 {
			return false
		}
		end := len(chunk)
		if err == nil {
			for back := 1; back < utf8.UTFMax && back <= end; back++ {
				if utf8.RuneStart(chunk[end-back]) {
					if !utf8.FullRune(chunk[end-back:]) {
						end -= back
					}
					break
				}
			}
		}
		if !utf8.Valid(chunk[:end]) {
			return false
		}
		rest = copy(buf, chunk[end:])
		if err != nil {
			return err == io.EOF
		}
	}
}

// cause strips the path that the caller names already.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
