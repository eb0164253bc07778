package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) planCmd() *cobra.Command {
	var sel selection
	var asJSON bool
	c := &cobra.Command{Use: "plan [PATH...]", Short: "what would run: batches, rows, places and traits",
		RunE: func(_ *cobra.Command, args []string) error {
			o, err := sel.options(a)
			if err != nil {
				return err
			}
			loaded, err := a.load(args, o)
			if err != nil {
				return err
			}
			d := loaded.plan.Describe()
			if asJSON {
				return a.printJSON(d)
			}
			a.printf("%s", d.Text())
			return nil
		},
		ValidArgsFunction: a.completePaths}
	sel.flags(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}
