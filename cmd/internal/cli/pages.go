package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/cmd/internal/manual"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// referencePages are the pages of `checkrow docs`: the first is the list of all. All but the recipes come from tables.
func (a *app) referencePages() []manual.Page {
	recipes := manual.Recipes()
	language := recipes[0]
	language.Text += "\n" + keysReference()
	pages := []manual.Page{language,
		page("rows", "Rows", "Every row is a list of a command and its operands. `checkrow commands NAME` is the same on a terminal.\n\n"+
			commandsReference(argv.Commands())),
		page("steps", "Steps", stepsReference(standard.Kinds())),
		page("reports", "Reports", a.reportsReference()),
		page("codes", "Codes", codesReference()),
		page("commands", "The command line", commandLineReference(a.root()))}
	pages = append(pages, recipes[1:]...)
	var index strings.Builder
	index.WriteString(about + "\n\n`checkrow init` writes a first suite. This reference is made from the tables that check suites.\n\n## Reference\n\n")
	for i, p := range pages {
		if p.Name == recipes[1].Name {
			index.WriteString("\n## Recipes\n\nThe suites of the recipes run against the shop in `examples/shop`.\n\n")
		}
		fmt.Fprintf(&index, "- [%s](%s.md)\n", pages[i].Title, p.Name)
	}
	return append([]manual.Page{page("index", "checkrow", index.String())}, pages...)
}

func page(name, title, text string) manual.Page {
	return manual.Page{Name: name, Title: title, Text: "# " + title + "\n\n" + text}
}

// keyTables are the tables of keys in the reference of the language.
var keyTables = []struct {
	title, what string
	keys        []spec.Key
}{
	{"Keys of a suite", "", spec.SuiteKeys}, {"Keys of a test", "", spec.TestKeys},
	{"Keys of checkrow.yaml", "Found upward from the suite; its folder is where programs run.", spec.ProjectKeys},
	{"Keys of a fragment", "A file with `fragment` is a list of steps that `use` runs.", spec.FragmentKeys},
	{"Keys of an input", "", spec.InputKeys},
	{"browser", "", spec.BrowserKeys}, {"timeouts", "", spec.TimeoutKeys}, {"health", "", spec.HealthKeys},
	{"A fault of health", "", spec.HealthRuleKeys}, {"services.NAME", "", spec.ServiceKeys}, {"ready", "", spec.ReadyKeys},
	{"sessions.NAME", "", spec.SessionKeys}, {"dismiss", "", spec.DismissKeys}, {"quarantine", "", spec.QuarantineKeys},
	{"browser.attach", "", spec.AttachKeys}, {"artifacts of a suite", "", spec.ArtifactsKeys},
	{"artifacts of a test", "", spec.ArtifactKeys}, {"Keys of a policy", "A file of its own, see `--policy`.", spec.PolicyKeys},
}

func keysReference() string {
	var b strings.Builder
	for _, t := range keyTables {
		fmt.Fprintf(&b, "## %s\n\n", t.title)
		if t.what != "" {
			b.WriteString(t.what + "\n\n")
		}
		keyTable(&b, keyDocs(t.keys))
	}
	b.WriteString("## Functions that read the page\n\nThey never wait.\n\n| function | gives | |\n|---|---|---|\n")
	for _, f := range spec.PageFuncs {
		fmt.Fprintf(&b, "| `%s(%s)` | %s | %s |\n", f.Name, strings.Join(f.Params, ", "), f.Result.Words(), cell(f.Doc))
	}
	return b.String()
}

func keyTable(b *strings.Builder, keys []keyDoc) {
	b.WriteString("| key | takes | |\n|---|---|---|\n")
	for _, row := range keyRows(keys, "") {
		name := strings.TrimLeft(row[0], " ")
		indent := strings.Repeat("· ", (len(row[0])-len(name))/2)
		fmt.Fprintf(b, "| %s`%s` | %s | %s |\n", indent, name, cell(row[1]), cell(row[2]))
	}
	b.WriteString("\n")
}

