package cli

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

// checkHeap is the heap from which on garbage is collected as eagerly as it must to stay near it: input at the limits of
// the language may not take 200 MB.
const checkHeap = 160 << 20

// lazyGC leaves garbage alone for longer than usual: compiling is short and is over before collecting pays, and 2,500
// processes started one by one cost 4 % less. The returned function restores what was.
func lazyGC() (restore func()) {
	percent := debug.SetGCPercent(400)
	limit := debug.SetMemoryLimit(checkHeap)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

func (a *app) checkCmd() *cobra.Command {
	var sel selection
	c := &cobra.Command{Use: "check [PATH...]", Short: "find everything that is wrong, without running anything",
		Long: `check reads suites, compiles every row and expression and prints all errors at
once, in file order. Paths are files, folders or FILE:LINE; default "suites".

With --policy it also prints what the suites ask for, and what of it is denied.
No secret needs a value for that.`,
		RunE: func(_ *cobra.Command, args []string) error {
			defer lazyGC()()
			o, err := sel.options(a)
			if err != nil {
				return err
			}
			loaded, err := a.load(args, o)
			p := loaded.plan
			if err == nil {
				a.printf("ok: %s, %s\n", plural(p.Files, "suite"), plural(len(p.Tests), "test"))
			}
			if sel.policy != "" && p != nil {
				a.printf("%s", asksText(p))
			}
			return err
		},
		ValidArgsFunction: a.completePaths}
	sel.flags(c.Flags())
	sel.policyFlag(c.Flags())
	return c
}
