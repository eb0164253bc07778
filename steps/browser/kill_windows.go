//go:build windows

package browser

import "os"

// kill ends a process. Its children notice that their pipe is gone.
func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil && pid > 0 {
		_ = p.Kill()
	}
}

// alive tells that a process exists.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err == nil {
		_ = p.Release()
	}
	return err == nil
}
