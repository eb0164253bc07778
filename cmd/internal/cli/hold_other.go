//go:build !unix

package cli

import (
	"context"
	"os"
)

// readable does not wait here: the read itself does, and ends with the next key.
func readable(ctx context.Context, _ *os.File) error { return ctx.Err() }
