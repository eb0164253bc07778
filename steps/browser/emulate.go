package browser

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/mxschmitt/playwright-go"
)

// look is what set rows made of the browser; later tabs get it too.
type look struct {
	size          [2]int // 0: as the session was opened
	scale         float64
	mobile, touch bool
	own           bool // scale, mobile or touch differ from those of the context
	agent         string
	media         playwright.PageEmulateMediaOptions
	hasMedia      bool
}

// looks guards a look: tabs are equipped beside the rows.
type looks struct {
	mu sync.Mutex
	v  look
}

func (l *looks) get() look {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.v
}

func (l *looks) set(v look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.v = v
}

// dress gives a new tab what set rows asked for.
func (s *session) dress(t *tab) {
	l := s.extra.look.get()
	if l.size[0] > 0 {
		_ = s.resize(t, l)
	}
	if l.hasMedia {
		_ = t.page.EmulateMedia(l.media)
	}
	if s.extra.auth.ready() && t.cdp != nil {
		_ = s.answerAuth(t.cdp)
	}
}

// resize sets the viewport. Scale, touch and user agent belong to the context, which cannot change: the browser's own
// protocol overrides them on this tab.
func (s *session) resize(t *tab, l look) error {
	if err := t.page.SetViewportSize(l.size[0], l.size[1]); err != nil {
		return err
	}
	if l.own && s.bare() {
		return s.onlyChromium("to set scale, touch or user agent")
	}
	if !l.own || t.cdp == nil {
		return nil
	}
	_, err := t.cdp.Send("Emulation.setDeviceMetricsOverride", map[string]any{"width": l.size[0], "height": l.size[1],
		"deviceScaleFactor": l.scale, "mobile": l.mobile, "screenWidth": l.size[0], "screenHeight": l.size[1]})
	if err != nil {
		return err
	}
	if l.agent == "" {
		return nil
	}
	if _, err = t.cdp.Send("Emulation.setUserAgentOverride", map[string]any{"userAgent": l.agent}); err != nil {
		return err
	}
	_, err = t.cdp.Send("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": l.touch, "maxTouchPoints": 5})
	return err
}

// screen is what rows answer that set the viewport.
func (l look) screen() map[string]any {
	return map[string]any{"width": l.size[0], "height": l.size[1], "deviceScaleFactor": l.scale, "mobile": l.mobile}
}

// looking is the look as the session was opened, or as rows made it.
func (s *session) looking() look {
	l := s.extra.look.get()
	if l.size[0] == 0 {
		l.scale, l.mobile, l.touch = s.o.Scale, s.o.Mobile, s.o.Touch
		if l.scale == 0 {
			l.scale = 1
		}
	}
	return l
}

func setViewport(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	l := s.looking()
	l.size = [2]int{r.number(0, 0), r.number(1, 0)}
	if v := r.op(2); v != "" {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return steps.Observation{}, problem(steps.Validation, "scale", fmt.Sprintf("%q is no number", v))
		}
		l.own = l.own || f != l.scale
		l.scale = f
	}
	if err := s.equipped(ctx); err != nil {
		return steps.Observation{}, err
	}
	r.sent()
	if err := s.resize(s.active(), l); err != nil {
		return steps.Observation{}, err
	}
	s.extra.look.set(l)
	return steps.OK(l.screen(), ""), nil
}

func setDevice(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	d, ok := spec.FindDevice(r.op(0))
	if !ok {
		return steps.Observation{}, problem(steps.Validation, "no-device", fmt.Sprintf("there is no device %q", r.op(0)))
	}
	w, h, _ := strings.Cut(d.Viewport, "x")
	l := s.looking()
	l.scale, l.mobile, l.touch, l.agent, l.own = d.Scale, d.Mobile, d.Touch, d.UserAgent, true
	var err1, err2 error
	l.size[0], err1 = strconv.Atoi(w)
	l.size[1], err2 = strconv.Atoi(h)
	if err1 != nil || err2 != nil {
		return steps.Observation{}, problem(steps.Internal, "device", fmt.Sprintf("the size %q of the device is no size", d.Viewport))
	}
	if err := s.equipped(ctx); err != nil {
		return steps.Observation{}, err
	}
	r.sent()
	if err := s.resize(s.active(), l); err != nil {
		return steps.Observation{}, err
	}
	s.extra.look.set(l)
	data := l.screen()
	data["device"] = d.Name
	return steps.OK(data, "device"), nil
}

func setGeo(_ context.Context, s *session, r *row) (steps.Observation, error) {
	lat, err1 := strconv.ParseFloat(r.op(0), 64)
	long, err2 := strconv.ParseFloat(r.op(1), 64)
	if err1 != nil || err2 != nil {
		return steps.Observation{}, problem(steps.Validation, "geo", fmt.Sprintf("%q, %q is no place", r.op(0), r.op(1)))
	}
	r.sent()
	if err := s.ctx.GrantPermissions([]string{"geolocation"}); err != nil {
		return steps.Observation{}, err
	}
	err := s.ctx.SetGeolocation(&playwright.Geolocation{Latitude: lat, Longitude: long})
	return steps.OK(map[string]any{"latitude": lat, "longitude": long}, ""), err
}

func setOffline(_ context.Context, s *session, r *row) (steps.Observation, error) {
	off := r.op(0) != "off"
	r.sent()
	return steps.OK(map[string]any{"offline": off}, "offline"), s.ctx.SetOffline(off)
}

func setHeaders(_ context.Context, s *session, r *row) (steps.Observation, error) {
	m, err := argv.Headers(r.op(0))
	if err != nil {
		return steps.Observation{}, problem(steps.Validation, "headers", "the headers are no JSON object of texts")
	}
	r.sent()
	o := steps.OK(map[string]any{"set": true}, "set")
	o.Argv = conceal(r, r.op(0))
	return o, s.ctx.SetExtraHTTPHeaders(m)
}

func setMedia(_ context.Context, s *session, r *row) (steps.Observation, error) {
	l := s.extra.look.get()
	for _, f := range r.a.Operands {
		switch f {
		case "dark":
			l.media.ColorScheme = playwright.ColorSchemeDark
		case "light":
			l.media.ColorScheme = playwright.ColorSchemeLight
		case "no-preference":
			l.media.ReducedMotion = playwright.ReducedMotionNoPreference
		case "reduced-motion":
			l.media.ReducedMotion = playwright.ReducedMotionReduce
		}
	}
	r.sent()
	if err := s.page().EmulateMedia(l.media); err != nil {
		return steps.Observation{}, err
	}
	l.hasMedia = true
	s.extra.look.set(l)
	return steps.OK(map[string]any{"set": true}, "set"), nil
}
