package argv

import "strconv"

// chromium are the commands that only Chromium's own protocol can execute. Firefox and WebKit refuse them when the suite is
// compiled.
var chromium = map[string]bool{
	"clipboard read": true, "clipboard write": true, "pdf": true, "profiler start": true, "profiler stop": true,
	"set credentials": true, "set device": true, "swipe": true,
	"webmcp list": true, "webmcp invoke": true, "webmcp result": true, "webmcp cancel": true,
}

// marked gives the commands that need Chromium their trait.
func marked(all []*Command) []*Command {
	for _, c := range all {
		if chromium[c.Name()] {
			c.Traits |= Chromium
		}
	}
	return all
}

// ChromiumOnly says what of the row only Chromium can do, or "".
func (c *Call) ChromiumOnly() string {
	name := c.Command.Name()
	switch {
	case c.Command.Traits.Has(Chromium):
		return name
	case name == "set viewport" && len(c.Operands) > 2:
		return name + " with a scale"
	}
	return ""
}

// shared are rows that reach beyond the session's own tabs, into everything that a browser shows.
var shared = map[string]string{
	"set": "sets up every tab", "state": "reads or replaces what the whole profile holds", "trace": "records every tab", "profiler": "records the whole browser",
	"react": "puts a script into every tab", "download": "needs a folder for downloads of its own", "cookies clear": "takes the cookies of the whole profile away",
	"network route": "answers the requests of every tab", "network unroute": "answers the requests of every tab",
	"network har start": "records every tab", "network har stop": "records every tab",
}

// WholeBrowser says what a row does to more than the tabs of its session, or "": where a session is attached to a browser
// that somebody uses, it is refused.
func (c *Command) WholeBrowser() string {
	for _, name := range []string{c.Words[0], c.Name()} {
		if what := shared[name]; what != "" {
			return strconv.Quote(c.Name()) + " " + what
		}
	}
	return ""
}
