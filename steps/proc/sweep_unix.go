//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"syscall"
)

// endGroup kills a process and, if it leads one, its group.
func endGroup(pid int) (bool, error) {
	target := pid
	if group, err := syscall.Getpgid(pid); err == nil && group == pid {
		target = -pid
	}
	err := syscall.Kill(target, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ending process %d of an earlier run: %w", pid, err)
	}
	return true, nil
}
