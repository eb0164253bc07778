package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/journal"
)

// mergeFlags are the flags of merge.
type mergeFlags struct {
	output    string
	reporters []string
	attach    attachFlag
	failFlaky bool
}

func (a *app) mergeCmd() *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{Use: "merge RUN...", Short: "make one run of its shards", Args: cobra.ArbitraryArgs,
		Long: `merge makes one run of the runs of all shards: a journal, its reports and artifacts,
in a new folder. The exit code is that of the whole.

A shard that is missing, and shards of different plans, are refused (exit code 2). Of
two runs of one shard the later counts. A shard whose journal is damaged counts as
far as it can be read; the tests whose end is lost are unknown, which is not green.`,
		Example: "  checkrow merge shard-1 shard-2 shard-3 --output out",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("checkrow merge needs the runs of all shards")
			}
			return a.merge(&f, args)
		},
		ValidArgsFunction: func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return a.completeRuns(c, nil, word)
		}}
	c.Flags().StringVarP(&f.output, "output", "o", "", "make `DIR` the folder of the whole (default: a new one in .checkrow/runs)")
	c.Flags().StringArrayVar(&f.reporters, "reporter", nil, reporterHelp())
	c.Flags().Var(&f.attach, "junit-attachments", attachHelp)
	c.Flags().BoolVar(&f.failFlaky, "fail-on-flaky", false, "exit code 6 when a test needed a second attempt")
	return c
}

// merge reads the shards, writes the whole and reports it.
func (a *app) merge(f *mergeFlags, names []string) error {
	a.attach = string(f.attach)
	named := f.reporters
	if len(named) == 0 {
		named = a.usualReporters()
	}
	chosen, err := chooseReporters(named)
	if err != nil {
		return err
	}
	parts, err := a.shards(names)
	if err != nil {
		return err
	}
	folder, err := a.makeRunFolder(f.output)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if p.Dir == folder.Path {
			return usagef("--output %q is one of the shards", f.output)
		}
	}
	info := parts[0].State.Run
	info.ID, info.Dir, info.WorkDir, info.Command = folder.ID, folder.Path, a.Dir, append([]string{"checkrow"}, a.args...)
	info.Shard, info.OS = nil, runtime.GOOS+"/"+runtime.GOARCH
	codes := make([]int, 0, len(parts)+1)
	for _, p := range parts {
		if p.State.Run.Started.Before(info.Started) {
			info.Started = p.State.Run.Started
		}
		code := journal.ExitLoaded(p.State)
		if code == ExitPassed && p.Damage != nil {
			code = ExitFailed
		}
		codes = append(codes, code)
	}
	_, err = journal.Merge(folder.Path, info, parts, func(s *journal.State) int {
		return firstExit(append(codes, journal.Exit(s, f.failFlaky))...)
	})
	if err != nil {
		return environment(err)
	}
	for _, p := range parts {
		if err := copyTree(filepath.Join(p.Dir, "artifacts"), filepath.Join(folder.Path, "artifacts")); err != nil {
			return environment(fmt.Errorf("copying the artifacts of %q: %w", p.Name, err))
		}
	}
	return a.rebuildIn(chosen, folder.Path)
}

// shards finds the parts of the whole.
func (a *app) shards(names []string) ([]journal.Part, error) {
	parts := make([]journal.Part, 0, len(names))
	for _, name := range names {
		dir, err := a.findRun(name)
		if err != nil {
			return nil, err
		}
		if journal.Busy(dir) {
			return nil, usagef("the run in %q goes on: merge it when it has ended", name)
		}
		p, err := journal.LoadPart(name, dir)
		if err != nil {
			return nil, &codedError{ExitUsage, err}
		}
		parts = append(parts, p)
	}
	whole, err := journal.Whole(parts)
	var refused *journal.MergeError
	if errors.As(err, &refused) {
		return nil, usagef("merging: %w", err)
	}
	return whole, err
}

// copyTree brings the files of a folder into another one, by a second name where the file system can. A file that is there
// stays, and a link is left out: it may lead anywhere.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == from {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(at, 0o700)
		case !e.Type().IsRegular():
			return nil
		}
		if err := os.Link(path, at); err == nil || errors.Is(err, fs.ErrExist) {
			return nil
		}
		return copyFile(path, at)
	})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
