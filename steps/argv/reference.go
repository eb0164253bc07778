package argv

import (
	"fmt"
	"strconv"
	"strings"
)

// Usage is one line: the command, its operands in upper case, its flags in brackets.
func Usage(c *Command) string {
	parts := append([]string{}, c.Words...)
	for _, o := range c.Operands {
		s := operandName(o)
		if o.Variadic {
			s += "…"
		}
		if o.Optional {
			s = "[" + s + "]"
		}
		parts = append(parts, s)
	}
	for _, f := range c.Flags {
		s := f.Name
		if !f.Bool {
			s += " " + placeholder(f)
		}
		parts = append(parts, "["+s+"]")
	}
	return strings.Join(parts, " ")
}

// operandName is how an operand stands in a usage line: its values, or its name in upper case.
func operandName(o Operand) string {
	if o.Kind == Enum {
		return strings.Join(o.Values, "|")
	}
	return strings.ToUpper(o.Name)
}

func placeholder(f Flag) string {
	switch f.Kind {
	case Enum:
		return strings.Join(f.Values, "|")
	case Number, Decimal:
		return "N"
	case Duration:
		return "TIME"
	case Target:
		return "TARGET"
	case URLPattern:
		return "PATTERN"
	case JS:
		return "JS"
	case InFile, OutFile:
		return "FILE"
	}
	return "TEXT"
}

func article(s string) string {
	if strings.ContainsAny(s[:1], "AEIOaeio") {
		return "an " + s
	}
	return "a " + s
}

// Reference is the text of a command as "checkrow commands NAME" prints it.
func Reference(c *Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", Usage(c), c.Doc)
	if len(c.Aliases) > 0 {
		var names []string
		for _, a := range c.Aliases {
			names = append(names, join(a))
		}
		fmt.Fprintf(&b, "Also written: %s.\n", strings.Join(names, ", "))
	}
	section(&b, "Operands", len(c.Operands), func(i int) (string, string) {
		o := c.Operands[i]
		return operandName(o), o.Doc
	})
	section(&b, "Flags", len(c.Flags), func(i int) (string, string) {
		f := c.Flags[i]
		name := f.Name
		if f.Short != "" {
			name += ", " + f.Short
		}
		if !f.Bool {
			name += " " + placeholder(f)
		}
		return name, f.Doc
	})
	section(&b, "Data", len(c.Data), func(i int) (string, string) {
		d := c.Data[i]
		return d.Name + " (" + d.Type + ")", d.Doc
	})
	b.WriteByte('\n')
	if c.Value != "" {
		fmt.Fprintf(&b, "steps.ID.value is %s.\n", c.Value)
	} else if c.Words[0] == "find" {
		b.WriteString("steps.ID.value is the data key of the action.\n")
	} else if c.Words[0] == "wait" {
		b.WriteString("steps.ID.value is the data key of what was waited for.\n")
	}
	fmt.Fprintf(&b, "Traits: %s. Round trips: %d.\n", strings.Join(c.Traits.Names(), ", "), c.Trips)
	if c.Differs != "" {
		fmt.Fprintf(&b, "Differs from the reference dialect: %s.\n", c.Differs)
	}
	fmt.Fprintf(&b, "Example: %s\n", Row(c.Example))
	return b.String()
}

func section(b *strings.Builder, title string, n int, at func(int) (name, doc string)) {
	if n == 0 {
		return
	}
	width := 0
	for i := range n {
		name, _ := at(i)
		width = max(width, len([]rune(name)))
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for i := range n {
		name, doc := at(i)
		b.WriteString(strings.TrimRight("  "+name+strings.Repeat(" ", width-len([]rune(name)))+"  "+doc, " ") + "\n")
	}
}

// traitNames are the words for the traits, in the order of their bits.
var traitNames = []string{"mutates", "navigates", "drops refs", "uses refs", "writes a file", "repeatable", "reads only",
	"asserts", "waits", "needs the page", "latches refs"}

// Names gives the traits as words.
func (t Traits) Names() []string {
	var out []string
	for i, name := range traitNames {
		if t.Has(1 << i) {
			out = append(out, name)
		}
	}
	return out
}

// Row spells a row as it would stand in a suite: [click, "#buy"]. It can be pasted: cells are quoted where YAML needs it.
func Row(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = cell(c)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func cell(s string) string {
	plain := s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, ",[]{}#&*!|>'\"%@`\n\t\\:?") &&
		!strings.HasPrefix(s, "- ") && s != "-" && !strings.Contains(s, "${{")
	if plain {
		return s
	}
	return strconv.Quote(s)
}
