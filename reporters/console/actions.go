package console

import (
	"strings"

	"github.com/checkrow/checkrow/reporters"
)

// print adds text to what is printed next. In the log of GitHub Actions a line that begins as a command, or holds one of the
// older form, would be obeyed: what pages and processes say is put so that it is only shown.
func (r *Reporter) print(text string) {
	if r.opts.Actions {
		text = harmless(text)
	}
	r.out.WriteString(text)
}

func harmless(text string) string {
	if !strings.Contains(text, "::") && !strings.Contains(text, "##[") {
		return text
	}
	lines := strings.SplitAfter(strings.ReplaceAll(text, "##[", "## ["), "\n")
	for i, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "::") {
			lines[i] = strings.Replace(l, "::", ": :", 1)
		}
	}
	return strings.Join(lines, "")
}

// group prints what inside prints: in the log of GitHub Actions as a group that is opened by a click on its title, so that
// two hundred failures are two hundred lines. The title tells what matters: what failed, and why.
func (r *Reporter) group(code, title, why string, inside func()) {
	if !r.opts.Actions {
		r.line(code, title)
		inside()
		return
	}
	if why != "" {
		title += ": " + why
	}
	title = strings.Join(strings.Fields(reporters.Clean(title)), " ")
	r.out.WriteString("::group::" + strings.ReplaceAll(harmless(title), "%", "%25") + "\n")
	inside()
	r.out.WriteString("::endgroup::\n")
}
