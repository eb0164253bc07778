package argv

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

// Latch checks the literal refs of a batch (CONTRACT R43): a ref means what the last snapshot row of the same batch
// printed, so one without a snapshot before it, or behind a row that may have changed the page, is an error.
func Latch(calls []*Call, l *diag.List) {
	why := "no snapshot row comes before it in its batch"
	for _, c := range calls {
		if c == nil {
			continue
		}
		if why != "" {
			c.eachRef(func(cell Cell) {
				l.Add(cell.Pos, "the ref "+strconv.Quote(cell.Text)+" may not be what you mean: "+why,
					"add the row [snapshot] before it, or name the element: role=button Buy, label=E-mail, #id")
			})
		}
		switch {
		case c.Is("snapshot"):
			why = ""
		case c.Latches() && why == "":
			why = "the " + c.Command.Name() + " row"
			if c.Pos.Line > 0 {
				why += " of line " + strconv.Itoa(c.Pos.Line)
			}
			why += " may have changed the page since the last snapshot"
		}
	}
}

func (c *Call) usesRef() bool {
	found := false
	c.eachRef(func(Cell) { found = true })
	return found
}

// eachRef calls f for each cell that is a target with a literal ref.
func (c *Call) eachRef(f func(Cell)) {
	see := func(cell Cell, k OperandKind) {
		if cell.Dynamic || k != Target || !strings.Contains(cell.Text, "@") {
			return
		}
		var wrong diag.List // told by the row's own check
		if target.Parse(cell.Text, cell.Pos, &wrong).HasRef() && wrong.Len() == 0 {
			f(cell)
		}
	}
	for i, at := range c.Operands {
		if at >= 0 {
			see(c.Cells[at], c.OperandKind(i))
		}
	}
	for _, fl := range c.Command.Flags {
		if at, ok := c.Flags[fl.Name]; ok && at >= 0 {
			see(c.Cells[at], fl.Kind)
		}
	}
}
