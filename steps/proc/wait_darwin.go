package proc

import (
	"errors"
	"syscall"
	"time"
)

// awaitExit waits until a child has ended and leaves it to be reaped: it is a zombie then, which has no group to signal
// and no start time that sysctl would tell.
func awaitExit(pid int) {
	const idPID, exited, nowait = 1, 0x4, 0x20
	var info [128]byte
	for {
		errno := waitid(idPID, pid, &info, exited|nowait)
		switch {
		case errno == 0 || errors.Is(errno, syscall.ECHILD):
			return
		case !errors.Is(errno, syscall.EINTR):
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// groupLives tells whether a group has a member that can be signalled; the dead cannot (EPERM).
func groupLives(pgid int) bool { return syscall.Kill(-pgid, 0) == nil }
