//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Watchdog is the one helper process of a run. It holds a pipe from the runner; at EOF it kills every group it was told
// of, if the start identity still matches, and every process that carries the run's mark. It works on every OS.
//
// There is no parent-death signal beside it: that reaches no grandchild, and it also fires when the thread that forked
// ends, which would kill a healthy child now and then (DECISIONS 9).
type Watchdog struct {
	cmd  *exec.Cmd
	pipe int

	mu     sync.Mutex
	line   []byte
	lost   error // the first feed that failed
	closed bool
}

// StartWatchdog re-executes self in the watchdog's child mode. mark is the run's random mark. The watchdog gets a session
// of its own, so that neither Ctrl-C nor a signal to the runner's group reaches it, and an empty environment, so that it
// does not carry the mark itself.
func StartWatchdog(self, mark string) (*Watchdog, error) {
	if self == "" || mark == "" {
		return nil, errors.New("starting the watchdog: it needs a program and a mark")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	// Our end is kept as a bare descriptor that does not block: a feed must never wait for a watchdog that was stopped.
	pipe, err := dupCloexec(int(w.Fd()))
	if err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	if err := syscall.SetNonblock(pipe, true); err != nil {
		_ = syscall.Close(pipe)
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	cmd := exec.Command(self, WatchdogArg, mark) //nolint:noctx // it ends when we do, not when a context does
	cmd.Stdin, cmd.Env, cmd.Dir = r, []string{}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = syscall.Close(pipe)
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	return &Watchdog{cmd: cmd, pipe: pipe}, nil
}

// dupCloexec duplicates a descriptor; no child must inherit it, or the watchdog would never see the end of the pipe.
func dupCloexec(fd int) (int, error) {
	n, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}

// Feed tells the watchdog of a process (the leader of its group). Nil receivers do nothing. It costs a read of the
// process table and one write to a pipe; there is no answer.
func (w *Watchdog) Feed(pid int) error {
	if w == nil {
		return nil
	}
	id, err := StartIdentity(pid)
	if err != nil {
		return fmt.Errorf("telling the watchdog of process %d: %w", pid, err)
	}
	return w.tell('+', pid, id)
}

// Forget tells the watchdog that a process was reaped.
func (w *Watchdog) Forget(pid int) {
	if w != nil {
		_ = w.tell('-', pid, "") // what it cannot forget fails the identity check
	}
}

// tell writes one line; a line is far shorter than what a pipe takes in one piece.
func (w *Watchdog) tell(sign byte, pid int, id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fmt.Errorf("telling the watchdog of process %d: %w", pid, os.ErrClosed)
	}
	w.line = append(w.line[:0], sign)
	w.line = strconv.AppendInt(w.line, int64(pid), 10)
	w.line = append(append(append(w.line, ' '), id...), '\n')
	err := w.write(w.line)
	if err != nil {
		err = fmt.Errorf("telling the watchdog of process %d: %w", pid, err)
		if w.lost == nil {
			w.lost = err
		}
	}
	return err
}

// write waits at most a second for a watchdog that is behind; the caller holds the lock.
func (w *Watchdog) write(line []byte) (err error) {
	for range 1000 {
		if _, err = syscall.Write(w.pipe, line); err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if w.lost != nil {
			return err // it was waited for once
		}
		time.Sleep(time.Millisecond)
	}
	return err
}

// PID is the watchdog's own process id, 0 for a nil receiver.
func (w *Watchdog) PID() int {
	if w == nil {
		return 0
	}
	return w.cmd.Process.Pid
}

// Close ends the watchdog in order: nothing is killed. Its error says if the watchdog was not there for all of the run.
func (w *Watchdog) Close() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	err := w.write([]byte(closeLine + "\n"))
	_ = syscall.Close(w.pipe)
	late := time.AfterFunc(undeadTime, func() { _ = w.cmd.Process.Kill() })
	defer late.Stop()
	if werr := w.cmd.Wait(); err == nil && werr != nil {
		err = werr
	}
	if w.lost != nil {
		return w.lost
	}
	if err != nil {
		return fmt.Errorf("closing the watchdog: %w", err)
	}
	return nil
}
