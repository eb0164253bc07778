package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strconv"
)

// annotation is one numbered element of a picture.
type annotation struct {
	ref string
	refEntry
	box [4]float64 // in the viewport
}

// annotations takes a snapshot, whose refs the rows after it may use, and lists what in it can be acted on and has a place
// in the picture.
func (s *session) annotations(ctx context.Context, r *row, full bool) ([]annotation, error) {
	sh := shape{interactive: true, viewport: true}
	whole, _, err := s.tree(ctx, r, sh)
	if err != nil {
		return nil, err
	}
	tab := s.active()
	book := readRefs(whole)
	if old := s.book(tab); old != nil {
		book.parts = old.parts
	}
	s.setBook(tab, book)
	w, h := s.size()
	var out []annotation
	for _, x := range leaves(whole) {
		ref := refForm.FindStringSubmatch(" " + x.text)
		if !x.ref || ref == nil || x.box == nil || x.framed || x.box[2] <= 0 || x.box[3] <= 0 {
			continue
		}
		parent := (*leaf)(nil)
		if !(shape{interactive: true, viewport: !full}).keeps(&x, parent, w, h) {
			continue
		}
		out = append(out, annotation{ref[1], book.refs[ref[1]], [4]float64(x.box)})
	}
	return out, nil
}

// annotated draws the numbers into a picture and lists them. dx and dy are where the viewport begins in the picture.
func annotated(shot []byte, format string, list []annotation, width int, dx, dy float64) ([]byte, []any, error) {
	src, _, err := image.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, nil, fmt.Errorf("decoding the picture: %w", err)
	}
	pic := image.NewRGBA(src.Bounds())
	draw.Draw(pic, pic.Bounds(), src, src.Bounds().Min, draw.Src)
	scale := 1.0
	if width > 0 {
		scale = float64(src.Bounds().Dx()) / float64(width)
	}
	data := make([]any, 0, len(list))
	for i, a := range list {
		at := image.Rect(int((a.box[0]+dx)*scale), int((a.box[1]+dy)*scale), int((a.box[0]+dx+a.box[2])*scale), int((a.box[1]+dy+a.box[3])*scale))
		frameOf(pic, at, int(max(2, 2*scale)))
		label(pic, at.Min, strconv.Itoa(i+1), int(max(2, 2*scale)))
		data = append(data, map[string]any{"number": i + 1, "ref": "@" + a.ref, "role": a.role, "name": a.name,
			"box": map[string]any{"x": a.box[0], "y": a.box[1], "width": a.box[2], "height": a.box[3]}})
	}
	var b bytes.Buffer
	if format == "jpeg" {
		err = jpeg.Encode(&b, pic, &jpeg.Options{Quality: 90})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, pic)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("encoding the picture: %w", err)
	}
	return b.Bytes(), data, nil
}

var marked = image.NewUniform(color.RGBA{R: 220, G: 20, B: 60, A: 255})

// frameOf draws a frame around a rectangle.
func frameOf(pic *image.RGBA, r image.Rectangle, wide int) {
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+wide)}, {image.Pt(r.Min.X, r.Max.Y-wide), r.Max},
		{r.Min, image.Pt(r.Min.X+wide, r.Max.Y)}, {image.Pt(r.Max.X-wide, r.Min.Y), r.Max},
	} {
		draw.Draw(pic, side.Intersect(pic.Bounds()), marked, image.Point{}, draw.Src)
	}
}

// digits are three by five dots each, from the top, the left one first.
var digits = [10][5]byte{
	{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 7, 1, 7}, {5, 5, 7, 1, 1},
	{7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 1, 1, 1}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
}

// label writes a number on a plate at a point, inside the picture.
func label(pic *image.RGBA, at image.Point, number string, dot int) {
	size := image.Pt((4*len(number)+1)*dot, 7*dot)
	at.X, at.Y = max(0, min(at.X, pic.Bounds().Max.X-size.X)), max(0, min(at.Y, pic.Bounds().Max.Y-size.Y))
	draw.Draw(pic, image.Rectangle{at, at.Add(size)}, marked, image.Point{}, draw.Src)
	for i, d := range number {
		for y, bits := range digits[d-'0'] {
			for x := range 3 {
				if bits&(4>>x) != 0 {
					p := at.Add(image.Pt((1+4*i+x)*dot, (1+y)*dot))
					draw.Draw(pic, image.Rectangle{p, p.Add(image.Pt(dot, dot))}, image.White, image.Point{}, draw.Src)
				}
			}
		}
	}
}

// annotate takes the numbers for a picture and draws them.
func (s *session) annotate(ctx context.Context, list []annotation, shot []byte, format string, full bool) ([]byte, []any, error) {
	w, _ := s.size()
	var dx, dy float64
	if full {
		v, err := s.evaluate(ctx, "[scrollX, scrollY, document.documentElement.clientWidth]")
		if err != nil {
			return nil, nil, err
		}
		if at, ok := v.([]any); ok && len(at) == 3 {
			dx, dy = float(at[0]), float(at[1])
		}
	}
	return annotated(shot, format, list, w, dx, dy)
}
