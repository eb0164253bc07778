package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // baselines may be JPEG
	"image/png"
	"os"
	"strconv"

	"github.com/checkrow/checkrow/steps"
)

// defaultThreshold is how far a colour may be off, as a part of the largest difference there is.
const defaultThreshold = 0.1

// pictures is the outcome of a comparison.
type pictures struct {
	before, after image.Rectangle
	different     int
	total         int
	marked        *image.NRGBA // the differences
}

func (p pictures) match() bool { return p.different == 0 && p.before.Size() == p.after.Size() }

func (p pictures) data() map[string]any {
	m := map[string]any{"match": p.match(), "differentPixels": p.different, "totalPixels": p.total, "mismatchPercentage": 0.0,
		"dimensionMismatch": nil, "diffPath": nil}
	if p.total > 0 {
		m["mismatchPercentage"] = float64(p.different) / float64(p.total) * 100
	}
	if p.before.Size() != p.after.Size() {
		m["dimensionMismatch"] = map[string]any{
			"expected": map[string]any{"width": p.before.Dx(), "height": p.before.Dy()},
			"actual":   map[string]any{"width": p.after.Dx(), "height": p.after.Dy()}}
	}
	return m
}

// diffScreenshot compares a picture of the page with a saved one.
func diffScreenshot(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	name, _ := r.a.Flag("--baseline")
	before, err := os.ReadFile(r.input(name))
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "no-file", fmt.Sprintf("the baseline %q cannot be read: %s (it resolves to %s)",
			name, cause(err), r.input(name)))
	}
	threshold := defaultThreshold
	if v, ok := r.a.Flag("--threshold"); ok {
		if threshold, err = strconv.ParseFloat(v, 64); err != nil {
			return steps.Observation{}, problem(steps.Validation, "threshold", fmt.Sprintf("%q is no number", v))
		}
	}
	var out *file
	if to, ok := r.a.Flag("--output"); ok {
		if out, err = r.reserve(to, "diff"); err != nil {
			return steps.Observation{}, err
		}
	}
	p, err := s.against(ctx, r, before, threshold)
	if err != nil {
		if out != nil {
			out.drop()
		}
		return steps.Observation{}, err
	}
	data := p.data()
	if out == nil {
		return steps.OK(data, "match"), nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p.marked); err != nil {
		out.drop()
		return steps.Observation{}, fmt.Errorf("encoding the picture of the differences: %w", err)
	}
	data["diffPath"] = out.path()
	a, err := out.write(b.Bytes())
	return saved(data, "match", a), err
}

// against takes the picture that a row asks for and compares it.
func (s *session) against(ctx context.Context, r *row, before []byte, threshold float64) (pictures, error) {
	var shot []byte
	var err error
	if src, ok := r.a.Flag("--selector"); ok {
		t, perr := parse(src)
		if perr != nil {
			return pictures{}, perr
		}
		shot, err = s.shootElement(ctx, r, t, "png")
	} else {
		shot, err = s.shoot(ctx, "png", r.a.Has("--full"), nil)
	}
	if err != nil {
		return pictures{}, err
	}
	return comparePictures(before, shot, threshold, r.a.Has("--output"))
}

// maxPixels bounds what is decoded.
const maxPixels = 100 << 20

func decodePicture(content []byte, what string) (*image.NRGBA, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err == nil && config.Width*config.Height > maxPixels {
		return nil, problem(steps.Validation, "picture", what+" has too many pixels to compare")
	}
	img, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, problem(steps.Validation, "picture", what+" is no PNG or JPEG picture: "+err.Error())
	}
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(out, out.Bounds(), img, b.Min, draw.Src)
	return out, nil
}

// comparePictures counts the pixels in which two pictures differ for the eye. Pixels that only smooth an edge in one of
// them do not count; pixels that only one picture has do.
func comparePictures(before, after []byte, threshold float64, mark bool) (pictures, error) {
	a, err := decodePicture(before, "the baseline")
	if err != nil {
		return pictures{}, err
	}
	b, err := decodePicture(after, "the screenshot")
	if err != nil {
		return pictures{}, err
	}
	all, both := a.Rect.Union(b.Rect), a.Rect.Intersect(b.Rect)
	p := pictures{before: a.Rect, after: b.Rect, total: all.Dx() * all.Dy()}
	if mark {
		p.marked = image.NewNRGBA(all)
	}
	limit := maxDelta * threshold * threshold
	for y := range all.Dy() {
		for x := range all.Dx() {
			c := different
			if image.Pt(x, y).In(both) {
				c = verdict(a, b, x, y, limit)
			}
			if c == different {
				p.different++
			}
			if mark {
				p.marked.SetNRGBA(x, y, c)
			}
		}
	}
	return p, nil
}

