package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ends runs a command line of the chain and expects an exit code; it gives what was printed.
func (c *chain) ends(want int, args ...string) (string, error) {
	cmd, out := c.command(args...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		return "", fmt.Errorf("%s ended with %d, wanted %d:\n%s", args[0], got, want, tail(out.String()))
	}
	return out.String(), c.gone()
}

// says looks for words in what was printed.
func says(out string, words ...string) error {
	for _, w := range words {
		if !strings.Contains(out, w) {
			return fmt.Errorf("it does not say %q:\n%s", w, tail(out))
		}
	}
	return nil
}

// smallDisk mounts a small file system, if this user may, and gives what takes it away.
func (l *lab) smallDisk(name, size string) (dir string, end func(), ok bool) {
	dir = filepath.Join(l.dir, name)
	if os.Mkdir(dir, 0o700) != nil || exec.CommandContext(l.ctx, "mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).Run() != nil {
		return "", nil, false
	}
	return dir, func() { _ = exec.Command("umount", "-l", dir).Run() }, true
}

// cannotMount is what a case says that needs a file system of its own.
const cannotMount = "left out: this user may not mount a small file system"

// suite writes a further suite.
func (l *lab) suite(name, text string) error {
	return os.WriteFile(filepath.Join(l.dir, name), []byte(text), 0o600)
}

// diskFull lets the journal hit a limit of the size of files, which is what a full disk looks like to it, and takes the run
// up when there is room.
func (l *lab) diskFull() (string, error) {
	c, err := l.newChain("full")
	if err != nil {
		return "", err
	}
	const blocks = 80 // of 512 bytes
	cmd, out := c.command()
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", fmt.Sprintf("trap '' XFSZ; ulimit -f %d; exec \"$@\"", blocks), "sh", l.checkrow,
		"run", "-o", c.run, "--workers", "2", "suites/children.yaml"}
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		return "", fmt.Errorf("it ended with %d, wanted 3:\n%s", code, tail(out.String()))
	}
	return c.takenUp(out.String())
}

// takenUp holds what a run left whose journal had no room: what had ended is kept, what was lost is said, and there is room
// again.
func (c *chain) takenUp(out string) (string, error) {
	if err := errors.Join(c.afterKill(), says(out, "the journal could not be written any more", "runs what is left")); err != nil {
		return "", err
	}
	had := len(c.final)
	if had == 0 {
		return "", errors.New("nothing of what had ended was kept")
	}
	if err := c.settle(0); err != nil {
		return "", err
	}
	return fmt.Sprintf("exit 3, a whole journal of %d verdicts; taken up to the end", had), nil
}

// noRoom fills the disk of the run folder to the last byte in the middle of a run, and makes room again.
func (l *lab) noRoom() (string, error) {
	dir, end, ok := l.smallDisk("tiny", "1m")
	if !ok {
		return cannotMount, nil
	}
	defer end()
	c, err := l.newChain("tiny")
	if err != nil {
		return "", err
	}
	c.run = filepath.Join(dir, "run")
	var b strings.Builder
	b.WriteString("suite: tiny\nserial: true\ntests:\n")
	for i := range 30 {
		step := "exec: [\"true\"]"
		if i == 12 {
			step = fmt.Sprintf("exec: [sh, -c, \"[ -e %[1]s ] || { echo > %[1]s; cat /dev/zero > %[2]s; }; true\"]",
				filepath.Join(l.dir, "filled"), filepath.Join(dir, "zeros"))
		}
		fmt.Fprintf(&b, "  - name: tiny %d\n    steps:\n      - %s\n      - %s\n", i, step, l.note(fmt.Sprintf("tiny %d", i)))
	}
	if err := l.suite("tiny.yaml", b.String()); err != nil {
		return "", err
	}
	out, err := c.ends(3, "run", "-o", c.run, "--workers", "1", "tiny.yaml")
	if err == nil {
		err = says(out, "no space left on device")
	}
	if err != nil {
		return "", err
	}
	if err := os.Remove(filepath.Join(dir, "zeros")); err != nil {
		return "", err
	}
	return c.takenUp(out)
}

