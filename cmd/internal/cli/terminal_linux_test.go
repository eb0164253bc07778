package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onTerminal runs the command line with a terminal for all streams, types keys when a text has appeared, and gives what
// was on the screen.
func onTerminal(t *testing.T, dir string, environ []string, keys map[string]string, args ...string) (screen string, code int) {
	t.Helper()
	master, slave := openTerminal(t)
	var seen safeBuffer
	var typing sync.WaitGroup
	typing.Go(func() {
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			_, _ = seen.Write(b[:n])
			for text, key := range keys {
				if strings.Contains(seen.String(), text) {
					_, _ = master.WriteString(key)
					delete(keys, text)
				}
			}
			if err != nil {
				return
			}
		}
	})
	w := World{Stdin: slave, Stdout: slave, Stderr: slave, Environ: environ, Dir: dir, Now: time.Now,
		Notify: func(chan<- os.Signal) func() { return func() {} }}
	code = Main(args, w)
	_ = slave.Close()
	typing.Wait()
	_ = master.Close()
	return seen.String(), code
}

// safeBuffer is a buffer that may be read while it is written.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

const twoSteps = "suite: a\ntests:\n  - name: one\n    steps:\n      - exec: [sleep, '0.8']\n      - expect: 1 == 1\n"

func suiteFolder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLiveView holds that NO_COLOR takes the colours and leaves the live view, and that a dumb terminal gets neither.
func TestLiveView(t *testing.T) {
	path := "PATH=" + os.Getenv("PATH")
	colour, redraw := regexp.MustCompile(`\x1b\[[0-9;]*m`), regexp.MustCompile(`\x1b\[[0-9]*[AJ]`)
	for name, c := range map[string]struct {
		env           []string
		colours, live bool
	}{
		"a terminal":      {[]string{path, "TERM=xterm"}, true, true},
		"NO_COLOR":        {[]string{path, "TERM=xterm", "NO_COLOR=1"}, false, true},
		"a dumb terminal": {[]string{path, "TERM=dumb"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			screen, code := onTerminal(t, suiteFolder(t, twoSteps), c.env, nil, "run", "a.yaml")
			if code != ExitPassed {
				t.Fatalf("exit code %d: %s", code, screen)
			}
			if got := colour.MatchString(screen); got != c.colours {
				t.Errorf("colours: %v, wanted %v, in %q", got, c.colours, screen)
			}
			if got := redraw.MatchString(screen); got != c.live {
				t.Errorf("live view: %v, wanted %v, in %q", got, c.live, screen)
			}
		})
	}
}

// TestDebugKeys types single keys into a run that is debugged on a terminal.
func TestDebugKeys(t *testing.T) {
	env := []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm", "NO_COLOR=1"}
	keys := map[string]string{"exec step": "x", "q: quit\r\n   enter": "n", "expect step": "\r"}
	screen, code := onTerminal(t, suiteFolder(t, twoSteps), env, keys, "run", "a.yaml", "--debug")
	if code != ExitPassed || strings.Count(screen, "enter, n: next") != 2 || strings.Contains(screen, "\x1b[") {
		t.Errorf("exit code %d: %q", code, screen)
	}
	keys = map[string]string{"exec step": "\x03"} // Ctrl-C
	screen, code = onTerminal(t, suiteFolder(t, twoSteps), env, keys, "run", "a.yaml", "--debug")
	if code != ExitInterrupt || strings.Contains(screen, "expect step") || !strings.Contains(screen, "stopped by the person who debugs it") {
		t.Errorf("exit code %d: %q", code, screen)
	}
}
