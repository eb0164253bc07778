//go:build unix

package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// hold takes a file lock that dies with the process; free is false if somebody else has it.
func hold(path string) (release func(), free bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("opening lock %q: %w", path, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { _ = f.Close() }, true, nil // closing gives it back
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("locking %q: %w", path, err)
}

// mine tells that a file belongs to the user of this process.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
