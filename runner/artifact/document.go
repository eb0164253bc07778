package artifact

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/steps"
)

// maxText bounds what is read into memory to be looked at.
const maxText = 64 << 20

var (
	pageTree  = regexp.MustCompile(`/Type\s*/Pages\b`)
	pageCount = regexp.MustCompile(`/Count\s+(\d+)`)
	onePage   = regexp.MustCompile(`/Type\s*/Page\b`)
	objects   = regexp.MustCompile(`/Type\s*/ObjStm\b`)
	startxref = regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`)
)

// document checks the frame of a PDF: its end, the place of its index, and the tree of its pages, which gives their number.
// The pages themselves are not drawn.
func document(a *steps.Artifact, r io.Reader, size int64) {
	if size > maxText {
		a.State, a.Error = steps.Unverified, "is too large to be looked at"
		return
	}
	text, err := io.ReadAll(r)
	if err != nil {
		bad(a, "cannot be read back: "+err.Error())
		return
	}
	end := startxref.FindSubmatch(text[max(0, len(text)-1024):])
	if end == nil {
		bad(a, "is cut off: it has no end mark")
		return
	}
	if at, err := strconv.ParseInt(string(end[1]), 10, 64); err != nil || at <= 0 || at >= size {
		bad(a, "is damaged: its index is not where it says")
		return
	}
	a.Pages = pages(text)
	for _, packed := range unpacked(text) {
		a.Pages = max(a.Pages, pages(packed))
	}
	if a.Pages == 0 {
		a.State, a.Error = steps.Unverified, "has pages in a form that cannot be counted"
	}
}

// pages counts the pages that objects tell of: the root of the tree has the highest count.
func pages(text []byte) int {
	n := 0
	for _, at := range pageTree.FindAllIndex(text, -1) {
		from := max(bytes.LastIndex(text[:at[0]], []byte("<<")), 0)
		to := len(text)
		if i := bytes.Index(text[at[1]:], []byte("endobj")); i >= 0 {
			to = at[1] + i
		}
		if m := pageCount.FindSubmatch(text[from:to]); m != nil {
			if count, err := strconv.Atoi(string(m[1])); err == nil {
				n = max(n, count)
			}
		}
	}
	if n == 0 {
		n = len(onePage.FindAllIndex(text, -1))
	}
	return n
}

// unpacked gives the content of streams that hold objects.
func unpacked(text []byte) [][]byte {
	var out [][]byte
	for _, at := range objects.FindAllIndex(text, -1) {
		i := bytes.Index(text[at[1]:], []byte("stream"))
		if i < 0 {
			continue
		}
		body := bytes.TrimLeft(text[at[1]+i+len("stream"):], "\r\n")
		z, err := zlib.NewReader(bytes.NewReader(body))
		if err != nil {
			continue
		}
		if b, err := io.ReadAll(io.LimitReader(z, maxText)); err == nil || len(b) > 0 {
			out = append(out, b)
		}
	}
	return out
}

func cutOff(a *steps.Artifact, have, want int64) {
	bad(a, fmt.Sprintf("is cut off: %d of %d bytes", have, want))
}
