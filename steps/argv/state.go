package argv

import (
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

// ring is what rows share that read a ring buffer.
const ring = ReadsOnly | Repeatable

func state() []*Command {
	return append(views(), append(tabs(), append(dialogs(), rings()...)...)...)
}

func views() []*Command {
	return []*Command{{
		Words:    words("frame"),
		Operands: []Operand{{Name: "target|main", Kind: Target, Optional: true, Doc: "the iframe; main is the page itself"}},
		Flags: []Flag{{Name: "--name", Kind: Text, Doc: "the frame of this name, wherever it is"},
			{Name: "--url", Kind: URLPattern, Doc: "the frame whose URL matches"}},
		Data: []DataKey{{"frame", "string", "name or target of the frame, or main"}}, Value: "frame",
		Traits: UsesRefs | Repeatable | Page, Trips: 2,
		Doc: "Chooses the frame that the rows after it are about.", Example: []string{"frame", "#payment"},
		Differs: "find, wait and eval follow it too; --name and --url choose by the frame itself, in 0 trips",
		Check:   checkFrame,
	}}
}

func tabs() []*Command {
	label := DataKey{"label", "any", "the label, or nil"}
	one := []DataKey{{"tabId", "string", "t1, t2 …"}, label, {"title", "string", "of its page"}, {"url", "string", "of its page"}}
	return []*Command{
		{
			Words: words("tab list"), Data: []DataKey{{"tabs", "list", "tabId, label, title, url, active of each"}}, Value: "tabs",
			Traits: Repeatable, Trips: 1, Doc: "Lists the tabs.", Example: []string{"tab", "list"},
			Differs: "list must be named",
		},
		{
			Words: words("tab new"), Operands: []Operand{{Name: "url", Kind: URL, Optional: true, Doc: "default about:blank"}},
			Flags: []Flag{{Name: "--label", Kind: Text, Doc: "a name for tab rows: docs"}},
			Data:  []DataKey{{"tabId", "string", "t1, t2 …"}, label, {"total", "int", "number of tabs"}, {"url", "string", "of its page"}},
			Value: "tabId", Traits: Mutates | DropsRefs | Latches | Page, Trips: 8,
			Doc: "Opens a tab and makes it the current one.", Example: []string{"tab", "new", "/help"},
			Differs: "the tab is empty before it goes to the page, so that a script of the page cannot close it",
			Check:   checkLabel,
		},
		{
			Words: words("window new"), Data: []DataKey{{"tabId", "string", "t1, t2 …"}, {"total", "int", "number of tabs"}}, Value: "tabId",
			Traits: Mutates | DropsRefs | Latches | Page, Trips: 7,
			Doc: "Opens a window with an empty page and makes it the current tab.", Example: []string{"window", "new"},
		},
		{
			Words: words("tab"), Operands: []Operand{{Name: "tab", Kind: Text, Doc: "t1, t2 … or a label"}}, Data: one, Value: "tabId",
			Traits: Mutates | DropsRefs | Latches | Repeatable, Trips: 1,
			Doc: "Makes a tab the current one.", Example: []string{"tab", "t2"}, Check: checkTab,
		},
		{
			Words: words("tab close"), Operands: []Operand{{Name: "tab", Kind: Text, Optional: true, Doc: "t1, t2 … or a label; default the current one"}},
			Data:  []DataKey{{"closed", "bool", "always true"}, {"tabId", "string", "of the tab that was closed"}, label},
			Value: "tabId", Traits: Mutates | DropsRefs | Latches, Trips: 1,
			Doc: "Closes a tab.", Example: []string{"tab", "close", "t2"}, Check: checkTab,
		},
	}
}

var (
	tabForm   = regexp.MustCompile(`^t[1-9][0-9]*$`)
	labelForm = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_.-]*$`)
)

func checkTab(c *Call, l *diag.List) {
	text, p, ok := c.staticOperand(0)
	if !ok || tabForm.MatchString(text) {
		return
	}
	hint := "tabs are t1, t2 … or a label"
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		hint = "write t" + text
	} else if near := diag.Nearest(text, []string{"list", "new", "close"}); len(near) > 0 {
		hint = "did you mean tab " + near[0] + "?"
	} else if labelForm.MatchString(text) {
		return
	}
	l.Add(p, strconv.Quote(text)+" is no tab", hint)
}

// checkLabel wants a label that no other tab row could mean.
func checkLabel(c *Call, l *diag.List) {
	text, p, ok := c.static("--label")
	if !ok {
		return
	}
	switch near := diag.Nearest(text, []string{"list", "new", "close"}); {
	case tabForm.MatchString(text):
		l.Add(p, "the label "+strconv.Quote(text)+" looks like the id of a tab", "t1, t2 … are given by the browser")
	case !labelForm.MatchString(text):
		l.Add(p, strconv.Quote(text)+" is no label", "letters, digits, _ . and -, a letter first")
	case len(near) > 0:
		l.Add(p, "the label "+strconv.Quote(text)+" is too close to [tab, "+near[0]+"]", "choose another")
	}
}

func checkFrame(c *Call, l *diag.List) {
	n := len(c.Operands)
	for _, f := range []string{"--name", "--url"} {
		if c.Has(f) {
			n++
		}
	}
	switch {
	case n == 0:
		l.Add(c.Pos, "frame needs a target, --name, --url or main", "usage: "+Usage(c.Command))
	case n > 1:
		l.Add(c.Pos, "frame takes one of a target, --name and --url", "")
	}
	if text, p, ok := c.static("--name"); ok && text == "" {
		l.Add(p, "--name is empty", "")
	}
}

func dialogs() []*Command {
	handled := []DataKey{{"handled", "bool", "always true"}, {"accepted", "bool", "whether it was accepted"},
		{"type", "string", "alert, confirm, prompt or beforeunload"}, {"message", "string", "its text"}}
	return []*Command{
		{
			Words: words("dialog status"), Data: []DataKey{{"hasDialog", "bool", "a dialog is held"},
				{"type", "string", "confirm or prompt"}, {"message", "string", "its text"}, {"defaultPrompt", "string", "of a prompt"}},
			Value: "hasDialog", Traits: Repeatable, Trips: 0,
			Doc: "Tells whether a dialog is held.", Example: []string{"dialog", "status"},
		},
		{
			Words: words("dialog accept"), Operands: []Operand{{Name: "text", Kind: Text, Optional: true, Doc: "answer to a prompt"}},
			Data: handled, Value: "message", Traits: Mutates | Navigates | Latches | Waits, Trips: 1,
			Doc: "Accepts the dialog that is held.", Example: []string{"dialog", "accept"},
			Differs: "waits for the dialog up to timeouts.action",
		},
		{
			Words: words("dialog dismiss"), Data: handled, Value: "message",
			Traits: Mutates | Navigates | Latches | Waits, Trips: 1,
			Doc: "Dismisses the dialog that is held.", Example: []string{"dialog", "dismiss"},
			Differs: "waits for the dialog up to timeouts.action",
		},
	}
}

func rings() []*Command {
	empty := Flag{Name: "--clear", Bool: true, Doc: "empties the ring"}
	dropped := DataKey{"dropped", "int", "entries that fell out of the ring"}
	cleared := DataKey{"cleared", "bool", "with --clear"}
	return []*Command{
		{
			Words: words("console"), Flags: []Flag{empty},
			Data:  []DataKey{{"messages", "list", "type, text, seq, location of each"}, dropped, cleared},
			Value: "messages", Traits: ring, Trips: 0,
			Doc: "Reads what the page wrote to its console.", Example: []string{"console"},
			Differs: "entries carry seq and location",
		},
		{
			Words: words("errors"), Flags: []Flag{empty},
			Data:  []DataKey{{"errors", "list", "text, seq, location of each"}, dropped, cleared},
			Value: "errors", Traits: ring, Trips: 0,
			Doc: "Reads the errors that the page did not catch.", Example: []string{"errors"},
			Differs: "entries carry seq; lines are counted from 1",
		},
		{
			Words: words("network requests"), Flags: []Flag{
				{Name: "--filter", Kind: Text, Doc: "part of the URL"},
				{Name: "--type", Kind: Text, Doc: "resource types, by comma: xhr,fetch"},
				{Name: "--method", Kind: Text, Doc: "GET, POST …"},
				{Name: "--status", Kind: Text, Doc: "200, 4xx or 400-499"},
				{Name: "--current-page", Bool: true, Doc: "only those since the tab's document was asked for"},
				{Name: "--current-origin", Bool: true, Doc: "only those to the page's origin"},
				{Name: "--current-url", Bool: true, Doc: "only those for the page's URL"},
				empty},
			Data: []DataKey{{"requests", "list", "requestId, url, method, resourceType, status, failed, error, initiator, stack, seq of each"},
				{"routeDiagnostics", "list", "if a route may be why: reason, routePattern, mode, requestId, requestUrl, summary"},
				dropped, cleared},
			Value: "requests", Traits: ring, Trips: 0,
			Doc: "Reads the requests that the page made.", Example: []string{"network", "requests", "--status", "4xx"},
			Differs: "entries carry seq, failed, error and initiator; an unknown --status is an error",
			Check:   checkRequests,
		},
	}
}
