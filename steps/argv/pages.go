package argv

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// looks are the rows that look into a page from another side: as a text, as components of React, as tools for agents.
func looks() []*Command {
	return append(texting(), append(react(), webmcp()...)...)
}

func texting() []*Command {
	return []*Command{{
		Words: words("read"), Operands: []Operand{{Name: "url", Kind: URL, Optional: true, Doc: "what to fetch, with the session's cookies; default the page as it is now"}},
		Flags: []Flag{
			{Name: "--raw", Bool: true, Doc: "as it was sent, HTML too"},
			{Name: "--require-md", Bool: true, Doc: "fails if the answer is no Markdown"},
			{Name: "--llms", Kind: Enum, Values: []string{"index", "full"}, Doc: "reads the site's /llms.txt, or /llms-full.txt"},
			{Name: "--outline", Bool: true, Doc: "only the headings"},
			{Name: "--filter", Kind: Text, Doc: "only the sections with this text"},
			{Name: "--timeout", Kind: Duration, Doc: "of the fetch (default timeouts.open)"}},
		Data: []DataKey{{"content", "string", "the text, Markdown where it was HTML"}, {"contentType", "string", "as it was sent"},
			{"url", "string", "that was asked for"}, {"finalUrl", "string", "after redirects"}, {"status", "int", "of the answer; 0 for the page"},
			{"source", "string", "active-tab-html, html-fallback, markdown, raw or llms, then -outline or -filtered"},
			{"truncated", "bool", "it was longer than 1 MiB and was cut"}},
		Value: "content", Traits: ReadsOnly | Repeatable | Page, Trips: 1,
		Doc: "Reads the page, or what a URL answers, as text.", Example: []string{"read", "/help", "--outline"},
		Differs: "a status of 400 and more fails as open does; --filter keeps whole sections",
		Check:   checkRead,
	}}
}

func checkRead(c *Call, l *diag.List) {
	n := 0
	for _, f := range []string{"--raw", "--outline", "--filter"} {
		if c.Has(f) {
			n++
		}
	}
	if n > 1 {
		l.Add(c.Pos, "--raw, --outline and --filter exclude each other", "")
	}
	if c.Has("--require-md") && len(c.Operands) == 0 && !c.Has("--llms") {
		l.Add(c.Pos, "--require-md needs a URL", "the page in the tab is always HTML")
	}
	if text, p, ok := c.static("--filter"); ok && strings.TrimSpace(text) == "" {
		l.Add(p, "--filter is empty", "")
	}
}

func react() []*Command {
	const sees = ReadsOnly | Repeatable | Page
	const hook = "the hook is there in suites with react rows, without a flag"
	return []*Command{
		{
			Words: words("react tree"),
			Data:  []DataKey{{"nodes", "list", "id, name, key, type, parent and source of each component"}, {"tree", "string", "the same, indented"}},
			Value: "nodes", Traits: sees, Trips: 1,
			Doc: "Reads the components that React has on the page.", Example: []string{"react", "tree"},
			Differs: hook + "; a component keeps its id; tree and nodes are both there",
		},
		{
			Words: words("react inspect"), Operands: []Operand{{Name: "id", Kind: Number, Doc: "of a component of react tree"}},
			Data: []DataKey{{"id", "int", "as given"}, {"name", "string", "of the component"}, {"key", "any", "or nil"}, {"type", "string", "function, class, memo …"},
				{"props", "map", "its props, functions and elements in words"}, {"state", "any", "of a class; the values of the hooks of a function; or nil"},
				{"owner", "any", "the component that made it, or nil"}, {"source", "any", "file, line and column where it was made, or nil"},
				{"text", "string", "all of it to read"}},
			Value: "props", Traits: sees, Trips: 1,
			Doc: "Reads props, state and source of a component.", Example: []string{"react", "inspect", "3"},
			Differs: hook + "; source is known of development builds",
		},
		{
			Words: words("react renders start"), Data: []DataKey{{"recording", "bool", "always true"}, {"identifier", "int", "of the recording"}}, Value: "identifier",
			Traits: Mutates | Repeatable | Page, Trips: 1,
			Doc: "Begins to count renders; one that runs begins anew.", Example: []string{"react", "renders", "start"}, Differs: hook,
		},
		{
			Words: words("react renders stop"),
			Data: []DataKey{{"report", "list", "name, renders, mounts and ms of each component, the most rendered first"},
				{"commits", "int", "how often React changed the page"}},
			Value: "report", Traits: Mutates | Page, Trips: 1,
			Doc: "Ends the count of renders and reads it.", Example: []string{"react", "renders", "stop"},
			Differs: hook + "; ms is measured by development and profiling builds, else 0",
		},
		{
			Words: words("react suspense"),
			Data: []DataKey{{"boundaries", "list", "id, name, status (resolved, suspended) and owner of each"},
				{"suspended", "int", "how many show their fallback"}},
			Value: "suspended", Traits: sees, Trips: 1,
			Doc: "Reads the Suspense boundaries.", Example: []string{"react", "suspense"}, Differs: hook,
		},
	}
}

func webmcp() []*Command {
	answer := []DataKey{{"invocationId", "string", "for webmcp result and cancel"}, {"status", "string", "completed or pending"},
		{"output", "any", "what the tool gave, or nil"}}
	const some = "needs a browser that has WebMCP; with an unknown tool the row fails"
	id := []Operand{{Name: "id", Kind: Text, Doc: "the invocationId that webmcp invoke gave"}}
	return []*Command{
		{
			Words: words("webmcp list"), Data: []DataKey{{"tools", "list", "name, description, inputSchema and annotations of each"}}, Value: "tools",
			Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Lists the tools that the page offers to agents.", Example: []string{"webmcp", "list"}, Differs: some,
		},
		{
			Words:    words("webmcp invoke"),
			Operands: []Operand{{Name: "tool", Kind: Text, Doc: "its name"}, {Name: "input", Kind: Text, Optional: true, Doc: `a JSON object (default {})`}},
			Flags:    []Flag{{Name: "--no-wait", Bool: true, Doc: "leaves the answer to webmcp result"}},
			Data:     answer, Value: "output", Traits: Mutates | Navigates | Latches | Waits | Page, Trips: 1,
			Doc: "Calls a tool of the page and waits for its answer.", Example: []string{"webmcp", "invoke", "add_to_cart", `{"id": 7}`}, Differs: some,
			Check: checkInput,
		},
		{
			Words: words("webmcp result"), Operands: id, Data: answer, Value: "output", Traits: Latches | Waits | Repeatable | Page, Trips: 0,
			Doc: "Waits for the answer of a call that runs.", Example: []string{"webmcp", "result", "1"}, Differs: some,
		},
		{
			Words: words("webmcp cancel"), Operands: id, Data: []DataKey{{"canceled", "bool", "always true"}}, Value: "canceled",
			Traits: Mutates | Latches | Page, Trips: 1,
			Doc: "Cancels a call that runs.", Example: []string{"webmcp", "cancel", "1"}, Differs: some,
		},
	}
}

func checkInput(c *Call, l *diag.List) {
	text, p, ok := c.staticOperand(1)
	if !ok {
		return
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil || m == nil {
		l.Add(p, "the input of a tool is a JSON object, not "+strconv.Quote(text), `{"id": 7}`)
	}
}
