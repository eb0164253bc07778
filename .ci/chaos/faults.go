package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// faults are what is broken beside the runner itself.
func faults() []fault {
	return []fault{
		{"SIGTERM", func(l *lab) (string, error) { return l.stopped("term", 143, syscall.SIGTERM) }},
		{"SIGINT", func(l *lab) (string, error) { return l.stopped("int", 130, syscall.SIGINT) }},
		{"SIGINT twice", func(l *lab) (string, error) { return l.stopped("twice", 130, syscall.SIGINT, syscall.SIGINT) }},
		{"browser dies", func(l *lab) (string, error) { return l.engineDies("browser", isBrowser) }},
		{"renderer dies", func(l *lab) (string, error) { return l.engineDies("renderer", isRenderer) }},
		{"driver dies", func(l *lab) (string, error) { return l.engineDies("driver", isDriver) }},
		{"service dies", func(l *lab) (string, error) { return l.childDies("service", "service.yaml", "sleep 61", "sleeper") }},
		{"child dies", func(l *lab) (string, error) { return l.childDies("child", "child.yaml", "sleep 62", "signal") }},
		{"checkpoint", (*lab).checkpoint},
		{"disk full", (*lab).diskFull},
		{"disk full, no room", (*lab).noRoom},
		{"disk full, big files", (*lab).bigFiles},
		{"folder read-only", (*lab).readOnly},
		{"folder read-only, later", (*lab).readOnlyLater},
		{"folder vanishes", (*lab).vanishes},
		{"clock jump", (*lab).clockJumps},
		{"loads", (*lab).heavy},
	}
}

// launch starts a run and gives what waits for it.
func (c *chain) launch(args ...string) (*exec.Cmd, *bytes.Buffer, chan error, error) {
	cmd, out := c.command(args...)
	if err := cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	return cmd, out, done, nil
}

// await waits until a process of the chain is there and gives it.
func (c *chain) await(is func(process) bool) (process, error) {
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); {
		for _, p := range c.processes() {
			if is(p) {
				return p, nil
			}
		}
		if err := sleep(c.lab.ctx, 20*time.Millisecond); err != nil {
			return process{}, err
		}
	}
	return process{}, errors.New("the process to be killed never came")
}

