package argv

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
