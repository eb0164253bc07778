//go:build !linux && !darwin

package proc

import (
	"io"
	"time"
)

// Watchdog is the one helper process of a run; not built for this system yet.
type Watchdog struct{}

// StartWatchdog is not built for this system yet.
func StartWatchdog(_, _ string) (*Watchdog, error) { return nil, ErrUnsupported }

// WatchdogMain is not built for this system yet.
func WatchdogMain(io.Reader, []string) int { return 2 }

// Feed tells the watchdog of a process. Nil receivers do nothing.
func (w *Watchdog) Feed(int) error {
	if w == nil {
		return nil
	}
	return ErrUnsupported
}

// Forget tells the watchdog that a process was reaped.
func (w *Watchdog) Forget(int) {}

// PID is the watchdog's own process id.
func (w *Watchdog) PID() int { return 0 }

// Close ends the watchdog in order.
func (w *Watchdog) Close() error { return nil }

// StartIdentity is not built for this system yet.
func StartIdentity(int) (string, error) { return "", ErrUnsupported }

// child cannot be started here.
type child struct{ pid int }

func start(s Spec, _ *Watchdog) (*child, error) {
	s.handedOver()
	return nil, ErrUnsupported
}

func (c *child) run() (Exit, error) { return Exit{Code: -1, Took: time.Duration(0)}, ErrUnsupported }

func (c *child) cancel() {}

func (c *child) cancelled() bool { return false }

func (c *child) stop() {}

func (c *child) kill() {}
