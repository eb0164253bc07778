package artifact

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/steps"
)

// maxPixels bounds what is decoded: a file that claims more is kept and not verified.
const maxPixels = 100 << 20

// check tells what a written file is: fresh, of which type, decodable, blank, and its digest.
func (s *Store) check(tmp temporary, rel string) (steps.Artifact, error) {
	a := steps.Artifact{Path: rel, Kind: kindOf(rel), State: steps.Saved}
	info, err := s.root.Lstat(filepath.FromSlash(tmp.name))
	if err != nil {
		a.State, a.Error = steps.Missing, "the row wrote no file"
		return a, nil
	}
	switch {
	case !info.Mode().IsRegular():
		return a, errors.New("what was written is no regular file")
	case info.Size() == 0:
		a.State, a.Error = steps.Missing, "the row wrote nothing"
		return a, nil
	case links(info) > 1:
		return a, errors.New("what was written has a second name: it is a hard link")
	}
	file, err := s.root.Open(filepath.FromSlash(tmp.name))
	if err != nil {
		return a, fmt.Errorf("reading it back: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err != nil {
		return a, fmt.Errorf("reading it back: %w", err)
	}
	a.Bytes, a.SHA256 = n, hex.EncodeToString(sum.Sum(nil))
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return a, fmt.Errorf("reading it back: %w", err)
	}
	describe(&a, file, n)
	return a, nil
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

// describe finds the media type by content and decodes what can be decoded. A suffix that promises another type is a
// fault: a PNG under a JPEG's name fools every viewer.
func describe(a *steps.Artifact, r io.ReadSeeker, size int64) {
	head := make([]byte, 64)
	n, _ := io.ReadFull(r, head)
	head = head[:n]
	_, _ = r.Seek(0, io.SeekStart)
	a.Type = sniff(head, a.Path)
	switch a.Type {
	case "image/png":
		info, err := readPNG(r)
		if err != nil {
			bad(a, err.Error())
			break
		}
		a.Width, a.Height = info.width, info.height
		if _, err := r.Seek(0, io.SeekStart); err == nil && info.plain() {
			decode(a, r)
		}
	case "image/jpeg", "image/gif":
		decode(a, r)
	case "image/webp":
		// The format has no decoder in the standard library: its frame is checked, its pixels are not.
		a.State = steps.Unverified
		if want := int64(binary.LittleEndian.Uint32(head[4:8])) + 8; want > size {
			bad(a, fmt.Sprintf("is cut off: %d of %d bytes", size, want))
		}
	case "application/json":
		if !json.Valid(readAll(r, size)) {
			bad(a, "is no valid JSON")
		}
	case "text/plain":
		if !validText(r) {
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
	case bytes.HasPrefix(head, []byte("\x1a\x45\xdf\xa3")):
		return "video/webm"
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return "video/mp4"
	case strings.EqualFold(path.Ext(name), ".json"), strings.EqualFold(path.Ext(name), ".har"):
		return "application/json"
	}
	return "text/plain"
}

// typeOfSuffix is the type that a suffix promises, or "" if it promises none.
func typeOfSuffix(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".gif":
		return "image/gif"
	case ".webp":
		return "image/webp"
	case ".pdf":
		return "application/pdf"
	case ".webm":
		return "video/webm"
	case ".mp4":
		return "video/mp4"
	case ".zip":
		return "application/zip"
	}
	return ""
}

// decode reads an image whole: a cut-off one fails here and nowhere else.
func decode(a *steps.Artifact, r io.ReadSeeker) {
	config, _, err := image.DecodeConfig(bufio.NewReader(r))
	if err != nil {
		bad(a, "does not decode: "+err.Error())
		return
	}
	a.Width, a.Height = config.Width, config.Height
	if int64(config.Width)*int64(config.Height) > maxPixels {
		a.State, a.Error = steps.Unverified, "has too many pixels to decode"
		return
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		bad(a, "cannot be read back: "+err.Error())
		return
	}
	whole := bufio.NewReader(r)
	var img image.Image
	switch a.Type {
	case "image/png":
		img, err = png.Decode(whole)
	case "image/jpeg":
		img, err = jpeg.Decode(whole)
	default:
		img, err = gif.Decode(whole)
	}
	if err != nil {
		bad(a, "does not decode: "+err.Error())
		return
	}
	a.Blank = blank(img)
}

// blank tells that all pixels have one colour.
func blank(img image.Image) bool {
	switch m := img.(type) {
	case *image.NRGBA:
		return uniform(m.Pix, m.Stride, m.Rect, 4)
	case *image.RGBA:
		return uniform(m.Pix, m.Stride, m.Rect, 4)
	case *image.Gray:
		return uniform(m.Pix, m.Stride, m.Rect, 1)
	case *image.Paletted:
		return uniform(m.Pix, m.Stride, m.Rect, 1)
	}
	b := img.Bounds()
	first := img.At(b.Min.X, b.Min.Y)
	r, g, bl, al := first.RGBA()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r2, g2, b2, a2 := img.At(x, y).RGBA(); r2 != r || g2 != g || b2 != bl || a2 != al {
				return false
			}
		}
	}
	return true
}

func uniform(pix []byte, stride int, rect image.Rectangle, size int) bool {
	width := rect.Dx() * size
	if width == 0 || rect.Dy() == 0 {
		return true
	}
	first := pix[:width]
	if !bytes.Equal(first[size:], first[:width-size]) {
		return false
	}
	for y := 1; y < rect.Dy(); y++ {
		if !bytes.Equal(pix[y*stride:y*stride+width], first) {
			return false
		}
	}
	return true
}

func readAll(r io.Reader, size int64) []byte {
	b, err := io.ReadAll(io.LimitReader(r, min(size, 64<<20)))
	if err != nil {
		return nil
	}
	return b
}

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
