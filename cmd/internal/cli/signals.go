package cli

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"github.com/checkrow/checkrow/runner"
)

// signalError is the cause of a context that a signal ended.
type signalError struct{ runner.Signal }

func (e *signalError) Error() string { return "stopped by " + e.Name }

// toSignal names a signal and its exit code.
func toSignal(s os.Signal) runner.Signal {
	if s == syscall.SIGTERM {
		return runner.Signal{Name: "SIGTERM", Exit: ExitTerminated}
	}
	return runner.Signal{Name: "SIGINT", Exit: ExitInterrupt}
}

// signals hands the first SIGINT or SIGTERM to the returned channel; a second one ends the process at once. stop ends
// the watch and waits for it.
func (a *app) signals() (first <-chan runner.Signal, stop func()) {
	raw := make(chan os.Signal, 2)
	out := make(chan runner.Signal, 1)
	quit, done := make(chan struct{}), make(chan struct{})
	off := a.Notify(raw)
	go func() {
		defer close(done)
		seen := 0
		for {
			select {
			case s := <-raw:
				sig := toSignal(s)
				if seen++; seen > 1 {
					if a.hide != nil {
						a.hide()
					}
					fmt.Fprintf(a.Stderr, "checkrow: second signal (%s), ending now\n", sig.Name)
					a.Exit(sig.Exit)
					continue
				}
				fmt.Fprintf(a.Stderr, "checkrow: %s, stopping in order (again to end now)\n", sig.Name)
				out <- sig
			case <-quit:
				return
			}
		}
	}()
	return out, func() { off(); close(quit); <-done }
}

// outlive keeps a command alive when whoever read its output has gone, until stop: "checkrow run | head" runs to its end.
func (a *app) outlive() (stop func()) {
	if a.Outlive == nil {
		return func() {}
	}
	return a.World.Outlive()
}

// stoppable is a context that the first signal ends, for commands without an orderly stop of their own.
func (a *app) stoppable() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	first, off := a.signals()
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-first:
			cancel(&signalError{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil); <-done; off() }
}

// stopped gives the exit code of the signal that ended ctx, if one did, to err.
func stopped(ctx context.Context, err error) error {
	if s, ok := context.Cause(ctx).(*signalError); ok {
		return &codedError{s.Exit, fmt.Errorf("%w: %w", s, err)}
	}
	return err
}
