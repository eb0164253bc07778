package flow

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Rows is several rows as one step: they share its if, retry and soft.
var Rows = steps.Kind{
	Name:    "rows",
	Doc:     "Several rows as one step, which share its keys; its result is that of the last row.",
	Example: "- rows:\n    - [fill, label=Search, teapot]\n    - [press, Enter]\n  if: visible(\"label=Search\")\n",
	Keys:    []spec.Key{{Name: "rows", Type: "rows", Doc: "the rows, one after the other", Required: true}},
	Decode: func(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
		n, ok := m["rows"]
		if !ok {
			return nil, anything
		}
		rows := d.Rows(n)
		if len(rows) == 0 {
			return nil, anything
		}
		return steps.Rows{Rows: rows}, steps.RowResult(rows[len(rows)-1].Call)
	},
}
