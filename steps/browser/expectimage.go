package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"path"
	"runtime"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/mxschmitt/playwright-go"
)

// expectImage judges a picture of an element, or of the page, by one that was taken before.
func expectImage(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	j, err := s.imageJudge(ctx, r)
	if err != nil {
		return steps.Observation{}, err
	}
	b := r.beside(path.Join(argv.BaselineFolder(r.o.File), s.pictureName(r.op(0))))
	j.want, err = b.read()
	if errors.Is(err, errMissingBaseline) {
		if !r.writable() {
			return steps.Observation{}, b.absent()
		}
		return j.first(ctx, b)
	}
	if err != nil {
		return steps.Observation{}, err
	}
	if _, err := decodePicture(j.want, "the baseline "+quoted(b.name)); err != nil {
		return steps.Observation{}, err
	}
	o, err := s.judge(ctx, r, expectation{subject: "the picture of " + j.subject, want: "as " + quoted(b.name), read: j.read})
	if err == nil {
		o.Data = j.data(b)
		return o, nil
	}
	var f *failed
	if !errors.As(err, &f) || f.obs.Category != steps.Assertion || j.shot == nil {
		return o, err
	}
	if r.o.Baselines == steps.BaselinesUpdated && !r.a.Has("--not") && j.compared {
		if err := b.written(j.shot, wasDifferent); err != nil {
			return steps.Observation{}, err
		}
		return steps.OK(j.data(b), "value"), nil
	}
	f.obs.Data = j.data(b)
	return o, j.keep(f)
}

// pictureName is the name of a picture with what else decides how a page looks: the browser, the system, the viewport, and
// how many pixels it has for one of CSS.
func (s *session) pictureName(name string) string {
	w, h := s.size()
	scale := ""
	if v := s.looking().scale; v != 0 && v != 1 {
		scale = "@" + strconv.FormatFloat(v, 'g', -1, 64) + "x"
	}
	return fmt.Sprintf("%s@%s-%s-%dx%d%s.png", name, s.chr.kind(), runtime.GOOS, w, h, scale)
}

// imageJudge is what an expect image row read last.
type imageJudge struct {
	s         *session
	r         *row
	e         *element // nil: the page
	mask      []playwright.Locator
	subject   string
	threshold float64

	want     []byte // the baseline
	shot     []byte
	compared bool // with the newest shot
	p        pictures
}

func (s *session) imageJudge(ctx context.Context, r *row) (*imageJudge, error) {
	j := &imageJudge{s: s, r: r, subject: "the page", threshold: defaultThreshold}
	if v, ok := r.a.Flag("--threshold"); ok {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, problem(steps.Validation, "threshold", fmt.Sprintf("%q is no number", v))
		}
		j.threshold = f
	}
	if len(r.a.Target(1).Parts) > 0 || len(s.where().in) > 0 {
		e, err := s.looked(ctx, r, 1)
		if err != nil {
			return nil, err
		}
		if err := e.present(ctx, r); err != nil {
			return nil, err
		}
		j.e, j.subject = e, e.t.Source
	}
	if src, ok := r.a.Flag("--mask"); ok {
		t, err := parse(src)
		if err != nil {
			return nil, err
		}
		m, err := s.element(ctx, t)
		if err != nil {
			return nil, err
		}
		j.mask = []playwright.Locator{m.frame.Locator(m.sel())}
	}
	return j, nil
}

// take takes a picture with animations at their end, no caret, and what is masked covered.
func (j *imageJudge) take(context.Context) ([]byte, error) {
	still, hide := playwright.ScreenshotAnimationsDisabled, playwright.ScreenshotCaretHide
	if j.e == nil {
		return j.s.page().Screenshot(playwright.PageScreenshotOptions{Animations: still, Caret: hide, Mask: j.mask, Timeout: j.r.ms()})
	}
	return j.e.locator().Screenshot(playwright.LocatorScreenshotOptions{Animations: still, Caret: hide, Mask: j.mask, Timeout: j.r.ms()})
}

// first writes the baseline that is missing.
func (j *imageJudge) first(ctx context.Context, b *baseline) (steps.Observation, error) {
	shot, err := settled(ctx, j.s, j.r, func(ctx context.Context) (string, error) {
		shot, err := j.take(ctx)
		return string(shot), err
	})
	if err == nil {
		err = b.written([]byte(shot), wasMissing)
	}
	return steps.OK(j.data(b), "value"), err
}

// read compares the picture once two shots in a row were equal.
func (j *imageJudge) read(ctx context.Context) (reading, error) {
	shot, err := j.take(ctx)
	if err != nil {
		return reading{}, err
	}
	if !bytes.Equal(shot, j.shot) {
		j.shot, j.compared = shot, false
		if shot, err = j.take(ctx); err != nil {
			return reading{}, err
		}
		if !bytes.Equal(shot, j.shot) {
			j.shot = shot
			return reading{shown: "a picture that goes on changing", never: true}, nil
		}
	}
	if !j.compared {
		if j.p, err = comparePictures(j.want, shot, j.threshold, false); err != nil {
			return reading{}, err
		}
		j.compared = true
	}
	return reading{ok: j.p.match(), value: j.p.different, shown: j.p.words()}, nil
}

// words say how two pictures differ.
func (p pictures) words() string {
	a, b := p.before.Size(), p.after.Size()
	switch {
	case p.match():
		return "so"
	case a != b:
		return fmt.Sprintf("a picture of %dx%d pixels instead of %dx%d", b.X, b.Y, a.X, a.Y)
	}
	return fmt.Sprintf("%d of %d pixels different (%s %%)", p.different, p.total, percent(p.different, p.total))
}

func percent(n, of int) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/float64(max(of, 1))*100, 'f', 2, 64), ".00")
}

func (j *imageJudge) data(b *baseline) map[string]any {
	return map[string]any{"value": j.p.different, "differentPixels": j.p.different, "totalPixels": j.p.total, "baseline": b.name}
}

// keep leaves the picture, the baseline and their differences as artifacts of the failure.
func (j *imageJudge) keep(f *failed) error {
	if j.r.o.Files == nil {
		return f
	}
	files := []struct {
		kind    string
		content []byte
	}{{"actual", j.shot}, {"expected", j.want}}
	if p, err := comparePictures(j.want, j.shot, j.threshold, true); err == nil {
		var b bytes.Buffer
		if png.Encode(&b, p.marked) == nil {
			files = append(files, struct {
				kind    string
				content []byte
			}{"diff", b.Bytes()})
		}
	}
	for _, x := range files {
		out, err := j.r.reserve(fmt.Sprintf("%s-%s.png", j.r.op(0), x.kind), "image-"+x.kind)
		if err != nil {
			f.obs.Warnings = append(f.obs.Warnings, firstLine(err))
			continue
		}
		a, err := out.write(x.content)
		if err != nil {
			f.obs.Warnings = append(f.obs.Warnings, firstLine(err))
			continue
		}
		f.obs.Artifacts = append(f.obs.Artifacts, a)
		f.obs.Data[x.kind] = out.path()
	}
	return f
}
