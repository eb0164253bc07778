package argv

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Parse checks a row against the table: the command (near misses suggest), operands, flags, kinds. Problems go to l with
// the position of the cell. It returns nil only if the command is unknown.
func Parse(cells []Cell, p diag.Pos, l *diag.List) *Call {
	command, n := match(cells)
	if command == nil {
		unknown(cells, p, l)
		return nil
	}
	c := &Call{Command: command, Cells: cells, Pos: p, Flags: map[string]int{}, words: n}
	var mine diag.List
	extra := c.split(&mine)
	c.place()
	whole := mine.Len() == 0
	if !extra {
		c.kinds(&mine)
	}
	if whole { // else what is missing is most likely what could not be read
		c.arity(&mine)
		c.rule(&mine)
	}
	if mine.Len() == 0 && !c.dynamic() {
		args := c.bind(texts(cells))
		c.args = &args
	}
	for _, e := range mine.All() {
		l.Append(e)
	}
	return c
}

// match finds the command with the most words that the cells begin with.
func match(cells []Cell) (*Command, int) {
	for n := min(longest, len(cells)); n > 0; n-- {
		name, dynamic := cells[0].Text, cells[0].Dynamic
		for _, cell := range cells[1:n] {
			name, dynamic = name+" "+cell.Text, dynamic || cell.Dynamic
		}
		if c, ok := byName[name]; ok && !dynamic && len(words(name)) == n {
			return c, n
		}
	}
	return nil, 0
}

// split sorts the cells behind the words into operands and flags. "--" ends the flags; a dynamic cell is an operand. It
// tells whether there are more operands than the command takes.
func (c *Call) split(l *diag.List) (extra bool) {
	literal := false
	for i := c.words; i < len(c.Cells); i++ {
		cell := c.Cells[i]
		switch {
		case literal || cell.Dynamic || !isFlag(cell.Text):
			extra = !c.operand(i, l) || extra
		case cell.Text == "--":
			literal = true
		default:
			i += c.flag(i, l)
		}
	}
	return extra
}

// isFlag tells a flag from an operand: "-5" and "-" are operands.
func isFlag(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && !strings.ContainsAny(s[:2], " .")
}

// operand records the operand at i; it is false if the command takes no more.
func (c *Call) operand(i int, l *diag.List) bool {
	ops := c.Command.Operands
	if len(c.Operands) < len(ops) || len(ops) > 0 && ops[len(ops)-1].Variadic {
		c.Operands = append(c.Operands, i)
		return true
	}
	cell := c.Cells[i]
	hint := "usage: " + Usage(c.Command)
	if short := join(texts(c.Cells[:c.words])); c.words < len(c.Command.Words) && byName[short] == c.Command {
		if subs := following(short); len(subs) > 0 { // "cookies" alone is cookies get: the word behind it may be misspelt
			hint = "one of " + short + " " + strings.Join(subs, ", ")
		}
	} else if len(ops) > 0 && len(c.Operands) > 0 {
		switch last := c.Cells[c.Operands[len(c.Operands)-1]]; ops[len(ops)-1].Kind {
		case Text, JS:
			hint = "write the text as one cell: " + strconv.Quote(last.Text+" "+cell.Text)
		case Count:
			hint = "write the comparison as one cell: " + strconv.Quote(last.Text+" "+cell.Text)
		case Target:
			if !cell.Dynamic {
				hint = "write the target as one cell: " + strconv.Quote(last.Text+" "+cell.Text)
			}
		}
	}
	l.Add(cell.Pos, c.Command.Name()+" takes no further cell "+strconv.Quote(cell.Text), hint)
	return false
}

