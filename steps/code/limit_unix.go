//go:build unix

package code

import "syscall"

// limitMemory bounds the data of this process. The address space is no good measure: the runtime reserves more of it than
// it uses, and innocent scripts would die now and then.
func limitMemory(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes}) // the runner's own limit remains
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})                       // a bomb leaves no file
}
