package electron

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

const (
	// maxTabs, maxRefs, maxLines and maxText bound what a probe tells.
	maxTabs, maxRefs, maxLines, maxText = 6, 20, 12, 1600
	// shownURL is how much of the URL of a window is told.
	shownURL = 300
)

func statusType() spec.Type {
	text, number, yes := spec.Type{Base: spec.String}, spec.Type{Base: spec.Int}, spec.Type{Base: spec.Bool}
	fields := map[string]spec.Type{
		"running": yes, "port_open": yes, "pid": number, "port": number, "exit": number, "name": text, "executable": text, "profile": text,
		"profile_state": {Base: spec.String, Doc: "present, absent or unknown"},
		"cleanup_state": {Base: spec.String, Doc: "active, cleaned, partial or failed"},
		"windows":       {Base: spec.List, Elem: &spec.Type{Base: spec.Map}, Doc: "{type, title, url} of each"},
	}
	out := map[string]spec.Type{"value": {Base: spec.Bool, Doc: "running"}, "data": {Base: spec.Struct, Fields: fields}}
	maps.Copy(out, fields)
	return steps.Result(out)
}

// status tells how the app of the session is, also after it was ended.
func status(ctx context.Context, e steps.Env) steps.Observation {
	x, bad := current(e)
	if bad != nil {
		return *bad
	}
	data := map[string]any{"running": true, "port_open": false, "pid": x.proc.PID(), "port": x.port, "exit": -1, "name": x.name,
		"executable": x.executable, "profile": x.profile, "profile_state": x.profileState(), "cleanup_state": x.state, "windows": []any{}}
	select {
	case <-x.proc.Done():
		data["running"], data["exit"] = false, x.proc.Exit().Code
	default:
	}
	if x.port > 0 {
		if _, err := serves(ctx, x.port); err == nil {
			data["port_open"] = true
			all, _ := windows(ctx, x.port)
			list := make([]any, 0, len(all))
			for _, w := range all {
				list = append(list, map[string]any{"type": w.Type, "title": w.Title, "url": clip(w.URL, shownURL)})
			}
			data["windows"] = list
		}
	}
	o := steps.OK(data, "running")
	if data["running"] == true && x.state == "active" {
		o.NextActions = follow("status")
	}
	return o
}

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

// probe looks where the app is, as far as it can be read.
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
		v, err := e.Reader.Read(ctx, fn, args)
		if err != nil {
			wrong = append(wrong, name+": "+err.Error())
			return
		}
		data[name] = clip(fmt.Sprint(v), shownURL)
	}
	read("url", "url")
	read("title", "title")
	read("focused", "js", focused)
	if o := e.Row(ctx, steps.InnerRow{Cells: []string{"tab", "list"}}); o.Success {
		list, _ := o.Data["tabs"].([]any)
		data["tabs"] = list[:min(len(list), maxTabs)]
	} else {
		wrong = append(wrong, "tabs: "+o.Error)
	}
	wrong = append(wrong, snapshot(ctx, e, data)...)
	if len(wrong) == 5 {
		return steps.Fail(steps.Environment, "app-unreadable", fmt.Sprintf("nothing of the app %q can be read: %s", x.name, strings.Join(wrong, "; ")))
	}
	o := steps.OK(data, "tree")
	o.Warnings, o.NextActions = wrong, follow("probe")
	return o
}

// settleTries and settleEvery say how often a window that shows nothing to use yet is looked at again.
const (
	settleTries = 2
	settleEvery = 250 * time.Millisecond
)

// snapshot reads what can be used in the window.
func snapshot(ctx context.Context, e steps.Env, data map[string]any) (wrong []string) {
	for n := 0; ; n++ {
		o := e.Row(ctx, steps.InnerRow{Cells: []string{"snapshot", "-i"}})
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
