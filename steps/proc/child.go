//go:build linux || darwin

package proc

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// Times in the life of a child.
const (
	lingerTime = 250 * time.Millisecond // what a process leaves behind may take to end by itself
	undeadTime = 2 * time.Second        // after SIGKILL, before we give up
	tickTime   = time.Second            // how often a wait looks at the clock
)

// pump moves the streams of a child, in one of two ways: by poll and pidfd without a goroutine (Linux), or by a goroutine
// per stream.
type pump interface {
	wait(d time.Duration) bool // reads until the leader has ended (true) or the time is over
	rest(d time.Duration)      // reads on after the leader's end
	drain()                    // takes what is in the pipes and closes them
}

// child is one running process and its group.
type child struct {
	pid      int
	grace    time.Duration
	began    time.Time
	w        *Watchdog
	pump     pump
	out, err *capture

	mu     sync.Mutex
	ended  bool // the leader was reaped
	gone   bool // the whole group is gone: never signal its number again
	asked  bool // SIGTERM was sent
	early  bool // by the context, and before the leader ended
	killed time.Time
	timer  *time.Timer // from SIGTERM to SIGKILL
}

// start starts a process as the leader of a new group and tells the watchdog of it.
func start(s Spec, w *Watchdog) (*child, error) {
	defer s.handedOver()
	path, err := resolve(s)
	if err != nil {
		return nil, err
	}
	c := &child{grace: s.Grace, began: time.Now(), w: w}
	if c.grace <= 0 {
		c.grace = defaultGrace
	}
	var outLine, errLine func(string)
	if s.Line != nil {
		var mu sync.Mutex // the two streams never call it at once
		line := func(stderr bool) func(string) {
			return func(l string) {
				mu.Lock()
				defer mu.Unlock()
				s.Line(stderr, l)
			}
		}
		outLine, errLine = line(false), line(true)
	}
	c.out, c.err = newCapture(s.Limit, outLine), newCapture(s.Limit, errLine)
	if err := c.launch(path, s); err != nil {
		detail := ""
		if s.Dir != "" {
			if info, serr := os.Stat(s.Dir); serr != nil || !info.IsDir() {
				detail = "its folder " + s.Dir + " is not there"
			}
		}
		return nil, &StartError{Program: s.Argv[0], Detail: detail, Err: err}
	}
	_ = w.Feed(c.pid) // a lost watchdog must not fail a healthy process; Close of the watchdog reports it
	return c, nil
}

// launch starts the process with the pump that this system has.
func (c *child) launch(path string, s Spec) (err error) {
	if pollWorks() {
		c.pid, c.pump, err = launchPoll(path, s, c.out, c.err)
	} else {
		c.pid, c.pump, err = launchPipes(path, s, c.out, c.err)
	}
	return err
}

// run moves the output until the leader has ended, ends what it left in its group, and tells how it ended.
func (c *child) run() (exit Exit, err error) {
	for !c.pump.wait(tickTime) {
		if c.undead() {
			err = ErrUndead
			break
		}
	}
	exit = c.reap(err == nil)
	if err == nil {
		err = c.clear()
	}
	c.pump.drain()
	c.out.end()
	c.err.end()
	c.finish(err == nil)
	exit.Stdout, exit.Stderr = c.out.bytes(), c.err.bytes()
	exit.Dropped = c.out.dropped + c.err.dropped
	exit.PID, exit.Took = c.pid, time.Since(c.began)
	return exit, err
}

// reap collects the leader. The lock keeps signals away between the moment its number is free and the moment we know
// whether its group is.
func (c *child) reap(over bool) Exit {
	c.mu.Lock()
	defer c.mu.Unlock()
	options := 0
	if !over {
		options = syscall.WNOHANG
	}
	var status syscall.WaitStatus
	pid, err := 0, error(syscall.EINTR)
	for errors.Is(err, syscall.EINTR) {
		pid, err = syscall.Wait4(c.pid, &status, options, nil)
	}
	c.ended = over
	if over {
		c.gone = errors.Is(syscall.Kill(-c.pid, 0), syscall.ESRCH)
	}
	switch {
	case pid != c.pid || err != nil:
		return Exit{Code: -1}
	case status.Signaled():
		return Exit{Code: -1, Signal: status.Signal().String()}
	}
	return Exit{Code: status.ExitStatus()}
}

// clear waits until the group is gone: by itself, by SIGTERM, by SIGKILL.
func (c *child) clear() error {
	since, pause := time.Now(), time.Millisecond
	for round := 0; ; round++ {
		c.mu.Lock()
		if !c.gone {
			// The dead that nobody reaped still count for kill; a look at each member is dear, so it comes later.
			c.gone = errors.Is(syscall.Kill(-c.pid, 0), syscall.ESRCH) || round > 4 && !groupLives(c.pid)
		}
		gone := c.gone
		c.mu.Unlock()
		if gone {
			return nil
		}
		if c.undead() {
			return ErrUndead
		}
		if time.Since(since) > lingerTime {
			c.stop()
		}
		c.pump.rest(pause)
		pause = min(2*pause, 25*time.Millisecond)
	}
}

// finish forbids further signals.
func (c *child) finish(gone bool) {
	c.mu.Lock()
	c.gone = true
	timer := c.timer
	c.mu.Unlock()
	if timer != nil {
		timer.Stop()
	}
	if gone { // what is not gone stays the watchdog's
		c.w.Forget(c.pid)
	}
}

// undead tells whether SIGKILL was sent long ago.
func (c *child) undead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.killed.IsZero() && time.Since(c.killed) > undeadTime
}

// cancel is stop on behalf of a context.
func (c *child) cancel() {
	c.mu.Lock()
	c.early = !c.ended
	c.mu.Unlock()
	c.stop()
}

// cancelled tells whether the context ended the process, rather than ending just after it.
func (c *child) cancelled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.early
}

// stop asks the group to end, and kills it after the grace.
func (c *child) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone || c.asked {
		return
	}
	c.asked = true
	c.signal(syscall.SIGTERM)
	c.timer = time.AfterFunc(c.grace, c.kill)
}

// kill ends the group at once.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return
	}
	c.asked = true
	if c.killed.IsZero() {
		c.killed = time.Now()
	}
	c.signal(syscall.SIGKILL)
}

// signal goes to the group; the caller holds the lock. A stopped process would not see SIGTERM, so it is woken.
func (c *child) signal(sig syscall.Signal) {
	_ = syscall.Kill(-c.pid, sig) // gone is as good as signalled
	if sig != syscall.SIGKILL {
		_ = syscall.Kill(-c.pid, syscall.SIGCONT)
	}
}
