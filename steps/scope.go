package steps

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

// MainSession is the session of a test that names none.
const MainSession = "main"

// Scope is where the steps of a Group happen: inside the one element that Target matches, in the frame that it matches,
// or in another session.
type Scope struct {
	Target  spec.Text // not of a session
	Frame   bool
	Session string // or ""
	Pos     diag.Pos
}

// Label is how a scope is named in plans and reports: its target as written, "frame" or "session" before it.
func (s *Scope) Label() string {
	switch {
	case s.Session != "":
		return "session " + s.Session
	case s.Frame:
		return "frame " + s.Target.Source()
	}
	return s.Target.Source()
}

// ScopePart is one rendered scope around a row: the target matches exactly one element, inside which the next part and
// the row's own targets are looked for; or one frame.
type ScopePart struct {
	Target target.Target
	Frame  bool
}

// Label is how the part is named in reports.
func (p ScopePart) Label() string {
	if p.Frame {
		return "frame " + p.Target.Source
	}
	return p.Target.Source
}

// ScopedReader is the power of a session to answer page functions inside scopes, outermost first. It waits for the
// scopes, up to timeouts.action, and never for what the function asks for.
type ScopedReader interface {
	ReadIn(ctx context.Context, in []ScopePart, fn string, args []any) (any, error)
}

// Stored is the power of a session to hand out what its login left: cookies and the localStorage of each origin, as the
// JSON that SessionOptions.StorageState names a file of.
type Stored interface {
	StorageState(ctx context.Context) ([]byte, error)
}

// Dismissal is one entry of dismiss: an overlay that may lie over the page, and the rows that take it away.
type Dismissal struct {
	Overlay spec.Text
	Rows    []Row
	Pos     diag.Pos
}

// Obstructed is the finer category of a row that was not sent because one of RowOptions.Overlays lies over the page;
// OverlayKey is the key of Data that holds its index.
const (
	Obstructed = "overlay"
	OverlayKey = "overlay"
)

// SessionName decodes the name of a session and checks that there is one; "" if it cannot be used.
func (d *Decoder) SessionName(n spec.Node) string {
	return WantSession(n, d.Sessions, d.Errs)
}

// WantSession decodes the name of one of the sessions known, or of the main one; "" if it cannot be used. It must be
// known before the run: what a session needs is done before a test starts.
func WantSession(n spec.Node, known []string, l *diag.List) string {
	before := l.Len()
	name := spec.WantText(n, "session", l)
	switch {
	case l.Len() > before:
		return ""
	case strings.Contains(name, "${{"):
		l.AddWide(n.Pos(), n.Width(), "the name of a session must be known before the run", "write the name itself")
		return ""
	case CheckSession(name, known, n, l):
		return name
	}
	return ""
}

// CheckSession reports a name that no session has; n is where it stands.
func CheckSession(name string, known []string, n spec.Node, l *diag.List) bool {
	if name == MainSession || slices.Contains(known, name) {
		return true
	}
	hint := "declare it: sessions: { " + name + ": { login: ./login.yaml } }"
	if near := diag.Nearest(name, append(slices.Clone(known), MainSession)); len(near) > 0 {
		hint = "did you mean " + strconv.Quote(near[0]) + "?"
	} else if len(known) > 0 {
		hint = "there are " + strings.Join(known, ", ") + " and " + MainSession
	}
	l.AddWide(n.Pos(), n.Width(), "there is no session "+strconv.Quote(name), hint)
	return false
}

// Dismissals decodes the list under dismiss.
func (d *Decoder) Dismissals(n spec.Node) []Dismissal {
	if n.IsZero() || n.Empty() {
		return nil
	}
	items, ok := n.Seq()
	if !ok {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("dismiss", "a list", n.Sort()),
			`write dismiss: [{ overlay: "#cookie-banner", do: [[click, "#accept"]] }]`)
		return nil
	}
	var out []Dismissal
	for _, item := range items {
		m, ok := item.Map("an entry of dismiss", spec.DismissKeys, d.Errs)
		over, has := m["overlay"]
		if !ok || !has {
			continue
		}
		x := Dismissal{Overlay: d.Target(over), Pos: over.Pos()}
		if do, ok := m["do"]; ok {
			x.Rows = d.Rows(do)
		}
		for _, r := range x.Rows {
			if r.Call.Command.Traits.Has(argv.Asserts) {
				d.Errs.Add(r.Pos, "an expect row cannot take an overlay away", "write the rows that close it")
			}
		}
		out = append(out, x)
	}
	return out
}

// Target decodes a target that may hold ${{ }}; one that is known is checked.
func (d *Decoder) Target(n spec.Node) spec.Text {
	t := spec.CompileText(n, d.Scope, d.Errs)
	text, static := t.Static()
	if _, scalar := n.Text(); !scalar || !static {
		return t
	}
	p := n.Pos()
	if n.Quoted() && p.Col > 0 {
		p.Col++
	}
	if strings.TrimSpace(text) == "" {
		d.Errs.Add(n.Pos(), "the target is empty", `write a target: "#cart", role=dialog, label=E-mail`)
		return t
	}
	target.Parse(text, p, d.Errs)
	return t
}
