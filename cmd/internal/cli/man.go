package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPages are the man pages, section 1: checkrow, then one for each command.
func (a *app) manPages() []docFile {
	root := a.root()
	all := shownCommands(root)
	out := []docFile{{"checkrow.1", manPage(root, all)}}
	for _, c := range all {
		out = append(out, docFile{manName(c) + ".1", manPage(c, nil)})
	}
	return out
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func manPage(c *cobra.Command, others []*cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"checkrow %s\" \"checkrow\"\n", roff(strings.ToUpper(manName(c))), roff(Version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	use := c.UseLine()
	if c.HasSubCommands() && !c.HasParent() {
		use = "checkrow COMMAND"
	}
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(use))
	if c.Long != "" {
		b.WriteString(".SH DESCRIPTION\n.nf\n" + roff(c.Long) + "\n.fi\n")
	}
	if len(others) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, o := range others {
			fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(manName(o)), roff(o.Short))
		}
	}
	flags := 0
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if flags++; flags == 1 {
			b.WriteString(".SH OPTIONS\n")
		}
		name, usage := flagNames(f)
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(name), roff(usage))
	})
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n" + roff(c.Example) + "\n.fi\n")
	}
	if !c.HasParent() {
		b.WriteString(".SH EXIT STATUS\n")
		for _, d := range exitDocs {
			fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", d.Code, roff(strings.ReplaceAll(d.Doc, "`", "")))
		}
	} else {
		b.WriteString(".SH SEE ALSO\n.BR checkrow (1)\n")
	}
	return b.String()
}

// roff keeps a formatter from reading anything into a text.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
