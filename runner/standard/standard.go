// Package standard is the public table of step kinds: what a suite may say in a run of checkrow. The command line, the
// Ginkgo bridge and the generators of reference and schema all take it from here.
package standard

import (
	"cmp"
	"slices"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/action"
	"github.com/checkrow/checkrow/steps/code"
	"github.com/checkrow/checkrow/steps/electron"
	"github.com/checkrow/checkrow/steps/expect"
	"github.com/checkrow/checkrow/steps/flow"
	"github.com/checkrow/checkrow/steps/httpcheck"
	"github.com/checkrow/checkrow/steps/process"
	"github.com/checkrow/checkrow/steps/qa"
	"github.com/checkrow/checkrow/steps/source"
)

// Kinds gives the step kinds, sorted by name. The list is the caller's.
func Kinds() []steps.Kind {
	list := []steps.Kind{
		action.Kind, qa.A11y, qa.Kind, source.Kind, source.Network,
		code.Kind, code.PageScript, electron.Kind, expect.Kind, flow.Checkpoint, flow.For, flow.Group, flow.Handoff, flow.If, flow.Pause, flow.Row, flow.Rows, flow.Scope, flow.Set, flow.Use, flow.While, httpcheck.Kind, process.Kind,
	}
	slices.SortFunc(list, func(a, b steps.Kind) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
