package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// SessionKeys are the keys of one entry of sessions.
var SessionKeys = []Key{
	{Name: "login", Type: "text", Doc: "A fragment that logs in; it runs once, at first need, and what it leaves in the browser seeds each fresh context.",
		Aka: []string{"use", "setup", "auth"}},
	{Name: "with", Type: "map", Doc: "Values of its inputs.", Aka: []string{"inputs"}},
	{Name: "open", Type: "text", Doc: "A page that each fresh context opens first.", Aka: []string{"url"}},
	{Name: "valid", Type: "expr", Doc: "What must hold on that page; if it does not, the login runs once more.", Aka: []string{"check", "loggedin"}},
}

// DismissKeys are the keys of one entry of dismiss.
var DismissKeys = []Key{
	{Name: "overlay", Type: "text", Required: true, Doc: "A target: what may lie over the page.", Aka: []string{"target", "selector"}},
	{Name: "do", Type: "rows", Required: true, Doc: "The rows that take it away.", Aka: []string{"rows", "steps"}},
}

// Session is one entry of `sessions:`: a browser context of its own with a login.
type Session struct {
	Name  string
	Pos   diag.Pos
	Login Node // path of a fragment; zero: none
	With  Node
	Open  Node
	Valid Node
}

func decodeSessions(n Node, l *diag.List) []Session {
	if n.IsZero() || n.Empty() {
		return nil
	}
	entries := n.Entries(`"sessions"`, l)
	out := make([]Session, 0, len(entries))
	for _, e := range entries {
		if strings.ContainsFunc(e.Name, func(r rune) bool { return !word(r) && r != '-' }) || e.Name == "" {
			l.AddWide(e.KeyPos, utf8.RuneCountInString(e.Name), strconv.Quote(e.Name)+" is no name for a session", "letters, digits, _ and -")
			continue
		}
		s := Session{Name: e.Name, Pos: e.KeyPos}
		if e.Value.Empty() { // a second browser without a login
			out = append(out, s)
			continue
		}
		m, ok := e.Value.Map("a session", SessionKeys, l)
		if !ok {
			continue
		}
		s.Login, s.With = wantScalar(m["login"], "login", l), m["with"]
		s.Open, s.Valid = wantScalar(m["open"], "open", l), wantScalar(m["valid"], "valid", l)
		missing := func(key, needs, hint string) {
			if v, ok := m[key]; ok && m[needs].IsZero() {
				l.AddWide(v.KeyPos(), utf8.RuneCountInString(key), `"`+key+`" needs "`+needs+`" beside it`, hint)
			}
		}
		missing("with", "login", "it is what the login gets")
		missing("valid", "open", "say on which page it is read")
		missing("valid", "login", "without one there is nothing to do about it")
		out = append(out, s)
	}
	return out
}