// awaitVerdicts waits until so many tests have ended. A moment in a run is told by what it has done, not by the time it
// took: how long that is differs from machine to machine.
func (c *chain) awaitVerdicts(n int) error {
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); {
		if err := c.look(); err != nil {
			return err
		}
		if len(c.journal.status) >= n {
			return nil
		}
		if err := sleep(c.lab.ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("it never came to %d verdicts", n)
}

// ended waits for the end of a run.
func ended(cmd *exec.Cmd, done chan error, within time.Duration) (int, error) {
	select {
	case <-done:
		return cmd.ProcessState.ExitCode(), nil
	case <-time.After(within):
		_ = cmd.Process.Kill()
		<-done
		return 0, fmt.Errorf("it had not ended %s later", within)
	}
}

// stopped sends signals to a run in its middle and takes it up.
func (l *lab) stopped(name string, code int, signals ...syscall.Signal) (string, error) {
	c, err := l.newChain(name)
	if err != nil {
		return "", err
	}
	cmd, out, done, err := c.launch(c.start("suites/forms.yaml", "suites/bonds.yaml")...)
	if err != nil {
		return "", err
	}
	if _, err := c.await(isBrowser); err != nil {
		return "", err
	}
	if err := c.awaitVerdicts(l.rnd.IntN(8)); err != nil {
		return "", err
	}
	if err := sleep(l.ctx, time.Duration(l.rnd.IntN(100))*time.Millisecond); err != nil {
		return "", err
	}
	start := time.Now()
	for _, s := range signals {
		_ = cmd.Process.Signal(s)
		if err := sleep(l.ctx, 50*time.Millisecond); err != nil {
			return "", err
		}
	}
	got, err := ended(cmd, done, 11*time.Second)
	took := time.Since(start)
	if err != nil {
		return "", err
	}
	if got != code {
		return "", fmt.Errorf("it ended with %d, wanted %d:\n%s", got, code, tail(out.String()))
	}
	if err := c.afterKill(); err != nil {
		return "", err
	}
	had := len(c.final)
	if err := c.settle(0); err != nil {
		return "", err
	}
	return fmt.Sprintf("exit %d after %dms; taken up, %d verdicts kept", code, took.Milliseconds(), had), nil
}

func isBrowser(p process) bool {
	return strings.Contains(p.command, "--headless") && strings.Contains(p.command, "--user-data-dir") && !strings.Contains(p.command, "--type=")
}

func isRenderer(p process) bool { return strings.Contains(p.command, "--type=renderer") }

func isDriver(p process) bool {
	return strings.Contains(p.command, ".cjs run-driver") || strings.Contains(p.command, ".js run-driver")
}

// engineDies kills a process of the browser under a row that waits. What becomes of the test is open: its attempt ends as
// a crash, the next one may pass. What is not open: the run ends by itself, every test has a verdict, nothing is left.
func (l *lab) engineDies(name string, is func(process) bool) (string, error) {
	c, err := l.newChain(name)
	if err != nil {
		return "", err
	}
	before := l.site.count("slow")
	cmd, out, done, err := c.launch("run", "-o", c.run, "--workers", "1", "slow.yaml")
	if err != nil {
		return "", err
	}
	if _, err := c.await(func(process) bool { return l.site.count("slow") > before }); err != nil {
		return "", err
	}
	start, killed := time.Now(), 0
	for _, p := range c.processes() {
		if is(p) && syscall.Kill(p.pid, syscall.SIGKILL) == nil { // of renderers all: one may be a spare one
			killed++
		}
	}
	if killed == 0 {
		return "", errors.New("there was none to kill")
	}
	code, err := ended(cmd, done, 12*time.Second)
	if err != nil {
		return "", fmt.Errorf("%w:\n%s", err, tail(out.String()))
	}
	if code != 0 && code != 1 {
		return "", fmt.Errorf("it ended with %d:\n%s", code, tail(out.String()))
	}
	if err := c.look(); err != nil {
		return "", err
	}
	for _, t := range c.journal.tests {
		if !final(c.journal.status[t]) {
			return "", fmt.Errorf("%q has no verdict but %q", t, c.journal.status[t])
		}
	}
	if c.journal.status["other"] != "passed" {
		return "", fmt.Errorf("the test after it is %q", c.journal.status["other"])
	}
	if err := errors.Join(c.gone(), c.green(code == 0), c.contains("journal.jsonl", `"crash"`)); err != nil {
		return "", err
	}
	return fmt.Sprintf("exit %d %.1fs later, the test is %s, the next one passed", code, time.Since(start).Seconds(), c.journal.status["waits"]), nil
}

// childDies kills a child that a test needs.
func (l *lab) childDies(name, suite, command, says string) (string, error) {
	c, err := l.newChain(name)
	if err != nil {
		return "", err
	}
	cmd, out, done, err := c.launch("run", "-o", c.run, "--workers", "1", suite)
	if err != nil {
		return "", err
	}
	p, err := c.await(func(p process) bool { return p.command == command })
	if err != nil {
		return "", fmt.Errorf("%w:\n%s", err, tail(out.String()))
	}
	_ = syscall.Kill(p.pid, syscall.SIGKILL)
	code, err := ended(cmd, done, 20*time.Second)
	if err != nil {
		return "", err
	}
	if code != 1 {
		return "", fmt.Errorf("it ended with %d, wanted 1:\n%s", code, tail(out.String()))
	}
	if err := errors.Join(c.gone(), c.green(false), c.contains("junit.xml", says)); err != nil {
		return "", err
	}
	return "exit 1, and the report names it", nil
}

// heavy gives the run more than a page usually does.
func (l *lab) heavy() (string, error) {
	c, err := l.newChain("heavy")
	if err != nil {
		return "", err
	}
	start := time.Now()
	if err := c.finish(0, "loads.yaml"); err != nil {
		return "", err
	}
	took := time.Since(start)
	if took > 60*time.Second || c.journal.bytes > 8<<20 {
		return "", fmt.Errorf("it took %s and a journal of %d bytes", took, c.journal.bytes)
	}
	return fmt.Sprintf("10 MB of console, 1500 requests in a row, 2000 nodes: %.1fs, journal %d kB", took.Seconds(), c.journal.bytes>>10), nil
}

// checkpoint kills a run behind a checkpoint: the test goes on there, signed in, and signs in once in all.
func (l *lab) checkpoint() (string, error) {
	c, err := l.newChain("checkpoint")
	if err != nil {
		return "", err
	}
	cmd, out, done, err := c.launch("run", "-o", c.run, "checkpoint.yaml")
	if err != nil {
		return "", err
	}
	before := l.site.count("slow")
	if _, err := c.await(func(process) bool { return l.site.count("slow") > before }); err != nil {
		return "", fmt.Errorf("%w:\n%s", err, tail(out.String()))
	}
	_ = cmd.Process.Kill()
	<-done
	if err := c.afterKill(); err != nil {
		return "", err
	}
	if err := c.finish(0); err != nil {
		return "", err
	}
	if n := l.site.count("sign-in"); n != 1 {
		return "", fmt.Errorf("it signed in %d times", n)
	}
	if left, _ := filepath.Glob(filepath.Join(c.tmp, "checkrow-private-*")); len(left) > 0 {
		return "", fmt.Errorf("left behind: %s", left)
	}
	return "taken up behind the sign-in, which ran once; the private store is gone", nil
}