// verdict gives the colour that marks a pixel of both pictures: different, smoothed, or faded as it was.
func verdict(a, b *image.NRGBA, x, y int, limit float64) color.NRGBA {
	p, q := a.Pix[a.PixOffset(x, y):], b.Pix[b.PixOffset(x, y):]
	if [4]byte(p) != [4]byte(q) {
		if d := colourDelta(p, q, false); max(d, -d) > limit {
			if smooths(a, b, x, y) || smooths(b, a, x, y) {
				return smoothed
			}
			return different
		}
	}
	return faded(p)
}

var (
	different = color.NRGBA{R: 255, A: 255}
	smoothed  = color.NRGBA{R: 255, G: 200, A: 255}
)

// maxDelta is the largest difference of two colours as colourDelta measures it.
const maxDelta = 35215

// luma and the two chroma parts of a colour over white.
func yiq(p []byte) (y, i, q float64) {
	a := float64(p[3]) / 255
	r, g, b := 255+(float64(p[0])-255)*a, 255+(float64(p[1])-255)*a, 255+(float64(p[2])-255)*a
	return r*0.29889531 + g*0.58662247 + b*0.11448223, r*0.59597799 - g*0.27417610 - b*0.32180189, r*0.21147017 - g*0.52261711 + b*0.31114694
}

// colourDelta measures how different two colours look, in the way of Kotsarenko and Ramos; its sign says which is
// lighter. With light it measures lightness alone.
func colourDelta(p, q []byte, light bool) float64 {
	y1, i1, q1 := yiq(p)
	y2, i2, q2 := yiq(q)
	y := y1 - y2
	if light {
		return y
	}
	d := 0.5053*y*y + 0.299*(i1-i2)*(i1-i2) + 0.1957*(q1-q2)*(q1-q2)
	if y > 0 {
		return -d
	}
	return d
}

// smooths tells that the pixel at x, y of a only smooths an edge (Vyšniauskas): it lies between a lighter and a darker
// neighbour, and one of these lies in a plain area in both pictures.
func smooths(a, b *image.NRGBA, x, y int) bool {
	zeroes := 0
	if edge(a, x, y) {
		zeroes = 1
	}
	var low, high float64
	var dark, bright image.Point
	centre := a.Pix[a.PixOffset(x, y):]
	for ny := max(y-1, 0); ny <= min(y+1, a.Rect.Dy()-1); ny++ {
		for nx := max(x-1, 0); nx <= min(x+1, a.Rect.Dx()-1); nx++ {
			if nx == x && ny == y {
				continue
			}
			switch d := colourDelta(centre, a.Pix[a.PixOffset(nx, ny):], true); {
			case d == 0:
				if zeroes++; zeroes > 2 {
					return false
				}
			case d < low:
				low, dark = d, image.Pt(nx, ny)
			case d > high:
				high, bright = d, image.Pt(nx, ny)
			}
		}
	}
	if low == 0 || high == 0 {
		return false
	}
	return even(a, dark) && even(b, dark) || even(a, bright) && even(b, bright)
}

func edge(m *image.NRGBA, x, y int) bool {
	return x == 0 || y == 0 || x == m.Rect.Dx()-1 || y == m.Rect.Dy()-1
}

// even tells that a pixel has at least three neighbours of its own colour.
func even(m *image.NRGBA, at image.Point) bool {
	if !at.In(m.Rect) {
		return false
	}
	same := 0
	if edge(m, at.X, at.Y) {
		same = 1
	}
	own := [4]byte(m.Pix[m.PixOffset(at.X, at.Y):])
	for y := max(at.Y-1, 0); y <= min(at.Y+1, m.Rect.Dy()-1); y++ {
		for x := max(at.X-1, 0); x <= min(at.X+1, m.Rect.Dx()-1); x++ {
			if (x != at.X || y != at.Y) && [4]byte(m.Pix[m.PixOffset(x, y):]) == own {
				if same++; same > 2 {
					return true
				}
			}
		}
	}
	return false
}

// faded is a pixel of the baseline, grey and light, so that differences stand out.
func faded(p []byte) color.NRGBA {
	y, _, _ := yiq(p)
	g := byte(255 - (255-y)*0.1)
	return color.NRGBA{R: g, G: g, B: g, A: 255}
}
