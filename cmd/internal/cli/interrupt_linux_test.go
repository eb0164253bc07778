package cli

import (
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestInterruptedScreen holds that Ctrl-C leaves nothing of the live view on a terminal, neither when the run stops in order
// nor when a second one ends it at once.
func TestInterruptedScreen(t *testing.T) {
	dir := suiteFolder(t, "suite: a\ntests:\n  - name: one\n    steps:\n      - exec: [sleep, '20']\n    finally:\n      - exec: [sleep, '5']\n")
	master, slave := openTerminal(t)
	signals := make(chan chan<- os.Signal, 1)
	w := World{Stdin: slave, Stdout: slave, Stderr: slave, Environ: []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm", "NO_COLOR=1"}, Dir: dir,
		Now:    time.Now,
		Notify: func(c chan<- os.Signal) func() { signals <- c; return func() {} },
		Exit:   func(int) { _, _ = slave.WriteString("<EXIT>") }}
	var seen safeBuffer
	var typing sync.WaitGroup
	typing.Go(func() {
		send, b, sent := <-signals, make([]byte, 4096), 0
		for {
			n, err := master.Read(b)
			_, _ = seen.Write(b[:n])
			text := seen.String()
			if sent == 0 && strings.Contains(text, "exec (line 5)") || sent == 1 && strings.Contains(text, "finally: exec") {
				sent++
				send <- syscall.SIGINT
			}
			if err != nil {
				return
			}
		}
	})
	code := Main([]string{"run", "a.yaml"}, w)
	_ = slave.Close()
	typing.Wait()
	_ = master.Close()
	screen := seen.String()
	if code != ExitInterrupt {
		t.Fatalf("exit code %d: %q", code, screen)
	}
	const erased = "\x1b[J"
	for _, mark := range []string{"checkrow: SIGINT, stopping in order", "checkrow: second signal (SIGINT), ending now", "<EXIT>", "1 test: 1 interrupted"} {
		before, _, ok := strings.Cut(screen, mark)
		if !ok {
			t.Fatalf("%q is missing: %q", mark, screen)
		}
		if last := before[strings.LastIndex(before, erased)+1:]; strings.Contains(last, "0 of 1 ·") {
			t.Errorf("the live view is on the screen when %q comes: %q", mark, last)
		}
	}
	if strings.Contains(screen, "?25l") {
		t.Errorf("the cursor was hidden: %q", screen)
	}
}
