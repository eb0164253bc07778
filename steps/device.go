package steps

import (
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// checkDevice reports a set device row whose device nobody knows: the table of devices is no part of the row grammar.
func checkDevice(c *argv.Call, l *diag.List) {
	if c == nil || c.Command.Name() != "set device" || len(c.Operands) == 0 {
		return
	}
	cell := c.Cells[c.Operands[0]]
	if _, ok := spec.FindDevice(cell.Text); ok || cell.Dynamic {
		return
	}
	l.AddWide(cell.Pos, len([]rune(cell.Text)), "there is no device "+strconv.Quote(cell.Text), diag.Suggest(cell.Text, spec.DeviceNames()))
}
