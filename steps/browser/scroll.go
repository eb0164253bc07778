package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

func scroll(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	way, px := "down", 300
	if len(r.a.Operands) > 0 {
		way = r.op(0)
	}
	if len(r.a.Operands) > 1 {
		n, err := strconv.Atoi(r.op(1))
		if err != nil {
			return steps.Observation{}, problem(steps.Validation, "pixels", fmt.Sprintf("%q is no number of pixels", r.op(1)))
		}
		px = n
	}
	dx, dy := 0, 0
	switch way {
	case "down":
		dy = px
	case "up":
		dy = -px
	case "right":
		dx = px
	case "left":
		dx = -px
	}
	var t target.Target
	if src, ok := r.a.Flag("--selector"); ok {
		var err error
		if t, err = parse(src); err != nil {
			return steps.Observation{}, err
		}
	}
	r.sending(map[string]any{"scrolled": true})
	moved, err := s.scrollBy(ctx, r, t, dx, dy)
	if err != nil {
		return steps.Observation{}, err
	}
	if !moved {
		what := "the page"
		if t.Source != "" {
			what = t.Source
		}
		f := problem(steps.NotActionable, "not-moved", fmt.Sprintf("%s did not move: it cannot be scrolled %s any further", what, way),
			next("inspect-after-noop-scroll", "see what the page shows", "snapshot", "-i"),
			next("verify-noop-scroll-visually", "see how it looks", "screenshot", "scroll.png"))
		f.obs.Data = map[string]any{"scrolled": false, "noMovement": true}
		return steps.Observation{}, f
	}
	return steps.OK(map[string]any{"scrolled": true}, "scrolled"), nil
}

// scrollBy scrolls an element, or the page for a target without parts, and tells whether anything moved.
func (s *session) scrollBy(ctx context.Context, r *row, t target.Target, dx, dy int) (bool, error) {
	if len(t.Parts) == 0 {
		v, err := s.evaluate(ctx, fmt.Sprintf(`(() => { const e = document.scrollingElement || document.documentElement;
			const x = e.scrollLeft, y = e.scrollTop; e.scrollBy({left: %d, top: %d, behavior: 'instant'});
			return e.scrollLeft !== x || e.scrollTop !== y })()`, dx, dy))
		return v == true, err
	}
	before, err := s.act(ctx, r, t, world.ScrollBy(0, 0))
	if err != nil {
		return false, err
	}
	after, err := s.act(ctx, r, t, world.ScrollBy(float64(dx), float64(dy)))
	return before.Value != after.Value, err
}

func scrollIntoView(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	data := map[string]any{"scrolled": t.Source}
	r.sending(data)
	if _, err := s.act(ctx, r, t, world.ScrollIntoView()); err != nil {
		return steps.Observation{}, err
	}
	return steps.OK(data, "scrolled"), nil
}

// upload gives files to a file input, which pages often hide: it needs one match, visible or not.
func upload(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	t := r.a.Target(0)
	var paths []string
	for _, f := range r.a.Operands[1:] {
		p := f
		if !filepath.IsAbs(p) {
			p = filepath.Join(r.o.Dir, p)
		}
		info, err := os.Stat(p)
		switch {
		case err != nil:
			return steps.Observation{}, problem(steps.Validation, "no-file", fmt.Sprintf("there is no file %q to upload: it resolves to %s", f, p))
		case info.IsDir():
			return steps.Observation{}, problem(steps.Validation, "no-file", fmt.Sprintf("%q is a folder, a file is needed", f))
		}
		paths = append(paths, p)
	}
	e, err := s.element(ctx, t)
	if err != nil {
		return steps.Observation{}, err
	}
	a, err := e.wait(ctx, r, world.Value(), world.Until{})
	if err != nil {
		return steps.Observation{}, err
	}
	if a.Refused() && a.Reason != world.NotThis {
		return steps.Observation{}, e.refuse(ctx, r, a)
	}
	if a.Reason == world.NotThis || a.Field != "" && a.Field != "file" {
		return steps.Observation{}, problem(steps.NotActionable, "wrong-element", fmt.Sprintf("%q is no file input", t.Source))
	}
	if a.Matches > 1 && s.o.Strict {
		d, err := e.try(ctx, world.Describe())
		if err == nil {
			d.Reason = world.Multiple
			return steps.Observation{}, e.refuse(ctx, r, d)
		}
	}
	data := map[string]any{"selector": t.Source, "uploaded": len(paths)}
	r.sending(data)
	err = e.any().SetInputFiles(paths, playwright.LocatorSetInputFilesOptions{Timeout: r.ms()})
	if err != nil && notFileInput(err) {
		err = problem(steps.NotActionable, "wrong-element", fmt.Sprintf("%q is no file input", t.Source))
	}
	if err != nil && manyFiles(err) {
		err = problem(steps.NotActionable, "one-file", fmt.Sprintf("%q takes one file, not %d", t.Source, len(paths)))
	}
	return steps.OK(data, "uploaded"), err
}
