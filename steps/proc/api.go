package proc

import (
	"context"
	"errors"
	"time"
)

// defaultGrace is the time between SIGTERM and SIGKILL.
const defaultGrace = 2 * time.Second

// ErrUnsupported is the answer on systems where checkrow has no process groups yet.
var ErrUnsupported = errors.New("running processes is not supported on this system yet")

// ErrUndead is the error of a process that is still there 2s after SIGKILL: it hangs in the kernel, or is not ours.
var ErrUndead = errors.New("the process does not end, even by SIGKILL")

// Run runs a process to its end and reaps its group. When ctx ends the group gets SIGTERM, after Grace SIGKILL, and the
// error is the cause of ctx. A program that cannot be started is an error that names it and what PATH held.
//
// What the process leaves behind in its group gets a quarter of a second to end by itself and is then ended too: what is
// to live on is a service. A grandchild that left the group (setsid) is left to the watchdog; it can hold the output open,
// but Run does not wait for it.
func Run(ctx context.Context, s Spec, w *Watchdog) (Exit, error) {
	if ctx.Err() != nil {
		s.handedOver()
		return Exit{Code: -1}, context.Cause(ctx)
	}
	c, err := start(s, w)
	if err != nil {
		return Exit{Code: -1}, err
	}
	ended := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		defer close(ended)
		c.cancel()
	})
	exit, err := c.run()
	if !unhook() {
		<-ended
		if c.cancelled() {
			err = context.Cause(ctx)
		}
	}
	return exit, err
}

// Process is a started long-running process.
type Process struct {
	c    *child
	done chan struct{}
	exit Exit
	err  error
}

// Start starts a process that runs until Stop or until it ends by itself. Whoever starts it stops it.
func Start(s Spec, w *Watchdog) (*Process, error) {
	c, err := start(s, w)
	if err != nil {
		return nil, err
	}
	p := &Process{c: c, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.exit, p.err = c.run()
	}()
	return p, nil
}

// PID is its process id, and the id of its group.
func (p *Process) PID() int { return p.c.pid }

// Done is closed when it has ended and was reaped.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how it ended; valid after Done.
func (p *Process) Exit() Exit {
	<-p.done
	return p.exit
}

// Err is [ErrUndead] if it could not be ended; valid after Done.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Stop sends SIGTERM to the group, SIGKILL after the grace or when ctx ends, and waits until the whole group is gone.
func (p *Process) Stop(ctx context.Context) Exit {
	p.c.stop()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.c.kill()
		<-p.done // bounded: what does not die is given up
	}
	return p.exit
}
