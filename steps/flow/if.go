package flow

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// If is a choice between lists of steps.
var If = steps.Kind{
	Name:    "if",
	Doc:     "Runs then if the condition holds, else the first elif that does, else else. The condition is read once, or until within.",
	Example: "- if: visible(\"#gift\")\n  then:\n    - [check, label=Gift wrap]\n  elif:\n    - if: vars.user == \"ada\"\n      then:\n        - [click, \"#skip\"]\n  else:\n    - [screenshot, no-gift.png]\n",
	Keys: []spec.Key{
		{Name: "if", Type: "expr", Doc: "the condition", Required: true},
		{Name: "then", Type: "steps", Doc: "what to do if it holds", Required: true},
		{Name: "elif", Type: "list", Keys: elifKeys, Doc: "further conditions: a list of {if, then}"},
		{Name: "else", Type: "steps", Doc: "what to do if none holds"},
	},
	Decode: decodeIf,
}

var elifKeys = []spec.Key{
	{Name: "if", Type: "expr", Doc: "the condition", Required: true},
	{Name: "then", Type: "steps", Doc: "what to do if it holds", Required: true},
}

func decodeIf(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	var b steps.Branch
	arm := func(m map[string]spec.Node) {
		if _, ok := m["if"]; !ok {
			return
		}
		cond := spec.CompileExpr(m["if"], d.Scope, boolean, d.Errs)
		b.Arms = append(b.Arms, steps.Arm{Cond: cond, Do: d.Maybe(m["then"], nil)})
	}
	arm(m)
	if n, ok := m["elif"]; ok {
		items, list := n.Seq()
		if !list {
			d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("elif", "a list", n.Sort()), "write elif: [{ if: EXPR, then: [...] }]")
		}
		for _, item := range items {
			if m, ok := item.Map("an elif", elifKeys, d.Errs); ok {
				arm(m)
			}
		}
	}
	if n, ok := m["else"]; ok {
		b.Arms = append(b.Arms, steps.Arm{Do: d.Maybe(n, nil)})
	}
	return b, steps.Result(nil)
}
