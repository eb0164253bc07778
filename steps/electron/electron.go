// Package electron holds the step kind electron: it launches an Electron app in a profile of its own, so that the rows of
// the test run in its windows, tells how it is, and ends it (R159 to R180).
package electron

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

const (
	// defaultTimeout is how long an app may take until its window can be driven, and maxTimeout the longest that a step may
	// ask for (R165).
	defaultTimeout = 15 * time.Second
	maxTimeout     = 120 * time.Second
)

// Kind is electron.
var Kind = steps.Kind{
	Name: "electron",
	Doc: "Launches an Electron app in a temporary profile and has the rows of its session run in the app's windows; tells how it is; ends it. " +
		"It is launched before the first row of its session, and ended with the test whatever happens. It also lists the apps of this machine.",
	Example: "- electron: { launch: { app_path: dist/linux-unpacked, timeout: 30s } }\n- [expect, visible, \"role=button Sign in\"]\n" +
		"- id: app\n  electron: { status: true }\n  expect: running and port_open\n",
	Keys:   []spec.Key{{Name: "electron", Type: "map", Doc: "what to do with the app", Required: true, Keys: actionKeys}},
	Decode: decode,
}

// actions are the keys of the map under electron, of which one stands there.
var actions = strings.Fields("launch list status probe cleanup")

// actionKeys are the keys of the map under electron.
var actionKeys = []spec.Key{
	{Name: "launch", Type: "map", Doc: "starts an app", Keys: launchKeys, Excludes: []string{"list", "status", "probe", "cleanup"}, Aka: []string{"start", "open", "run"}},
	{Name: "list", Type: "map", Doc: "tells which apps this machine has", Keys: listKeys, Excludes: []string{"launch", "status", "probe", "cleanup"}, Aka: []string{"find", "apps", "installed"}},
	{Name: "status", Type: "bool", Doc: "tells whether it runs, and what its windows are", Excludes: []string{"launch", "list", "probe", "cleanup"}, Aka: []string{"state"}},
	{Name: "probe", Type: "bool", Doc: "looks where the app is: URL, title, focus, windows, and what can be used", Excludes: []string{"launch", "list", "status", "cleanup"}},
	{Name: "cleanup", Type: "bool", Doc: "ends it now", Excludes: []string{"launch", "list", "status", "probe"}, Aka: []string{"close", "quit", "stop", "kill"}},
	{Name: "all", Type: "bool", Doc: "of status and cleanup: every app of the test, in whatever session, that was not ended", Excludes: []string{"launch", "list", "probe", "launch_id"}},
	{Name: "launch_id", Type: "text", Doc: "of status and cleanup: the app that a launch of the test has given as data.launch_id, also one that was ended",
		Excludes: []string{"launch", "list", "probe", "all"}, Aka: []string{"launchid", "id"}},
}

// What launch looks at once the session is in the app (R160).
const (
	handSnapshot = "snapshot"
	handTabs     = "tabs"
	handConnect  = "connect"
)

var handoffs = []string{handSnapshot, handTabs, handConnect}

// What launch may begin in.
const (
	pageTarget = "page"
	viewTarget = "webview"
	anyTarget  = "any"
)

var targetTypes = []string{pageTarget, viewTarget, anyTarget}

