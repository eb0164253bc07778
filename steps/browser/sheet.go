package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sheet is the picture that shows what changed in a video at one glance.
type sheet struct {
	file      *file
	threshold float64 // the part of the picture that must have changed for another cell
}

// Bounds of a contact sheet: it looks at so many pictures, evenly, and shows so many of them.
const (
	sheetLooks = 200
	sheetCells = 48
	sheetWide  = 4
	cellWidth  = 320
	cellGap    = 8
)

// cell is one picture of a sheet, and when it was seen.
type cell struct {
	pic *image.RGBA
	at  time.Duration
}

// sheetName is the file beside the video.
func sheetName(video string) string {
	return strings.TrimSuffix(video, filepath.Ext(video)) + ".contact-sheet.png"
}

// wantsSheet reserves the contact sheet that a row asks for; nil if it asks for none.
func (r *row) wantsSheet() (*sheet, error) {
	if !r.a.Has("--contact-sheet") {
		return nil, nil //nolint:nilnil // nothing asked for is nothing wrong
	}
	out := &sheet{threshold: 0.05}
	var err error
	if v, ok := r.a.Flag("--contact-sheet-threshold"); ok {
		if out.threshold, err = strconv.ParseFloat(v, 64); err != nil {
			return nil, fmt.Errorf("reading --contact-sheet-threshold %q: %w", v, err)
		}
	}
	out.file, err = r.reserve(sheetName(r.op(0)), "image")
	return out, err
}

// contactSheet makes the sheet of a video.
func (v *video) contactSheet(ctx context.Context) ([]byte, error) {
	step := (len(v.frames) + sheetLooks - 1) / sheetLooks
	var cells []cell
	for i := 0; i < len(v.frames); i += step {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		pic, err := readFrame(filepath.Join(v.dir, v.frames[i].name))
		if err != nil {
			return nil, err
		}
		c := cell{shrink(pic, cellWidth), v.frames[i].at.Sub(v.frames[0].at)}
		if n := len(cells); n == 0 || changedPart(cells[n-1].pic, c.pic) > v.sheet.threshold {
			cells = append(cells, c)
		}
	}
	return layOut(thin(cells, sheetCells))
}

// thin keeps n of the cells, evenly, with the first and the last.
func thin(cells []cell, n int) []cell {
	if len(cells) <= n {
		return cells
	}
	out := make([]cell, n)
	for i := range out {
		out[i] = cells[i*(len(cells)-1)/(n-1)]
	}
	return out
}

// layOut puts the cells beside and below each other; each says how many milliseconds into the video it was seen.
func layOut(cells []cell) ([]byte, error) {
	tall := slices.MaxFunc(cells, func(a, b cell) int { return a.pic.Bounds().Dy() - b.pic.Bounds().Dy() }).pic.Bounds().Dy()
	wide := min(len(cells), sheetWide)
	rows := (len(cells) + wide - 1) / wide
	out := image.NewRGBA(image.Rect(0, 0, wide*(cellWidth+cellGap)+cellGap, rows*(tall+cellGap)+cellGap))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	for i, c := range cells {
		at := image.Pt(cellGap+i%wide*(cellWidth+cellGap), cellGap+i/wide*(tall+cellGap))
		box := image.Rectangle{at, at.Add(c.pic.Bounds().Size())}
		draw.Draw(out, box, c.pic, image.Point{}, draw.Src)
		label(out, box.Min, strconv.FormatInt(c.at.Milliseconds(), 10), 2)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, out); err != nil {
		return nil, fmt.Errorf("encoding the contact sheet: %w", err)
	}
	return b.Bytes(), nil
}

// shrink makes a picture so wide by the mean of what falls on each pixel; a narrower one is widened.
func shrink(pic image.Image, width int) *image.RGBA {
	src := image.NewRGBA(image.Rectangle{Max: pic.Bounds().Size()})
	draw.Draw(src, src.Bounds(), pic, pic.Bounds().Min, draw.Src)
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	out := image.NewRGBA(image.Rect(0, 0, width, max(1, h*width/w)))
	tall := out.Bounds().Dy()
	for y := range tall {
		y0, y1 := y*h/tall, max((y+1)*h/tall, y*h/tall+1)
		for x := range width {
			x0, x1 := x*w/width, max((x+1)*w/width, x*w/width+1)
			var sum [3]int
			for sy := y0; sy < y1; sy++ {
				line := src.Pix[sy*src.Stride+4*x0 : sy*src.Stride+4*x1]
				for i := 0; i < len(line); i += 4 {
					sum[0], sum[1], sum[2] = sum[0]+int(line[i]), sum[1]+int(line[i+1]), sum[2]+int(line[i+2])
				}
			}
			n, at := (y1-y0)*(x1-x0), out.PixOffset(x, y)
			out.Pix[at], out.Pix[at+1], out.Pix[at+2], out.Pix[at+3] = byte(sum[0]/n), byte(sum[1]/n), byte(sum[2]/n), 255
		}
	}
	return out
}

// sheetNoise is how much a pixel may differ in one colour because pictures of a video are compressed.
const sheetNoise = 16

// changedPart is the part of the pixels that differ, from 0 to 1; all of them where the sizes do.
func changedPart(a, b *image.RGBA) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 3 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > sheetNoise || d < -sheetNoise {
				n++
				break
			}
		}
	}
	return float64(n) / float64(len(a.Pix)/4)
}
