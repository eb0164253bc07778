package junit

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// attached gives a line for each file that is there, once. GitLab and Jenkins look for such lines in the output of a case.
func (r *Reporter) attached(s *journal.State, files []steps.Artifact) []string {
	var lines []string
	for _, f := range files {
		if f.State != steps.Saved && f.State != steps.Unverified && f.State != steps.Stale {
			continue
		}
		if line := "[[ATTACHMENT|" + r.attachment(s, f.Path) + "]]"; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// picturesFirst puts what GitLab can show before what it can only link to: it takes the first file of a case.
func picturesFirst(files []steps.Artifact) []steps.Artifact {
	rank := func(f steps.Artifact) int {
		if strings.EqualFold(filepath.Ext(f.Path), ".png") {
			return 0
		}
		return 1
	}
	out := slices.Clone(files)
	slices.SortStableFunc(out, func(a, b steps.Artifact) int { return rank(a) - rank(b) })
	return out
}

// output writes what a case said. Readers want each attachment on a line of its own.
func (x *xml) output(lines []string) {
	if len(lines) == 0 {
		return
	}
	x.WriteString("      <system-out>")
	x.text(strings.Join(lines, "\n"))
	x.WriteString("\n</system-out>\n")
}
