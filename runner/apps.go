package runner

import (
	"context"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/proc"
)

// launched is an app and the step that has launched it, to which a failure of its end belongs.
type launched struct {
	app  steps.App
	call call
}

const (
	// appLimit is how long the end of an attempt waits for each of its apps to be cleaned up.
	appLimit = 15 * time.Second
	// fateLimit is how long a row that has lost its app waits to hear how the app ended.
	fateLimit = time.Second
)

// ofDisplay are the variables without which an app finds no display, sound or session of the desktop.
var ofDisplay = strings.Fields("DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_CURRENT_DESKTOP XDG_DATA_DIRS DBUS_SESSION_BUS_ADDRESS")

// launching gives a step the way to launch an app in the player's session; nil outside the attempts of tests, where nobody
// would end it.
func (p *player) launching(c call) func() steps.Apps {
	if p.key == nil {
		return nil
	}
	return func() steps.Apps {
		seat := p.seat
		a := steps.Apps{Start: p.startApp, Used: seat.session != nil,
			Keep: func(app steps.App) { seat.apps = append(seat.apps, launched{app, c}) },
			Enter: func(ctx context.Context, d steps.Door) error {
				return p.enterApp(ctx, seat, d)
			},
			Leave: func(why string) bool { return p.leaveApp(seat, why) }, Session: seat.name}
		for _, s := range p.seats {
			for _, x := range s.apps {
				a.All = append(a.All, x.app)
			}
		}
		if n := len(seat.apps); n > 0 {
			a.Current = seat.apps[n-1].app
		}
		return a
	}
}

// startApp starts the program of an app, known to the watchdog and the journal as a service is.
func (p *player) startApp(ctx context.Context, c steps.Command, out func(stderr bool, line string)) (steps.Running, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	dog, err := p.run.procs.watchdog()
	if err != nil {
		return nil, err
	}
	env := make([]string, 0, len(c.Env)+len(ofDisplay))
	for _, name := range ofDisplay {
		if v, ok := p.run.env[name].(string); ok {
			env = append(env, name+"="+v)
		}
	}
	x, err := proc.Start(proc.Spec{Argv: c.Argv, Dir: c.Dir, Env: append(env, c.Env...), Grace: c.Grace, Limit: c.Limit, Line: out}, dog)
	if err != nil {
		return nil, err
	}
	p.run.procs.note("app", c.Argv[0], x.PID())
	p.run.helpers.Go(func() {
		<-x.Done()
		p.run.procs.gone(x.PID(), journal.ProcEnd{Exit: exitWords(x.Exit())})
	})
	return appProcess{x}, nil
}

// appProcess is the process of an app as steps know it.
type appProcess struct{ p *proc.Process }

// PID implements steps.Running.
func (r appProcess) PID() int { return r.p.PID() }

// Done implements steps.Running.
func (r appProcess) Done() <-chan struct{} { return r.p.Done() }

// Exit implements steps.Running.
func (r appProcess) Exit() steps.Exit {
	x := r.p.Exit()
	return steps.Exit{Code: x.Code, Signal: x.Signal, PID: x.PID, Took: x.Took}
}

// Stop implements steps.Running.
func (r appProcess) Stop(ctx context.Context) error {
	r.p.Stop(ctx)
	return r.p.Err()
}

// enterApp opens the session of a seat in an app that runs. The clock of the test stands still for the driver's start.
func (p *player) enterApp(ctx context.Context, s *seat, d steps.Door) error {
	if p.run.o.Engine == nil {
		return errNoEngine
	}
	p.clock.hold()
	defer p.clock.resume()
	defer func(since time.Time) { p.waited += time.Since(since) }(time.Now())
	was := p.seat
	p.seat = s
	defer func() { p.seat = was }()
	s.barred, s.dead = nil, nil
	o := steps.SessionOptions{Attach: d.Address, Window: d.Window, BaseURL: p.options.BaseURL, Strict: p.options.Strict,
		Limits: p.options.Limits, Schemes: p.options.Schemes, Capture: p.options.Capture, Record: recordOf(p.options.Capture, p.attempt)}
	if bad := p.launch(ctx, o); bad != nil {
		s.dead = nil
		return &problem{*bad}
	}
	return nil
}

// leaveApp closes the session of a seat in its app. Its rows do not go on in a browser: they fail with what is said.
func (p *player) leaveApp(s *seat, why string) bool {
	o := steps.Fail(steps.Validation, "app-closed", why)
	s.barred, s.dead = &o, nil
	if s.session == nil {
		return false
	}
	s.session.Close()
	s.session = nil
	return true
}

// closeApps ends the apps of an attempt, whatever came of it (R180). What cannot be ended is a failure of its own beside the
// verdict of the test (R170); what is known of each stays in the reports (R168).
func (p *player) closeApps(ctx context.Context, end *journal.AttemptEnd) {
	var bad []*failed
	for _, s := range p.seats {
		for i := len(s.apps) - 1; i >= 0; i-- {
			cctx, le := p.run.life.enter(ctx, closing, appLimit, &Limit{"end of the app", appLimit})
			o := s.apps[i].app.Cleanup(cctx)
			le.end()
			if !o.Success {
				f := p.fail(s.apps[i].call, o)
				f.seat = s
				bad = append(bad, f)
			}
		}
		for _, a := range s.apps {
			end.Apps = append(end.Apps, a.app.Record())
		}
	}
	if len(bad) == 0 {
		return
	}
	end.Cleanup = append(end.Cleanup, p.cleanupFailures(bad)...)
	if end.Status == steps.Passed {
		end.Status = steps.Errored
	}
}

// ofApp tells of a row that has lost its page when that was an app's: how the app ended, and what it wrote last.
func ofApp(f *failed) steps.Observation {
	o := f.obs
	if o.Category != steps.Crash || f.seat == nil || len(f.seat.apps) == 0 {
		return o
	}
	text, output := f.seat.apps[len(f.seat.apps)-1].app.Fate(fateLimit)
	if text == "" {
		return o
	}
	o.Sub, o.Error = "app-died", text
	o.Detail = &steps.Detail{Output: output}
	return o
}

// deadApp is the failure of a test whose app has ended by itself, though no row asked for it since; nil if none has.
func (p *player) deadApp() *journal.Failure {
	for _, s := range p.seats {
		for _, a := range s.apps {
			text, output := a.app.Fate(0)
			if text == "" {
				continue
			}
			o := steps.Fail(steps.Crash, "app-died", text)
			o.Detail = &steps.Detail{Output: output}
			f := p.fail(a.call, o)
			f.seat = s
			return p.failure(f)
		}
	}
	return nil
}
