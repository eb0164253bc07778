package steps

import "context"

// Namer is the power of a session to name an element so that the name lasts longer than a ref: by role and name, by label,
// by test id, then CSS.
type Namer interface {
	// Lasting gives a target that finds the element which the given one means now, and nothing else.
	Lasting(ctx context.Context, target string) (string, error)
}
