package argv

// readBack are the commands that change the page and look at what they have changed before they say that they did, or
// whose change is the browser's own, which says so.
var readBack = map[string]bool{"fill": true, "check": true, "uncheck": true, "select": true, "upload": true, "scroll": true,
	"scrollintoview": true, "focus": true, "pushstate": true, "open": true, "reload": true, "back": true, "forward": true,
	"tab": true, "tab new": true, "tab close": true, "window new": true, "dialog accept": true, "dialog dismiss": true,
	"state load": true, "cookies set": true, "cookies clear": true, "network route": true, "network unroute": true,
	"set viewport": true, "set device": true, "set geo": true, "set offline": true, "set headers": true, "set credentials": true,
	"set media": true, "storage local set": true, "storage local clear": true, "storage session set": true,
	"storage session clear": true, "react renders start": true, "react renders stop": true, "webmcp invoke": true, "webmcp cancel": true,
	"download": true, "eval": true} // a script says itself what it has done

// Mutation tells whether a row changes the page, and whether it reads back that it did. A click does not: that something
// was pressed says nothing of what the application made of it.
func (a Args) Mutation() (mutates, verified bool) {
	name := a.Command.Name()
	if a.Command.Words[0] == "find" {
		name = a.Operand(verbIndex(a.Command))
		return name != verbText, readBack[name]
	}
	return a.Command.Traits.Has(Mutates), readBack[name] || a.Has("--new-tab")
}

// Unverified tells that a row changes the page and nothing of it is read back.
func (c *Call) Unverified() bool {
	if c.Is("find") {
		return c.Mutates() && c.verb() != verbFill && c.verb() != verbCheck
	}
	return c.Command.Traits.Has(Mutates) && !readBack[c.Command.Name()] && !c.Has("--new-tab")
}
