package browser

import (
	"context"
	"slices"

	"github.com/checkrow/checkrow/steps"
)

// handler executes one command. An error that is not a finished observation is explained by its text.
type handler func(ctx context.Context, s *session, r *row) (steps.Observation, error)

// table names the handler of every command; a test compares it with the table of package argv. It is filled by a
// function because handlers reach the table through the session.
var table = commands()

func commands() map[string]handler {
	t := map[string]handler{
		"open": open, "back": back, "forward": forward, "reload": reload,
		"click": click, "dblclick": dblclick, "hover": hover, "focus": focus, "drag": drag,
		"check": check, "uncheck": uncheck,
		"fill": fill, "type": typeText, "press": press, "keyboard type": keyboardType, "keyboard inserttext": insertText,
		"select": selectOption, "upload": upload, "scroll": scroll, "scrollintoview": scrollIntoView,
		"get text": getText, "get html": getHTML, "get value": getValue, "get attr": getAttr, "get title": getTitle,
		"get url": getURL, "get count": getCount, "get box": getBox, "get styles": getStyles,
		"is visible": isState, "is enabled": isState, "is checked": isState,
		"wait": wait, "snapshot": snapshot, "eval": eval, "screenshot": screenshot, "frame": frame,
		"tab": tabSwitch, "tab list": tabList, "tab new": tabNew, "tab close": tabClose,
		"dialog status": dialogStatus, "dialog accept": dialogAccept, "dialog dismiss": dialogDismiss,
		"console": console, "errors": pageErrors, "network requests": networkRequests,
		"keydown": keyDown, "keyup": keyUp, "mouse move": mouseMove, "mouse down": mouseDown, "mouse up": mouseUp, "mouse wheel": mouseWheel,
		"tap": tap, "swipe": swipe, "highlight": highlight,
		"clipboard read": clipboardRead, "clipboard write": clipboardWrite, "clipboard copy": clipboardCopy, "clipboard paste": clipboardPaste,
		"pushstate": pushState, "window new": windowNew, "download": download, "pdf": pdf,
		"cookies get": cookiesGet, "cookies set": cookiesSet, "cookies clear": cookiesClear,
		"state save": stateSave, "state load": stateLoad, "state show": stateShow,
		"set viewport": setViewport, "set device": setDevice, "set geo": setGeo, "set offline": setOffline, "set headers": setHeaders,
		"set credentials": setCredentials, "set media": setMedia,
		"network route": networkRoute, "network unroute": networkUnroute, "network request": networkRequest,
		"network har start": harStart, "network har stop": harStop,
		"diff snapshot": diffSnapshot, "diff screenshot": diffScreenshot, "diff url": diffURL,
		"trace start": traceStart, "trace stop": traceStop, "profiler start": profilerStart, "profiler stop": profilerStop,
		"record start": recordStart, "record stop": recordStop, "record restart": recordRestart,
		"a11y": a11y, "vitals": vitals, "read": readRow,
		"react tree": reactTree, "react inspect": reactInspect, "react suspense": reactSuspense,
		"react renders start": reactRendersStart, "react renders stop": reactRendersStop,
		"webmcp list": webmcpList, "webmcp invoke": webmcpInvoke, "webmcp result": webmcpResult, "webmcp cancel": webmcpCancel,
		"expect text": expectText, "expect value": expectValue, "expect attr": expectAttr, "expect count": expectCount,
		"expect aria": expectAria, "expect image": expectImage,
		"expect url": expectURL, "expect title": expectTitle, "expect dialog": expectDialog,
	}
	for _, state := range []string{"visible", "hidden", "enabled", "disabled", "checked", "unchecked", "focused", "editable"} {
		t["expect "+state] = expectState
	}
	for _, kind := range []string{"local", "session"} {
		t["storage "+kind+" get"], t["storage "+kind+" set"], t["storage "+kind+" clear"] = storageGet, storageSet, storageClear
	}
	for _, by := range []string{"role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last", "nth"} {
		t["find "+by] = find
	}
	return t
}

// Commands are the names of the commands that the engine executes, sorted.
func Commands() []string {
	names := make([]string, 0, len(table))
	for n := range table {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
