package plan

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// sessionOptions resolves browser options: test over suite over default.
func sessionOptions(suite, test spec.Browser, limits steps.Limits) steps.SessionOptions {
	b := test.Over(suite)
	o := steps.SessionOptions{Headless: true, Viewport: [2]int{1280, 720}, Scale: 1, Strict: true, Limits: limits}
	for _, f := range []struct{ to, set *bool }{
		{&o.Headless, b.Headless}, {&o.Mobile, b.Mobile}, {&o.Touch, b.Touch}, {&o.Strict, b.Strict}, {&o.IgnoreTLS, b.IgnoreTLS},
	} {
		if f.set != nil {
			*f.to = *f.set
		}
	}
	if b.Name != spec.Chromium {
		o.Browser = b.Name
	}
	o.StorageState = b.Storage
	o.Connect = b.Connect
	if b.Attach != nil {
		o.Attach, o.Adopt = b.Attach.CDP, b.Attach.Adopt
	}
	o.Hosts, o.Schemes = namesOf(b.Domains), namesOf(b.Schemes)
	o.Capture = steps.Capture{Trace: b.Trace, Video: b.Video, Screenshot: b.Screenshot}
	o.Executable, o.Args, o.Headers = b.Executable, b.Args, b.Headers
	o.Locale, o.Timezone, o.UserAgent, o.Scheme = b.Locale, b.Timezone, b.UserAgent, b.Scheme
	if b.Scale > 0 {
		o.Scale = b.Scale
	}
	// What is no size was reported when the file was parsed.
	if w, h, ok := strings.Cut(b.Viewport, "x"); ok {
		width, err := strconv.Atoi(w)
		height, err2 := strconv.Atoi(h)
		if err == nil && err2 == nil {
			o.Viewport = [2]int{width, height}
		}
	}
	return o
}

// namesOf gives the names of a list; nil stays nil.
func namesOf(list []spec.Named) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strings.ToLower(n.Name)
	}
	return out
}
