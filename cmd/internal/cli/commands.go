package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/steps/argv"
)

func (a *app) commandsCmd() *cobra.Command {
	var asJSON, markdown bool
	c := &cobra.Command{Use: "commands [NAME]", Short: "the row commands, or the reference of one",
		Example: "  checkrow commands\n  checkrow commands 'get text'\n  checkrow commands get",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := chosen(strings.Join(args, " "))
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(commandDocs(list))
			case markdown && len(args) > 0:
				a.printf("%s", commandsReference(list))
				return nil
			case markdown:
				a.printf("%s", commandsMarkdown(list))
				return nil
			case len(args) > 0:
				return a.commandPages(list)
			}
			rows := make([][]string, 0, len(list))
			for _, c := range list {
				rows = append(rows, []string{shortUsage(c), c.Doc})
			}
			return a.table(rows)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range argv.Commands() {
				names = append(names, c.Name()+"\t"+c.Doc)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&markdown, "markdown", false, "print as a Markdown table, or as the Markdown reference of one")
	exclusive(c, "json", "markdown")
	return c
}

// chosen gives the commands of a name: all for "", one for its name or alias, a family for its first word.
func chosen(name string) ([]*argv.Command, error) {
	all := argv.Commands()
	if name == "" {
		return all, nil
	}
	if c, ok := argv.Lookup(name); ok {
		return []*argv.Command{c}, nil
	}
	var family []*argv.Command
	var names []string
	for _, c := range all {
		if strings.HasPrefix(c.Name(), name+" ") {
			family = append(family, c)
		}
		names = append(names, c.Name())
	}
	if len(family) == 0 {
		return nil, usagef("unknown row command %q%s", name, suggest(name, names))
	}
	return family, nil
}

// shortUsage is a command with its operands: "fill TARGET TEXT".
func shortUsage(c *argv.Command) string {
	parts := []string{c.Name()}
	for _, o := range c.Operands {
		parts = append(parts, operandUsage(o))
	}
	return strings.Join(parts, " ")
}

// commandUsage is a command with its operands and flags: "type TARGET TEXT [--clear] [--delay TIME]".
func commandUsage(c *argv.Command) string {
	parts := []string{shortUsage(c)}
	for _, f := range c.Flags {
		parts = append(parts, "["+flagUsage(f)+"]")
	}
	return strings.Join(parts, " ")
}

func operandUsage(o argv.Operand) string {
	s := strings.ToUpper(o.Name)
	if o.Kind == argv.Enum && len(o.Values) > 0 && len(o.Values) <= 4 {
		s = strings.Join(o.Values, "|")
	}
	if o.Variadic {
		s += "…"
	}
	if o.Optional {
		s = "[" + s + "]"
	}
	return s
}

func flagUsage(f argv.Flag) string {
	switch {
	case f.Bool:
		return f.Name
	case f.Kind == argv.Enum && len(f.Values) > 0 && len(f.Values) <= 4:
		return f.Name + " " + strings.Join(f.Values, "|")
	}
	return f.Name + " " + strings.ToUpper(kindName(f.Kind))
}

// kindName is the word of the reference for what an operand or flag takes.
func kindName(k argv.OperandKind) string {
	if int(k) < len(operandKinds) {
		return operandKinds[k]
	}
	return "text"
}

// operandKinds are the words of argv.OperandKind, in its order.
var operandKinds = []string{argv.Text: "text", argv.Target: "target", argv.URL: "url", argv.URLPattern: "pattern",
	argv.Number: "n", argv.Duration: "time", argv.Enum: "word", argv.KeyName: "key", argv.OutFile: "file",
	argv.InFile: "file", argv.Count: "count", argv.Regexp: "regexp", argv.JS: "js", argv.TargetOrTime: "target or time", argv.Decimal: "number"}

// traitNames are the traits as the reference shows them, in their order.
var traitNames = []struct {
	trait argv.Traits
	name  string
}{
	{argv.Mutates, "mutates"}, {argv.Navigates, "navigates"}, {argv.DropsRefs, "drops-refs"},
	{argv.UsesRefs, "uses-refs"}, {argv.WritesFile, "writes-file"}, {argv.Repeatable, "repeatable"},
	{argv.ReadsOnly, "reads-only"}, {argv.Asserts, "asserts"}, {argv.Waits, "waits"}, {argv.Page, "page"},
	{argv.Latches, "latches-refs"}, {argv.Chromium, "chromium-only"},
}

func traits(t argv.Traits) []string {
	out := []string{}
	for _, n := range traitNames {
		if t.Has(n.trait) {
			out = append(out, n.name)
		}
	}
	return out
}

