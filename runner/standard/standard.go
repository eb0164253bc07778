// Package standard is the public table of step kinds: what a suite may say in a run of checkrow. The command line, the
// Ginkgo bridge and the generators of reference and schema all take it from here.
package standard

import (
	"cmp"
	"slices"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/expect"
	"github.com/checkrow/checkrow/steps/flow"
	"github.com/checkrow/checkrow/steps/httpcheck"
	"github.com/checkrow/checkrow/steps/process"
)

// Kinds gives the step kinds, sorted by name. The list is the caller's.
func Kinds() []steps.Kind {
	list := []steps.Kind{
		expect.Kind, flow.For, flow.Group, flow.If, flow.Pause, flow.Row, flow.Rows, flow.Scope, flow.Set, flow.Use, flow.While, httpcheck.Kind, process.Kind,
	}
	slices.SortFunc(list, func(a, b steps.Kind) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