// bigFiles leaves room for the journal and none for a picture: the row fails and says why, the other tests run, and the
// reports that had no room are made when there is.
func (l *lab) bigFiles() (string, error) {
	dir, end, ok := l.smallDisk("small", "1m")
	if !ok {
		return cannotMount, nil
	}
	defer end()
	c, err := l.newChain("small")
	if err != nil {
		return "", err
	}
	c.run = filepath.Join(dir, "run")
	zeros := filepath.Join(dir, "zeros")
	if err := l.suite("small.yaml", fmt.Sprintf(`suite: small
base_url: %s
tests:
  - name: shoots
    steps:
      - [open, /big]
      - exec: [sh, -c, "cat /dev/zero > %[2]s; truncate -s -40K %[2]s"]
      - [screenshot, big.png, --full]
      - [expect, text, h1, Big]
  - name: goes on
    steps:
      - [open, /form]
      - [expect, text, h1, Form]
`, l.site.url, zeros)); err != nil {
		return "", err
	}
	out, err := c.ends(1, "run", "-o", c.run, "--workers", "1", "small.yaml")
	if err != nil {
		return "", err
	}
	if err := errors.Join(says(out, "no space left on device", "reporting to \"html\""), c.look()); err != nil {
		return "", err
	}
	if c.journal.status["goes on"] != "passed" || c.journal.exit != 1 {
		return "", fmt.Errorf("the test after it is %q, the journal says exit %d", c.journal.status["goes on"], c.journal.exit)
	}
	if err := os.Remove(zeros); err != nil {
		return "", err
	}
	if _, err := c.ends(1, "report", c.run); err != nil {
		return "", err
	}
	if _, err := c.ends(0, "verify", c.run); err != nil {
		return "", err
	}
	return "exit 1, artifact-missing, the next test passed; report made the rest later", errors.Join(c.green(false),
		c.contains("report.json", `"sub": "artifact-missing"`), c.contains("junit.xml", "no space left on device"), c.contains("report.html", "goes on"))
}

// readOnly gives the run a folder that cannot be written.
func (l *lab) readOnly() (string, error) {
	c, err := l.newChain("readonly")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(l.dir, "locked")
	if err := os.Mkdir(dir, 0o500); err != nil {
		return "", err
	}
	c.run = filepath.Join(dir, "run")
	if os.Getuid() == 0 { // who may write everywhere but where the kernel says no
		c.run = "/proc/chaos"
	}
	out, err := c.ends(3, "run", "-o", c.run, "suites/children.yaml")
	return "exit 3: " + strings.TrimSpace(tail(out)), err
}

// readOnlyLater makes the folder of the artifacts read-only in the middle of a run.
func (l *lab) readOnlyLater() (string, error) {
	c, err := l.newChain("sealed")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(c.run, "artifacts")
	seal, open := "chmod 500 "+dir, exec.Command("chmod", "700", dir)
	if os.Getuid() == 0 {
		seal, open = "mount -t tmpfs -o ro tmpfs "+dir, exec.Command("umount", "-l", dir)
	}
	if err := l.suite("sealed.yaml", fmt.Sprintf(`suite: sealed
base_url: %s
tests:
  - name: before
    steps:
      - [open, /form]
      - [screenshot, a.png]
      - [expect, text, h1, Form]
  - name: is refused
    steps:
      - [open, /form]
      - exec: [sh, -c, "%s"]
      - [screenshot, a.png]
      - [expect, text, h1, Form]
  - name: goes on
    steps:
      - [open, /form]
      - [expect, text, h1, Form]
`, l.site.url, seal)); err != nil {
		return "", err
	}
	out, err := c.ends(1, "run", "-o", c.run, "--workers", "1", "sealed.yaml")
	opened := open.Run()
	if err != nil {
		return "", err
	}
	if opened != nil && strings.Contains(out, "expected 0") {
		return cannotMount, nil
	}
	if err := errors.Join(c.look(), c.green(false), c.contains("report.json", `"sub": "artifact-missing"`)); err != nil {
		return "", err
	}
	for name, want := range map[string]string{"before": "passed", "is refused": "error", "goes on": "passed"} {
		if got := c.journal.status[name]; got != want {
			return "", fmt.Errorf("%q is %s, wanted %s:\n%s", name, got, want, tail(out))
		}
	}
	_, err = c.ends(0, "verify", c.run)
	return "exit 1, artifact-missing, the next test passed, reports and what was saved are right", err
}

// vanishes removes the run folder in the middle of a run in which all passes.
func (l *lab) vanishes() (string, error) {
	c, err := l.newChain("vanished")
	if err != nil {
		return "", err
	}
	if err := l.suite("vanished.yaml", fmt.Sprintf("suite: vanished\ntests:\n  - { name: removes, steps: [{ exec: [rm, -r, %q] }] }\n"+
		"  - { name: goes on, steps: [{ exec: [\"true\"] }] }\n", c.run)); err != nil {
		return "", err
	}
	out, err := c.ends(3, "run", "-o", c.run, "--workers", "1", "vanished.yaml")
	if err != nil {
		return "", err
	}
	return "exit 3, and it says what cannot be done any more", errors.Join(says(out, "2 passed", "is gone"), c.contains("junit.xml", "goes on"))
}
