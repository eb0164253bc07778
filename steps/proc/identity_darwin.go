package proc

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"syscall"
	"unsafe"
)

// StartIdentity names a running process beyond its pid: its start time in microseconds, as the kernel's process table
// has it. Two processes never share it together with a pid.
func StartIdentity(pid int) (string, error) {
	const ctlKern, kernProc, kernProcPID = 1, 14, 1
	mib := [4]int32{ctlKern, kernProc, kernProcPID, int32(pid)}
	var info [1024]byte // struct kinfo_proc, which begins with the start time
	size := uintptr(len(info))
	_, _, errno := syscall.Syscall6(syscall.SYS___SYSCTL, uintptr(unsafe.Pointer(&mib[0])), uintptr(len(mib)),
		uintptr(unsafe.Pointer(&info[0])), uintptr(unsafe.Pointer(&size)), 0, 0)
	if errno != 0 {
		return "", fmt.Errorf("reading the start time of process %d: %w", pid, errno)
	}
	if size < 16 {
		return "", fmt.Errorf("reading the start time of process %d: %w", pid, syscall.ESRCH)
	}
	seconds, micros := binary.LittleEndian.Uint64(info[:8]), binary.LittleEndian.Uint32(info[8:12])
	return strconv.FormatUint(seconds, 10) + "." + strconv.FormatUint(uint64(micros), 10), nil
}

// waitid is the system call; the syscall package has no name for it on this system.
func waitid(kind, pid int, info *[128]byte, options int) syscall.Errno {
	_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, uintptr(kind), uintptr(pid), uintptr(unsafe.Pointer(info)), uintptr(options), 0, 0)
	return errno
}
