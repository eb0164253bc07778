// Package target is the target grammar: the one way to name an element, in rows and in page functions (LANGUAGE §3).
// CSS, xpath=, @eN, role=, label=, text=, testid=, placeholder=, alt=, title=; "A >> B" is B inside A; nth= chooses.
package target

import "github.com/checkrow/checkrow/spec/diag"

// Engine is how one part of a target finds elements.
type Engine uint8

// The engines of the grammar.
const (
	CSS Engine = iota
	XPath
	Ref
	Role
	Label
	TextIs
	TestID
	Placeholder
	Alt
	Title
	Nth
)

// Part is one step of a target: what to match and how. Name is the rest of the cell for role= (Role holds the role),
// label=, text= and the attribute engines; Exact when it stood in quotes. N is the index of nth=.
type Part struct {
	Engine Engine
	Value  string // CSS or XPath source, ref without "@", role, or the text to match
	Name   string // accessible name, for Role only
	Named  bool   // Role has a name
	Exact  bool
	N      int
}

// Target is a parsed target: parts from the outside in, as "A >> B" spells them.
type Target struct {
	Source string
	Parts  []Part
}

// Parse reads a target. p is the position of its first rune, for the diagnostics; on error it reports to l and returns
// what it understood. A bare //x, text() or getBy is an error that offers the right spelling.
func Parse(src string, p diag.Pos, l *diag.List) Target { return parse(src, p, l) }

// HasRef tells that the target names a ref of the last snapshot (@eN or @fNeM).
func (t Target) HasRef() bool {
	for _, p := range t.Parts {
		if p.Engine == Ref {
			return true
		}
	}
	return false
}

// Native tells that every part is CSS (without Playwright's own pseudo-classes) or XPath or nth, so that the own
// isolated world can resolve it without Playwright's injected script.
func (t Target) Native() bool { return native(t) }
