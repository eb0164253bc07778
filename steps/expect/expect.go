// Package expect holds the step kind of a bare expect: a condition on the page, read again until it holds.
package expect

import (
	"context"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Kind is the bare expect. Its expressions are the common key expect, which the runner reads until it holds: the step
// itself does nothing and succeeds.
var Kind = steps.Kind{
	Name:    "expect",
	Doc:     "Expects conditions to hold; they are read again until they do or within is over. A list is evaluated whole.",
	Example: "- expect: [text(\"h1\") startsWith \"Thank you\", count(\".error\") == 0]\n  within: 10s\n",
	Keys:    []spec.Key{{Name: "expect", Type: "expr", Doc: "what must hold: one expression or a list", Required: true}},
	Decode: func(*steps.Decoder, map[string]spec.Node, spec.Node) (steps.Body, spec.Type) {
		return steps.Opaque{Safe: true, Run: func(context.Context, steps.Env) steps.Observation {
			return steps.Observation{Success: true}
		}}, steps.Result(nil)
	},
}
