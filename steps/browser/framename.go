package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// frameBy selects the frame that has a name or a URL, wherever it is; it waits for it.
func (s *session) frameBy(ctx context.Context, r *row) (steps.Observation, error) {
	name, byName := r.a.Flag("--name")
	src, _ := r.a.Flag("--url")
	what := "name " + quoted(name)
	is := func(f playwright.Frame) bool { return f.Name() == name }
	if !byName {
		p, err := parsePattern(src)
		if err != nil {
			return steps.Observation{}, problem(steps.Validation, "pattern", err.Error())
		}
		what = "URL " + quoted(src)
		is = func(f playwright.Frame) bool { return p.match(f.URL()) }
	}
	tab := s.active()
	for {
		var there []string
		var found []playwright.Frame
		for _, f := range tab.page.Frames() {
			if f.ParentFrame() == nil {
				continue
			}
			there = append(there, fmt.Sprintf("%q at %s", f.Name(), f.URL()))
			if is(f) {
				found = append(found, f)
			}
		}
		switch {
		case len(found) == 1:
			return s.chooseFrame(tab, found[0])
		case len(found) > 1:
			return steps.Observation{}, problem(steps.NotActionable, "ambiguous",
				fmt.Sprintf("%d frames have the %s, one is needed: %s", len(found), what, few(there)))
		}
		if !r.pause(ctx, pollEach) {
			return steps.Observation{}, s.ended(ctx, problem(steps.NotFound, "no-frame",
				fmt.Sprintf("no frame has the %s, there are %s: waited %s", what, few(there), r.waited())))
		}
	}
}

func few(list []string) string {
	switch {
	case len(list) == 0:
		return "none"
	case len(list) > 8:
		list = append(list[:8:8], "…")
	}
	return strings.Join(list, ", ")
}

// elementPath is the way to an element in its document.
const elementPath = `e => {
	const way = [];
	for (let n = e; n; n = n.parentElement) {
		if (n === n.ownerDocument.documentElement) { way.unshift('html'); break }
		let i = 1;
		for (let s = n.previousElementSibling; s; s = s.previousElementSibling) i++;
		way.unshift(n.localName + ':nth-child(' + i + ')');
	}
	return way.join(' > ');
}`

// chooseFrame selects a frame. The way to it is spelled for the own world, which looks into frames by their elements.
func (s *session) chooseFrame(tab *tab, f playwright.Frame) (steps.Observation, error) {
	var path []target.Target
	for x := f; x.ParentFrame() != nil; x = x.ParentFrame() {
		h, err := x.FrameElement()
		if err != nil {
			return steps.Observation{}, err
		}
		v, err := h.Evaluate(elementPath)
		if err != nil {
			return steps.Observation{}, err
		}
		t, err := parse(fmt.Sprint(v))
		if err != nil {
			return steps.Observation{}, err
		}
		path = append(path, t)
	}
	slices.Reverse(path)
	name := f.Name()
	if name == "" {
		name = f.URL()
	}
	s.setScope(tab, &frameScope{frame: f, path: path, name: name})
	return steps.OK(map[string]any{"frame": name}, "frame"), nil
}
