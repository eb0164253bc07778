//go:build unix

package artifact

import (
	"io/fs"
	"syscall"
)

// links counts the names of a file.
func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
