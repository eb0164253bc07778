package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
)

// listedTest is a test in `checkrow list --json`.
type listedTest struct {
	Suite string   `json:"suite"`
	Name  string   `json:"name"`
	Pos   diag.Pos `json:"pos"`
	Tags  []string `json:"tags"`
	Skip  string   `json:"skip,omitempty"` // the reason, if it is known before the run
}

func (a *app) listCmd() *cobra.Command {
	var sel selection
	var asJSON bool
	c := &cobra.Command{Use: "list [PATH...]", Short: "the tests that would run, with place and tags",
		RunE: func(_ *cobra.Command, args []string) error {
			o, err := sel.options(a)
			if err != nil {
				return err
			}
			loaded, err := a.load(args, o)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(listed(loaded.plan))
			}
			var rows [][]string
			for _, t := range listed(loaded.plan) {
				row := []string{diag.Pos{File: t.Pos.File, Line: t.Pos.Line}.String(), t.Name}
				if len(t.Tags) > 0 {
					row = append(row, "["+strings.Join(t.Tags, " ")+"]")
				}
				if t.Skip != "" {
					row[1] += " (skipped: " + t.Skip + ")"
				}
				rows = append(rows, row)
			}
			return a.table(rows)
		},
		ValidArgsFunction: a.completePaths}
	sel.flags(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func listed(p *plan.Plan) []listedTest {
	out := make([]listedTest, 0, len(p.Tests))
	for _, t := range p.Tests {
		skip, _ := t.StaticSkip()
		tags := t.Tags
		if tags == nil {
			tags = []string{}
		}
		out = append(out, listedTest{Suite: t.Key.Suite, Name: t.Key.Name, Pos: t.Pos, Tags: tags, Skip: skip})
	}
	return out
}
