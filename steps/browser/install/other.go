//go:build !unix

package install

import (
	"context"
	"errors"
	"os"
)

// errUnsupported is the answer where checkrow has no process groups and no file locks yet.
var errUnsupported = errors.New("checkrow install is not supported on this system yet")

func owner(os.FileInfo) (int, bool) { return 0, false }

func lock(context.Context, string, func()) (func(), error) { return nil, errUnsupported }

func become(string, []string, []string) error { return errUnsupported }
