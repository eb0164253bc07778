package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// completePaths leaves suite files and folders to the shell, which completes paths as its user is used to. Behind
// "FILE.yaml:" it gives the lines of the tests in that file, with their names.
func (a *app) completePaths(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	file, _, hasLine := cutLast(word, ":")
	if ext := filepath.Ext(file); !hasLine || ext != ".yaml" && ext != ".yml" {
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	var ignored diag.List // whoever runs the file is told
	p := plan.Load([]string{file}, plan.Options{Kinds: standard.Kinds(), LookupEnv: a.env, Dir: a.Dir}, &ignored)
	var out []string
	for _, t := range p.Tests {
		line := file + ":" + strconv.Itoa(t.Pos.Line)
		if !slices.ContainsFunc(out, func(have string) bool { return strings.HasPrefix(have, line+"\t") }) {
			out = append(out, line+"\t"+t.Key.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// completeRuns gives the ids of runs, the newest first.
func (a *app) completeRuns(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out := []string{lastName + "\tthe newest run"}
	entries, _ := os.ReadDir(filepath.Join(a.Dir, stateDir, runsDir))
	for _, e := range slices.Backward(entries) {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// isCompletion tells that the shell asks, through cobra's hidden commands.
func isCompletion(args []string) bool {
	return len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
}

// completeFlags says what the values of flags may be; for all others the shell is not to offer files.
func (a *app) completeFlags(c *cobra.Command) {
	values := map[string]cobra.CompletionFunc{
		"reporter": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, k := range reporterTable {
				out = append(out, k.name+"\t"+k.doc)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		"output": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		"tag": a.completeTags,
	}
	for _, name := range []string{"grep", "var", "workers", "max-failures", "retries", "repeat", "deadline", "timeout-scale", "slow"} {
		values[name] = cobra.NoFileCompletions
	}
	for name, fn := range values {
		if c.Flags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, fn) // it fails for a flag that is there twice only
		}
	}
}

// completeTags gives the tags of the suites under the paths that are there already, or under the default path.
func (a *app) completeTags(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		args = []string{defaultPath}
	}
	var ignored diag.List
	p := plan.Load(args, plan.Options{Kinds: standard.Kinds(), LookupEnv: a.env, Dir: a.Dir, KeepGoing: true}, &ignored)
	before, _, several := cutLast(word, " ")
	if before += " "; !several {
		before = ""
	}
	var out []string
	for _, t := range p.Tests {
		for _, tag := range t.Tags {
			out = append(out, before+tag)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), cobra.ShellCompDirectiveNoFileComp
}
