package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// clockEnv tells the binary of moved by how much its wall clock moves once a file is there: "/tmp/now,-3h".
const clockEnv = "CHAOS_CLOCK"

// movedNow is what the time package gets, so that its wall clock can be moved as an administrator does, under one process
// alone. What is measured by the monotonic clock, timers too, goes on as ever.
const movedNow = `
var clockMoved atomic.Int64

func init() {
	text, _ := syscall.Getenv("` + clockEnv + `")
	for i := range len(text) {
		if text[i] == ',' {
			by, _ := ParseDuration(text[i+1:])
			move := func() bool {
				if syscall.Access(text[:i], 0) != nil {
					return false
				}
				clockMoved.Store(int64(by / Second))
				return true
			}
			if !move() {
				go func() { // not in Now itself: timers call it where a system call may not be made
					for !move() {
						Sleep(Millisecond)
					}
				}()
			}
			return
		}
	}
}
`

// moved builds a checkrow whose wall clock can be moved.
func (l *lab) moved() (string, error) {
	root, err := exec.CommandContext(l.ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	path := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	head, tail, ok := bytes.Cut(text, []byte("func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"))
	if !ok {
		return "", errors.New("time.Now of this Go is not the one that can be moved")
	}
	head = bytes.Replace(head, []byte("import (\n"), []byte("import (\n\t\"sync/atomic\"\n\t\"syscall\"\n"), 1)
	src := string(head) + "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n\tsec += clockMoved.Load()\n" + string(tail) + movedNow
	replaced, overlay, out := filepath.Join(l.dir, "time.go"), filepath.Join(l.dir, "overlay.json"), filepath.Join(l.dir, "moved")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: replaced}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(replaced, []byte(src), 0o600), os.WriteFile(overlay, list, 0o600)); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(l.ctx, "go", "build", "-overlay", overlay, "-o", out, "./cmd/checkrow")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building it: %w\n%s", err, said)
	}
	return out, nil
}

// clockJumps sets the clock back by hours in the middle of a run, kills it, and takes it up on the day before.
func (l *lab) clockJumps() (string, error) {
	binary, err := l.moved()
	if err != nil {
		return "", err
	}
	c, err := l.newChain("clock")
	if err != nil {
		return "", err
	}
	start, now := time.Now(), filepath.Join(l.dir, "now")
	c.binary, c.env = binary, []string{clockEnv + "=" + now + ",-3h"}
	cmd, out, done, err := c.launch(c.start("suites")...)
	if err != nil {
		return "", err
	}
	if err := c.awaitVerdicts(5 + l.rnd.IntN(10)); err != nil {
		return "", err
	}
	if err := os.WriteFile(now, nil, 0o600); err != nil {
		return "", err
	}
	if err := c.awaitVerdicts(20 + l.rnd.IntN(10)); err != nil {
		return "", err
	}
	_ = cmd.Process.Signal(syscall.SIGKILL)
	<-done
	if err := c.afterKill(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, tail(out.String()))
	}
	had := len(c.final)
	c.env = []string{clockEnv + "=" + now + ",-24h"}
	if err := c.settle(0); err != nil {
		return "", err
	}
	spent := time.Since(start)
	if _, err := c.ends(0, "verify", c.run); err != nil {
		return "", err
	}
	if _, err := c.ends(0, "report", c.run); err != nil {
		return "", err
	}
	lives, took, err := c.times()
	if err != nil {
		return "", err
	}
	if lives != 2 || took <= 0 || took > spent {
		return "", fmt.Errorf("%d lives of %s in all, in %s that really passed", lives, took, spent)
	}
	if c.journal.back == 0 {
		return "", errors.New("the clock never went back")
	}
	return fmt.Sprintf("back by 3 h in a run, then by a day: %d verdicts kept, no time goes back in a life, no duration is negative; %.1fs in 2 lives, %.1fs passed",
		had, took.Seconds(), spent.Seconds()), nil
}

// times looks for durations below zero in every report, and gives the lives of the run and how long they took.
func (c *chain) times() (lives int, took time.Duration, err error) {
	text, err := os.ReadFile(filepath.Join(c.run, "report.json"))
	if err != nil {
		return 0, 0, err
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return 0, 0, err
	}
	if err := notBelowZero(doc, "report.json"); err != nil {
		return 0, 0, err
	}
	for name, bad := range map[string]string{"junit.xml": `time="-`, "report.html": `"ms":-`, "timings.json": `: -`} {
		text, err := os.ReadFile(filepath.Join(c.run, name))
		if err != nil {
			return 0, 0, err
		}
		if bytes.Contains(text, []byte(bad)) {
			return 0, 0, fmt.Errorf("%s holds %s", name, bad)
		}
	}
	run := doc["run"].(map[string]any)
	list, _ := run["lives"].([]any)
	ms, _ := run["duration_ms"].(float64)
	return len(list), time.Duration(ms * float64(time.Millisecond)), nil
}

func notBelowZero(v any, at string) error {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if n, ok := x.(float64); ok && strings.HasSuffix(k, "_ms") && n < 0 {
				return fmt.Errorf("%s.%s is %g", at, k, n)
			}
			if err := notBelowZero(x, at+"."+k); err != nil {
				return err
			}
		}
	case []any:
		for i, x := range v {
			if err := notBelowZero(x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	}
	return nil
}
