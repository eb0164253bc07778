package cli

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/cmd/internal/manual"
)

func (a *app) explainCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "explain [CODE]", Short: "what a category, verdict, state, exit code or message means, and what to do",
		Long: `explain says what a code of a failure means, what usually causes it and what to do.
A code is what reports have in brackets behind a failure, a verdict, the state of a
row or file, an exit code, or the message of checkrow check. Without a code it lists
all of them.`,
		Example: "  checkrow explain not-actionable\n  checkrow explain covered\n  checkrow explain 5\n  checkrow explain 'unknown key \"tset\"'",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := explained(strings.Join(args, " "))
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(list)
			case len(args) == 0:
				return a.topicList(list)
			}
			for i, t := range list {
				if i > 0 {
					a.printf("\n")
				}
				a.topic(t)
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, t := range topics() {
				out = append(out, strings.ReplaceAll(t.Code, " ", "-")+"\t"+firstSentence(t.Means))
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		}}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// topics are all that can be explained, exit codes among them.
func topics() []manual.Topic {
	out := manual.Topics()
	for _, d := range exitDocs {
		means := strings.ReplaceAll(d.Doc, "`", "")
		out = append(out, manual.Topic{Code: "exit " + strconv.Itoa(d.Code), Sort: manual.ExitCode,
			Means: strings.ToUpper(means[:1]) + means[1:] + ".", Do: manual.Exits[d.Code]})
	}
	return out
}

// exitWord is how people write an exit code.
var exitWord = regexp.MustCompile(`(?i)^(?:exit[ -]?(?:code[ -]?|status[ -]?)?)?(\d+)$`)

// explained gives the topics of a code: all for "", those of a message if it has their gist.
func explained(code string) ([]manual.Topic, error) {
	all := topics()
	if code == "" {
		return all, nil
	}
	asked := code
	if m := exitWord.FindStringSubmatch(strings.TrimSpace(code)); m != nil {
		asked = "exit " + m[1]
	}
	if found := manual.Find(all, asked); len(found) > 0 {
		return found, nil
	}
	var found []manual.Topic
	var names []string
	for _, t := range all {
		if t.Sort == manual.Message && strings.Contains(strings.ToLower(code), t.Code) {
			found = append(found, t)
		}
		names = append(names, t.Code)
	}
	if len(found) > 0 {
		return found, nil
	}
	return nil, usagef("no code %q is known%s: checkrow explain lists all", code, suggest(code, names))
}

// topicList prints all codes with what they mean, one line each.
func (a *app) topicList(list []manual.Topic) error {
	var rows [][]string
	for i, t := range list {
		if i == 0 || list[i-1].Sort != t.Sort {
			if len(rows) > 0 {
				rows = append(rows, nil)
			}
			rows = append(rows, []string{string(t.Sort)})
		}
		rows = append(rows, []string{"  " + t.Code, firstSentence(t.Means)})
	}
	return a.table(rows)
}

func (a *app) topic(t manual.Topic) {
	a.printf("%s (%s)\n%s\n", t.Code, t.Sort, wrap(t.Means, "  ", 80))
	for _, part := range []struct {
		title string
		lines []string
	}{{"usual causes", t.Causes}, {"what to do", t.Do}} {
		if len(part.lines) == 0 {
			continue
		}
		a.printf("  %s\n", part.title)
		for _, line := range part.lines {
			a.printf("  - %s\n", strings.TrimPrefix(wrap(line, "    ", 80), "    "))
		}
	}
}
