package electron

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// app is an app that was launched. Its step, those about it and the end of the attempt use it one after the other.
type app struct {
	target
	profile string
	port    int
	proc    steps.Running
	out     tails
	relay   *relay // to its port, if a webview may be driven
	leave   func(why string) bool
	launch  string // its id
	session string
	version version
	state   string // active, cleaned, partial or failed
	parts   []steps.AppPart
	ending  bool // it was told to end
	undead  bool // and does not
	created time.Time
}

var _ steps.App = (*app)(nil)

// profilePrefix begins the name of every temporary profile: what a killed run leaves is found by it.
const profilePrefix = "checkrow-electron-"

// profileEnv tells the app's processes which profile is theirs, so that one in use is not taken for left behind.
const profileEnv = "CHECKROW_ELECTRON_PROFILE"

// standard are switches that every launch sets (R163): its profile is never one that somebody is signed in with (R178).
func standard(profile string) []string {
	return []string{"--user-data-dir=" + profile, "--remote-debugging-port=0", "--disable-extensions", "--no-first-run", "--no-default-browser-check"}
}

// launchType is the type of steps.ID of a launch.
func launchType() spec.Type {
	text, number := spec.Type{Base: spec.String}, spec.Type{Base: spec.Int}
	fields := map[string]spec.Type{"name": text, "id": text, "path": text, "executable": text, "profile": text, "pid": number, "port": number,
		"browser": text, "window": text, "session": text, "group": number,
		"launch_id": {Base: spec.String, Doc: "names the launch in status and cleanup"},
		"debugger":  {Base: spec.String, Doc: "the WebSocket address of its browser"},
		"created":   {Base: spec.String, Doc: "when it was started, as RFC 3339"},
		"url":       {Base: spec.String, Doc: "of the window, for handoff tabs and snapshot"},
		"tabs":      {Base: spec.List, Elem: &spec.Type{Base: spec.Any}, Doc: "its windows, for handoff tabs and snapshot"},
		"refs":      {Base: spec.Map, Elem: &spec.Type{Base: spec.Any}, Doc: "what can be used, by its ref, for handoff snapshot"},
		"tree":      {Base: spec.String, Doc: "the accessibility tree, for handoff snapshot"},
	}
	out := map[string]spec.Type{"value": {Base: spec.String, Doc: "the name of the app"}, "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

// run launches the app and has the session go on in it.
func (l *launch) run(ctx context.Context, e steps.Env) steps.Observation {
	if e.Apps == nil {
		return steps.Fail(steps.Validation, "app-place", "an app is launched in the steps of a test, which ends it")
	}
	desk := e.Apps()
	if old, is := desk.Current.(*app); is && old.state != "cleaned" {
		return steps.Fail(steps.Validation, "app-running", fmt.Sprintf("the session has the app %q already: end it by electron: { cleanup: true }, or launch in another session", old.name))
	}
	if desk.Used {
		return steps.Fail(steps.Validation, "session-used", "rows of this session have run in a browser: launch the app before the first of them, or in a session of its own")
	}
	t, args, err := l.found(ctx, e)
	if err != nil {
		return failed(err)
	}
	x, err := start(ctx, e, desk, t, args)
	if err != nil {
		return steps.Fail(steps.Environment, "spawn-error", fmt.Sprintf("the app %q cannot be started: %s", t.executable, err))
	}
	desk.Keep(x)
	w, o := x.ready(ctx, l.timeout, l.target)
	if o == nil {
		if err := x.enter(ctx, desk, w, l.target); err != nil {
			bad := failed(err)
			o = &bad
		}
	}
	if o != nil {
		return x.abandon(ctx, *o)
	}
	r := x.Record()
	ok := steps.OK(map[string]any{"launch_id": r.LaunchID, "name": r.Name, "id": r.ID, "path": r.Path, "executable": r.Executable, "profile": r.Profile,
		"pid": r.PID, "group": r.Group, "port": r.Port, "session": r.Session, "debugger": r.Debugger, "created": r.Created.UTC().Format(time.RFC3339Nano),
		"browser": x.version.Browser, "window": w.URL, "url": "", "tabs": []any{}, "refs": map[string]any{}, "tree": ""}, "name")
	if bad := l.hand(ctx, e, &ok); bad != nil {
		return x.abandon(ctx, *bad)
	}
	ok.Summary = "launched " + strconv.Quote(x.name)
	ok.Page = steps.Page{URL: w.URL, Title: w.Title}
	ok.NextActions = follow("launch")
	return ok
}

// follow gives what can be done with an app that runs, but for what was just done (R34).
func follow(done string) []steps.NextAction {
	all := []steps.NextAction{
		{ID: "snapshot-electron-session", Reason: "see what the app shows", Row: []string{"snapshot", "-i"}},
		{ID: "list-electron-tabs", Reason: "see its windows", Row: []string{"tab", "list"}},
		{ID: "probe-electron-launch", Reason: "see both, and where the focus is", Step: "electron: { probe: true }"},
		{ID: "status-electron-launch", Reason: "see whether it runs, and what its windows are", Step: "electron: { status: true }"},
		{ID: "cleanup-electron-launch", Reason: "end it before the test ends", Step: "electron: { cleanup: true }"},
	}
	return slices.DeleteFunc(all, func(a steps.NextAction) bool { return a.ID == done+"-electron-launch" })
}

// enter has the session go on in a window of the app, or in a webview.
func (x *app) enter(ctx context.Context, desk steps.Apps, w *window, kind string) error {
	door := steps.Door{Address: address(x.port), Window: w.ID}
	if kind != pageTarget {
		var err error
		if x.relay, err = newRelay(x.port); err != nil {
			return err
		}
		door.Address = x.relay.address()
	}
	return desk.Enter(ctx, door)
}

// found renders what the step says, finds the app and asks whether it may be launched.
func (l *launch) found(ctx context.Context, e steps.Env) (target, []string, error) {
	var lists [3][]string
	what, err := l.what.String(ctx, e.Values, e.Reader)
	for i, list := range [][]spec.Text{l.args, l.allow, l.deny} {
		if err == nil {
			lists[i], err = render(ctx, e, list)
		}
	}
	if err != nil {
		return target{}, nil, err
	}
	for _, a := range lists[0] {
		if why := reserved(a); why != "" {
			return target{}, nil, &missing{subReserved, "args: " + why}
		}
	}
	t, err := find(l.by, what, e.Root, home(e.Environ))
	if err != nil {
		return t, nil, err
	}
	if err := judge(t, lists[1], lists[2]); err != nil {
		return t, nil, err
	}
	return t, lists[0], e.Policy.Program(t.executable)
}

func home(environ []string) string {
	for _, kv := range environ {
		if len(kv) > 5 && kv[:5] == "HOME=" {
			return kv[5:]
		}
	}
	return ""
}

// failed makes an error the failure of the step.
func failed(err error) steps.Observation {
	var known steps.Observed
	if errors.As(err, &known) {
		o := known.Observation()
		o.Success = false
		return o
	}
	return steps.Fail(steps.Environment, "app", err.Error())
}

// start starts the program with a profile of its own.
func start(ctx context.Context, e steps.Env, desk steps.Apps, t target, args []string) (*app, error) {
	if ctx.Err() != nil { // a run that was stopped opens nothing (R166)
		return nil, context.Cause(ctx)
	}
	profile, err := os.MkdirTemp("", profilePrefix) // 0700
	if err != nil {
		return nil, fmt.Errorf("making its profile: %w", err)
	}
	x := &app{target: t, launch: launchID(), session: desk.Session, profile: profile, leave: desk.Leave, state: "active", created: time.Now()}
	env := append(e.Environ[:len(e.Environ):len(e.Environ)], profileEnv+"="+profile)
	x.proc, err = desk.Start(ctx, steps.Command{Argv: append(append([]string{t.executable}, standard(profile)...), args...), Dir: e.Root, Env: env,
		Limit: tailBytes}, x.out.add)
	if err != nil {
		_ = os.RemoveAll(profile)
		return nil, err
	}
	return x, nil
}

// launchID makes the name of a launch: "electron-" and a random UUID.
func launchID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("electron-%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// pollEvery is how often an app that starts is looked at.
const pollEvery = 50 * time.Millisecond

// ready waits until the app serves its port and shows a window. Its time begins here, behind the search for the app and what
// a policy says of it (R165).
func (x *app) ready(ctx context.Context, limit time.Duration, kind string) (w *window, bad *steps.Observation) {
	end := time.Now().Add(limit)
	stage := ""
	for {
		var err error
		if x.port, err = readPort(x.profile); err != nil {
			stage = portFile + " is " + err.Error()
		} else if x.version, err = serves(ctx, x.port); err != nil {
			stage = err.Error()
		} else if all, err := windows(ctx, x.port); err != nil {
			stage = err.Error()
		} else if w = pick(all, kind); w != nil {
			return w, nil
		} else {
			stage = shows(kind)
		}
		select {
		case <-x.proc.Done():
			o := x.early()
			return nil, x.diagnosed(o, stage)
		case <-ctx.Done():
			return nil, x.diagnosed(steps.Fail(steps.Timeout, "app-start", fmt.Sprintf("the app %q was not ready: %s", x.name, context.Cause(ctx))), stage)
		case <-time.After(min(pollEvery, max(time.Until(end), time.Millisecond))):
		}
		if time.Now().After(end) {
			return nil, x.diagnosed(steps.Fail(steps.Timeout, "app-start", fmt.Sprintf("the app %q was not ready after %s: %s", x.name, limit, stage)), stage)
		}
	}
}

// early is the failure of an app that ended before it was ready.
func (x *app) early() steps.Observation {
	exit := x.proc.Exit()
	if exit.Code == 0 {
		return steps.Fail(steps.Environment, "single-instance-conflict", fmt.Sprintf("the app %q ended in order before it was ready: it may run already, and hand over to that", x.name))
	}
	return steps.Fail(steps.Process, "port-not-found", fmt.Sprintf("the app %q ended before it was ready (%s)", x.name, ended(exit)))
}

func ended(x steps.Exit) string {
	if x.Signal != "" {
		return "signal: " + x.Signal
	}
	return "exit " + strconv.Itoa(x.Code)
}

// diagnosed adds to a failure what is known of the app, with the end of what it wrote (R174).
func (x *app) diagnosed(o steps.Observation, stage string) *steps.Observation {
	alive := true
	select {
	case <-x.proc.Done():
		alive = false
	default:
	}
	state := map[bool]string{true: "runs", false: "has ended"}[alive]
	took := time.Since(x.created).Round(time.Millisecond)
	o.Detail = &steps.Detail{Output: fmt.Sprintf("pid %d %s after %s; %s\n%s", x.proc.PID(), state, took, stage, x.out.words())}
	out, outCut := x.out.stream(0)
	errs, errCut := x.out.stream(1)
	_, err := readPort(x.profile)
	file := "present"
	if err != nil {
		file = err.Error()
	}
	o.Data = map[string]any{"diagnostics": map[string]any{"launch_id": x.launch, "pid": x.proc.PID(), "alive": alive, "profile": x.profile,
		"elapsed_ms": int(took.Milliseconds()), "port": x.port, "port_file": file, "port_answered": x.version.Browser != "", "stage": stage, "stdout": out, "stdout_cut": outCut, "stderr": errs, "stderr_cut": errCut}}
	return &o
}

// giveUp is how long the cleanup of a launch that failed may take.
const giveUp = 10 * time.Second

// abandon cleans up at once after a launch that failed (R167). What cannot be is tried again, and told, at the end of the test.
func (x *app) abandon(ctx context.Context, o steps.Observation) steps.Observation {
	cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveUp)
	defer cancel()
	if end := x.Cleanup(cctx); !end.Success {
		o.Warnings = append(o.Warnings, end.Error)
	}
	return o
}

// settle is how long an app whose port is closed may take to end.
const settle = time.Second

// Fate implements steps.App: an app that has gone is no passed test, whatever its rows said (R175).
func (x *app) Fate(wait time.Duration) (text, output string) {
	if x.ending || x.state == "cleaned" {
		return "", ""
	}
	missed := wait > 0
	if !missed && x.port > 0 {
		if _, err := serves(context.Background(), x.port); err != nil {
			wait = settle
		}
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-x.proc.Done():
	case <-t.C:
	}
	switch {
	case !x.gone() && wait == settle && !missed:
		return fmt.Sprintf("the app %q does not serve its debugging port any more", x.name), x.out.words()
	case !x.gone(), x.proc.Exit().Code == 0 && !missed: // it ended in order, and no row has missed it
		return "", ""
	}
	return fmt.Sprintf("the app %q ended by itself (%s)", x.name, ended(x.proc.Exit())), x.out.words()
}

// Record implements steps.App.
func (x *app) Record() steps.AppRecord {
	return steps.AppRecord{LaunchID: x.launch, Name: x.name, ID: x.id, Path: x.path, Executable: x.executable, Profile: x.profile, Session: x.session,
		PID: x.proc.PID(), Group: x.proc.PID(), Port: x.port, Debugger: x.version.Debugger, Created: x.created, State: x.state, Cleanup: x.parts}
}

// profileState tells whether the profile is there: of what cannot be looked at nobody knows (R171).
func (x *app) profileState() string {
	_, err := os.Lstat(filepath.Clean(x.profile))
	switch {
	case err == nil:
		return "present"
	case errors.Is(err, os.ErrNotExist):
		return "absent"
	}
	return "unknown"
}