// launchKeys are the keys of the map under launch.
var launchKeys = []spec.Key{
	{Name: "app_path", Type: "text", Doc: "the folder of the app, or its .app; from the project root", Excludes: []string{"app_name", "bundle_id", "executable"},
		Aka: []string{"apppath", "app", "path", "folder"}},
	{Name: "app_name", Type: "text", Doc: "the name of an app that is installed", Excludes: []string{"app_path", "bundle_id", "executable"}, Aka: []string{"appname", "name"}},
	{Name: "bundle_id", Type: "text", Doc: "its bundle id on macOS, its desktop id on Linux", Excludes: []string{"app_path", "app_name", "executable"},
		Aka: []string{"bundleid", "desktopid", "id"}},
	{Name: "executable", Type: "text", Doc: "its program; for an app under development Electron itself, the app's folder in args",
		Excludes: []string{"app_path", "app_name", "bundle_id"}, Aka: []string{"executablepath", "binary", "program"}},
	{Name: "args", Type: "texts", Doc: "arguments of its own; as root on Linux [--no-sandbox]", Aka: []string{"appargs", "argv", "arguments"}},
	{Name: "target", Type: "text", Doc: "what the session begins in: page, a window; webview, what a window embeds as one; any, a window if there is one", Default: "page", Aka: []string{"targettype"}},
	{Name: "handoff", Type: "text", Doc: "what it looks at then: snapshot, the URL, the windows and what can be used; tabs, the URL and the windows; connect, nothing",
		Default: "snapshot"},
	{Name: "timeout", Type: "duration", Doc: "how long it may take until a window can be driven, at most 2m", Default: "15s", Aka: []string{"timeoutms"}},
	{Name: "allow", Type: "texts", Doc: "only apps whose name, id or path has one of these", Aka: []string{"only"}},
	{Name: "deny", Type: "texts", Doc: "no app whose name, id or path has one of these; it wins", Aka: []string{"except"}},
}

// ours are switches that the launch sets itself: with others its profile would not be temporary, or its port not found.
var ours = strings.Fields("--user-data-dir --remote-debugging-port --remote-debugging-address --remote-debugging-pipe")

// reserved says why an argument may not be given to the app, or "" (R162).
func reserved(arg string) string {
	if arg == "--" {
		return `"--" cannot be an argument of the app: what follows would not be read as switches`
	}
	name, _, _ := strings.Cut(arg, "=")
	if slices.Contains(ours, name) {
		return name + " is set by the launch itself"
	}
	return ""
}

// launch is a compiled launch. It is not changed by running it.
type launch struct {
	by          string // the key that names the app
	what        spec.Text
	args        []spec.Text
	target      string
	handoff     string
	timeout     time.Duration
	allow, deny []spec.Text
}

func decode(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	n, ok := m["electron"]
	if !ok {
		return nil, steps.Result(nil)
	}
	if text, is := n.Text(); is && !n.Empty() {
		hint := "write electron: { launch: { app_path: " + strconv.Quote(text) + " } }"
		if slices.Contains(actions, text) {
			hint = "write electron: { " + text + ": true }"
		}
		switch text {
		case "launch":
			hint = "write electron: { launch: { app_path: dist/app } }"
		case "list":
			hint = "write electron: { list: {} }"
		}
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("electron", "a map", "text"), hint)
		return nil, steps.Result(nil)
	}
	k, ok := n.Map(`"electron"`, actionKeys, d.Errs)
	if !ok {
		return nil, steps.Result(nil)
	}
	said := 0
	for _, action := range actions {
		v, is := k[action]
		if !is {
			continue
		}
		said++
		switch action {
		case "launch":
			return decodeLaunch(d, v)
		case "list":
			return decodeList(d, v)
		}
		which, isAll, isOne := about{}, k["all"], k["launch_id"]
		if !isAll.IsZero() {
			if which.all = spec.WantBool(isAll, "all", d.Errs); !which.all {
				d.Errs.AddWide(isAll.Pos(), isAll.Width(), `"all" is false: it says nothing`, "leave it out")
			}
		}
		if !isOne.IsZero() {
			which.id, which.one = text(d, isOne, "launch_id"), true
		}
		before := d.Errs.Len()
		if !spec.WantBool(v, action, d.Errs) && d.Errs.Len() == before {
			d.Errs.AddWide(v.Pos(), v.Width(), strconv.Quote(action)+" is false: the step does nothing", "leave the step out")
		}
		switch action {
		case "status":
			return steps.Opaque{Safe: true, Run: which.status}, statusType()
		case "probe":
			return steps.Opaque{Safe: true, Run: probe, Page: true}, probeType()
		}
		return steps.Opaque{Run: which.cleanup}, cleanupType()
	}
	if said == 0 && !n.Told() {
		d.Errs.AddWide(n.Pos(), n.Width(), `"electron" says nothing that is to happen`, "one of launch, list, status, probe, cleanup")
	}
	return nil, steps.Result(nil)
}

