package lsp

import (
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps/argv"
)

// choice is one way to go on, as the protocol has it.
type choice struct {
	Label    string `json:"label"`
	Kind     int    `json:"kind"`
	Detail   string `json:"detail,omitempty"`
	Doc      string `json:"documentation,omitempty"`
	Sort     string `json:"sortText,omitempty"`
	Filter   string `json:"filterText,omitempty"`
	TextEdit edit   `json:"textEdit"`
}

// edit writes a text over what stands there.
type edit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// The kinds of choices that the protocol has icons for.
const (
	kindFunction = 3
	kindProperty = 10
	kindValue    = 12
	kindKeyword  = 14
)

// complete lists how the file may go on at a place.
func (s *server) complete(d *document, at position) []choice {
	p := d.around(at)
	sc, kind := s.schemaOf(d)
	if kind == foreign && len(p.path) > 0 {
		return []choice{}
	}
	list, row := sc.walk(p.path, kind == fragmentFile)
	out := choices{d: d, line: at.Line, from: p.from, to: d.runes(at)}
	switch {
	case p.row && row:
		out.cells(p.cells)
	case p.row:
		items, isRow := sc.walk(append(slices.Clone(p.path), item), kind == fragmentFile)
		if isRow && len(p.cells) == 0 {
			out.commands("[", "]")
		}
		for _, v := range values(items) {
			out.add(choice{Label: v, Kind: kindValue}, v)
		}
	case p.key:
		for _, x := range properties(list, p.present) {
			out.add(choice{Label: x.name, Kind: kindProperty, Doc: x.doc, Sort: "1" + x.name}, x.name+": ")
		}
		if p.dash && row {
			out.commands("[", "]")
		}
		if p.dash {
			out.plain(list)
		}
	default:
		out.plain(list)
	}
	return out.list
}

// schemaOf is what a file is held against.
func (s *server) schemaOf(d *document) (schema, kind) {
	k := d.kind()
	if k == projectFile {
		return s.project, k
	}
	return s.suite, k
}

// choices gathers them: all are written over the same word.
type choices struct {
	d        *document
	line     int
	from, to int
	list     []choice
}

func (c *choices) add(x choice, text string) {
	x.TextEdit = edit{span{c.d.at(c.line, c.from), c.d.at(c.line, c.to)}, text}
	if x.Filter == "" {
		x.Filter = x.Label
	}
	c.list = append(c.list, x)
}

// plain offers the values that a schema lists.
func (c *choices) plain(list []map[string]any) {
	for _, v := range values(list) {
		c.add(choice{Label: v, Kind: kindValue}, v)
	}
}

// commands offers whole rows.
func (c *choices) commands(before, after string) {
	for _, cmd := range argv.Commands() {
		text := before + strings.Join(cmd.Words, ", ")
		if len(cmd.Operands) > 0 {
			text += ", "
		} else {
			text += after
		}
		c.add(choice{Label: cmd.Name(), Kind: kindFunction, Detail: argv.Usage(cmd), Doc: cmd.Doc, Sort: "2" + cmd.Name(), Filter: cmd.Name()}, text)
	}
}

// cells offers the next cell of a row.
func (c *choices) cells(before []string) {
	cmd := commandOf(before)
	offered := map[string]bool{}
	for _, x := range argv.Commands() {
		words := x.Words
		if len(words) <= len(before) || !slices.Equal(words[:len(before)], before) {
			continue
		}
		word := words[len(before)]
		if offered[word] {
			continue
		}
		offered[word] = true
		one := choice{Label: word, Kind: kindFunction, Sort: "1" + word}
		if len(words) == len(before)+1 {
			one.Detail, one.Doc = argv.Usage(x), x.Doc
		}
		c.add(one, word)
	}
	if cmd == nil {
		return
	}
	rest := before[len(cmd.Words):]
	if f, ok := flagOf(cmd, rest); ok && !f.Bool { // the value of a flag comes next
		for _, v := range f.Values {
			c.add(choice{Label: v, Kind: kindValue, Doc: f.Doc}, v)
		}
		return
	}
	if i := operandAt(cmd, rest); i >= 0 {
		for _, v := range cmd.Operands[i].Values {
			c.add(choice{Label: v, Kind: kindValue, Doc: cmd.Operands[i].Doc, Sort: "1" + v}, v)
		}
	}
	for _, f := range cmd.Flags {
		if !slices.Contains(rest, f.Name) {
			c.add(choice{Label: f.Name, Kind: kindKeyword, Doc: f.Doc, Sort: "3" + f.Name}, f.Name)
		}
	}
}

// commandOf is the command that cells begin with: the one of most words, or nil.
func commandOf(cells []string) *argv.Command {
	for n := min(3, len(cells)); n > 0; n-- {
		if c, ok := argv.Lookup(strings.Join(cells[:n], " ")); ok {
			return c
		}
	}
	return nil
}

// flagOf is the flag that the last of some cells is.
func flagOf(c *argv.Command, cells []string) (argv.Flag, bool) {
	if len(cells) == 0 {
		return argv.Flag{}, false
	}
	return flagNamed(c, cells[len(cells)-1])
}

func flagNamed(c *argv.Command, name string) (argv.Flag, bool) {
	for _, f := range c.Flags {
		if f.Name == name || f.Short != "" && f.Short == name {
			return f, true
		}
	}
	return argv.Flag{}, false
}

// operandAt is the index of the operand that comes behind some cells, or -1.
func operandAt(c *argv.Command, cells []string) int {
	n := 0
	for i := 0; i < len(cells); i++ {
		if f, ok := flagNamed(c, cells[i]); ok {
			if !f.Bool {
				i++
			}
			continue
		}
		n++
	}
	switch {
	case n < len(c.Operands):
		return n
	case len(c.Operands) > 0 && c.Operands[len(c.Operands)-1].Variadic:
		return len(c.Operands) - 1
	}
	return -1
}

// pageFunc is a function of expressions that reads the page.
func pageFunc(name string) (string, bool) {
	for _, f := range spec.PageFuncs {
		if f.Name == name {
			return "`" + f.Name + "(" + strings.Join(f.Params, ", ") + ")` gives " + f.Result.Words() + "\n\n" + f.Doc, true
		}
	}
	return "", false
}
