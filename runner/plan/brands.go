package plan

import (
	"fmt"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// brands refuses what a Firefox or WebKit cannot do: rows that need Chromium, and browser keys. What stands behind an if may
// be meant for another form of the test; it fails when it runs.
func (u *unit) brands(s *Suite) {
	told := map[diag.Pos]bool{}
	check := func(o steps.SessionOptions, at diag.Pos, lists ...[]steps.Step) {
		if o.Browser == "" {
			return
		}
		u.brandKeys(o, at, told)
		for _, list := range lists {
			u.brandRows(list, o.Browser, told)
		}
	}
	at := func(t *spec.Test) diag.Pos {
		if t != nil && !t.Browser.Pos.IsZero() {
			return t.Browser.Pos
		}
		return s.Spec.Browser.Pos
	}
	check(s.Browser, at(nil), s.Setup, s.Teardown)
	for _, t := range s.Tests {
		check(t.Browser, at(t.Of), t.BeforeEach, t.Steps, t.Finally, t.AfterEach)
		for _, in := range s.Sessions {
			check(t.Browser, at(t.Of), in.Login, in.Open)
		}
	}
}

// brandKeys refuses keys of browser.
func (u *unit) brandKeys(o steps.SessionOptions, at diag.Pos, told map[diag.Pos]bool) {
	wrong := ""
	switch {
	case o.Mobile && o.Browser == "firefox":
		wrong = "mobile (also as part of a device)"
	case o.Hosts != nil:
		wrong = "allowed_domains"
	}
	if wrong != "" && !told[at] {
		told[at] = true
		u.l.Add(at, "browser: "+wrong+" is not for "+o.Browser, "leave it out, or use chromium")
	}
}

// brandRows refuses rows that only Chromium can execute.
func (u *unit) brandRows(list []steps.Step, brand string, told map[diag.Pos]bool) {
	for i := range list {
		s := &list[i]
		if _, branch := s.Body.(steps.Branch); branch || s.If != nil {
			continue
		}
		if body, ok := s.Body.(steps.Rows); ok {
			for _, r := range body.Rows {
				if r.Call == nil || r.Call.Command == nil || told[r.Pos] {
					continue
				}
				if what := r.Call.ChromiumOnly(); what != "" {
					told[r.Pos] = true
					u.l.Add(r.Pos, fmt.Sprintf("%s needs Chromium, and browser.name is %s", strconv.Quote(what), strconv.Quote(brand)),
						"leave the row out, or guard it with an if over what chooses the browser")
				}
			}
		}
		for _, inner := range steps.Inside(s.Body) {
			u.brandRows(inner, brand, told)
		}
	}
}
