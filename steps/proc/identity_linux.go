package proc

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

// bootID is the same for all processes since a boot.
var bootID = sync.OnceValues(func() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b)), err
})

// StartIdentity names a running process beyond its pid: on Linux boot id and start time. Two processes never share it.
func StartIdentity(pid int) (string, error) {
	boot, err := bootID()
	if err != nil {
		return "", fmt.Errorf("reading the boot id: %w", err)
	}
	st, err := readStat(pid)
	if err != nil {
		return "", fmt.Errorf("reading the start time of process %d: %w", pid, err)
	}
	return boot + ":" + st.started, nil
}
