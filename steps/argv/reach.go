package argv

import (
	"path/filepath"
	"strings"
)

// Reached is a cell of a row that names a file that is read, or a URL.
type Reached struct {
	At   int // index in Cells
	Kind OperandKind
	// Picture says that the cell names a picture among the baselines of the file that says the row.
	Picture bool
}

// Path gives the path of a file that is read, from the folder of the file that says the row.
func (r Reached) Path(file, text string) string {
	if r.Picture {
		return filepath.Join(BaselineFolder(file), filepath.FromSlash(text)+".png")
	}
	return text
}

// BaselineFolder is the folder of the pictures that a file's rows compare with, beside it: shop.yaml has shop.baselines.
func BaselineFolder(file string) string {
	base := filepath.Base(file)
	if file == "" {
		base = "suite"
	}
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".baselines"
}

// Reaches gives the cells of a row that lead out of the page: files it reads and URLs it goes to.
func Reaches(c *Call) []Reached {
	var out []Reached
	add := func(at int, k OperandKind) {
		if at >= 0 && at < len(c.Cells) && (k == InFile || k == URL) {
			out = append(out, Reached{At: at, Kind: k})
		}
	}
	if c.Command.Name() == "expect image" && len(c.Operands) > 0 && c.Operands[0] >= 0 {
		out = append(out, Reached{At: c.Operands[0], Kind: InFile, Picture: true})
	}
	for i, at := range c.Operands {
		op := i
		if n := len(c.Command.Operands); op >= n {
			op = n - 1 // of a variadic one
		}
		if op >= 0 {
			add(at, c.Command.Operands[op].Kind)
		}
	}
	for _, f := range c.Command.Flags {
		if at, ok := c.Flags[f.Name]; ok && !f.Bool {
			add(at, f.Kind)
		}
	}
	return out
}

// OperandText gives operand i as the suite has it, or "".
func (c *Call) OperandText(i int) string {
	if i < len(c.Operands) && c.Operands[i] >= 0 {
		return c.Cells[c.Operands[i]].Text
	}
	return ""
}
