package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// chain is one run and all that take it up again, in one folder.
type chain struct {
	lab     *lab
	name    string
	run     string // run folder
	binary  string // checkrow, if it is another one
	env     []string
	tmp     string // TMPDIR of all its processes, and so their mark
	journal *journal
	final   map[string]verdict // of tests that had ended at a kill
	killed  int
	early   int // kills before the plan was written
	kept    int
	slowest time.Duration // until everything was gone
	groups  map[int]bool  // process groups that were seen
}

// verdict is what was known of a test when its run was killed.
type verdict struct {
	status string
	hits   int // at the site, by then
}

func (l *lab) newChain(name string) (*chain, error) {
	l.marks++
	c := &chain{lab: l, name: name, run: filepath.Join(l.dir, "run-"+name), tmp: filepath.Join(l.dir, fmt.Sprintf("tmp-%d-", l.marks)),
		final: map[string]verdict{}, groups: map[int]bool{}}
	return c, os.Mkdir(c.tmp, 0o700)
}

// command makes checkrow's command line.
func (c *chain) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	out := &bytes.Buffer{}
	cmd := exec.CommandContext(c.lab.ctx, cmp.Or(c.binary, c.lab.checkrow), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.lab.dir, out, out
	cmd.WaitDelay = 2 * time.Second
	cmd.Env = append(os.Environ(), "TMPDIR="+c.tmp, "CHAOS="+c.name, "CI=")
	cmd.Env = append(cmd.Env, c.env...)
	return cmd, out
}

// start gives the arguments that begin the run, or take it up where there is something to take up.
func (c *chain) start(paths ...string) []string {
	if c.journal != nil && c.journal.planned {
		return []string{"resume", c.run}
	}
	return append([]string{"run", "-o", c.run, "--workers", "2"}, paths...)
}

// undisturbed runs the suites once and gives their verdicts.
func (l *lab) undisturbed() ([]string, error) {
	c, err := l.newChain("quiet")
	if err != nil {
		return nil, err
	}
	if err := c.finish(0, "suites"); err != nil {
		return nil, err
	}
	return c.verdicts(), nil
}

// finish runs to the end and expects an exit code.
func (c *chain) finish(want int, paths ...string) error {
	cmd, out := c.command(c.start(paths...)...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		return fmt.Errorf("%s ended with %d, wanted %d:\n%s", strings.Join(cmd.Args[1:], " "), got, want, tail(out.String()))
	}
	if err := c.look(); err != nil {
		return err
	}
	if err := c.gone(); err != nil {
		return err
	}
	return c.green(want == 0)
}

// killAndResume kills the run a number of times at random moments and then lets it end.
func (c *chain) killAndResume(kills int, length time.Duration) error {
	for c.killed < kills {
		cmd, out := c.command(c.start("suites")...)
		if err := cmd.Start(); err != nil {
			return err
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-time.After(c.moment(length)):
		case <-done: // it was faster
			if code := cmd.ProcessState.ExitCode(); code != 0 {
				return fmt.Errorf("%s ended with %d:\n%s", strings.Join(cmd.Args[1:], " "), code, tail(out.String()))
			}
			return c.settle(kills)
		}
		c.processes() // their groups are known then
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			return c.settle(kills)
		}
		<-done
		c.killed++
		if err := c.afterKill(); err != nil {
			return fmt.Errorf("%w\n%s", err, tail(out.String()))
		}
	}
	return c.settle(kills)
}

// moment is when the next kill comes: anywhere in the run, and now and then while it is still coming up.
func (c *chain) moment(length time.Duration) time.Duration {
	if c.lab.rnd.IntN(5) == 0 {
		return time.Duration(c.lab.rnd.Int64N(int64(120 * time.Millisecond)))
	}
	return time.Duration(c.lab.rnd.Int64N(int64(length / 2)))
}

// settle lets the run end and checks what it left. A run that ended before all its kills counts the ones it had.
func (c *chain) settle(int) error {
	if err := c.finish(0, "suites"); err != nil {
		return err
	}
	for test, was := range c.final {
		if got := c.journal.status[test]; got != was.status {
			return fmt.Errorf("%q was %s when the run was killed, and is %q now", test, was.status, got)
		}
		if n := c.lab.site.count(c.name + " " + test); n != was.hits {
			return fmt.Errorf("%q had ended and ran again: the site saw it %d times, and %d when the run was killed", test, n, was.hits)
		}
	}
	c.kept = len(c.final)
	for test, n := range c.journal.ends {
		if n != 1 {
			return fmt.Errorf("%q has %d verdicts in the journal", test, n)
		}
	}
	return nil
}

// afterKill checks what a kill left: everything gone, a report that is valid and not green, and notes what had ended.
func (c *chain) afterKill() error {
	if err := c.gone(); err != nil {
		return err
	}
	if err := c.look(); err != nil {
		return err
	}
	if !c.journal.planned {
		c.early++
		if _, err := os.Stat(filepath.Join(c.run, "junit.xml")); err != nil {
			return nil // killed before it made anything
		}
		return c.green(false)
	}
	for test, status := range c.journal.status {
		if _, had := c.final[test]; !had && final(status) {
			c.final[test] = verdict{status, c.lab.site.count(c.name + " " + test)}
		}
	}
	return c.green(c.journal.exit == 0)
}

// verdicts gives every test with its verdict, sorted.
func (c *chain) verdicts() []string {
	var out []string
	for _, test := range c.journal.tests {
		out = append(out, test+": "+c.journal.status[test])
	}
	slices.Sort(out)
	return out
}

// gone waits until no process of the chain is left.
func (c *chain) gone() error {
	start := time.Now()
	for {
		left := c.processes()
		if len(left) == 0 {
			c.slowest = max(c.slowest, time.Since(start))
			return nil
		}
		if time.Since(start) > 2*time.Second {
			return fmt.Errorf("still running 2 s later: %s", strings.Join(describe(left), "; "))
		}
		if err := sleep(c.lab.ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func tail(s string) string {
	if len(s) > 3000 {
		return "…" + s[len(s)-3000:]
	}
	return s
}
