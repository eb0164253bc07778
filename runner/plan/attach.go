package plan

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// judgeMade judges browser keys with ${{ }}, which are known once they are made: nothing of them is in what was read.
func (u *unit) judgeMade(of spec.Node, o steps.SessionOptions, at diag.Pos) {
	if of.IsZero() {
		return
	}
	b := spec.Browser{Pos: at, Args: o.Args, Executable: o.Executable, Storage: o.StorageState}
	for _, h := range o.Hosts {
		b.Domains = append(b.Domains, spec.Named{Name: h, Pos: at})
	}
	u.judgeBrowser(b)
}

// attachedTest judges the browser of a test that runs already. Tests that adopt one tab do not run at a time.
func (u *unit) attachedTest(t *Test) {
	o := t.Browser
	if o.Connect == "" && o.Attach == "" {
		return
	}
	at := t.Of.Browser.Pos
	if at.IsZero() {
		at = u.s.Spec.Browser.Pos
	}
	u.attached(o, at, t.BeforeEach, t.Steps, t.Finally, t.AfterEach)
	if o.Attach == "" {
		return
	}
	if key := t.Of.Browser.Settings(); key != "" && t.Of.Browser.Attach == nil {
		u.refuse(at, "browser."+key+" cannot be set in a browser that is attached to: it is used as it is", "leave it out, or attach in the tests that need it only")
	}
	if len(t.Logins) > 0 {
		u.refuse(t.Pos, "the login of session "+strconv.Quote(t.Logins[0])+" cannot be taken into a browser that is attached to: it is used as it is",
			"log in by hand in that browser, or run the test in one of its own")
	}
	if o.Adopt != "" {
		t.Locks = append(slices.Clone(t.Locks), "tab "+strconv.Quote(o.Adopt)+" at "+hostOf(o.Attach))
		slices.Sort(t.Locks)
	}
}

// attached judges a browser that runs already: who may use it, and what can be held to in it.
func (u *unit) attached(o steps.SessionOptions, at diag.Pos, lists ...[]steps.Step) {
	where := o.Connect + o.Attach
	if where == "" {
		return
	}
	u.ask(steps.AskAttach, hostOf(where), at, u.s.Policy.Attach())
	u.askURL(strings.TrimPrefix(where, "cdp+"), at)
	if o.Hosts != nil {
		u.refuse(at, "allowed_domains can be enforced only in a browser that is started for the run, not in one that runs already", "leave one of the two out")
	}
	if o.Attach == "" {
		return
	}
	switch p := u.s.Spec.Project; {
	case p == nil || !p.Attach:
		u.refuse(at, "browser.attach uses somebody's own browser, and "+spec.ProjectFile+" does not say allow_attach: true", "say so there, and run with --allow-attach")
	case u.o.NeedEnv && !u.o.AllowAttach:
		u.refuse(at, "browser.attach uses somebody's own browser, and this run was not told that it may", "run with --allow-attach")
	}
	if o.Browser != "" {
		u.refuse(at, "browser.attach is for Chromium, and browser.name is "+strconv.Quote(o.Browser), "")
	}
	for _, list := range lists {
		steps.EachRow(list, func(_ *steps.Step, r *steps.Row) {
			if r.Call == nil || r.Call.Command == nil {
				return
			}
			if what := r.Call.Command.WholeBrowser(); what != "" {
				u.refuse(r.Pos, what+": a session that is attached to a browser must not", "run the test in a browser of its own")
			}
		})
	}
}

// refuse reports an error once: the tests of a suite share what it says.
func (u *unit) refuse(at diag.Pos, msg, hint string) {
	for _, e := range u.l.All() {
		if e.Pos == at && e.Msg == msg {
			return
		}
	}
	u.l.Add(at, msg, hint)
}

// hostOf names a browser by its host alone: what is behind it can be a credential.
func hostOf(address string) string {
	if x, err := url.Parse(address); err == nil && x.Host != "" {
		return x.Host
	}
	return "a browser"
}
