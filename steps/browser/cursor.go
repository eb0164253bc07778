package browser

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// track is where the mouse was while a video with a pointer runs. The pointer is drawn into the pictures at the end: the
// page itself holds nothing of it, so that no check, screenshot or script can see that a video is made.
type track struct {
	page playwright.Page

	mu    sync.Mutex
	marks []mark
}

// mark is one place of the mouse; width is that of the viewport, to which the pictures are scaled.
type mark struct {
	at    time.Time
	to    point
	width int
	down  bool
}

// pressTime is how long a click is shown.
const pressTime = 250 * time.Millisecond

// pointing gives the track of a page; nil if no video of it draws a pointer.
func (s *session) pointing(p playwright.Page) *track {
	if t := s.extra.track.Load(); t != nil && t.page == p {
		return t
	}
	return nil
}

// moved notes that the mouse goes to a point. It costs nothing without a video that draws it.
func (s *session) moved(to point) {
	if t := s.pointing(s.page()); t != nil {
		w, _ := s.size()
		t.add(mark{at: time.Now(), to: to, width: w})
	}
}

// clicks notes that the mouse clicks on a point of a page.
func (s *session) clicks(p playwright.Page, to point) {
	if t := s.pointing(p); t != nil {
		w, _ := s.size()
		t.add(mark{time.Now(), to, w, true}, mark{time.Now().Add(pressTime), to, w, false})
	}
}

// presses notes that a button goes down or up where the mouse is.
func (s *session) presses(down bool) {
	t := s.pointing(s.page())
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.marks); n > 0 {
		t.marks = append(t.marks, mark{time.Now(), t.marks[n-1].to, t.marks[n-1].width, down})
	}
}

// aims notes where an action of the driver's will put the mouse: only it knows, so a video that draws the pointer asks.
func (e *element) aims(r *row, click bool) {
	p := e.s.page()
	if e.s.pointing(p) == nil {
		return
	}
	x, y, err := e.middle(r)
	switch {
	case err != nil: // the action says what is wrong
	case click:
		e.s.clicks(p, point{x, y})
	default:
		e.s.moved(point{x, y})
	}
}

func (t *track) add(list ...mark) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.marks = append(t.marks, list...)
}

// sorted gives the places by time; a click tells of its end before it is there.
func (t *track) sorted() []mark {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := slices.Clone(t.marks)
	slices.SortStableFunc(out, func(a, b mark) int { return a.at.Compare(b.at) })
	return out
}

// moment is what a video with a pointer shows from a time on; mark is nil before the mouse was anywhere.
type moment struct {
	at    time.Time
	frame videoFrame
	mark  *mark
}

// moments joins pictures and places: a new one for each change of either, but no more than the frames a second allow.
func moments(frames []videoFrame, marks []mark, slot time.Duration, end time.Time) []moment {
	var out []moment
	var at *mark
	put := func(m moment) {
		if n := len(out); n > 0 && m.at.Sub(out[n-1].at) < slot { // too soon: it takes the place of the last one
			m.at = out[n-1].at
			out[n-1] = m
			return
		}
		out = append(out, m)
	}
	for i, f := range frames {
		until := end
		if i+1 < len(frames) {
			until = frames[i+1].at
		}
		for len(marks) > 0 && !marks[0].at.After(f.at) {
			at, marks = &marks[0], marks[1:]
		}
		put(moment{f.at, f, at})
		for len(marks) > 0 && marks[0].at.Before(until) {
			at, marks = &marks[0], marks[1:]
			put(moment{at.at, f, at})
		}
	}
	return out
}

// point draws the pointer into the pictures of a video.
func (v *video) point(ctx context.Context, end time.Time) error {
	var out []videoFrame
	var pic image.Image
	var shown string
	for i, m := range moments(v.frames, v.track.sorted(), time.Second/time.Duration(v.fps), end) {
		if m.mark == nil || v.bytes > maxVideo {
			out = append(out, videoFrame{m.frame.name, m.at})
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var err error
		if m.frame.name != shown {
			if pic, err = readFrame(filepath.Join(v.dir, m.frame.name)); err != nil {
				return err
			}
			shown = m.frame.name
		}
		name := fmt.Sprintf("p%06d.jpg", i)
		size, err := writePointed(filepath.Join(v.dir, name), pic, *m.mark)
		if err != nil {
			return err
		}
		v.bytes += size
		out = append(out, videoFrame{name, m.at})
	}
	v.frames = out
	return nil
}

func readFrame(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading a picture of the video: %w", err)
	}
	defer func() { _ = f.Close() }()
	pic, err := jpeg.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("decoding a picture of the video: %w", err)
	}
	return pic, nil
}

// writePointed writes a picture with the pointer at a place.
func writePointed(path string, pic image.Image, m mark) (int64, error) {
	out := image.NewRGBA(pic.Bounds())
	draw.Draw(out, out.Bounds(), pic, pic.Bounds().Min, draw.Src)
	drawPointer(out, m)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, fmt.Errorf("writing a picture of the video: %w", err)
	}
	err = jpeg.Encode(f, out, &jpeg.Options{Quality: 85})
	info, serr := f.Stat()
	for _, e := range []error{serr, f.Close()} {
		if err == nil {
			err = e
		}
	}
	if err != nil {
		return 0, fmt.Errorf("writing a picture of the video: %w", err)
	}
	return info.Size(), nil
}

// arrow is the pointer: its point is at the top on the left, # is black and . white.
var arrow = []string{
	"#", "##", "#.#", "#..#", "#...#", "#....#", "#.....#", "#......#", "#.......#", "#........#", "#.....#####",
	"#..#..#", "#.# #..#", "##  #..#", "#    #..#", "     #..#", "      ##",
}

// pressed is the colour behind the pointer while a button is down.
var pressed = image.NewUniform(color.NRGBA{R: 255, G: 170, B: 0, A: 150})

// drawPointer draws the pointer where the mouse is, and a spot behind it while a button is down.
func drawPointer(pic *image.RGBA, m mark) {
	scale := 1.0
	if m.width > 0 {
		scale = float64(pic.Bounds().Dx()) / float64(m.width)
	}
	at := pic.Bounds().Min.Add(image.Pt(int(m.to.x*scale), int(m.to.y*scale)))
	if m.down {
		radius := int(14 * scale)
		for y := -radius; y <= radius; y++ {
			for x := -radius; x <= radius; x++ {
				if x*x+y*y <= radius*radius {
					p := at.Add(image.Pt(x, y))
					draw.Draw(pic, image.Rectangle{p, p.Add(image.Pt(1, 1))}, pressed, image.Point{}, draw.Over)
				}
			}
		}
	}
	dot := 1.25 * scale
	for y := range int(float64(len(arrow)) * dot) {
		line := arrow[int(float64(y)/dot)]
		for x := range int(float64(len(line)) * dot) {
			switch line[int(float64(x)/dot)] {
			case '#':
				pic.Set(at.X+x, at.Y+y, color.Black)
			case '.':
				pic.Set(at.X+x, at.Y+y, color.White)
			}
		}
	}
}
