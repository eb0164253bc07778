package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// formats by suffix, as the browser's protocol names them.
var formats = map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}

func screenshot(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	elem, path := r.a.Screenshot()
	if path == "" {
		s.shots++
		path = fmt.Sprintf("screenshot-%d.png", s.shots)
	}
	format, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return steps.Observation{}, problem(steps.Validation, "format", fmt.Sprintf("%q does not end in .png, .jpg, .jpeg or .webp", path))
	}
	if r.o.Files == nil {
		return steps.Observation{}, problem(steps.ArtifactBad, "no-folder", "there is no folder to write files to")
	}
	take := func() ([]byte, error) {
		if elem != "" {
			return s.shootElement(ctx, r, r.a.Target(0), format)
		}
		return s.shoot(ctx, format, r.a.Has("--full"), nil)
	}
	if r.a.Has("--annotate") || r.a.Has("--if-changed") {
		return s.special(ctx, r, path, format, take)
	}
	tmp, commit, err := r.o.Files.Reserve(path)
	if err != nil {
		return steps.Observation{}, unreserved(err)
	}
	shot, err := take()
	if err != nil {
		_ = os.Remove(tmp)
		return steps.Observation{}, err
	}
	return save(shot, path, tmp, commit)
}

// save writes a file to its temporary name and moves it in place.
func save(content []byte, path, tmp string, commit func() (steps.Artifact, error)) (steps.Observation, error) {
	if err := os.WriteFile(tmp, content, 0o600); err != nil {
		_ = os.Remove(tmp)
		return steps.Observation{}, problem(steps.ArtifactBad, subMissing, fmt.Sprintf("%q cannot be written: %s", path, cause(err)))
	}
	a, err := commit()
	if err != nil {
		return steps.Observation{}, badFile(a, err)
	}
	a.Kind = "screenshot"
	abs := filepath.Join(filepath.Dir(tmp), filepath.Base(path))
	if p, err := filepath.Abs(abs); err == nil {
		abs = p
	}
	o := steps.OK(map[string]any{"path": abs}, "path")
	o.Artifacts = []steps.Artifact{a}
	if a.Blank {
		o.Warnings = append(o.Warnings, fmt.Sprintf("%q is blank: all its pixels have one colour", path))
	}
	return o, nil
}

// cause is the innermost error: "no space left on device".
func cause(err error) string {
	for {
		in := errors.Unwrap(err)
		if in == nil {
			return err.Error()
		}
		err = in
	}
}

// shootElement takes the picture of one element: the first visible match.
func (s *session) shootElement(ctx context.Context, r *row, t target.Target, format string) ([]byte, error) {
	e, err := s.element(ctx, t)
	if err != nil {
		return nil, err
	}
	a, err := e.wait(ctx, r, world.ScrollIntoView().First(), world.Until{})
	if err != nil {
		return nil, err
	}
	if a.Refused() && a.Reason != world.InFrame {
		return nil, e.refuse(ctx, r, a)
	}
	box, err := e.try(ctx, world.BoxOf())
	if err != nil {
		return nil, err
	}
	if box.Box == nil || box.Box.Width <= 0 || box.Box.Height <= 0 || s.scope(s.active()) != nil || e.framed() {
		return e.locator().Screenshot(playwright.LocatorScreenshotOptions{Timeout: r.ms(), Type: playwrightType(format)})
	}
	return s.shoot(ctx, format, false, box.Box)
}

func playwrightType(format string) *playwright.ScreenshotType {
	if format == "jpeg" {
		return playwright.ScreenshotTypeJpeg
	}
	return playwright.ScreenshotTypePng
}

// shoot takes a picture over the browser's own protocol, which is spared the driver's preparations: of the viewport, of
// the whole page, or of a box in the viewport.
func (s *session) shoot(ctx context.Context, format string, full bool, box *world.Box) ([]byte, error) {
	if s.bare() {
		return s.shootBare(format, full, box)
	}
	cdp, err := s.protocol(ctx)
	if err != nil {
		return nil, err
	}
	params := map[string]any{"format": format, "optimizeForSpeed": true}
	if format != "png" {
		params["quality"] = 90
	}
	if full || box != nil {
		raw, err := s.send(ctx, cdp, "Page.getLayoutMetrics", nil)
		if err != nil {
			return nil, err
		}
		m, _ := raw.(map[string]any)
		clip := map[string]any{"scale": 1}
		if full {
			size, _ := m["cssContentSize"].(map[string]any)
			clip["x"], clip["y"], clip["width"], clip["height"] = 0, 0, size["width"], size["height"]
		} else {
			view, _ := m["cssVisualViewport"].(map[string]any)
			clip["x"], clip["y"] = box.X+float(view["pageX"]), box.Y+float(view["pageY"])
			clip["width"], clip["height"] = box.Width, box.Height
		}
		params["clip"], params["captureBeyondViewport"] = clip, true
	}
	raw, err := s.send(ctx, cdp, "Page.captureScreenshot", params)
	if err != nil {
		return nil, err
	}
	text, ok := raw.(string) // the library unwraps a map of one key
	if m, is := raw.(map[string]any); is {
		text, ok = m["data"].(string)
	}
	if !ok {
		return nil, problem(steps.Internal, "screenshot", "the browser gave no picture")
	}
	return base64.StdEncoding.DecodeString(text)
}

// float reads a JSON number.
func float(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}