// flag records the flag at i and gives how many cells of value follow it.
func (c *Call) flag(i int, l *diag.List) int {
	cell := c.Cells[i]
	f := c.findFlag(cell.Text)
	if f == nil {
		c.unknownFlag(cell, l)
		return 0
	}
	if c.Has(f.Name) {
		l.Add(cell.Pos, f.Name+" is there twice", "")
	}
	if f.Bool {
		c.Flags[f.Name] = -1
		if i+1 < len(c.Cells) && !c.Cells[i+1].Dynamic && (c.Cells[i+1].Text == "true" || c.Cells[i+1].Text == "false") &&
			len(c.Operands) >= len(c.Command.Operands) {
			l.Add(c.Cells[i+1].Pos, f.Name+" takes no value", "its presence is enough; leave it out for the opposite")
			return 1
		}
		return 0
	}
	if i+1 >= len(c.Cells) || c.startsFlag(c.Cells[i+1]) {
		l.Add(cell.Pos, f.Name+" needs a value", "write ["+strings.Join(c.Command.Words, ", ")+", …, "+f.Name+", "+placeholder(*f)+"]")
		return 0
	}
	c.Flags[f.Name] = i + 1
	return 1
}

func (c *Call) startsFlag(next Cell) bool {
	return !next.Dynamic && (next.Text == "--" || c.findFlag(next.Text) != nil)
}

func (c *Call) findFlag(text string) *Flag {
	for i, f := range c.Command.Flags {
		if text == f.Name || f.Short != "" && text == f.Short {
			return &c.Command.Flags[i]
		}
	}
	return nil
}

func (c *Call) unknownFlag(cell Cell, l *diag.List) {
	name, value, joined := strings.Cut(cell.Text, "=")
	if f := c.findFlag(name); joined && f != nil {
		hint := "write two cells: " + f.Name + ", " + strconv.Quote(value)
		if f.Bool {
			hint = "write " + f.Name + " alone"
		}
		l.Add(cell.Pos, "a flag and its value are two cells", hint)
		return
	}
	if hint, ok := noFlags[c.Command.Name()+" "+name]; ok {
		l.Add(cell.Pos, c.Command.Name()+" has no flag "+strconv.Quote(name), hint)
		return
	}
	var names []string
	for _, f := range c.Command.Flags {
		names = append(names, f.Name)
	}
	hint := diag.Suggest(name, names)
	if !strings.HasPrefix(hint, "did you mean") {
		if hint = "its flags are " + strings.Join(names, " "); len(names) == 0 {
			hint = "it has no flags"
		}
		hint += `; after "--" every cell is an operand`
	}
	l.Add(cell.Pos, c.Command.Name()+" has no flag "+strconv.Quote(name), hint)
}

// arity reports operands that are missing.
func (c *Call) arity(l *diag.List) {
	for i := len(c.Operands); i < len(c.Command.Operands); i++ {
		if o := c.Command.Operands[i]; !o.Optional {
			l.Add(c.Pos, c.Command.Name()+" needs "+article(operandName(o)), "usage: "+Usage(c.Command))
			return
		}
	}
}

// kinds checks each cell that is known.
func (c *Call) kinds(l *diag.List) {
	for i, at := range c.Operands {
		if at >= 0 && !c.Cells[at].Dynamic {
			o := c.operandAt(i)
			checkKind(c.OperandKind(i), o.Values, o.Name, c.Cells[at], l)
		}
	}
	for _, f := range c.Command.Flags {
		if at, ok := c.Flags[f.Name]; ok && at >= 0 && !c.Cells[at].Dynamic {
			checkKind(f.Kind, f.Values, f.Name, c.Cells[at], l)
		}
	}
}

// rule checks the command's own rule, once all operands are there.
func (c *Call) rule(l *diag.List) {
	if c.Command.Check != nil && len(c.Operands) >= required(c.Command) {
		c.Command.Check(c, l)
	}
}

// operandAt describes operand i; a variadic one describes all that follow it.
func (c *Call) operandAt(i int) Operand {
	ops := c.Command.Operands
	return ops[min(i, len(ops)-1)]
}

func required(c *Command) int {
	n := 0
	for _, o := range c.Operands {
		if !o.Optional {
			n++
		}
	}
	return n
}

func (c *Call) dynamic() bool {
	for _, cell := range c.Cells {
		if cell.Dynamic {
			return true
		}
	}
	return false
}

func texts(cells []Cell) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = c.Text
	}
	return out
}