func stepsReference(kinds []steps.Kind) string {
	var b strings.Builder
	b.WriteString("A step is a row, or a map with one of these keys and the keys that all steps share.\n\n## Keys of all steps\n\n")
	keyTable(&b, keyDocs(steps.CommonKeys))
	for _, k := range kinds {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", k.Name, k.Doc)
		keyTable(&b, keyDocs(k.Keys))
		fmt.Fprintf(&b, "```yaml\n%s\n```\n\n", strings.TrimRight(k.Example, "\n"))
	}
	return b.String()
}

func (a *app) reportsReference() string {
	var b strings.Builder
	b.WriteString("Every run has a folder, `.checkrow/runs/ID`, and `.checkrow/last` points to the newest. `journal.jsonl` in it is the record of " +
		"the run: every row before and after it ran. All reports are made from it, also of a run that was killed: `checkrow report`.\n\n" +
		"| reporter | writes |\n|---|---|\n")
	for _, k := range reporterTable {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.name, cell(k.doc))
	}
	b.WriteString("\n## Exit codes\n\n" + exitMarkdown() + "\n## Variables\n\nThey set what flags do not.\n\n" +
		environMarkdown(a.runCmd().Flags()) + "\n## Schemas\n\n`checkrow schema` is the JSON Schema of suites, with `--project` of checkrow.yaml, with " +
		"`--report` of report.json, `checkrow schema events` and `checkrow schema journal` of the streams.\n")
	return b.String()
}

func codesReference() string {
	var b strings.Builder
	b.WriteString("What reports have in brackets behind a failure, and other words of them; `checkrow explain CODE` says the same.\n\n")
	var sort manual.Sort
	for _, t := range topics() {
		if t.Sort != sort {
			sort = t.Sort
			fmt.Fprintf(&b, "## %s%s\n\n", strings.ToUpper(string(sort[:1])), sort[1:])
		}
		fmt.Fprintf(&b, "### %s\n\n%s\n\n", t.Code, plainMarkdown(t.Means))
		for _, part := range []struct {
			title string
			lines []string
		}{{"Usual causes", t.Causes}, {"What to do", t.Do}} {
			if len(part.lines) > 0 {
				fmt.Fprintf(&b, "%s:\n\n", part.title)
				for _, line := range part.lines {
					fmt.Fprintf(&b, "- %s\n", plainMarkdown(line))
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// plainMarkdown keeps Markdown from reading anything into a plain text.
func plainMarkdown(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`).Replace(text)
}

func commandLineReference(root *cobra.Command) string {
	var b strings.Builder
	for _, c := range shownCommands(root) {
		long := c.Long
		if before, _, cut := strings.Cut(long, "\n\nThe environment sets"); cut {
			long = before // the table of them is on the page of reports
		}
		if long == "" {
			long = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
		}
		fmt.Fprintf(&b, "## %s\n\n```\n%s\n```\n\n```\n%s\n```\n\n", c.CommandPath(), long, c.UseLine())
		if c.Example != "" {
			fmt.Fprintf(&b, "```sh\n%s\n```\n\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
		}
		rows := 0
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if rows++; rows == 1 {
				b.WriteString("| flag | |\n|---|---|\n")
			}
			name, usage := flagNames(f)
			fmt.Fprintf(&b, "| `%s` | %s |\n", cell(name), cell(usage))
		})
		b.WriteString("\n")
	}
	return b.String()
}

// flagNames is how a flag is written, with what it takes, and what it does.
func flagNames(f *pflag.Flag) (name, usage string) {
	takes, usage := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if takes != "" {
		name += " " + takes
	}
	return name, usage
}

// shownCommands are the commands that help lists, and theirs.
func shownCommands(root *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			out = append(out, c)
			out = append(out, shownCommands(c)...)
		}
	}
	return out
}
