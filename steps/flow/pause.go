package flow

import (
	"context"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// Pause stops the test until a person goes on.
var Pause = steps.Kind{
	Name: "pause",
	Doc: "Stops until a person goes on, in a run with --debug, or with --headed on a terminal; elsewhere it only warns. " +
		"No deadline counts meanwhile. Refused under CI.",
	Example: "- pause: look at the cart\n",
	Keys:    []spec.Key{{Name: "pause", Type: "text", Doc: "what to look at", Required: true}},
	Decode: func(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
		n, ok := m["pause"]
		if !ok {
			return nil, anything
		}
		if n.Empty() {
			spec.WantText(n, "pause", d.Errs)
			return nil, anything
		}
		text := spec.CompileText(n, d.Scope, d.Errs)
		run := func(ctx context.Context, e steps.Env) steps.Observation {
			say, err := text.String(ctx, e.Values, e.Reader)
			if err != nil {
				return steps.Fail(steps.Validation, "expression", err.Error())
			}
			o := steps.OK(nil, "")
			if e.Pause == nil {
				o.Warnings = []string{"pause: nobody is there to go on; run with --debug, or with --headed on a terminal"}
				return o
			}
			if err := e.Pause(ctx, say); err != nil {
				return steps.Fail(steps.Interrupted, "held", err.Error())
			}
			return o
		}
		return steps.Opaque{Run: run, Person: true}, steps.Result(nil)
	},
}
