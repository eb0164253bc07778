package browser

import (
	"os"
	"strconv"
	"strings"
)

// youngestChild gives the child of a process that started last and whose program is the wanted one, or 0. first is the
// first word of its command line.
func youngestChild(parent int, is func(exe, first string) bool) int {
	list, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	best := 0
	var born uint64
	for _, d := range list {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		above, start, ok := stat(pid)
		if !ok || above != parent || start < born {
			continue
		}
		exe, err := os.Readlink("/proc/" + d.Name() + "/exe")
		if err != nil {
			continue
		}
		line, err := os.ReadFile("/proc/" + d.Name() + "/cmdline")
		if first, _, _ := strings.Cut(string(line), "\x00"); err == nil && is(exe, first) {
			best, born = pid, start
		}
	}
	return best
}

// stat reads the parent and the start of a process.
func stat(pid int) (parent int, start uint64, ok bool) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false
	}
	_, rest, _ := strings.Cut(string(raw[max(strings.LastIndexByte(string(raw), ')'), 0):]), " ")
	f := strings.Fields(rest) // state, ppid, … starttime is the twentieth
	if len(f) < 20 {
		return 0, 0, false
	}
	parent, err1 := strconv.Atoi(f[1])
	start, err2 := strconv.ParseUint(f[19], 10, 64)
	return parent, start, err1 == nil && err2 == nil
}
