//go:build !windows

package browser

import "syscall"

// kill ends a process and, if it leads a group or lives in another group than ours, that group.
func kill(pid int) {
	if pid <= 1 {
		return
	}
	if group, err := syscall.Getpgid(pid); err == nil && group > 1 && group != syscall.Getpgrp() {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// alive tells that a process exists.
func alive(pid int) bool { return pid > 1 && syscall.Kill(pid, 0) == nil }
