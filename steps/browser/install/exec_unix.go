//go:build unix

package install

import (
	"fmt"
	"syscall"
)

// become makes the process the leader of a group of its own and replaces it by a program.
func become(path string, argv, env []string) error {
	if syscall.Getpgrp() != syscall.Getpid() { // a session leader has its group, and may not ask for one
		if err := syscall.Setpgid(0, 0); err != nil {
			return fmt.Errorf("leaving the process group: %w", err)
		}
	}
	if err := syscall.Exec(path, argv, env); err != nil {
		return fmt.Errorf("starting %q: %w", path, err)
	}
	return nil
}