func decodeLaunch(d *steps.Decoder, n spec.Node) (steps.Body, spec.Type) {
	typ := launchType()
	k, ok := n.Map(`"launch"`, launchKeys, d.Errs)
	if !ok {
		return nil, typ
	}
	l := &launch{target: pageTarget, handoff: handSnapshot, timeout: defaultTimeout}
	for _, key := range []string{"app_path", "app_name", "bundle_id", "executable"} {
		if v, is := k[key]; is && l.by == "" {
			l.by, l.what = key, text(d, v, key)
			if s, static := l.what.Static(); static && v.Quoted() && strings.TrimSpace(s) == "" {
				d.Errs.AddWide(v.Pos(), v.Width(), strconv.Quote(key)+" is empty", "")
			}
		}
	}
	if l.by == "" {
		d.Errs.AddWide(n.Pos(), n.Width(), `"launch" names no app`, "one of app_path, app_name, bundle_id, executable")
	}
	l.args = texts(d, k["args"], "args")
	for i, t := range l.args {
		s, static := t.Static()
		if why := reserved(s); static && why != "" {
			items, _ := k["args"].Seq()
			d.Errs.AddWide(items[i].Pos(), items[i].Width(), why, "its profile is always a temporary one, and its port is chosen by the system; leave it out")
		}
	}
	l.target = oneOf(d, k["target"], "target", l.target, targetTypes)
	l.handoff = oneOf(d, k["handoff"], "handoff", l.handoff, handoffs)
	if v, is := k["timeout"]; is {
		before := d.Errs.Len()
		l.timeout = spec.WantDuration(v, "timeout", d.Errs)
		if l.timeout > maxTimeout {
			d.Errs.AddWide(v.Pos(), v.Width(), "an app may take at most "+maxTimeout.String()+" to start, got "+l.timeout.String(), "")
		}
		if l.timeout <= 0 && d.Errs.Len() == before {
			d.Errs.AddWide(v.Pos(), v.Width(), `"timeout" must be longer than nothing`, "leave it out for the default of 15s")
		}
	}
	l.allow, l.deny = texts(d, k["allow"], "allow"), texts(d, k["deny"], "deny")
	var wants []steps.Ask
	if l.by == "executable" {
		wants = append(wants, steps.Ask{Kind: steps.AskProgram, Text: l.what, Pos: k["executable"].Pos()})
	}
	return steps.Opaque{Run: l.run, Page: true, Launches: true, Wants: wants}, typ
}

// oneOf reads a word of a few, preset if it is not there.
func oneOf(d *steps.Decoder, n spec.Node, key, preset string, words []string) string {
	if n.IsZero() {
		return preset
	}
	before := d.Errs.Len()
	word := spec.WantText(n, key, d.Errs)
	if !slices.Contains(words, word) && d.Errs.Len() == before {
		msg, hint := diag.BadValue(key, word, words)
		d.Errs.AddWide(n.Pos(), n.Width(), msg, hint)
	}
	return word
}

// text compiles a scalar.
func text(d *steps.Decoder, n spec.Node, key string) spec.Text {
	spec.WantText(n, key, d.Errs)
	if _, ok := n.Text(); !ok {
		return spec.Text{}
	}
	return spec.CompileText(n, d.Scope, d.Errs)
}

// texts compiles a list of scalars.
func texts(d *steps.Decoder, n spec.Node, key string) []spec.Text {
	if n.IsZero() {
		return nil
	}
	items, ok := n.Seq()
	if !ok {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind(key, "a list of texts", n.Sort()), "")
		return nil
	}
	out := make([]spec.Text, len(items))
	for i, item := range items {
		out[i] = text(d, item, "item "+strconv.Itoa(i+1)+" of "+strconv.Quote(key))
	}
	return out
}

// render gives the texts of a list.
func render(ctx context.Context, e steps.Env, list []spec.Text) ([]string, error) {
	out := make([]string, len(list))
	for i, t := range list {
		s, err := t.String(ctx, e.Values, e.Reader)
		if err != nil {
			return nil, err
		}
		out[i] = s
	}
	return out, nil
}
