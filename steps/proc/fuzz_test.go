//go:build linux || darwin

package proc_test

import (
	"bytes"
	"testing"

	"github.com/checkrow/checkrow/steps/proc"
)

// FuzzListen: whatever comes over the feed, no group is believed that would be ourselves or everybody.
func FuzzListen(f *testing.F) {
	f.Add([]byte("+12 boot:34\n-12 \n+13 x\nclose\n"))
	f.Add([]byte("+1 x\n+0 x\n+-5 x\n+\n\n+99999999999999999999 x\n+7 half"))
	f.Fuzz(func(t *testing.T, feed []byte) {
		groups, inOrder := proc.Listen(bytes.NewReader(feed))
		for pid := range groups {
			if pid <= 1 {
				t.Fatalf("believed in group %d", pid)
			}
		}
		if inOrder && !bytes.Contains(feed, []byte("close\n")) {
			t.Fatal("closed in order without being told so")
		}
	})
}
