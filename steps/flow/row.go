package flow

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Row is one argv row with the common keys beside it.
var Row = steps.Kind{
	Name:    "row",
	Doc:     "One row with keys beside it. A row that needs none stands alone: - [click, \"#buy\"].",
	Example: "- row: [eval, \"cart.items\"]\n  id: items\n  expect: len(value) == 2\n",
	Keys:    []spec.Key{{Name: "row", Type: "row", Doc: "the command and its operands", Required: true}},
	Decode: func(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
		r, ok := d.Row(m["row"])
		if !ok {
			return nil, anything
		}
		return steps.Rows{Rows: []steps.Row{r}}, steps.RowResult(r.Call)
	},
}