// commandPages prints the reference of each command.
func (a *app) commandPages(list []*argv.Command) error {
	for i, c := range list {
		if i > 0 {
			a.printf("\n")
		}
		if err := a.commandPage(c); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) commandPage(c *argv.Command) error {
	a.printf("%s\n%s\n", commandUsage(c), wrap(c.Doc, "  ", 80))
	if len(c.Aliases) > 0 {
		var names []string
		for _, w := range c.Aliases {
			names = append(names, strings.Join(w, " "))
		}
		a.printf("  also: %s\n", strings.Join(names, ", "))
	}
	var rows [][]string
	for _, o := range c.Operands {
		rows = append(rows, []string{"  " + operandUsage(o), valueDoc(o.Doc, o.Kind, o.Values)})
	}
	for _, f := range c.Flags {
		name := f.Name
		if f.Short != "" {
			name = f.Short + ", " + name
		}
		rows = append(rows, []string{"  " + name, valueDoc(f.Doc, f.Kind, f.Values)})
	}
	for _, d := range c.Data {
		doc := d.Type
		if d.Doc != "" {
			doc += ": " + d.Doc
		}
		if d.Name == c.Value {
			doc += " (the value)"
		}
		rows = append(rows, []string{"  data." + d.Name, doc})
	}
	rows = append(rows, []string{"  traits", strings.Join(traits(c.Traits), ", ")},
		[]string{"  round trips", fmt.Sprint(c.Trips)})
	if len(c.Example) > 0 {
		rows = append(rows, []string{"  example", yamlRow(c.Example)})
	}
	if c.Differs != "" {
		rows = append(rows, []string{"  differs", c.Differs})
	}
	return a.table(rows)
}

// valueDoc says what an operand or flag is, and its words if it takes one of a few.
func valueDoc(doc string, kind argv.OperandKind, values []string) string {
	if kind != argv.Enum || len(values) == 0 {
		return doc
	}
	return strings.TrimSpace(doc + " (" + strings.Join(values, ", ") + ")")
}

// yamlRow spells a row as a suite has it.
func yamlRow(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = yamlCell(c)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// yamlCell quotes a cell where a flow list needs it; what could be read as another YAML thing is quoted too.
func yamlCell(c string) string {
	plain := c != "" && c == strings.TrimSpace(c) && !strings.ContainsAny(c, ",[]{}#&*!|>'\"%@`\\\n") &&
		!strings.Contains(c, ": ") && !strings.HasSuffix(c, ":") && !strings.HasPrefix(c, "- ") &&
		!strings.HasPrefix(c, "?")
	if plain {
		return c
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(c) + `"`
}

// commandsMarkdown is the table of rows in README.md.
func commandsMarkdown(list []*argv.Command) string {
	var b strings.Builder
	b.WriteString("| row | does | value |\n|---|---|---|\n")
	for _, c := range list {
		value := ""
		if c.Value != "" {
			value = "`" + c.Value + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell(commandUsage(c)), cell(c.Doc), value)
	}
	return b.String()
}

// commandDoc is a command in `checkrow commands --json`.
type commandDoc struct {
	Name     string     `json:"name"`
	Usage    string     `json:"usage"`
	Doc      string     `json:"doc"`
	Aliases  []string   `json:"aliases,omitempty"`
	Operands []valueDef `json:"operands"`
	Flags    []valueDef `json:"flags"`
	Data     []dataDoc  `json:"data"`
	Value    string     `json:"value,omitempty"`
	Traits   []string   `json:"traits"`
	Trips    int        `json:"round_trips"`
	Example  []string   `json:"example,omitempty"`
	Differs  string     `json:"differs,omitempty"`
}

// valueDef is an operand or a flag.
type valueDef struct {
	Name     string   `json:"name"`
	Short    string   `json:"short,omitempty"`
	Kind     string   `json:"kind,omitempty"` // absent for a flag without a value
	Values   []string `json:"values,omitempty"`
	Optional bool     `json:"optional,omitempty"`
	Variadic bool     `json:"variadic,omitempty"`
	Doc      string   `json:"doc,omitempty"`
}

// dataDoc is a key of a row's data.
type dataDoc struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc,omitempty"`
}

func commandDocs(list []*argv.Command) []commandDoc {
	out := make([]commandDoc, 0, len(list))
	for _, c := range list {
		d := commandDoc{Name: c.Name(), Usage: commandUsage(c), Doc: c.Doc, Value: c.Value, Traits: traits(c.Traits),
			Trips: c.Trips, Example: c.Example, Differs: c.Differs, Operands: []valueDef{}, Flags: []valueDef{},
			Data: []dataDoc{}}
		for _, w := range c.Aliases {
			d.Aliases = append(d.Aliases, strings.Join(w, " "))
		}
		for _, o := range c.Operands {
			d.Operands = append(d.Operands, valueDef{Name: o.Name, Kind: kindName(o.Kind), Values: o.Values,
				Optional: o.Optional, Variadic: o.Variadic, Doc: o.Doc})
		}
		for _, f := range c.Flags {
			v := valueDef{Name: f.Name, Short: f.Short, Values: f.Values, Doc: f.Doc}
			if !f.Bool {
				v.Kind = kindName(f.Kind)
			}
			d.Flags = append(d.Flags, v)
		}
		for _, k := range c.Data {
			d.Data = append(d.Data, dataDoc(k))
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b commandDoc) int { return strings.Compare(a.Name, b.Name) })
	return out
}
