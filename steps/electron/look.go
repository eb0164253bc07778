package electron

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

const (
	// maxTabs, maxRefs, maxLines and maxText bound what a probe tells.
	maxTabs, maxRefs, maxLines, maxText = 6, 20, 12, 1600
	// shownURL is how much of the URL of a window is told, and shownTab how much of one in a list of tabs.
	shownURL, shownTab = 300, 240
	// readTime bounds each look at an app, so that one that hangs costs none of the others (R165).
	readTime = 10 * time.Second
)

func statusType() spec.Type {
	text, number, yes := spec.Type{Base: spec.String}, spec.Type{Base: spec.Int}, spec.Type{Base: spec.Bool}
	fields := map[string]spec.Type{
		"running": yes, "port_open": yes, "pid": number, "port": number, "exit": number, "name": text, "executable": text, "profile": text,
		"launch_id": text, "session": text,
		"profile_state": {Base: spec.String, Doc: "present, absent or unknown"},
		"cleanup_state": {Base: spec.String, Doc: "active, cleaned, partial or failed"},
		"session_state": {Base: spec.String, Doc: "attached: the session is in one of its windows; blank: in one that shows nothing; elsewhere; unknown: it cannot be read"},
		"windows":       {Base: spec.List, Elem: &spec.Type{Base: spec.Map}, Doc: "{type, title, url} of each"},
		"apps":          {Base: spec.List, Elem: &spec.Type{Base: spec.Map}, Doc: "with all: the same of each; running says then that every one runs"},
	}
	out := map[string]spec.Type{"value": {Base: spec.Bool, Doc: "running"}, "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

// status tells how apps are, also after they were ended. It asks what is true now: what is known of a cleanup says nothing
// of what runs (R171).
func (a about) status(ctx context.Context, e steps.Env) steps.Observation {
	list, bad := a.apps(ctx, e)
	if bad != nil {
		return *bad
	}
	if !a.all {
		return list[0].status(ctx, e)
	}
	running, all := len(list) > 0, make([]any, 0, len(list))
	var warnings []string
	for _, x := range list {
		o := x.status(ctx, e)
		running = running && o.Data["running"] == true
		delete(o.Data, "apps")
		all, warnings = append(all, o.Data), append(warnings, o.Warnings...)
	}
	o := steps.OK(map[string]any{"running": running, "port_open": false, "pid": 0, "port": 0, "exit": -1, "name": "", "executable": "", "profile": "",
		"launch_id": "", "session": "", "profile_state": "", "cleanup_state": "", "session_state": "", "windows": []any{}, "apps": all}, "running")
	o.Warnings = warnings
	return o
}

// status tells how an app is.
func (x *app) status(ctx context.Context, e steps.Env) steps.Observation {
	data := map[string]any{"running": true, "port_open": false, "pid": x.proc.PID(), "port": x.port, "exit": -1, "name": x.name,
		"executable": x.executable, "profile": x.profile, "profile_state": x.profileState(), "cleanup_state": x.state, "windows": []any{},
		"launch_id": x.launch, "session": x.session, "session_state": "", "apps": []any{}}
	select {
	case <-x.proc.Done():
		data["running"], data["exit"] = false, x.proc.Exit().Code
	default:
	}
	var all []window
	if x.port > 0 {
		if _, err := serves(ctx, x.port); err == nil {
			data["port_open"] = true
			all, _ = windows(ctx, x.port)
			list := make([]any, 0, len(all))
			for _, w := range all {
				list = append(list, map[string]any{"type": w.Type, "title": w.Title, "url": clip(w.URL, shownURL)})
			}
			data["windows"] = list
		}
	}
	o := steps.OK(data, "running")
	if data["running"] != true || x.state != "active" {
		return o
	}
	o.NextActions = follow("status")
	if desk := e.Apps(); desk.Session == x.session && desk.Current == steps.App(x) {
		x.whereabouts(ctx, e, all, &o)
	}
	return o
}

// whereabouts tells whether the session is in a window of the app, by whole URLs: two that are alike where they are shown
// may differ behind that (R172).
func (x *app) whereabouts(ctx context.Context, e steps.Env, all []window, o *steps.Observation) {
	v, err := ask(ctx, e, "url")
	url, _ := v.(string)
	shows := func(want string) bool { return slices.ContainsFunc(all, func(w window) bool { return w.URL == want }) }
	state, text := "attached", ""
	switch {
	case err != nil:
		state, text = "unknown", "the session of the app cannot be read: "+err.Error()
	case url == blankPage && slices.ContainsFunc(all, func(w window) bool { return w.Type == pageTarget && w.URL != blankPage }):
		state, text = "blank", "the session is in a window of the app that shows about:blank, another one shows something"
	case !shows(url):
		state, text = "elsewhere", "the session is at "+clip(url, shownURL)+", which no window of the app shows"
	}
	if o.Data["session_state"] = state; text == "" {
		return
	}
	o.Warnings = append(o.Warnings, text)
	if state != "unknown" {
		o.NextActions = append(o.NextActions, steps.NextAction{ID: "reattach-electron-launch",
			Reason: "choose the window to go on in, and take a new snapshot before a ref is used", Row: []string{"tab", "list"}})
	}
}

// blankPage is what a window shows that has nothing yet, or no more.
const blankPage = "about:blank"

func probeType() spec.Type {
	text := spec.Type{Base: spec.String}
	fields := map[string]spec.Type{"url": text, "title": text,
		"focused": {Base: spec.String, Doc: "the element that has the focus"},
		"tabs":    {Base: spec.List, Doc: "its windows"},
		"refs":    {Base: spec.List, Doc: "names of what can be used"},
		"tree":    {Base: spec.String, Doc: "the first lines of the accessibility tree"},
	}
	out := map[string]spec.Type{"value": {Base: spec.String, Doc: "tree"}, "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

// focused describes the element that has the focus.
const focused = `(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  return !e || e === document.body ? '' : e.localName + (e.id ? '#' + e.id : '') })()`

// probe looks where the app is, as far as it can be read: what cannot be is a warning, and a failure only if nothing can
// (R173).
func probe(ctx context.Context, e steps.Env) steps.Observation {
	x, bad := current(e)
	if bad != nil {
		return *bad
	}
	if x.state == "cleaned" {
		return steps.Fail(steps.Validation, "app-closed", fmt.Sprintf("the app %q was ended", x.name))
	}
	data := map[string]any{"url": "", "title": "", "focused": "", "tabs": []any{}, "refs": []any{}, "tree": ""}
	var wrong []string
	read := func(name, fn string, args ...any) {
		v, err := ask(ctx, e, fn, args...)
		if err != nil {
			wrong = append(wrong, name+": "+err.Error())
			return
		}
		data[name] = clip(fmt.Sprint(v), shownURL)
	}
	read("url", "url")
	read("title", "title")
	read("focused", "js", focused)
	if list, err := tabs(ctx, e); err == nil {
		data["tabs"] = list[:min(len(list), maxTabs)]
	} else {
		wrong = append(wrong, "tabs: "+err.Error())
	}
	wrong = append(wrong, snapshot(ctx, e, data)...)
	if len(wrong) == 5 {
		return steps.Fail(steps.Environment, "app-unreadable", fmt.Sprintf("nothing of the app %q can be read: %s", x.name, strings.Join(wrong, "; ")))
	}
	o := steps.OK(data, "tree")
	o.Warnings, o.NextActions = wrong, follow("probe")
	return o
}

// ask reads something of the page in a time of its own.
func ask(ctx context.Context, e steps.Env, fn string, args ...any) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	return e.Reader.Read(ctx, fn, args)
}

// tabs lists the windows of the session, their URLs as far as they are shown.
func tabs(ctx context.Context, e steps.Env) ([]any, error) {
	o := e.Row(ctx, steps.InnerRow{Cells: []string{"tab", "list"}, Limit: readTime})
	if !o.Success {
		return nil, &readError{o}
	}
	list, _ := o.Data["tabs"].([]any)
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = t
		if m, is := t.(map[string]any); is {
			m = maps.Clone(m)
			if url, is := m["url"].(string); is {
				m["url"] = clip(url, shownTab)
			}
			out[i] = m
		}
	}
	return out, nil
}

// readError is a row that could not read the app.
type readError struct{ obs steps.Observation }

// Error is the sentence of the row.
func (r *readError) Error() string { return r.obs.Error }

// Observation gives the outcome of the row.
func (r *readError) Observation() steps.Observation { return r.obs }

// hand looks at the app that the session has come into, as the launch says (R160). An app that cannot be read is not
// launched.
func (l *launch) hand(ctx context.Context, e steps.Env, o *steps.Observation) *steps.Observation {
	if l.handoff == handConnect {
		return nil
	}
	refuse := func(err error) *steps.Observation {
		bad := failed(err)
		bad.Error = "the app was started, but cannot be read: " + bad.Error
		return &bad
	}
	url, err := ask(ctx, e, "url")
	if err == nil {
		o.Data["url"] = fmt.Sprint(url)
		if url == blankPage {
			o.Warnings = append(o.Warnings, "the window of the app shows about:blank so far")
		}
		o.Data["tabs"], err = tabs(ctx, e)
	}
	if err != nil {
		return refuse(err)
	}
	if l.handoff == handTabs {
		return nil
	}
	tree := e.Row(ctx, steps.InnerRow{Cells: []string{"snapshot", "-i"}, Limit: readTime})
	if !tree.Success {
		return refuse(&readError{tree})
	}
	o.Data["tree"] = tree.Value
	if refs, is := tree.Data["refs"]; is {
		o.Data["refs"] = refs
	}
	return nil
}

// settleTries and settleEvery say how often a window that shows nothing to use yet is looked at again.
const (
	settleTries = 2
	settleEvery = 250 * time.Millisecond
)

// snapshot reads what can be used in the window.
func snapshot(ctx context.Context, e steps.Env, data map[string]any) (wrong []string) {
	for n := 0; ; n++ {
		o := e.Row(ctx, steps.InnerRow{Cells: []string{"snapshot", "-i"}, Limit: readTime})
		if !o.Success {
			return []string{"tree: " + o.Error}
		}
		text, _ := o.Value.(string)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		data["tree"] = clip(strings.Join(lines[:min(len(lines), maxLines)], "\n"), maxText)
		refs := []any{}
		for _, line := range lines {
			if strings.Contains(line, "ref=") && len(refs) < maxRefs {
				refs = append(refs, strings.TrimSpace(line))
			}
		}
		data["refs"] = refs
		if len(refs) > 0 || n == settleTries {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(settleEvery):
		}
	}
}

// clip shortens a text.
func clip(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
