package flow

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Group names a list of steps and gives it keys.
var Group = steps.Kind{
	Name:    "group",
	Doc:     "Several steps under one name, which share the keys beside it.",
	Example: "- group: pay by card\n  timeout: 30s\n  do:\n    - [fill, label=Card number, \"4111 1111 1111 1111\"]\n    - [click, role=button Pay]\n",
	Keys: []spec.Key{
		{Name: "group", Type: "text", Doc: "what the steps are called in reports", Required: true},
		{Name: "do", Type: "steps", Doc: "the steps", Required: true},
	},
	Decode: func(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
		g := steps.Group{Name: spec.WantText(m["group"], "group", d.Errs)}
		_, hasIf := m["if"]
		_, hasSkip := m["skip"]
		if hasIf || hasSkip {
			g.Do = d.Maybe(m["do"], nil)
		} else {
			g.Do = d.Inner(m["do"])
		}
		return g, steps.Result(nil)
	},
}
