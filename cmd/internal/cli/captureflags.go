package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// captureFlags say when recordings are kept, over what suites and tests say.
type captureFlags struct{ trace, video, screenshot string }

func (f *captureFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.trace, "trace", "", "keep a Playwright trace of attempts: `MODE` is "+strings.Join(spec.CaptureModes, ", "))
	fs.StringVar(&f.video, "video", "", "keep a video of attempts (`MODE` as of --trace); needs ffmpeg")
	fs.StringVar(&f.screenshot, "screenshot", "", "keep a screenshot of the end of attempts (`MODE` as of --trace; default on-failure)")
}

// validateCapture refuses a mode that is none.
func (f *runFlags) validateCapture() error {
	for _, v := range []struct{ name, mode string }{{"trace", f.trace}, {"video", f.video}, {"screenshot", f.screenshot}} {
		if v.mode != "" && !slices.Contains(spec.CaptureModes, v.mode) {
			return usagef("%s has no value %q%s", f.named(v.name), v.mode, suggest(v.mode, spec.CaptureModes))
		}
	}
	return nil
}

// over puts the flags over what the plan says.
func (f *captureFlags) over(c *steps.Capture) {
	for _, v := range []struct {
		to   *string
		mode string
	}{{&c.Trace, f.trace}, {&c.Video, f.video}, {&c.Screenshot, f.screenshot}} {
		if v.mode != "" {
			*v.to = v.mode
		}
	}
}
