package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/spec/format"
)

// fmtFlags are the flags of fmt.
type fmtFlags struct{ check, diff, fix bool }

func (a *app) fmtCmd() *cobra.Command {
	var f fmtFlags
	c := &cobra.Command{Use: "fmt [PATH...]", Short: "rewrite suites and fragments in one style",
		Long: `fmt rewrites suites and fragments in place: two spaces of indentation, rows on one
line where they fit into 100 columns, quotes only where they are needed, comments
of neighbouring lines in one column. Comments, order, anchors, block scalars and
single blank lines stay. What a file means never changes: where that cannot be
kept, the file is left alone and fmt says so.

Paths are files or folders; default "suites"; "-" formats stdin to stdout.`,
		Example: "  checkrow fmt\n  checkrow fmt --check suites examples\n  checkrow fmt --fix --diff suites/login.yaml",
		RunE:    func(_ *cobra.Command, args []string) error { return a.format(f, args) }, ValidArgsFunction: a.completePaths}
	c.Flags().BoolVar(&f.check, "check", false, "write nothing, list the files that are not formatted, exit code 1 if there are")
	c.Flags().BoolVar(&f.diff, "diff", false, "write nothing, print what would change")
	c.Flags().BoolVar(&f.fix, "fix", false, "also write the corrections of text that YAML takes for something else")
	return c
}

// formatted is what became of one file.
type formatted struct {
	name     string // as shown
	old, new []byte
	fixes    []format.Correction
	errs     diag.List
}

func (a *app) format(f fmtFlags, args []string) error {
	if slices.Contains(args, "-") {
		if len(args) > 1 {
			return usagef(`checkrow fmt: "-" stands alone`)
		}
		return a.formatStdin(f)
	}
	if len(args) == 0 {
		args = []string{defaultPath}
	}
	var list diag.List
	files := plan.Files(args, a.Dir, &list)
	changed, fixed := 0, 0
	for _, file := range files {
		out, err := a.formatFile(f, file)
		if err != nil {
			return err
		}
		for _, e := range out.errs.All() {
			list.Append(e)
		}
		fixed += len(out.fixes)
		if !bytes.Equal(out.old, out.new) {
			changed++
		}
	}
	if err := a.complain(list.All()); err != nil {
		return err
	}
	switch {
	case list.Len() > 0:
		return outcome(ExitUsage)
	case f.check && changed > 0:
		a.warnf("not formatted: %s; checkrow fmt rewrites them", plural(changed, "file"))
		return outcome(ExitFailed)
	case !f.check && !f.diff:
		corrected := ""
		if fixed > 0 {
			corrected = ", " + plural(fixed, "line") + " corrected"
		}
		a.printf("%s, %d rewritten%s\n", plural(len(files), "file"), changed, corrected)
	}
	return nil
}

// formatFile formats one file and writes it unless only a report is wanted.
func (a *app) formatFile(f fmtFlags, name string) (*formatted, error) {
	path := a.abs(filepath.FromSlash(name))
	src, err := os.ReadFile(path)
	if err != nil {
		out := &formatted{name: name}
		out.errs.Append(&diag.Error{Pos: diag.Pos{File: name}, Msg: "cannot be read: " + err.Error(), Err: err})
		return out, nil
	}
	out := reformat(f, name, src)
	if bytes.Equal(out.old, out.new) {
		return out, nil
	}
	if f.diff {
		a.printf("%s", diff.Diff(name, out.old, name+" (formatted)", out.new))
	}
	if f.check && !f.diff {
		a.printf("%s\n", name)
	}
	if f.check || f.diff {
		return out, nil
	}
	for _, c := range out.fixes {
		a.printf("%s:%d: %s\n  - %s\n  + %s\n", name, c.Line, c.Why, diag.Visible(c.Old), diag.Visible(c.New))
	}
	a.printf("%s\n", name)
	return out, rewrite(path, out.new)
}

// reformat gives the new text of a file. What cannot be formatted is still corrected.
func reformat(f fmtFlags, name string, src []byte) *formatted {
	out := &formatted{name: name, old: src, new: src}
	if f.fix {
		out.new, out.fixes = format.Fix(name, src)
	}
	if text, ok := format.Source(name, out.new, &out.errs); ok {
		out.new = text
	}
	return out
}

// formatStdin formats stdin to stdout. Nothing is printed for a text that cannot be formatted, so that an editor keeps
// what it has.
func (a *app) formatStdin(f fmtFlags) error {
	const name = "<stdin>"
	src, err := io.ReadAll(io.LimitReader(a.Stdin, 8<<20))
	if err != nil {
		return environment(fmt.Errorf("reading stdin: %w", err))
	}
	out := reformat(f, name, src)
	if out.errs.Len() > 0 {
		return errors.Join(a.complainOf(out.errs.All(), func(string) []byte { return out.new }), outcome(ExitUsage))
	}
	same := bytes.Equal(out.old, out.new)
	switch {
	case f.diff:
		a.printf("%s", diff.Diff(name, out.old, name+" (formatted)", out.new))
	case f.check && !same:
		a.printf("%s\n", name)
	case !f.check:
		a.printf("%s", out.new)
	}
	if f.check && !same {
		return outcome(ExitFailed)
	}
	return nil
}

// rewrite replaces a file in one step and keeps its mode. A link stays a link: what it points to is replaced.
func rewrite(path string, text []byte) (err error) {
	fail := func(err error) error { return environment(fmt.Errorf("writing %q: %w", path, err)) }
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return fail(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fail(err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fail(err)
	}
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fail(errors.Join(err, os.Remove(tmp.Name())))
	}
	return nil
}
