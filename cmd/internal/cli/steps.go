package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// stepDoc is a step kind in `checkrow steps --json`.
type stepDoc struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Example string   `json:"example"`
	Keys    []keyDoc `json:"keys"`
}

// keyDoc is a key of a map.
type keyDoc struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Doc      string   `json:"doc,omitempty"`
	Required bool     `json:"required,omitempty"`
	Excludes []string `json:"excludes,omitempty"`
	Default  string   `json:"default,omitempty"`
	Keys     []keyDoc `json:"keys,omitempty"`
}

func (a *app) stepsCmd() *cobra.Command {
	var asJSON, markdown bool
	c := &cobra.Command{Use: "steps [NAME]", Short: "the step kinds, or the reference of one", Args: atMostOne,
		RunE: func(_ *cobra.Command, args []string) error {
			list := standard.Kinds()
			if len(args) > 0 {
				k, err := kindNamed(list, args[0])
				if err != nil {
					return err
				}
				list = []steps.Kind{k}
			}
			switch {
			case asJSON:
				return a.printJSON(stepDocs(list))
			case markdown:
				a.printf("%s", stepsMarkdown(list))
				return nil
			case len(args) > 0:
				return a.stepPage(list[0])
			}
			var rows [][]string
			for _, k := range list {
				rows = append(rows, []string{k.Name, firstSentence(k.Doc)})
			}
			return a.table(rows)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, k := range standard.Kinds() {
				names = append(names, k.Name+"\t"+k.Doc)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&markdown, "markdown", false, "print as a Markdown table")
	exclusive(c, "json", "markdown")
	return c
}

// firstSentence is what a list has room for.
func firstSentence(doc string) string {
	first, _, cut := strings.Cut(doc, ". ")
	if cut {
		first += "."
	}
	return first
}

func kindNamed(list []steps.Kind, name string) (steps.Kind, error) {
	var names []string
	for _, k := range list {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return steps.Kind{}, usagef("unknown step kind %q%s", name, suggest(name, names))
}

func stepDocs(list []steps.Kind) []stepDoc {
	out := make([]stepDoc, 0, len(list))
	for _, k := range list {
		out = append(out, stepDoc{Name: k.Name, Doc: k.Doc, Example: k.Example, Keys: keyDocs(k.Keys)})
	}
	return out
}

// keyDocs leaves out what is not built yet.
func keyDocs(keys []spec.Key) []keyDoc {
	out := []keyDoc{}
	for _, k := range keys {
		if !k.Later {
			doc := keyDoc{Name: k.Name, Type: k.Type, Doc: k.Doc, Required: k.Required, Excludes: k.Excludes, Default: k.Default}
			if len(k.Keys) > 0 {
				doc.Keys = keyDocs(k.Keys)
			}
			out = append(out, doc)
		}
	}
	return out
}

func (a *app) stepPage(k steps.Kind) error {
	a.printf("%s\n%s\n", k.Name, wrap(k.Doc, "  ", 80))
	if err := a.table(keyRows(keyDocs(k.Keys), "  ")); err != nil {
		return err
	}
	a.printf("  example\n")
	for line := range strings.SplitSeq(strings.TrimRight(k.Example, "\n"), "\n") {
		a.printf("    %s\n", line)
	}
	return nil
}

// keyRows lists keys, those of a map below it.
func keyRows(keys []keyDoc, indent string) [][]string {
	var rows [][]string
	for _, key := range keys {
		doc := key.Doc
		if key.Default != "" {
			doc += " (default " + key.Default + ")"
		}
		rows = append(rows, []string{indent + key.Name, key.Type, doc})
		rows = append(rows, keyRows(key.Keys, indent+"  ")...)
	}
	return rows
}

// stepsMarkdown is the table of step kinds in README.md.
func stepsMarkdown(list []steps.Kind) string {
	var b strings.Builder
	b.WriteString("| step | does | keys |\n|---|---|---|\n")
	for _, k := range list {
		var keys []string
		for _, key := range keyDocs(k.Keys) {
			if key.Name != k.Name {
				keys = append(keys, "`"+key.Name+"`")
			}
			for _, inner := range key.Keys {
				keys = append(keys, "`"+key.Name+"."+inner.Name+"`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, cell(k.Doc), strings.Join(keys, " "))
	}
	return b.String()
}
