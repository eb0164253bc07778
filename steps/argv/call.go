package argv

import "github.com/checkrow/checkrow/spec/diag"

// Is tells that the command's first word is family: c.Is("expect").
func (c *Call) Is(family string) bool { return c.Command.Words[0] == family }

// Has tells that a flag is set, by its long name with dashes.
func (c *Call) Has(flag string) bool { _, ok := c.Flags[flag]; return ok }

// ReadsOnly tells that the row only reads, so that a result that nothing uses is a mistake. Rows that empty a ring and
// find rows that act are not of this sort.
func (c *Call) ReadsOnly() bool {
	if c.Is("find") {
		return c.verb() == verbText
	}
	return c.Command.Traits.Has(ReadsOnly) && !c.Has("--clear")
}

// Mutates tells that the row may change the page or the browser.
func (c *Call) Mutates() bool {
	if c.Is("find") {
		return c.verb() != verbText
	}
	return c.Command.Traits.Has(Mutates) || c.visits()
}

// visits tells that a row which only looks or records is told to open a page first.
func (c *Call) visits() bool {
	at := 0
	switch {
	case c.Is("record"):
		at = 1
	case !c.Is("a11y") && !c.Is("vitals"):
		return false
	}
	return len(c.Operands) > at
}

// WritesFile tells that the row writes an artifact.
func (c *Call) WritesFile() bool {
	return c.Command.Traits.Has(WritesFile) || c.Is("wait") && c.Has("--download") || c.Is("diff") && c.Has("--output")
}

// Repeatable tells that the row may be sent again when it is not known whether it arrived.
func (c *Call) Repeatable() bool {
	if c.Is("find") {
		v := c.verb()
		return v == verbText || v == verbHover || v == verbCheck
	}
	return c.Command.Traits.Has(Repeatable) && !c.Has("--clear") && !c.Has("--delta") && !c.Has("--if-changed")
}

// Rereads tells that the row may be run again just to see a new answer: an expect beside it is read again until it holds.
func (c *Call) Rereads() bool {
	return c.Repeatable() && !c.Mutates() && !c.WritesFile()
}

// Loads tells that the row's purpose is to load another document: open, back, forward, reload.
func (c *Call) Loads() bool {
	return c.Command.Traits.Has(Navigates|DropsRefs) && !c.Is("tab") || c.visits()
}

// Latches tells that a literal ref after the row needs a fresh snapshot. Rows that set a control by its ref are an
// exception: their element must be a checkbox, radio or select, which keep the tree as it is (CONTRACT R43).
func (c *Call) Latches() bool {
	switch {
	case c.Is("find"):
		return c.verb() != verbText && c.verb() != verbFill
	case c.Is("check") || c.Is("uncheck") || c.Is("select"):
		return !c.usesRef()
	}
	return c.Command.Traits.Has(Latches) || c.visits()
}

// ValueKey is the data key that steps.ID.value gives, or "".
func (c *Call) ValueKey() string {
	if c.Is("find") {
		return verbData[c.verb()]
	}
	if c.Is("wait") {
		return c.waitKey()
	}
	return c.Command.Value
}

// DataKeys are the keys that the row's data can have.
func (c *Call) DataKeys() []DataKey {
	key := c.ValueKey()
	if c.Is("snapshot") && c.Has("--delta") {
		return deltaKeys
	}
	if c.Is("screenshot") && !c.Has("--if-changed") {
		return pictureKeys
	}
	if !c.Is("find") || key == "" {
		return c.Command.Data
	}
	for _, d := range c.Command.Data {
		switch {
		case d.Name != key:
		case c.Has("--resolve"):
			return []DataKey{d, effectiveKey}
		default:
			return []DataKey{d}
		}
	}
	return nil
}

// deltaKeys are the data of snapshot --delta, pictureKeys those of a screenshot that is always taken.
var (
	deltaKeys = []DataKey{{"origin", "string", "URL of the page"},
		{"snapshot", "map", "kind (full, delta, unchanged), revision, baseRevision, tree, refs, changes, treeChange"}}
	pictureKeys = []DataKey{pathKey, {"annotations", "list", "with --annotate: number, ref, role, name and box of each"}}
)

// OperandKind is what operand i of the row is. A kind that depends on the text is resolved if the cell is known.
func (c *Call) OperandKind(i int) OperandKind {
	k := c.operandAt(i).Kind
	if k == TargetOrTime && c.Has("--download") {
		return OutFile
	}
	if text, _, ok := c.staticOperand(i); k == TargetOrTime && ok {
		if isTime(text) {
			return Duration
		}
		return Target
	}
	return k
}

// staticOperand gives the text and position of operand i if it is there and known before the run.
func (c *Call) staticOperand(i int) (string, diag.Pos, bool) {
	if i < 0 || i >= len(c.Operands) || c.Operands[i] < 0 || c.Cells[c.Operands[i]].Dynamic {
		return "", c.Pos, false
	}
	cell := c.Cells[c.Operands[i]]
	return cell.Text, cell.Pos, true
}

// static gives the value and position of a flag if it is set and known before the run.
func (c *Call) static(flag string) (string, diag.Pos, bool) {
	i, ok := c.Flags[flag]
	if !ok || i < 0 || c.Cells[i].Dynamic {
		return "", c.Pos, false
	}
	return c.Cells[i].Text, c.Cells[i].Pos, true
}
