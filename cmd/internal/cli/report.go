package cli

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/journal"
)

func (a *app) reportCmd() *cobra.Command {
	var flags []string
	var attach attachFlag
	c := &cobra.Command{Use: "report [RUN]", Short: "rebuild the reports of a run from its journal", Args: atMostOne,
		Long: `report reads the journal of a run, also of one that was killed, writes its
report.html, junit.xml and report.json anew and prints the summary. RUN is a run folder, a run
id or "last" (the default). The exit code is that of the run, and never 0 for a run
that did not end.`,
		RunE: func(_ *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			a.attach = string(attach)
			return a.rebuild(name, flags)
		},
		ValidArgsFunction: a.completeRuns}
	c.Flags().StringArrayVar(&flags, "reporter", nil, reporterHelp())
	c.Flags().Var(&attach, "junit-attachments", attachHelp)
	return c
}

// rebuild folds a journal again and writes what the reporters make of it.
func (a *app) rebuild(name string, flags []string) error {
	chosen, err := chooseReporters(flags)
	if err != nil {
		return err
	}
	dir, err := a.findRun(name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, journal.FileName)); err != nil {
		return usagef("the run in %q ended before it had a journal", a.shown(dir))
	}
	return a.rebuildIn(chosen, dir)
}

// rebuildIn writes the reports of the journal in a folder.
func (a *app) rebuildIn(chosen []chosenReporter, dir string) error {
	reports, err := a.openReports(chosen, dir, false)
	if err != nil {
		return err
	}
	state, loadErr := journal.Replay(dir, reports.observe)
	var damage *journal.DamageError
	if loadErr != nil && !errors.As(loadErr, &damage) {
		return environment(loadErr)
	}
	reports.close(state)
	if err := reports.err(); err != nil {
		return environment(err)
	}
	if damage != nil {
		// What stands before the damage was reported; what came after it is lost, so this is never 0.
		return environment(damage)
	}
	return outcome(journal.ExitLoaded(state))
}
