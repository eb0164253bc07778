package electron

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
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
		"parts": {Base: spec.List, Elem: &spec.Type{Base: spec.Map}, Doc: "{part, state, error} of session, process, debug port and profile, with all {launch_id} too"}}
	out := map[string]spec.Type{"value": {Base: spec.String, Doc: "cleanup_state"}, "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

// about says which apps a status or cleanup is of: that of the session, which has one at a time, the one of a launch, or
// all that were not ended (R171).
type about struct {
	all, one bool
	id       spec.Text
}

// apps finds the apps that are meant.
func (a about) apps(ctx context.Context, e steps.Env) ([]*app, *steps.Observation) {
	if !a.all && !a.one {
		x, bad := current(e)
		return []*app{x}, bad
	}
	var known []*app
	if e.Apps != nil {
		for _, s := range e.Apps().All {
			if x, is := s.(*app); is {
				known = append(known, x)
			}
		}
	}
	if a.all {
		return slices.DeleteFunc(known, func(x *app) bool { return x.state == "cleaned" }), nil
	}
	id, err := a.id.String(ctx, e.Values, e.Reader)
	if err != nil {
		o := failed(err)
		return nil, &o
	}
	var ids []string
	for _, x := range known {
		if ids = append(ids, x.launch); x.launch == id {
			return []*app{x}, nil
		}
	}
	text := fmt.Sprintf("no launch of this test has the id %q", id)
	if len(ids) > 0 {
		text += ": it has " + strings.Join(ids, ", ")
	}
	o := steps.Fail(steps.Validation, subNoApp, text)
	return nil, &o
}

// cleanup ends apps.
func (a about) cleanup(ctx context.Context, e steps.Env) steps.Observation {
	list, bad := a.apps(ctx, e)
	if bad != nil {
		return *bad
	}
	if !a.all {
		return list[0].Cleanup(ctx)
	}
	out := steps.OK(map[string]any{"cleanup_state": "cleaned", "parts": []any{}}, "cleanup_state")
	out.Summary = fmt.Sprintf("ended %d apps", len(list))
	parts := []any{}
	for _, x := range list {
		o := x.Cleanup(ctx)
		for _, p := range x.parts {
			m := partOf(p)
			m["launch_id"] = x.launch
			parts = append(parts, m)
		}
		if !o.Success && out.Success {
			out = o
		} else if !o.Success {
			out.Error += "; " + o.Error
		}
	}
	out.Data["parts"] = parts
	return out
}

func partOf(p steps.AppPart) map[string]any {
	m := map[string]any{"part": p.Part, "state": p.State}
	if p.Error != "" {
		m["error"] = p.Error
	}
	return m
}

// current gives the app that was launched last in the session.
func current(e steps.Env) (*app, *steps.Observation) {
	var others []steps.App
	if e.Apps != nil {
		desk := e.Apps()
		if x, is := desk.Current.(*app); is {
			return x, nil
		}
		others = desk.All
	}
	o := steps.Fail(steps.Validation, subNoApp, "no app was launched in this session")
	if len(others) > 0 {
		o.Error += ": another one of the test has the launch " + others[0].Record().LaunchID
	}
	return nil, &o
}

// Cleanup implements steps.App: it ends the session, the process and its group, sees that the port is closed, and removes the
// profile. The profile of a process that lives is left alone. Each part has a time of its own; one that fails keeps none of
// the others from being tried (R165, R170).
func (x *app) Cleanup(ctx context.Context) steps.Observation {
	if x.state == "cleaned" {
		return x.report([]steps.AppPart{{Part: "process", State: already}})
	}
	var list []steps.AppPart
	note := func(part, state string, err error) {
		p := steps.AppPart{Part: part, State: state}
		if err != nil {
			p.Error = err.Error()
		}
		list = append(list, p)
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

// report makes the outcome of a cleanup. That of an app which is cleaned is not forgotten for a second one.
func (x *app) report(list []steps.AppPart) steps.Observation {
	var wrong []string
	anything := false
	all := make([]any, len(list))
	for i, p := range list {
		all[i] = partOf(p)
		anything = anything || p.State == removed || p.State == already
		if p.State == undone {
			wrong = append(wrong, p.Part+": "+p.Error)
		}
	}
	if x.state != "cleaned" {
		x.parts = list
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
