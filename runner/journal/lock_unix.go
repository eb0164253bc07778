//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the journal for this process; the lock dies with it. Where the file system has no locks the journal is used
// without one.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}
