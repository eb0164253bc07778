package specs

import (
	"context"
	"fmt"
	"sync"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
	"github.com/checkrow/checkrow/steps/browser/install"
)

// engine is the browser of a process. It is found at the first session and outlives the runs, each of which closes its
// engine.
type engine struct {
	environ []string
	own     steps.Engine // of the caller

	once  sync.Once
	found *browser.Engine
	err   error
}

var _ steps.Engine = (*engine)(nil)

// Open implements steps.Engine.
func (e *engine) Open(ctx context.Context, o steps.SessionOptions) (steps.Session, error) {
	if e.own != nil {
		return e.own.Open(ctx, o)
	}
	e.once.Do(func() {
		found, err := install.Find(ctx, install.Env{Environ: e.environ, Headed: !o.Headless})
		if err != nil {
			e.err = fmt.Errorf("looking for the browser: %w", err)
			return
		}
		e.found = browser.New(browser.Options{Driver: found.Driver, Executable: found.Browser.Path})
	})
	if e.err != nil {
		return nil, e.err
	}
	return e.found.Open(ctx, o)
}

// Close implements steps.Engine. The browser stays for the next spec.
func (e *engine) Close(context.Context) error { return nil }

// close ends it.
func (e *engine) close(ctx context.Context) {
	if e.found != nil {
		_ = e.found.Close(ctx) // a browser that is gone is closed
	}
}
