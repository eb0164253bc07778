package plan

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// Session is one compiled session of a suite.
type Session struct {
	Name  string
	Pos   diag.Pos
	Login []steps.Step // one step that uses the fragment; nil: there is no login
	Open  []steps.Step // one row; nil: nothing is opened
	Valid *spec.Expr   // nil: what the login leaves is taken as it is

	uses []spec.EnvUse
}

// sessionNames are the sessions that a suite declares.
func sessionNames(s *spec.Suite) []string {
	out := make([]string, len(s.Sessions))
	for i := range s.Sessions {
		out[i] = s.Sessions[i].Name
	}
	return out
}

// sessions compiles what each session of the suite does to be ready. It sees what the whole suite does, and no test.
func (u *unit) sessions(setup spec.Type) {
	for i := range u.s.Spec.Sessions {
		def := &u.s.Spec.Sessions[i]
		uses := &spec.EnvUses{}
		sc := u.stepScope(u.vars, setup, map[string]bool{})
		sc.Env = uses
		out := &Session{Name: def.Name, Pos: def.Pos, Login: u.login(def, sc)}
		d := u.decoder(sc)
		if !def.Open.IsZero() {
			out.Open = openRow(d, def.Open)
		}
		if !def.Valid.IsZero() {
			out.Valid = spec.CompileExpr(def.Valid, sc, spec.Type{Base: spec.Bool}, u.l)
		}
		out.uses = uses.Uses
		u.s.Sessions = append(u.s.Sessions, out)
	}
}

// login decodes the use of a session's fragment.
func (u *unit) login(def *spec.Session, sc *spec.Scope) []steps.Step {
	if def.Login.IsZero() {
		return nil
	}
	use, ok := u.kinds["use"]
	if !ok {
		u.l.Add(def.Login.Pos(), diag.NotBuilt("login"), "")
		return nil
	}
	keys := map[string]spec.Node{"use": def.Login}
	if !def.With.IsZero() {
		keys["with"] = def.With
	}
	before := u.l.Len()
	body, _ := use.Decode(u.decoder(sc), keys, def.Login)
	if body == nil {
		return nil
	}
	list := []steps.Step{{Kind: "use", Name: "login of " + def.Name, Pos: def.Login.Pos(), Body: body}}
	if !needsBrowser(list) && u.l.Len() == before {
		u.l.AddWide(def.Login.Pos(), def.Login.Width(), "the login does nothing in a browser, so it leaves nothing to start from",
			"log in with rows, or call the API in before_each")
	}
	u.checkSteps(list, u.s.Limits)
	u.checkBatches(list)
	u.claim(list, "", map[string]diag.Pos{})
	return list
}

// openRow makes the row that a session's open stands for.
func openRow(d *steps.Decoder, n spec.Node) []steps.Step {
	text := spec.CompileText(n, d.Scope, d.Errs)
	static, known := text.Static()
	if !known {
		static, _ = n.Text()
	}
	cells := []argv.Cell{{Text: "open", Pos: n.Pos()}, {Text: static, Dynamic: !known, Pos: n.Pos()}}
	r := steps.Row{Pos: n.Pos(), Text: []spec.Text{spec.Literal("open", n.Pos()), text}, Call: argv.Parse(cells, n.Pos(), d.Errs)}
	if r.Call == nil {
		return nil
	}
	return []steps.Step{{Kind: "row", Pos: n.Pos(), Body: steps.Rows{Rows: []steps.Row{r}}}}
}

// dismissals decodes a list of overlays.
func (u *unit) dismissals(n spec.Node, sc *spec.Scope) []steps.Dismissal {
	list := u.decoder(sc).Dismissals(n)
	for i := range list {
		if len(list[i].Rows) > 0 {
			u.checkSteps([]steps.Step{{Pos: list[i].Pos, Body: steps.Rows{Rows: list[i].Rows}}}, u.s.Limits)
		}
	}
	return list
}

