package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStartup keeps the start of the binary light: 10 ms of processor time and 25 MB for "checkrow version". Processor
// time of the best of several starts does not depend on what else the machine does; the test binary that poses as
// checkrow holds more code than the real one.
func TestStartup(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	best, peak := time.Hour, int64(0)
	for range 20 {
		cmd := &exec.Cmd{Path: self, Args: []string{"checkrow", "version"}}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "checkrow ") {
			t.Fatalf("checkrow version: %v\n%s", err, out)
		}
		best = min(best, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			peak = max(peak, usage.Maxrss)
		}
	}
	t.Logf("checkrow version: %v, %d KB", best, peak)
	if best > 10*time.Millisecond {
		t.Errorf("checkrow version takes %v of processor time, wanted at most 10ms", best)
	}
	if peak > 25<<10 {
		t.Errorf("checkrow version takes %d KB of memory, wanted at most 25 MB", peak)
	}
}

// TestReadmeSuites compiles every suite that README.md shows.
func TestReadmeSuites(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for part := range strings.SplitSeq(string(text), "```yaml\n") {
		suite, _, ok := strings.Cut(part, "```")
		if !ok || !strings.HasPrefix(suite, "suite:") {
			continue
		}
		found++
		file := filepath.Join(t.TempDir(), "readme.yaml")
		if err := os.WriteFile(file, []byte(suite), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := &exec.Cmd{Path: self, Args: []string{"checkrow", "check", file}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("a suite in README.md does not compile: %v\n%s", err, out)
		}
	}
	if found == 0 {
		t.Error("README.md shows no suite")
	}
}
