package proc

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// awaitExit waits until a child has ended and leaves it to be reaped, so that its number stays its own until then.
func awaitExit(pid int) {
	const idPID = 1
	var info [128]byte
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, idPID, uintptr(pid), uintptr(unsafe.Pointer(&info[0])),
			syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if !errors.Is(errno, syscall.EINTR) {
			return
		}
	}
}

// groupLives tells whether a group has a member that is not dead: where process 1 does not reap, the dead stay.
func groupLives(pgid int) bool {
	for _, pid := range processes() {
		if st, err := readStat(pid); err == nil && st.group == pgid && st.state != 'Z' && st.state != 'X' {
			return true
		}
	}
	return false
}

// processes lists the ids of all processes.
func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	pids := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// stat is what we read of /proc/PID/stat.
type stat struct {
	state   byte
	group   int
	started string // clock ticks since boot
}

var errStat = errors.New("reading /proc: not the form we know")

// readStat reads a process's line. The name in it may hold anything, so the fields are counted from its last bracket.
func readStat(pid int) (stat, error) {
	var buf [1024]byte
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/stat", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return stat{}, err
	}
	n, err := syscall.Read(fd, buf[:])
	_ = syscall.Close(fd)
	if err != nil {
		return stat{}, err
	}
	line := string(buf[:max(n, 0)])
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 {
		return stat{}, errStat
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return stat{}, errStat
	}
	return stat{state: fields[0][0], group: group, started: fields[19]}, nil
}
