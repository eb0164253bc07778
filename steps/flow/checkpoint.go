package flow

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// CheckpointKind is the name of the kind; the plan checks where it stands.
const CheckpointKind = "checkpoint"

// Checkpoint keeps where a test is.
var Checkpoint = steps.Kind{
	Name: CheckpointKind,
	Doc: "Keeps the page's address, the storage of its session, vars and the results of steps, so that checkrow resume goes on behind this step " +
		"when the run is cut off later in the test. What it keeps lies in a private folder outside the run, for this user only, and goes when the " +
		"test has ended. It stands directly in the steps of a test with resume: checkpoint that stays in one session.",
	Example: "- checkpoint: signed in\n",
	Keys:    []spec.Key{{Name: CheckpointKind, Type: "text", Doc: "its name", Required: true, Aka: []string{"savepoint", "save_state"}}},
	Decode: func(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
		n, ok := m[CheckpointKind]
		if !ok {
			return nil, steps.Result(nil)
		}
		name := strings.TrimSpace(spec.WantText(n, CheckpointKind, d.Errs))
		if name == "" {
			return nil, steps.Result(nil)
		}
		return steps.Opaque{Safe: true, Run: func(ctx context.Context, e steps.Env) steps.Observation {
			return keep(ctx, e, name)
		}}, steps.Result(nil)
	},
}

func keep(ctx context.Context, e steps.Env, name string) steps.Observation {
	if e.Checkpoint == nil {
		return steps.Fail(steps.Validation, "checkpoint", "a checkpoint stands directly in the steps of a test")
	}
	if err := e.Checkpoint(ctx, name); err != nil {
		var known steps.Observed
		if errors.As(err, &known) {
			o := known.Observation()
			o.Success = false
			return o
		}
		return steps.Fail(steps.Environment, "checkpoint", "checkpoint "+strconv.Quote(name)+" cannot be kept: "+err.Error())
	}
	o := steps.OK(nil, "")
	o.Summary = "kept " + strconv.Quote(name)
	return o
}
