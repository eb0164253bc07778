package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// carrier is a process that carries the mark, held so that its number cannot come to mean another one.
type carrier struct{ p *os.Process }

func (c carrier) signal(sig syscall.Signal) error {
	defer func() { _ = c.p.Release() }()
	return c.p.Signal(sig)
}

// carriers finds the processes whose environment carries the mark, and the groups they are in. The handle is taken before
// the environment is read, so what is signalled is what was read.
func carriers(mark string) (marked []carrier, groups map[int]bool) {
	groups = map[int]bool{}
	want, self := []byte(MarkEnv+"="+mark), os.Getpid()
	for _, pid := range processes() {
		if pid == self || pid == 1 {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if !carries(pid, want) {
			_ = p.Release()
			continue
		}
		marked = append(marked, carrier{p})
		if st, err := readStat(pid); err == nil {
			groups[st.group] = true
		}
	}
	return marked, groups
}

// carries tells whether a process has the variable; those of other users and the dead cannot be read and have it not.
func carries(pid int, want []byte) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(kv, want) {
			return true
		}
	}
	return false
}
