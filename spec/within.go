package spec

import "github.com/checkrow/checkrow/spec/diag"

// At gives where the rune at an offset of a scalar's text stands in the file: the line of a script inside a block. What
// cannot be told, inside a folded block, is the node itself.
func (n Node) At(offset int) diag.Pos {
	if n.n == nil {
		return diag.Pos{}
	}
	return place{n: n.n}.pos(offset)
}
