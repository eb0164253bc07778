package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
	"github.com/checkrow/checkrow/steps/browser/install"
	"github.com/checkrow/checkrow/steps/proc"
)

// lazyEngine finds driver and browser when the first session is opened, so that suites without browser rows need
// neither. Its error is the same for every session.
type lazyEngine struct {
	find func(ctx context.Context) (*browser.Engine, error)

	once   sync.Once
	engine *browser.Engine
	err    error
}

var _ steps.Engine = (*lazyEngine)(nil)

func (l *lazyEngine) get(ctx context.Context) (*browser.Engine, error) {
	l.once.Do(func() { l.engine, l.err = l.find(ctx) })
	return l.engine, l.err
}

// Open implements steps.Engine.
func (l *lazyEngine) Open(ctx context.Context, o steps.SessionOptions) (steps.Session, error) {
	e, err := l.get(ctx)
	if err != nil {
		return nil, err
	}
	return e.Open(ctx, o)
}

// Ahead opens the context that the next test will ask for, if a browser runs already.
func (l *lazyEngine) Ahead(ctx context.Context, o steps.SessionOptions) {
	if e, err := l.get(ctx); err == nil {
		e.Ahead(ctx, o)
	}
}

// Close implements steps.Engine.
func (l *lazyEngine) Close(ctx context.Context) error {
	l.once.Do(func() { l.err = errors.New("the browser engine is closed") })
	if l.engine == nil {
		return nil
	}
	return l.engine.Close(ctx)
}

// engine makes the browser engine of a run. If a selected test has browser rows, what is missing for them is an error
// before anything starts.
func (a *app) engine(ctx context.Context, p *plan.Plan, headed bool, procs *runner.Procs) (*lazyEngine, error) {
	l := &lazyEngine{find: func(ctx context.Context) (*browser.Engine, error) {
		return a.findEngine(ctx, headed, soleBrand(p), allElsewhere(p), procs)
	}}
	if p.NeedsBrowser() {
		if err := a.findOthers(ctx, p, headed); err != nil {
			return nil, environment(err)
		}
		if _, err := l.get(ctx); err != nil {
			return nil, environment(err)
		}
	}
	return l, nil
}

// warm starts driver and browser ahead if a test will use the default one, and gives a function that waits until that is
// over. Whatever goes wrong is told by the first session, which tries again.
func (l *lazyEngine) warm(ctx context.Context, p *plan.Plan) (wait func()) {
	var wg sync.WaitGroup
	wanted := func(t *plan.Test) bool {
		return t.NeedsBrowser && t.Browser.Browser == "" && t.Browser.Headless && t.Browser.Executable == "" && len(t.Browser.Args) == 0 && !inOther(t)
	}
	if l.engine != nil && slices.ContainsFunc(p.Tests, wanted) {
		wg.Go(func() { _ = l.engine.Warm(ctx) })
	}
	return wg.Wait
}

// findEngine finds driver and browser and hands the driver shim to the driver's library, which reads nothing but the
// process environment. The run's mark goes the same way.
func (a *app) findEngine(ctx context.Context, headed bool, brand string, remote bool, procs *runner.Procs) (*browser.Engine, error) {
	env := a.installEnv(headed)
	env.Brand, env.Remote = brand, remote
	found, err := install.Find(ctx, env)
	if err != nil {
		return nil, fmt.Errorf("looking for the browser: %w", err)
	}
	vars := []string{proc.MarkEnv + "=" + procs.Mark()}
	if a.Self != "" {
		shim, err := install.ShimEnv(found, a.Self, found.Cache)
		if err != nil {
			return nil, err
		}
		vars = append(vars, shim...)
	}
	for _, v := range vars {
		name, value, _ := strings.Cut(v, "=")
		if err := a.Setenv(name, value); err != nil {
			return nil, fmt.Errorf("setting %s for the driver: %w", name, err)
		}
	}
	o := browser.Options{Driver: found.Driver, Executable: found.Browser.Path, OnProcess: procs.Started, OnExit: procs.Ended,
		Other: func(ctx context.Context, brand, executable string) (browser.Program, error) {
			return a.otherBrowser(ctx, headed, brand, executable)
		}}
	if headed {
		o.Headed = found.Browser.Path
	}
	return browser.New(o), nil
}
