package flow

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Scope runs steps inside an element, in a frame, or in another session.
var Scope = steps.Kind{
	Name: "scope",
	Doc: "Runs do inside the one element that a target matches, in a frame, or in another session. Rows, page functions, wait --text and " +
		"snapshots follow it; eval sees the element as scope. It nests, is looked for again for each row, and is always left.",
	Example: "- scope: 'li:has-text(\"Teapot\")'\n  do:\n    - [fill, label=Quantity, \"2\"]\n    - [click, role=button Add to cart]\n" +
		"- scope: { frame: \"#payment\" }\n  do:\n    - [fill, label=Card number, \"4111 1111 1111 1111\"]\n",
	Keys: []spec.Key{
		{Name: "scope", Type: "any", Doc: "TARGET, { frame: TARGET } or { session: NAME }", Required: true},
		{Name: "do", Type: "steps", Doc: "what to do there", Required: true},
	},
	Decode: decodeScope,
}

// scopeKeys are the keys of a scope that is no target.
var scopeKeys = []spec.Key{
	{Name: "frame", Type: "text", Doc: "a target that matches one frame", Excludes: []string{"session"}},
	{Name: "session", Type: "text", Doc: "the name of a session", Excludes: []string{"frame"}},
}

func decodeScope(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	g := steps.Group{}
	before := d.Errs.Len()
	if n, ok := m["scope"]; ok {
		g.Scope = scopeOf(d, n)
	}
	understood := d.Errs.Len() == before
	_, hasIf := m["if"]
	_, hasSkip := m["skip"]
	if hasIf || hasSkip {
		g.Do = d.Maybe(m["do"], nil)
	} else {
		g.Do = d.Inner(m["do"])
	}
	if g.Scope == nil || !understood {
		return nil, anything
	}
	if g.Scope.Session == "" {
		noFrameRows(g.Do, d.Errs)
	}
	return g, steps.Result(nil)
}

func scopeOf(d *steps.Decoder, n spec.Node) *steps.Scope {
	s := &steps.Scope{Pos: n.Pos()}
	if !n.IsMap() {
		if _, scalar := n.Text(); !scalar || n.Empty() {
			d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("scope", "a target, { frame: TARGET } or { session: NAME }", n.Sort()), n.QuoteHint())
			return nil
		}
		s.Target = d.Target(n)
		return s
	}
	m, ok := n.Map(`"scope"`, scopeKeys, d.Errs)
	frame, isFrame := m["frame"]
	session, isSession := m["session"]
	switch {
	case !ok:
		return nil
	case isFrame:
		s.Target, s.Frame = d.Target(frame), true
	case isSession:
		s.Session = d.SessionName(session)
	default:
		d.Errs.AddWide(n.Pos(), n.Width(), `"scope" says no place`, "write a target, { frame: TARGET } or { session: NAME }")
		return nil
	}
	return s
}

// noFrameRows reports frame rows inside a scope: they would outlive it.
func noFrameRows(list []steps.Step, l *diag.List) {
	steps.Walk(list, func(s *steps.Step) bool {
		if g, ok := s.Body.(steps.Group); s.Session != "" || ok && g.Scope != nil && g.Scope.Session != "" {
			return false // the whole page of another session
		}
		body, _ := s.Body.(steps.Rows)
		for _, r := range body.Rows {
			if r.Call != nil && r.Call.Command.Name() == "frame" {
				l.Add(r.Pos, "a frame row inside a scope would hold on after it", "write - scope: { frame: TARGET } with do below it")
			}
		}
		return true
	})
}
