package cli

import (
	"fmt"
	"strings"

	"github.com/checkrow/checkrow/steps/argv"
)

// commandsReference is the reference of commands as Markdown, all that is known of each.
func commandsReference(list []*argv.Command) string {
	var b strings.Builder
	for i, c := range list {
		if i > 0 {
			b.WriteString("\n")
		}
		commandReference(&b, c)
	}
	return b.String()
}

func commandReference(b *strings.Builder, c *argv.Command) {
	fmt.Fprintf(b, "### %s\n\n%s\n\n```\n%s\n```\n", c.Name(), c.Doc, commandUsage(c))
	if len(c.Aliases) > 0 {
		var names []string
		for _, w := range c.Aliases {
			names = append(names, "`"+strings.Join(w, " ")+"`")
		}
		fmt.Fprintf(b, "\nAlso written %s.\n", strings.Join(names, ", "))
	}
	var operands, flags, data [][]string
	for _, o := range c.Operands {
		operands = append(operands, []string{operandUsage(o), kindName(o.Kind), valueDoc(o.Doc, o.Kind, o.Values)})
	}
	for _, f := range c.Flags {
		name, kind := f.Name, kindName(f.Kind)
		if f.Short != "" {
			name += ", " + f.Short
		}
		if f.Bool {
			kind = ""
		}
		flags = append(flags, []string{name, kind, valueDoc(f.Doc, f.Kind, f.Values)})
	}
	for _, d := range c.Data {
		doc := d.Doc
		if d.Name == c.Value {
			doc = strings.TrimSpace(doc + " (the value)")
		}
		data = append(data, []string{d.Name, d.Type, doc})
	}
	markdownTable(b, "operand", operands)
	markdownTable(b, "flag", flags)
	markdownTable(b, "data", data)
	fmt.Fprintf(b, "\nTraits: %s. Round trips: %d.\n", strings.Join(traits(c.Traits), ", "), c.Trips)
	if c.Differs != "" {
		fmt.Fprintf(b, "\nDiffers from the reference dialect: %s.\n", c.Differs)
	}
	if len(c.Example) > 0 {
		fmt.Fprintf(b, "\n```yaml\n- %s\n```\n", yamlRow(c.Example))
	}
}

// markdownTable writes rows of a name, what it takes and what it is.
func markdownTable(b *strings.Builder, name string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	takes := "takes"
	if name == "data" {
		takes = "type"
	}
	fmt.Fprintf(b, "\n| %s | %s | |\n|---|---|---|\n", name, takes)
	for _, r := range rows {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", cell(r[0]), cell(r[1]), cell(r[2]))
	}
}
