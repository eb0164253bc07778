//go:build !unix

package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// abandoned is how old a lock must be to count as dead, where none dies with its process.
const abandoned = 24 * time.Hour

// hold takes a lock by making its file; free is false if it is there and not old.
func hold(path string) (release func(), free bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return func() {}, true, f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, false, fmt.Errorf("making lock %q: %w", path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, fmt.Errorf("looking at lock %q: %w", path, err)
	}
	return func() {}, time.Since(info.ModTime()) > abandoned, nil
}

// mine cannot be told here; the folder is the user's own.
func mine(fs.FileInfo) bool { return true }
