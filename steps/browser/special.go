package browser

import (
	"context"
	"image"
	"maps"
	"strconv"

	"github.com/checkrow/checkrow/steps"
)

// picture is what a screenshot --if-changed compares with.
type picture struct {
	img      *image.NRGBA
	revision int
}

// special takes a picture that is compared with the last of its sort, or that gets numbers, or both. Numbers are of the
// page as it is before the picture, and are not compared.
func (s *session) special(ctx context.Context, r *row, path, format string, take func() ([]byte, error)) (steps.Observation, error) {
	var list []annotation
	var err error
	full := r.a.Has("--full")
	if r.a.Has("--annotate") {
		if list, err = s.annotations(ctx, r, full); err != nil {
			return steps.Observation{}, err
		}
	}
	shot, err := take()
	if err != nil {
		return steps.Observation{}, err
	}
	data := map[string]any{}
	if r.a.Has("--if-changed") {
		changed, err := s.compareLast(r, shot, data)
		if err != nil {
			return steps.Observation{}, err
		}
		if !changed {
			data["path"] = nil
			return steps.OK(data, "path"), nil
		}
	}
	if r.a.Has("--annotate") {
		if shot, data["annotations"], err = s.annotate(ctx, list, shot, format, full); err != nil {
			return steps.Observation{}, err
		}
	}
	tmp, commit, err := r.o.Files.Reserve(path)
	if err != nil {
		return steps.Observation{}, unreserved(err)
	}
	o, err := save(shot, path, tmp, commit)
	if err == nil {
		maps.Copy(o.Data, data)
	}
	return o, err
}

// compareLast tells whether a picture differs from the one before, and keeps it if it does.
func (s *session) compareLast(r *row, shot []byte, data map[string]any) (changed bool, err error) {
	now, err := decodePicture(shot, "the screenshot")
	if err != nil {
		return false, err
	}
	limit := 0.0
	if v, ok := r.a.Flag("--threshold"); ok {
		if limit, err = strconv.ParseFloat(v, 64); err != nil {
			return false, problem(steps.Validation, "threshold", v+" is no number")
		}
	}
	next, ratio := &picture{img: now, revision: 1}, 1.0
	if last := s.extra.picture; last != nil {
		next.revision = last.revision + 1
		if ratio = differing(last.img, now); ratio <= limit {
			next.img = last.img // so that small changes add up
		}
	}
	s.extra.picture = next
	data["changed"], data["revision"], data["pixelChangeRatio"], data["threshold"] = next.img == now, next.revision, ratio, limit
	return next.img == now, nil
}

// differing is how much of two pictures differs; all of it if they are not of one size.
func differing(a, b *image.NRGBA) float64 {
	if a.Rect != b.Rect {
		return 1
	}
	n := 0
	for i := 0; i+4 <= len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:i+4]) != [4]byte(b.Pix[i:i+4]) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(a.Pix)/4))
}
