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
		Operands: []Operand{{Name: "target|main", Kind: Target, Doc: "the iframe; main is the page itself"}},
		Data:     []DataKey{{"frame", "string", "name or target of the frame, or main"}}, Value: "frame",
		Traits: UsesRefs | Repeatable | Page, Trips: 2,
		Doc: "Chooses the frame that the rows after it are about.", Example: []string{"frame", "#payment"},
		Differs: "find, wait and eval follow it too",
	}}
}

func tabs() []*Command {
	one := []DataKey{{"tabId", "string", "t1, t2 …"}, {"title", "string", "of its page"}, {"url", "string", "of its page"}}
	return []*Command{
		{
			Words: words("tab list"), Data: []DataKey{{"tabs", "list", "tabId, title, url, active of each"}}, Value: "tabs",
			Traits: Repeatable, Trips: 1, Doc: "Lists the tabs.", Example: []string{"tab", "list"},
			Differs: "list must be named",
		},
		{
			Words: words("tab new"), Operands: []Operand{{Name: "url", Kind: URL, Optional: true, Doc: "default about:blank"}},
			Data:  []DataKey{{"tabId", "string", "t1, t2 …"}, {"total", "int", "number of tabs"}, {"url", "string", "of its page"}},
			Value: "tabId", Traits: Mutates | DropsRefs | Latches | Page, Trips: 2,
			Doc: "Opens a tab and makes it the current one.", Example: []string{"tab", "new", "/help"},
		},
		{
			Words: words("tab"), Operands: []Operand{{Name: "tab", Kind: Text, Doc: "t1, t2 …"}}, Data: one, Value: "tabId",
			Traits: Mutates | DropsRefs | Latches | Repeatable, Trips: 1,
			Doc: "Makes a tab the current one.", Example: []string{"tab", "t2"}, Check: checkTab,
		},
		{
			Words: words("tab close"), Operands: []Operand{{Name: "tab", Kind: Text, Optional: true, Doc: "default the current one"}},
			Data:  []DataKey{{"closed", "bool", "always true"}, {"tabId", "string", "of the tab that was closed"}},
			Value: "tabId", Traits: Mutates | DropsRefs | Latches, Trips: 1,
			Doc: "Closes a tab.", Example: []string{"tab", "close", "t2"}, Check: checkTab,
		},
	}
}

var tabForm = regexp.MustCompile(`^t[1-9][0-9]*$`)

func checkTab(c *Call, l *diag.List) {
	text, p, ok := c.staticOperand(0)
	if !ok || tabForm.MatchString(text) {
		return
	}
	hint := "tabs are t1, t2 …"
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		hint = "write t" + text
	} else if near := diag.Nearest(text, []string{"list", "new", "close"}); len(near) > 0 {
		hint = "did you mean tab " + near[0] + "?"
	}
	l.Add(p, strconv.Quote(text)+" is no tab", hint)
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
				empty},
			Data: []DataKey{{"requests", "list", "url, method, resourceType, status, failed, error, initiator, seq of each"},
				dropped, cleared},
			Value: "requests", Traits: ring, Trips: 0,
			Doc: "Reads the requests that the page made.", Example: []string{"network", "requests", "--status", "4xx"},
			Differs: "entries carry seq, failed, error and initiator; an unknown --status is an error",
			Check:   checkRequests,
		},
	}
}

var (
	statusForm = regexp.MustCompile(`^([1-5][0-9][0-9]|[1-5]xx|[1-5][0-9][0-9]-[1-5][0-9][0-9])$`)
	methodForm = regexp.MustCompile(`^[A-Za-z]+$`)
	typesForm  = regexp.MustCompile(`^[a-z]+(,[a-z]+)*$`)
)

func checkRequests(c *Call, l *diag.List) {
	for _, f := range []struct {
		flag string
		form *regexp.Regexp
		hint string
	}{
		{"--status", statusForm, "write 200, 4xx or 400-499"},
		{"--method", methodForm, "write GET, POST …"},
		{"--type", typesForm, "write resource types by comma: xhr,fetch"},
	} {
		if text, p, ok := c.static(f.flag); ok && !f.form.MatchString(text) {
			l.Add(p, f.flag+" does not understand "+strconv.Quote(text), f.hint)
		}
	}
}
