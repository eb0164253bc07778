package argv

import (
	"fmt"
	"slices"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

// Bind checks the rendered texts of the cells again where they were dynamic and gives what the command is executed with.
// The result of a row without dynamic cells is shared: do not change it.
func (c *Call) Bind(texts []string) (Args, error) {
	if c.args != nil {
		return *c.args, nil
	}
	if len(texts) != len(c.Cells) {
		return Args{}, fmt.Errorf("binding %q: %d texts for %d cells", c.Command.Name(), len(texts), len(c.Cells))
	}
	known := *c
	known.Cells = slices.Clone(c.Cells)
	for i := range known.Cells {
		known.Cells[i].Text, known.Cells[i].Dynamic = texts[i], false
	}
	known.place()
	var l diag.List
	known.arity(&l)
	known.kinds(&l)
	known.rule(&l)
	if err := l.Err(); err != nil {
		return Args{}, err
	}
	return known.bind(texts), nil
}

// bind makes the arguments of a checked call.
func (c *Call) bind(texts []string) Args {
	a := Args{Command: c.Command, Argv: texts, Operands: make([]string, len(c.Operands)), Flags: make(map[string]string, len(c.Flags))}
	for i, at := range c.Operands {
		if at < 0 {
			continue
		}
		a.Operands[i] = texts[at]
		if c.OperandKind(i) == Target {
			if a.targets == nil {
				a.targets = make([]target.Target, len(c.Operands))
			}
			a.targets[i] = target.Parse(texts[at], c.Cells[at].Pos, &diag.List{})
		}
	}
	for name, at := range c.Flags {
		a.Flags[name] = ""
		if at >= 0 {
			a.Flags[name] = texts[at]
		}
	}
	return a
}

// Target gives operand i parsed, or a target without parts if it is none.
func (a Args) Target(i int) target.Target {
	if i < len(a.targets) {
		return a.targets[i]
	}
	return target.Target{}
}
