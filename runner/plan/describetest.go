package plan

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// describe lays one test out; done are the descriptions before it, of the tests in all. A form shares the steps of the form
// before it, and is not laid out again: a thousand of them would bury the plan.
func (t *Test) describe(done []TestDescription, all []*Test) TestDescription {
	skip, _ := t.StaticSkip()
	d := TestDescription{Name: t.Key.Name, Pos: t.Pos, Tags: t.Tags, Skip: skip, Retries: t.Retries, Browser: t.NeedsBrowser,
		Page: t.page(), Limit: t.Limits.Test.String(), Locks: t.Locks, Needs: t.needNames(), Known: t.KnownBug.ID, Until: t.until(),
		Logins: t.Logins, Dismiss: overlays(t.Dismiss)}
	if t.Session != steps.MainSession {
		d.Session = t.Session
	}
	for i := len(done) - 1; i >= 0; i-- {
		if all[i].Of == t.Of {
			d.Like = cmp.Or(done[i].Like, done[i].Name)
			return d
		}
	}
	d.Before, d.Steps = entries(t.BeforeEach, ""), entries(t.Steps, "")
	d.Finally, d.After = entries(t.Finally, ""), entries(t.AfterEach, "")
	return d
}

// page says what a page of the test is, as far as it is not what its suite says.
func (t *Test) page() string {
	if !t.NeedsBrowser {
		return ""
	}
	o, usual := t.Browser, sessionOptions(t.Suite.Spec.Browser, t.Suite.Spec.Browser, steps.Limits{})
	var out []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(o.Browser != usual.Browser, "%s", cmp.Or(o.Browser, spec.Chromium))
	add(o.Viewport != usual.Viewport, "%dx%d", o.Viewport[0], o.Viewport[1])
	add(o.Scale != usual.Scale, "@%v", o.Scale)
	add(o.Mobile && !usual.Mobile, "mobile")
	add(o.Touch && !usual.Touch, "touch")
	add(o.Locale != usual.Locale, "%s", o.Locale)
	add(o.Timezone != usual.Timezone, "%s", o.Timezone)
	add(o.Scheme != usual.Scheme, "%s", o.Scheme)
	return strings.Join(out, " ")
}
