package argv

import (
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

// reload is what navigation rows share: they replace the document, so refs die and a dialog is in the way.
const reload = Mutates | Navigates | DropsRefs | Latches | Page

func navigation() []*Command {
	at := []DataKey{{"url", "string", "where the page is now"}}
	opened := []DataKey{{"url", "string", "where the page is after redirects"}, {"title", "string", "of the page"},
		{"status", "int", "HTTP status of the document; 0 where there is none"}}
	return []*Command{
		{
			Words: words("open"), Aliases: aliases("goto", "navigate"),
			Operands: []Operand{{Name: "url", Kind: URL, Doc: "a URL, or a path that resolves against base_url"}},
			Flags: []Flag{
				{Name: "--status", Kind: Number, Doc: "the HTTP status that is expected; without it 400 and more fail"},
				{Name: "--wait-until", Kind: Enum, Values: []string{"load", "domcontentloaded", "networkidle", "commit"},
					Doc: "how far the document must be loaded (default load)"},
			},
			Data: opened, Value: "url", Traits: reload | Repeatable, Trips: 2,
			Doc:     "Loads a page and waits for it.",
			Example: []string{"open", "/shop"},
			Differs: "reports the status and fails on 400 and more unless --status expects it; a bare word is an error",
			Check:   checkStatus,
		},
		{
			Words: words("back"), Data: at, Value: "url", Traits: reload, Trips: 1,
			Doc: "Goes one step back in the history.", Example: []string{"back"},
		},
		{
			Words: words("forward"), Data: at, Value: "url", Traits: reload, Trips: 1,
			Doc: "Goes one step forward in the history.", Example: []string{"forward"},
		},
		{
			Words: words("reload"), Data: at, Value: "url", Traits: reload | Repeatable, Trips: 1,
			Doc: "Loads the page again.", Example: []string{"reload"},
		},
		{
			Words: words("pushstate"), Operands: []Operand{{Name: "url", Kind: URL, Doc: "of the page's own site"}}, Data: at, Value: "url",
			Traits: Mutates | Navigates | Latches | Repeatable | Page, Trips: 1,
			Doc: "Goes to a URL without loading it, as the page's own router does.", Example: []string{"pushstate", "/cart"},
		},
	}
}

func checkStatus(c *Call, l *diag.List) {
	text, p, ok := c.static("--status")
	if !ok {
		return
	}
	if n, err := strconv.Atoi(text); err == nil && (n < 100 || n > 599) {
		l.Add(p, "--status expects an HTTP status, not "+strconv.Quote(text), "100 to 599")
	}
}
