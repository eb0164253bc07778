package console

// Redraw is what the ticker of the live view calls.
func (r *Reporter) Redraw() { r.redraw() }
