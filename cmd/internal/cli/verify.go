package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/reporters/manifest"
	"github.com/checkrow/checkrow/runner/artifact"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

func (a *app) verifyCmd() *cobra.Command {
	var asJSON, strict bool
	c := &cobra.Command{Use: "verify [RUN]", Short: "compare the files of a run with their digests", Args: atMostOne,
		Long: `verify reads every file that a run left and compares it with the digest in the
journal. RUN is a run folder, a run id or "last" (the default). The exit code is 1
if a file is missing or changed. Files that no row wrote, and files that a killed
run never finished, are named; with --strict they count too.`,
		RunE: func(_ *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return a.verify(name, asJSON, strict)
		},
		ValidArgsFunction: a.completeRuns}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&strict, "strict", false, "files that no row wrote or finished count too")
	return c
}

// verified is `checkrow verify --json`.
type verified struct {
	Run string `json:"run"`
	OK  bool   `json:"ok"`
	artifact.Verdict
}

// verify compares the files of a run with what its journal says of them.
func (a *app) verify(name string, asJSON, strict bool) error {
	dir, err := a.findRun(name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, journal.FileName)); err != nil {
		return usagef("the run in %q ended before it had a journal", a.shown(dir))
	}
	state, loadErr := journal.Load(dir)
	var damage *journal.DamageError
	if loadErr != nil && !errors.As(loadErr, &damage) {
		return environment(loadErr)
	}
	entries := manifest.List(state)
	files := make([]steps.Artifact, len(entries))
	for i, e := range entries {
		files[i] = e.Artifact
	}
	v, err := artifact.Verify(context.Background(), dir, files)
	if err != nil {
		return environment(err)
	}
	ok := len(v.Differences) == 0 && (!strict || len(v.Extra)+len(v.Leftover)+len(v.Unhashed) == 0)
	if asJSON {
		if err := a.printJSON(verified{Run: state.Run.ID, OK: ok && damage == nil, Verdict: v}); err != nil {
			return err
		}
	} else {
		a.printVerdict(v)
	}
	switch {
	case damage != nil: // files of events that are lost are not known
		return environment(damage)
	case !ok:
		return outcome(ExitFailed)
	}
	return nil
}

func (a *app) printVerdict(v artifact.Verdict) {
	for _, d := range v.Differences {
		switch {
		case d.Error != "":
			a.printf("%-10s  %s: %s\n", d.What, d.Path, d.Error)
		case d.What == "changed":
			a.printf("%-10s  %s: %d bytes, %d were written\n", d.What, d.Path, d.Got, d.Bytes)
		default:
			a.printf("%-10s  %s\n", d.What, d.Path)
		}
	}
	for _, part := range []struct {
		what  string
		paths []string
	}{{"extra", v.Extra}, {"leftover", v.Leftover}, {"unfinished", v.Unhashed}} {
		for _, path := range part.paths {
			a.printf("%-10s  %s\n", part.what, path)
		}
	}
	a.printf("%s, %d missing or changed%s\n", plural(v.Checked, "file"), len(v.Differences), others(len(v.Extra)+len(v.Leftover)+len(v.Unhashed)))
}

func others(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d without a digest", n)
}
