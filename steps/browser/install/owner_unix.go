//go:build unix

package install

import (
	"os"
	"syscall"
)

// owner is the user a file belongs to.
func owner(info os.FileInfo) (int, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}
