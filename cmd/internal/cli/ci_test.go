package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/checkrow/checkrow/cmd/internal/manual"
	"github.com/checkrow/checkrow/cmd/internal/scaffold"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// pipelines are the files for CI that init writes and that the recipes show, by where they come from.
func pipelines(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, ci := range scaffold.CIs {
		for _, lock := range []string{"", "npm ci"} {
			for _, there := range []bool{false, true} {
				f, _ := scaffold.CI(ci, scaffold.App{Lock: lock}, func(string) bool { return there })
				out["init "+f.Name+" "+lock] = f.Text
			}
		}
	}
	for _, p := range manual.Recipes() {
		for _, s := range manual.Snippets(p.Text) {
			if strings.HasPrefix(s.File, ".git") {
				out[p.Name+" "+s.File] = s.Text
			}
		}
	}
	if len(out) < 8 {
		t.Errorf("only %d files for CI were found", len(out))
	}
	return out
}

// TestPipelines reads every file for CI as YAML, and holds what its steps run against the commands and flags there are.
func TestPipelines(t *testing.T) {
	for name, text := range pipelines(t) {
		var l diag.List
		root := spec.ReadDocument(name, []byte(text), &l).Root
		if err := l.Err(); err != nil {
			t.Errorf("%s is no YAML: %v", name, err)
			continue
		}
		lines, calls := scripts(root), 0
		for _, line := range lines {
			for part := range strings.SplitSeq(line, "&&") {
				m := commandLine.FindStringSubmatch(part)
				if m == nil {
					continue
				}
				calls++
				if err := parsesAsCall(shellWords(m[1])); err != nil {
					t.Errorf("%s: %s: %v", name, strings.TrimSpace(part), err)
				}
			}
		}
		if calls < 2 {
			t.Errorf("%s: its steps are %q, and should install and run", name, lines)
		}
	}
}

// scripts are the lines that a shell gets: run of GitHub, script and before_script of GitLab.
func scripts(n spec.Node) []string {
	var out []string
	if items, ok := n.Seq(); ok {
		for _, x := range items {
			out = append(out, scripts(x)...)
		}
		return out
	}
	for _, key := range n.Keys() {
		x := n.Get(key)
		switch key {
		case "run", "script", "before_script", "after_script":
			if text, ok := x.Text(); ok {
				out = append(out, strings.Split(text, "\n")...)
			}
			items, _ := x.Seq()
			for _, i := range items {
				text, _ := i.Text()
				out = append(out, strings.Split(text, "\n")...)
			}
		default:
			out = append(out, scripts(x)...)
		}
	}
	return out
}

// readmeCall is a call of checkrow in the text of README.md or on a line of its own.
var readmeCall = regexp.MustCompile("`(?:bin/)?checkrow ([a-z][^`]*)`|^ +(?:bin/)?checkrow ([a-z][^#]*)")

// TestReadmeCommands holds every call in README.md and the changelog against the commands and flags there are.
func TestReadmeCommands(t *testing.T) {
	for file, least := range map[string]int{"README.md": 15, filepath.Join(".github", "CHANGELOG.md"): 10} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for line := range strings.Lines(string(text)) {
			for _, m := range readmeCall.FindAllStringSubmatch(line, -1) {
				words := shellWords(m[1] + m[2])
				if err := parsesAsCall(words); err != nil && !bare(words) {
					t.Errorf("%s: checkrow %s: %v", file, strings.Join(words, " "), err)
				}
				found++
			}
		}
		if found < least {
			t.Errorf("only %d calls were found in %s", found, file)
		}
	}
}

// bare tells a command that is only named, without the operands that it needs.
func bare(words []string) bool {
	c, rest, err := (&app{}).root().Find(words)
	return err == nil && c.HasParent() && len(rest) == 0
}
