package electron

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// The states of a part of a cleanup.
const (
	removed = "removed"
	already = "already-gone"
	skipped = "skipped"
	undone  = "failed"
)

func cleanupType() spec.Type {
	fields := map[string]spec.Type{"cleanup_state": {Base: spec.String, Doc: "cleaned, partial or failed"},
		"parts": {Base: spec.List, Elem: &spec.Type{Base: spec.Map}, Doc: "{part, state, error} of session, process, debug port and profile"}}
	out := map[string]spec.Type{"value": {Base: spec.String, Doc: "cleanup_state"}, "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

// cleanup ends the app of the session.
func cleanup(ctx context.Context, e steps.Env) steps.Observation {
	x, bad := current(e)
	if bad != nil {
		return *bad
	}
	return x.Cleanup(ctx)
}

// current gives the app that was launched last in the session.
func current(e steps.Env) (*app, *steps.Observation) {
	if e.Apps != nil {
		if x, is := e.Apps().Current.(*app); is {
			return x, nil
		}
	}
	o := steps.Fail(steps.Validation, "no-app", "no app was launched in this session")
	return nil, &o
}

// Cleanup implements steps.App: it ends the session, the process and its group, sees that the port is closed, and removes the
// profile. The profile of a process that lives is left alone.
func (x *app) Cleanup(ctx context.Context) steps.Observation {
	if x.state == "cleaned" {
		return x.report([]map[string]any{{"part": "process", "state": already}})
	}
	var list []map[string]any
	note := func(part, state string, err error) {
		m := map[string]any{"part": part, "state": state}
		if err != nil {
			m["error"] = err.Error()
		}
		list = append(list, m)
	}
	state := already
	if x.leave(fmt.Sprintf("the app %q was ended: launch it again before its rows", x.name)) {
		state = removed
	}
	note("managed-session", state, nil)
	if x.relay != nil {
		x.relay.close()
		x.relay = nil
	}
	done := func(part string, err error) {
		if err != nil {
			note(part, undone, err)
			return
		}
		note(part, removed, nil)
	}
	if x.gone() {
		note("process", already, nil)
	} else {
		x.ending = true
		err := x.proc.Stop(ctx)
		x.undead = err != nil
		done("process", err)
	}
	switch {
	case x.port == 0:
		note("debug-port", skipped, nil)
	default:
		done("debug-port", closed(ctx, x.port))
	}
	switch {
	case x.undead:
		note("user-data-dir", skipped, nil)
	case x.profileState() == "absent":
		note("user-data-dir", already, nil)
	default:
		done("user-data-dir", removeAll(x.profile))
	}
	return x.report(list)
}

// gone tells that the process has ended, as far as anybody knows.
func (x *app) gone() bool {
	select {
	case <-x.proc.Done():
		return !x.undead
	default:
		return false
	}
}

// report makes the outcome of a cleanup.
func (x *app) report(list []map[string]any) steps.Observation {
	var wrong []string
	anything := false
	all := make([]any, len(list))
	for i, m := range list {
		all[i] = m
		anything = anything || m["state"] == removed || m["state"] == already
		if m["state"] == undone {
			wrong = append(wrong, fmt.Sprintf("%s: %s", m["part"], m["error"]))
		}
	}
	switch {
	case len(wrong) == 0:
		x.state = "cleaned"
	case anything:
		x.state = "partial"
	default:
		x.state = "failed"
	}
	data := map[string]any{"cleanup_state": x.state, "parts": all}
	if len(wrong) == 0 {
		o := steps.OK(data, "cleanup_state")
		o.Summary = fmt.Sprintf("ended %q", x.name)
		return o
	}
	o := steps.Fail(steps.Environment, "app-left", fmt.Sprintf("the app %q could not be cleaned up wholly: %s", x.name, strings.Join(wrong, "; ")))
	o.Data = data
	o.NextActions = []steps.NextAction{
		{ID: "status-electron-launch", Reason: "see what is left of it", Step: "electron: { status: true }"},
		{ID: "retry-electron-cleanup", Reason: "try again what did not come off", Step: "electron: { cleanup: true }"},
	}
	return o
}

// closeTime is how long a port may go on answering after its process has ended.
const closeTime = time.Second

// closed waits until a debugging port is none any more. One that does not answer in time is open all the same.
func closed(ctx context.Context, port int) error {
	ctx = context.WithoutCancel(ctx)
	for end := time.Now().Add(closeTime); ; time.Sleep(pollEvery) {
		var slow net.Error
		if _, err := serves(ctx, port); err != nil && !(errors.As(err, &slow) && slow.Timeout()) {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("the port %d still serves it", port)
		}
	}
}

// removeAll removes a profile that a dying helper may still be writing to.
func removeAll(dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(pollEvery / 2)
	}
	return fmt.Errorf("removing its profile: %w", err)
}