// where compiles where a test happens: its session, the logins that come before it, the overlays that may be in its way. A
// session that is made of matrix or each is told by each form of the test.
func (u *unit) where(t *spec.Test, out *Test, sc *spec.Scope) {
	out.Dismiss = u.s.Dismiss
	if !t.Dismiss.IsZero() {
		out.Dismiss = append(u.dismissals(t.Dismiss, sc), u.s.Dismiss...)
	}
	if !t.Session.HasText() {
		u.enter(out, u.sessionOf(t, nil, nil))
	}
}

// enter puts a test into its session.
func (u *unit) enter(out *Test, session string) {
	out.Session = session
	used := out.sessionsUsed()
	out.Logins, out.Rooms = out.needsLogin(used), max(len(used), 1)
	u.checkRooms(out.Rooms, out.Pos, "the test")
	out.uses = slices.Clip(out.uses)
	for _, s := range u.s.Sessions {
		if slices.Contains(out.Logins, s.Name) || s.Name == out.Session {
			out.uses = append(out.uses, s.uses...)
		}
	}
}

// sessionOf gives the session of a test. Its name may be made of what is known before the run: sc is the scope of that and
// vals are its values, those of one form of the test.
func (u *unit) sessionOf(t *spec.Test, sc *spec.Scope, vals spec.Values) string {
	if t.Session.IsZero() {
		return steps.MainSession
	}
	text, _ := t.Session.Text()
	if !strings.Contains(text, "${{") {
		return steps.WantSession(t.Session, sessionNames(u.s.Spec), u.l)
	}
	before := u.l.Len()
	c := spec.CompileText(t.Session, sc, u.l)
	if u.l.Len() > before {
		return ""
	}
	name, err := c.String(context.Background(), vals, nil)
	if err != nil {
		u.l.Append(&diag.Error{Pos: t.Session.Pos(), Msg: "the session cannot be told: " + err.Error(), Err: err})
		return ""
	}
	steps.CheckSession(name, sessionNames(u.s.Spec), t.Session, u.l)
	return name
}

// needsLogin lists the sessions of a test that a login must have prepared, sorted: those that its steps name, and its own
// if anything happens in it.
func (t *Test) needsLogin(used map[string]bool) []string {
	var out []string
	for _, s := range t.Suite.Sessions {
		if used[s.Name] && s.Login != nil {
			out = append(out, s.Name)
		}
	}
	slices.Sort(out)
	return out
}

// sessionsUsed are the sessions in which a test acts on a page.
func (t *Test) sessionsUsed() map[string]bool {
	used := map[string]bool{}
	for _, list := range [][]steps.Step{t.BeforeEach, t.Steps, t.Finally, t.AfterEach} {
		sessionsOf(list, t.Session, used)
	}
	for _, o := range t.Outputs {
		used[t.Session] = used[t.Session] || o.Expr.UsesPage()
	}
	maps.DeleteFunc(used, func(_ string, yes bool) bool { return !yes })
	return used
}

// sessionsOf notes the sessions in which a list of steps touches a page.
func sessionsOf(list []steps.Step, in string, used map[string]bool) {
	for i := range list {
		s, at := &list[i], in
		if s.Session != "" {
			at = s.Session
		}
		if touches(s) {
			used[at] = true
		}
		if g, ok := s.Body.(steps.Group); ok && g.Scope != nil && g.Scope.Session != "" {
			at = g.Scope.Session
		}
		for _, inner := range steps.Inside(s.Body) {
			sessionsOf(inner, at, used)
		}
	}
}

// touches tells that a step itself acts on a page or reads one. What it misses is logged in when the session is opened.
func touches(s *steps.Step) bool {
	one := *s
	if len(steps.Inside(s.Body)) > 0 {
		one.Body = nil
	}
	return needsBrowser([]steps.Step{one})
}

// Session finds a session of the suite by its name; nil for the main one if it is not declared.
func (s *Suite) Session(name string) *Session {
	for _, x := range s.Sessions {
		if x.Name == name {
			return x
		}
	}
	return nil
}
