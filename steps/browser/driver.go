package browser

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/mxschmitt/playwright-go"
)

// closeTime is how long a browser or the driver may take to end before it is killed.
const closeTime = 1500 * time.Millisecond

// driver is one running Playwright driver.
type driver struct {
	pw  *playwright.Playwright
	pid int
	o   Options

	selfOnce sync.Once
	selfErr  error

	mu    sync.Mutex
	dead  bool
	chrs  map[*chrome]struct{}
	guilt *session // the session whose hang made the guard kill it
}

// quiet swallows what the library logs about calls on things that are gone.
var quiet = slog.New(slog.DiscardHandler)

// environ guards the process environment: the driver inherits TMPDIR from it and nothing else can hand it over.
var environ sync.Mutex

// runDriver starts the driver with dir as its TMPDIR.
func runDriver(o Options, dir string) (*driver, error) {
	environ.Lock()
	defer environ.Unlock()
	old, had := os.LookupEnv("TMPDIR")
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return nil, fmt.Errorf("setting TMPDIR for the driver: %w", err)
	}
	defer func() {
		if had {
			_ = os.Setenv("TMPDIR", old)
		} else {
			_ = os.Unsetenv("TMPDIR")
		}
	}()
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory: o.Driver, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard, Logger: quiet,
	})
	if err != nil {
		return nil, fmt.Errorf("starting the driver in %q: %w", o.Driver, err)
	}
	src := world.Probe()
	err = pw.Selectors.Register(world.ProbeName, playwright.Script{Content: &src},
		playwright.SelectorsRegisterOptions{ContentScript: playwright.Bool(true)})
	d := &driver{pw: pw, pid: pw.Pid(), o: o, chrs: map[*chrome]struct{}{}}
	if err != nil {
		d.close()
		return nil, fmt.Errorf("registering the selector engine: %w", err)
	}
	if o.OnProcess != nil {
		o.OnProcess("driver", "playwright driver", d.pid)
	}
	return d, nil
}

func (d *driver) isDead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// lost asks the driver for a sign of life.
func (d *driver) lost() bool {
	r, err := d.pw.Request.NewContext()
	if err == nil {
		_ = r.Dispose()
	}
	return errors.Is(err, playwright.ErrTargetClosed) || connectionClosed(err)
}

// died marks the driver dead with every browser it had. It is called when a call says that the connection is gone, and
// by the guard before it kills; guilty is then the session that hung.
func (d *driver) died(guilty *session) {
	d.mu.Lock()
	if d.dead {
		d.mu.Unlock()
		return
	}
	d.dead, d.guilt = true, guilty
	var chrs []*chrome
	sessions := 0
	for c := range d.chrs {
		chrs = append(chrs, c)
		sessions += c.count()
	}
	d.mu.Unlock()
	for _, c := range chrs {
		c.died(subDriver, guilty, sessions == 1)
		kill(c.pid)
	}
}

// close kills the driver and waits until the connection noticed, so that neither process nor goroutine is left.
func (d *driver) close() {
	d.mu.Lock()
	d.dead = true
	d.mu.Unlock()
	kill(d.pid)
	for until := time.Now().Add(closeTime); time.Now().Before(until); {
		if _, err := d.pw.Request.NewContext(); errors.Is(err, playwright.ErrTargetClosed) || connectionClosed(err) {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	if d.o.OnExit != nil {
		d.o.OnExit(d.pid)
	}
}
