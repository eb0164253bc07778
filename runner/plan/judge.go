package plan

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// Asked is one thing that a suite asks for and that a policy can deny.
type Asked struct {
	Kind   steps.AskKind `json:"kind"`
	Name   string        `json:"name"`
	Pos    diag.Pos      `json:"pos"`
	Denied bool          `json:"denied,omitempty"`
	// Later says that the value is known only when the suite runs: it is judged then.
	Later bool `json:"later,omitempty"`
}

// policy gives what a suite may do: by --policy, and by its project.
func (c *compiler) policy(root string, project *spec.Project) *steps.Policy {
	var narrow *spec.Policy
	if project != nil {
		narrow = project.Policy
	}
	search := ""
	if c.o.LookupEnv != nil {
		search, _ = c.o.LookupEnv("PATH")
	}
	return steps.NewPolicy(search, root, c.o.Policy, narrow)
}

// mayRead judges that the suite reads a file beside it: a fragment, or the rows of an each.
func (u *unit) mayRead(path spec.Node) bool {
	text, ok := path.Text()
	if !ok || text == "" || u.s.Policy == nil {
		return true
	}
	at := text
	if !filepath.IsAbs(at) {
		at = filepath.Join(filepath.Dir(u.abs(path.Pos().File)), filepath.FromSlash(text))
	}
	before := u.l.Len()
	u.ask(steps.AskFile, text, path.Pos(), u.s.Policy.File(at))
	return u.l.Len() == before
}

// judge asks the policy about all that the suite asks for, as far as it is written out, and holds a read_only suite to its
// word.
func (u *unit) judge() {
	s := u.s
	for _, use := range u.wants.Uses {
		switch use.What {
		case "env":
			u.ask(steps.AskEnv, use.Name, use.Pos, s.Policy.Env(use.Name))
		case "secrets":
			u.ask(steps.AskSecret, use.Name, use.Pos, s.Policy.Secret(use.Name))
		case "js":
			u.ask(steps.AskJS, "js()", use.Pos, s.Policy.JS())
			if s.ReadOnly {
				u.l.AddWide(use.Pos, 2, "js() can change the page, and the suite is read_only", "read it with text(), count() or attr()")
			}
		}
	}
	if len(s.Setup)+len(s.Teardown) > 0 {
		u.attached(s.Browser, s.Spec.Browser.Pos, s.Setup, s.Teardown)
		u.noLaunch(s.Setup, s.Teardown)
	}
	u.reach(&s.Browser)
	u.judgeServices()
	u.judgeBrowser(s.Spec.Browser)
	u.judgeMade(s.Spec.BrowserOf, s.Browser, s.Spec.Browser.Pos)
	if url, ok := s.BaseURL.Static(); ok && s.HasBase {
		u.askURL(url, s.BaseURL.Pos())
	}
	u.judgeList(s.Setup, s.ReadOnly)
	u.judgeList(s.Teardown, s.ReadOnly)
	for _, x := range s.Sessions {
		u.judgeList(x.Login, false)
		u.judgeList(x.Open, s.ReadOnly)
		u.noLaunch(x.Login, x.Open)
	}
	for _, d := range s.Dismiss {
		u.judgeRows(d.Rows, s.ReadOnly)
	}
	for _, t := range s.Tests {
		t.ReadOnly = s.ReadOnly || t.Of.ReadOnly
		for _, list := range [][]steps.Step{t.BeforeEach, t.Steps, t.Finally, t.AfterEach} {
			u.judgeList(list, t.ReadOnly)
		}
		for _, d := range t.Dismiss {
			u.judgeRows(d.Rows, t.ReadOnly)
		}
		u.judgeBrowser(t.Of.Browser)
		u.judgeMade(s.Spec.BrowserOf, t.Browser, s.Spec.Browser.Pos)
		u.judgeMade(t.Of.BrowserOf, t.Browser, t.Of.Browser.Pos)
		u.attachedTest(t)
		u.launchTest(t)
		u.reach(&t.Browser)
	}
	s.Asks = unique(s.Asks)
}

// reach narrows what the browser can reach to what the policy allows.
func (u *unit) reach(o *steps.SessionOptions) {
	list, restricted := u.s.Policy.Domains()
	if !restricted {
		return
	}
	if o.Hosts != nil {
		list = steps.Narrow(list, o.Hosts)
	}
	o.Hosts, o.Public = list, !u.s.Policy.PrivateNetworks()
}

// ask notes what the suite asks for, and reports it if it is denied.
func (u *unit) ask(kind steps.AskKind, name string, at diag.Pos, denied error) {
	a := Asked{Kind: kind, Name: name, Pos: at, Denied: denied != nil}
	if slices.Contains(u.s.Asks, a) {
		return // the steps of a hook belong to many tests
	}
	u.s.Asks = append(u.s.Asks, a)
	var d *steps.Denied
	if errors.As(denied, &d) {
		u.l.AddWide(at, utf8.RuneCountInString(name), d.Msg, d.Hint)
	}
}

// later notes what is known only when the suite runs.
func (u *unit) later(kind steps.AskKind, text string, at diag.Pos) {
	if a := (Asked{Kind: kind, Name: text, Pos: at, Later: true}); !slices.Contains(u.s.Asks, a) {
		u.s.Asks = append(u.s.Asks, a)
	}
}

func (u *unit) askURL(raw string, at diag.Pos) {
	if _, host := steps.WebHost(raw); host != "" {
		u.ask(steps.AskDomain, host, at, u.s.Policy.Host(host))
	}
}

