package artifact

import (
	"bufio"
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/webp"

	"github.com/checkrow/checkrow/steps"
)

// maxPixels bounds what is decoded: a file that claims more is kept and not verified.
const maxPixels = 100 << 20

// format is a kind of picture that can be decoded.
type format struct {
	config func(io.Reader) (image.Config, error)
	whole  func(io.Reader) (image.Image, error)
}

// formats by media type. A GIF is decoded with all its frames; the first is its picture.
var formats = map[string]format{
	"image/png":  {png.DecodeConfig, png.Decode},
	"image/jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"image/webp": {webp.DecodeConfig, webp.Decode},
	"image/gif": {gif.DecodeConfig, func(r io.Reader) (image.Image, error) {
		all, err := gif.DecodeAll(r)
		if err != nil {
			return nil, err
		}
		return all.Image[0], nil
	}},
}

// picturePNG checks a PNG by the checksums of its parts, which a writer that was cut off or a bad disk cannot meet, at a
// hundredth of the cost of decoding it. It is decoded too if it may be of one colour, or if somebody wants to know more.
func picturePNG(a *steps.Artifact, r io.ReadSeeker, thorough bool) {
	info, err := readPNG(r)
	if err != nil {
		bad(a, err.Error())
		return
	}
	a.Width, a.Height = info.width, info.height
	if _, err := r.Seek(0, io.SeekStart); err == nil && (thorough || info.plain()) {
		decode(a, r)
	}
}

// decode reads a picture whole: a cut-off one fails here and nowhere else.
func decode(a *steps.Artifact, r io.ReadSeeker) {
	f := formats[a.Type]
	config, err := f.config(bufio.NewReader(r))
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
	img, err := f.whole(bufio.NewReader(r))
	if err != nil {
		bad(a, "does not decode: "+err.Error())
		return
	}
	a.Blank = blank(img)
}

// pictureWebP decodes a WebP. One that moves has no decoder: its frame is checked, its pixels are not.
func pictureWebP(a *steps.Artifact, r io.ReadSeeker, head []byte, size int64) {
	if want := int64(le32(head[4:8])) + 8; want > size {
		cutOff(a, size, want)
		return
	}
	const moves = 0x02
	if len(head) > 20 && string(head[12:16]) == "VP8X" && head[20]&moves != 0 {
		a.State, a.Error = steps.Unverified, "is an animation, whose pictures are not decoded"
		return
	}
	decode(a, r)
}

func le32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
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
	case *image.YCbCr:
		return flat(m.Y) && flat(m.Cb) && flat(m.Cr)
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

// flat tells that all samples of a plane are the same. The padding of a plane that is decoded in blocks repeats its edge.
func flat(plane []uint8) bool {
	return len(plane) < 2 || bytes.Equal(plane[1:], plane[:len(plane)-1])
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

// isPicture tells that a media type is one of the pictures that have pixels to look at.
func isPicture(media string) bool { return strings.HasPrefix(media, "image/") }
