// Package browser is the engine: it opens sessions on real Chromium browsers through playwright-go and executes rows in
// them. It is the only importer of playwright-go, one file per command family.
//
// One driver process and one browser per launch key serve all sessions; both start when first needed and are replaced
// when they die. Every driver call runs under the guard: whatever hangs is ended, the page first, then the browser, then
// the driver, and a row returns within two seconds after its deadline.
package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// Options say where the parts of the engine lie. Driver and Executable must be there; package install finds them.
type Options struct {
	Driver     string // folder of the Playwright driver: package/cli.js and node lie in it
	Executable string // the browser for headless runs, a headless shell if there is one
	Headed     string // the browser for runs with a window; "": Executable
	// Other finds a browser that is no Chromium by its brand, or looks at the executable that a suite names; nil: there is
	// none.
	Other func(ctx context.Context, brand, executable string) (Program, error)
	// Bare leaves Chromium's own protocol alone, so that it is driven as Firefox and WebKit are: for tests of that way.
	Bare bool
	// Resolver looks names up for what is asked from here, not by the browser; nil: that of the system.
	Resolver *net.Resolver
	TempDir  string // where a private folder for profiles and downloads is made; "": the system's
	// OnProcess is told of each process as it starts, its pid the leader of its group; OnExit when it was reaped. Both may
	// be nil.
	OnProcess func(what, name string, pid int)
	OnExit    func(pid int)
}

// Engine is the browser engine.
type Engine struct {
	o      Options
	ffmpeg atomic.Bool // it is there

	mu       sync.Mutex
	closed   bool
	dir      string // the private folder, "" until something was started
	driver   *driver
	starting *start
	browsers map[string]*launch // by launch key
	gates    []*gate            // that hold browsers to their schemes
	spare    *spare             // the context that was opened ahead, nil if there is none
	wg       sync.WaitGroup     // sessions that are closing, launches under way
}

// start is a driver that is being started; done is closed when drv or err is set.
type start struct {
	done chan struct{}
	drv  *driver
	err  error
}

// launch is a browser that is being launched or runs; done is closed when chr or err is set.
type launch struct {
	done chan struct{}
	chr  *chrome
	err  error
}

var _ steps.Engine = (*Engine)(nil)

// New makes an engine. Nothing is started before the first session, or [Engine.Warm].
func New(o Options) *Engine {
	return &Engine{o: o, browsers: map[string]*launch{}}
}

// maxStillborn is how often one session finds the browser that it would use ended, and asks for another.
const maxStillborn = 5

// errClosed is the error of every use after Close.
var errClosed = errors.New("the browser engine is closed")

// Warm starts the driver and the headless browser ahead, with no argument that a suite sets, so that they start while
// suites compile. Sessions that need another browser start their own.
func (e *Engine) Warm(ctx context.Context) error {
	_, err := e.browser(ctx, steps.SessionOptions{Headless: true})
	return err
}

// temp gives the private folder of this engine, made at first use.
func (e *Engine) temp() (string, error) {
	if e.dir != "" {
		return e.dir, nil
	}
	base := e.o.TempDir
	if base == "" {
		base = os.TempDir()
	}
	dir, err := os.MkdirTemp(base, "checkrow-browser-")
	if err != nil {
		return "", fmt.Errorf("making a folder for the browser in %q: %w", base, err)
	}
	e.dir = dir
	return dir, nil
}

// current gives the running driver, starting one if there is none or the last one died.
func (e *Engine) current(ctx context.Context) (*driver, error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, errClosed
	}
	if e.driver != nil && !e.driver.isDead() {
		defer e.mu.Unlock()
		return e.driver, nil
	}
	s := e.starting
	if s == nil {
		dir, err := e.temp()
		if err != nil {
			e.mu.Unlock()
			return nil, err
		}
		s = &start{done: make(chan struct{})}
		e.starting = s
		e.wg.Add(1)
		go e.startDriver(s, dir)
	}
	e.mu.Unlock()
	select {
	case <-s.done:
		return s.drv, s.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (e *Engine) startDriver(s *start, dir string) {
	defer e.wg.Done()
	s.drv, s.err = runDriver(e.o, dir)
	e.mu.Lock()
	e.driver, e.starting = s.drv, nil
	e.mu.Unlock()
	close(s.done)
}

// browser gives the running browser of a launch key, launching one if there is none or the last one died.
func (e *Engine) browser(ctx context.Context, o steps.SessionOptions) (*chrome, error) {
	key := launchKey(o)
	for died := 0; ; died++ {
		if died == maxStillborn {
			return nil, fmt.Errorf("the browser ended %d times in a row before a page could be opened", died)
		}
		drv, err := e.current(ctx)
		if err != nil {
			return nil, err
		}
		e.mu.Lock()
		if e.closed {
			e.mu.Unlock()
			return nil, errClosed
		}
		l := e.browsers[key]
		if l == nil {
			l = &launch{done: make(chan struct{})}
			e.browsers[key] = l
			e.wg.Add(1)
			go e.launch(l, key, drv, o)
		}
		e.mu.Unlock()
		select {
		case <-l.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if l.err != nil {
			return nil, l.err
		}
		if !l.chr.isDead() {
			return l.chr, nil
		}
		e.forget(key, l)
	}
}

func (e *Engine) launch(l *launch, key string, drv *driver, o steps.SessionOptions) {
	defer e.wg.Done()
	l.chr, l.err = launchBrowser(e, drv, o)
	if l.err != nil {
		e.forget(key, l)
	}
	close(l.done)
}

// forget drops a browser that died or never came, so that the next session launches another.
func (e *Engine) forget(key string, l *launch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.browsers[key] == l {
		delete(e.browsers, key)
	}
}

// Close ends every session, browser and driver of this engine and removes its folder. Nothing is left behind: what does
// not end in time is killed. The browser is closed in order, the driver is killed: its own way to stop takes 165-480 ms.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	st := e.starting
	e.mu.Unlock()
	if st != nil {
		<-st.done
	}
	e.mu.Lock()
	drv, dir, ready := e.driver, e.dir, e.spare
	e.spare = nil
	var all []*launch
	for _, l := range e.browsers {
		all = append(all, l)
	}
	e.mu.Unlock()
	if ready != nil {
		select {
		case <-ready.done:
			ready.close()
		default: // its browser ends
		}
	}
	// the browser's own close ends its contexts too, so sessions that are closing are not waited for before it
	for _, l := range all {
		select {
		case <-l.done:
			if l.chr != nil {
				l.chr.close(ctx)
			}
		case <-ctx.Done():
		case <-time.After(closeTime):
		}
	}
	if drv != nil {
		drv.close()
	}
	for _, l := range all { // a browser whose end the dead driver could not tell
		select {
		case <-l.done:
			if l.chr != nil {
				l.chr.died(subDriver, nil, false)
			}
		default:
		}
	}
	e.wg.Wait()
	for _, g := range e.gates { // closed: there come no more
		g.close()
	}
	if dir == "" {
		return nil
	}
	if err := removeAll(dir); err != nil {
		return fmt.Errorf("removing the browser's folder: %w", err)
	}
	return nil
}

// removeAll removes a folder that a dying browser may still be writing to.
func removeAll(dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}