func (u *unit) judgeServices() {
	for _, e := range u.s.Spec.Env {
		u.ask(steps.AskChild, e.Name, e.KeyPos, u.s.Policy.ChildEnv(e.Name))
	}
	list := make([]*Service, 0, len(u.s.Services)+len(u.s.Shared))
	for i := range u.s.Services {
		list = append(list, &u.s.Services[i])
	}
	if u.s.Project != nil {
		for i := range u.s.Project.Services {
			list = append(list, &u.s.Project.Services[i])
		}
	}
	for _, x := range list {
		u.ask(steps.AskService, x.Spec.Name, x.Spec.Pos, u.s.Policy.Service(x.Spec.Name))
		if len(x.Argv) > 0 {
			u.judgeAsk(steps.Ask{Kind: steps.AskProgram, Text: x.Argv[0], Pos: x.Argv[0].Pos()}, u.s.Root)
		}
		for _, e := range x.Spec.Env {
			u.ask(steps.AskChild, e.Name, e.KeyPos, u.s.Policy.ChildEnv(e.Name))
		}
	}
}

func (u *unit) judgeBrowser(b spec.Browser) {
	for _, arg := range b.Args {
		u.ask(steps.AskSwitch, arg, b.Pos, u.s.Policy.Switch(arg))
	}
	if b.Executable != "" {
		u.ask(steps.AskProgram, b.Executable, b.Pos, u.s.Policy.Program(b.Executable))
	}
	if b.Storage != "" {
		u.ask(steps.AskFile, b.Storage, b.Pos, u.s.Policy.File(u.abs(b.Storage)))
	}
	for _, d := range b.Domains {
		u.ask(steps.AskDomain, d.Name, d.Pos, u.s.Policy.Host(strings.TrimPrefix(d.Name, "*.")))
	}
}

func (u *unit) judgeList(list []steps.Step, readOnly bool) {
	steps.Walk(list, func(s *steps.Step) bool {
		if slices.Contains(steps.RiskyKinds, s.Kind) {
			u.ask(steps.AskStep, s.Kind, s.Pos, u.s.Policy.Step(s.Kind))
			if readOnly && s.Kind == "page_script" {
				u.l.AddWide(s.Pos, len(s.Kind), "page_script can change the page, and the suite is read_only", "")
			}
		}
		if s.Unredacted && s.Save != nil {
			u.ask(steps.AskBare, s.Save.Source(), s.Save.Pos(), u.s.Policy.Unredacted())
		}
		switch b := s.Body.(type) {
		case steps.Rows:
			u.judgeRows(b.Rows, readOnly)
		case steps.Opaque:
			for _, a := range b.Wants {
				u.judgeAsk(a, u.s.Root)
			}
		}
		return true
	})
}

// judgeAsk judges what a step asks for; base is the folder that its files start from.
func (u *unit) judgeAsk(a steps.Ask, base string) {
	text, static := a.Text.Static()
	if !static {
		u.later(a.Kind, a.Text.Source(), a.Pos)
		return
	}
	switch a.Kind {
	case steps.AskProgram:
		u.ask(a.Kind, text, a.Pos, u.s.Policy.Program(text))
	case steps.AskChild:
		u.ask(a.Kind, text, a.Pos, u.s.Policy.ChildEnv(text))
	case steps.AskDomain:
		u.askURL(text, a.Pos)
	case steps.AskFile:
		if !filepath.IsAbs(text) {
			text = filepath.Join(base, text)
		}
		u.ask(a.Kind, text, a.Pos, u.s.Policy.File(text))
	case steps.AskAttach:
		u.ask(a.Kind, text, a.Pos, u.s.Policy.Attach())
	}
}

func (u *unit) judgeRows(list []steps.Row, readOnly bool) {
	for i := range list {
		row := &list[i]
		if row.Call == nil {
			continue
		}
		c := row.Call.Command
		if risky := steps.RiskyRow(c, row.Call.Has); risky != "" {
			u.ask(steps.AskRow, risky, row.Pos, u.s.Policy.Row(c, row.Call.Has))
		}
		if readOnly && steps.Changes(c, row.Call.OperandText) {
			u.l.AddWide(row.Pos, 1, "the row "+strconv.Quote(c.Name())+" changes the page, and the test is read_only",
				"navigation and reads work; take read_only away if the test is to act")
		}
		for _, cell := range argv.Reaches(row.Call) {
			text, static := row.Text[cell.At].Static()
			kind := steps.AskFile
			if cell.Kind == argv.URL {
				kind = steps.AskDomain
			}
			switch {
			case !static:
				u.later(kind, row.Text[cell.At].Source(), row.Text[cell.At].Pos())
			case kind == steps.AskDomain:
				u.askURL(text, row.Text[cell.At].Pos())
			default:
				at := cell.Path(row.Pos.File, text)
				if !filepath.IsAbs(at) {
					at = filepath.Join(filepath.Dir(u.abs(row.Pos.File)), at)
				}
				u.ask(kind, text, row.Text[cell.At].Pos(), u.s.Policy.File(at))
			}
		}
	}
}

// unique keeps the first of those that stand at the same place.
func unique(list []Asked) []Asked {
	seen := map[Asked]bool{}
	return slices.DeleteFunc(list, func(a Asked) bool {
		was := seen[a]
		seen[a] = true
		return was
	})
}
