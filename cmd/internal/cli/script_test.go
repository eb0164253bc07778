package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/checkrow/checkrow/cmd/internal/cli"
)

// TestMain lets the test binary pose as checkrow, in its child modes too.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"checkrow": func() {
		if code, ok := cli.Child(os.Args); ok {
			os.Exit(code)
		}
		os.Exit(cli.Main(os.Args[1:], cli.OS()))
	}})
}

// TestScript runs the command line as users do, one archive per subject.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("CHECKROW_GOLDEN") == "1",
		Setup: func(e *testscript.Env) error {
			// A home of its own: only scripts that ask for it may find a driver or browser of this machine.
			e.Setenv("MACHINE", os.Getenv("HOME"))
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("NO_COLOR", "1")
			self, err := exec.LookPath("checkrow")
			if err != nil {
				return err
			}
			e.Setenv("CHECKROW", self) // for scripts that take the PATH away
			e.Values["children"] = &children{}
			e.Defer(func() { e.Values["children"].(*children).end() })
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"spawn": spawn, "await": await, "awaittext": awaitText, "signal": signal, "status": status, "gone": gone,
			"exits": exits, "procsgone": procsGone, "setclock": setClock,
		},
	})
}

// children are the processes that spawn started; the last one is the one that signal and status mean.
type children struct{ list []*exec.Cmd }

func (c *children) last(ts *testscript.TestScript) *exec.Cmd {
	if len(c.list) == 0 {
		ts.Fatalf("nothing was spawned")
	}
	return c.list[len(c.list)-1]
}

// end kills what a failed script left running.
func (c *children) end() {
	for _, cmd := range c.list {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
}

func spawned(ts *testscript.TestScript) *children { return ts.Value("children").(*children) }

// spawn starts a program in the background: "spawn checkrow run a.yaml". Its output goes to spawn.out.
func spawn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: spawn PROGRAM ARGS...")
	}
	path := args[0]
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, args[0]); fileExists(p) {
			path = p
			break
		}
	}
	out, err := os.Create(ts.MkAbs("spawn.out"))
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, out
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "PATH="+ts.Getenv("PATH"), "NO_COLOR=1",
		"WORK="+ts.Getenv("WORK"), "TMPDIR="+ts.Getenv("TMPDIR"))
	ts.Check(cmd.Start())
	ts.Check(out.Close())
	c := spawned(ts)
	c.list = append(c.list, cmd)
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// eventually polls until ok, for at most the given time.
func eventually(within time.Duration, ok func() bool) bool {
	for end := time.Now().Add(within); ; <-time.After(10 * time.Millisecond) {
		if ok() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// await waits until each file exists and is not empty.
func await(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		found := eventually(time.Minute, func() bool {
			info, err := os.Stat(ts.MkAbs(name))
			return err == nil && info.Size() > 0
		})
		if !found {
			ts.Fatalf("%s did not appear; output so far:\n%s", name, ts.ReadFile("spawn.out"))
		}
	}
}

// awaitText waits until a file holds a text.
func awaitText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: awaittext FILE TEXT")
	}
	found := eventually(time.Minute, func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && strings.Contains(string(text), args[1])
	})
	if !found {
		ts.Fatalf("%s never held %q:\n%s", args[0], args[1], ts.ReadFile(args[0]))
	}
}

// signal sends a signal to the spawned program: "signal KILL".
func signal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT}
	if neg || len(args) != 1 || signals[args[0]] == 0 {
		ts.Fatalf("usage: signal KILL|TERM|INT")
	}
	ts.Check(spawned(ts).last(ts).Process.Signal(signals[args[0]]))
}

// status waits for the spawned program and holds its exit code against the one wanted; "killed" is the end by SIGKILL.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: status CODE|killed")
	}
	cmd := spawned(ts).last(ts)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			ts.Fatalf("waiting for the spawned program: %v", err)
		}
	case <-time.After(12 * time.Second):
		_ = cmd.Process.Kill()
		<-done
		ts.Fatalf("the spawned program did not end; its output:\n%s", ts.ReadFile("spawn.out"))
	}
	got := strconv.Itoa(cmd.ProcessState.ExitCode())
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		got = ws.Signal().String()
	}
	if got != args[0] {
		ts.Fatalf("the spawned program ended with %s, wanted %s; its output:\n%s", got, args[0], ts.ReadFile("spawn.out"))
	}
}

// gone waits until the processes whose ids the files hold have ended, for at most two seconds.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(name)))
		ts.Check(err)
		if !eventually(2*time.Second, func() bool { return !alive(pid) }) {
			ts.Fatalf("process %d of %s is still alive", pid, name)
		}
	}
}

// alive tells whether a process runs; a zombie that nobody has reaped does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// exits runs a program and holds its exit code: "exits 2 checkrow check".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	err = ts.Exec(args[1], args[2:]...)
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("running %q: %v", args[1:], err)
	}
	if got != want {
		ts.Fatalf("%q exited with %d, wanted %d", args[1:], got, want)
	}
}
