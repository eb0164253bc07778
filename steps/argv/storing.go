package argv

import (
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// storing are the rows about what the browser keeps for the page: cookies and storage.
func storing() []*Command {
	return append(cookies(), append(storage("local"), storage("session")...)...)
}

func cookies() []*Command {
	return []*Command{
		{
			Words: words("cookies get"), Aliases: aliases("cookies"),
			Data:  []DataKey{{"cookies", "list", "name, value, domain, path, expires, size, httpOnly, secure, session, sameSite of each"}},
			Value: "cookies", Traits: ReadsOnly | Repeatable, Trips: 1,
			Doc: "Reads the cookies that the page's URL gets.", Example: []string{"cookies", "get"},
		},
		{
			Words: words("cookies set"),
			Operands: []Operand{{Name: "name", Kind: Text, Optional: true, Doc: "of the cookie; left out with --curl"},
				{Name: "value", Kind: Text, Optional: true, Doc: "of the cookie"}},
			Flags: []Flag{
				{Name: "--url", Kind: URL, Doc: "whose cookie it is (default the page's)"},
				{Name: "--domain", Kind: Text, Doc: "whose cookie it is, instead of --url"},
				{Name: "--path", Kind: Text, Doc: "default /"},
				{Name: "--http-only", Bool: true, Doc: "scripts cannot read it"},
				{Name: "--secure", Bool: true, Doc: "only over https"},
				{Name: "--same-site", Kind: Enum, Values: []string{"Strict", "Lax", "None"}, Doc: "which sites may send it"},
				{Name: "--expires", Kind: Number, Doc: "seconds since 1970; without it it ends with the session"},
				{Name: "--curl", Kind: InFile, Doc: "a file with a curl command, a Cookie header, a=1; b=2 or a cookie jar"}},
			Data: []DataKey{{"set", "bool", "always true"}, {"count", "int", "number of cookies"}}, Value: "set",
			Traits: Mutates | Repeatable, Trips: 1,
			Doc: "Sets a cookie, or those of a file.", Example: []string{"cookies", "set", "theme", "dark"},
			Differs: "the value is masked in reports",
			Check:   checkCookie,
		},
		{
			Words: words("cookies clear"), Data: []DataKey{{"cleared", "bool", "always true"}}, Value: "cleared",
			Traits: Mutates | Repeatable, Trips: 1,
			Doc: "Deletes all cookies of the session.", Example: []string{"cookies", "clear"},
		},
	}
}

func checkCookie(c *Call, l *diag.List) {
	n := len(c.Operands)
	if c.Has("--curl") {
		if n > 0 {
			l.Add(c.Cells[c.Operands[0]].Pos, "a cookie and --curl exclude each other", "")
		}
		for _, f := range []string{"--path", "--http-only", "--secure", "--same-site", "--expires"} {
			if c.Has(f) {
				l.Add(c.Pos, f+" and --curl exclude each other", "--url or --domain says whose the cookies are")
			}
		}
	} else if n < 2 {
		l.Add(c.Pos, "cookies set needs a NAME and a VALUE", "usage: "+Usage(c.Command))
	}
	if c.Has("--url") && c.Has("--domain") {
		l.Add(c.Pos, "--url and --domain exclude each other", "")
	}
	if text, p, ok := c.staticOperand(0); ok && (text == "" || strings.ContainsAny(text, "=;, \t\r\n")) {
		l.Add(p, strconv.Quote(text)+" is no name of a cookie", "")
	}
	if text, p, ok := c.static("--path"); ok && !strings.HasPrefix(text, "/") {
		l.Add(p, "--path expects a path, not "+strconv.Quote(text), "it starts with /")
	}
	if text, p, ok := c.static("--domain"); ok && (text == "" || strings.ContainsAny(text, "/:@ ")) {
		l.Add(p, "--domain expects a host, not "+strconv.Quote(text), "example.test, or .example.test for its subdomains too")
	}
}

func storage(kind string) []*Command {
	name := "storage " + kind
	doc := kind + "Storage"
	key := Operand{Name: "key", Kind: Text, Doc: "of the entry"}
	one := key
	one.Optional, one.Doc = true, "of the entry; default all"
	return []*Command{
		{
			Words: words(name + " get"), Aliases: aliases(name), Operands: []Operand{one},
			Data: []DataKey{{"data", "map", "without a key: all entries"}, {"key", "string", "with a key: as given"},
				{"value", "any", "with a key: its text, or nil"}},
			Traits: ReadsOnly | Repeatable | Page, Trips: 1,
			Doc: "Reads the page's " + doc + ".", Example: append(words(name+" get"), "cart"),
			Differs: "follows the selected frame",
		},
		{
			Words: words(name + " set"), Operands: []Operand{key, {Name: "value", Kind: Text, Doc: "one cell"}},
			Data: []DataKey{{"set", "bool", "always true"}}, Value: "set", Traits: Mutates | Repeatable | Page, Trips: 1,
			Doc: "Sets an entry of the page's " + doc + ".", Example: append(words(name+" set"), "cart", "[]"),
			Differs: "the value is masked in reports",
		},
		{
			Words: words(name + " clear"), Data: []DataKey{{"cleared", "bool", "always true"}}, Value: "cleared",
			Traits: Mutates | Repeatable | Page, Trips: 1,
			Doc: "Empties the page's " + doc + ".", Example: words(name + " clear"),
		},
	}
}

// settings are the rows that change what browser the page sees.
func settings() []*Command {
	const sets = Mutates | Repeatable
	set := []DataKey{{"set", "bool", "always true"}}
	screen := []DataKey{{"width", "int", "CSS pixels"}, {"height", "int", "CSS pixels"},
		{"deviceScaleFactor", "float", "device pixels per CSS pixel"}, {"mobile", "bool", "whether it is a phone or tablet"}}
	return []*Command{
		{
			Words: words("set viewport"),
			Operands: []Operand{{Name: "width", Kind: Number, Doc: "CSS pixels"}, {Name: "height", Kind: Number, Doc: "CSS pixels"},
				{Name: "scale", Kind: Decimal, Optional: true, Doc: "device pixels per CSS pixel"}},
			Data: screen, Traits: sets | Page, Trips: 1,
			Doc: "Sets the size of the viewport of this tab and of later ones.", Example: []string{"set", "viewport", "800", "600"}, Check: checkSize,
		},
		{
			Words: words("set device"), Operands: []Operand{{Name: "name", Kind: Text, Doc: "iPhone 15, Pixel 9 …, as device in browser"}},
			Data: append([]DataKey{{"device", "string", "as given"}}, screen...), Value: "device", Traits: sets | Page, Trips: 4,
			Doc: "Makes this tab and later ones look like a device: viewport, scale, touch, user agent.", Example: []string{"set", "device", "iPhone 15"},
			Differs: "knows the devices of device in browser; the page sees all of it from its next load on",
		},
		{
			Words: words("set geo"), Aliases: aliases("set geolocation"),
			Operands: []Operand{{Name: "latitude", Kind: Decimal, Doc: "-90 to 90"}, {Name: "longitude", Kind: Decimal, Doc: "-180 to 180"}},
			Data:     []DataKey{{"latitude", "float", "as given"}, {"longitude", "float", "as given"}}, Traits: sets, Trips: 2,
			Doc: "Sets where the browser is, and lets pages ask for it.", Example: []string{"set", "geo", "59.95", "30.31"}, Check: checkGeo,
		},
		{
			Words: words("set offline"), Operands: []Operand{{Name: "state", Kind: Enum, Values: []string{"on", "off"}, Optional: true, Doc: "default on"}},
			Data: []DataKey{{"offline", "bool", "whether it is offline now"}}, Value: "offline", Traits: sets, Trips: 1,
			Doc: "Cuts the session off from the network, or connects it again.", Example: []string{"set", "offline", "on"},
		},
		{
			Words: words("set headers"), Operands: []Operand{{Name: "json", Kind: Text, Doc: `a JSON object: {"X-Test": "1"}`}},
			Data: set, Value: "set", Traits: sets, Trips: 1,
			Doc: "Sets headers that every request of the session carries, instead of those set before.", Example: []string{"set", "headers", `{"X-Test": "1"}`},
			Differs: "the headers are masked in reports",
			Check: func(c *Call, l *diag.List) {
				if text, p, ok := c.staticOperand(0); ok {
					checkHeaders(text, "set headers", p, l)
				}
			},
		},
		{
			Words: words("set credentials"), Aliases: aliases("set auth"),
			Operands: []Operand{{Name: "user", Kind: Text, Doc: "one cell"}, {Name: "password", Kind: Text, Doc: "one cell"}},
			Data:     set, Value: "set", Traits: sets, Trips: 1,
			Doc: "Answers the HTTP authentication of this tab and of later ones.", Example: []string{"set", "credentials", "ada", "${{ secrets.PASSWORD }}"},
			Differs: "the password is masked in reports",
		},
		{
			Words: words("set media"), Operands: []Operand{{Name: "feature", Kind: Enum, Variadic: true,
				Values: []string{"dark", "light", "no-preference", "reduced-motion"}, Doc: "one or more"}},
			Data: set, Value: "set", Traits: sets | Page, Trips: 1,
			Doc: "Sets the colour scheme and reduced motion of this tab and of later ones.", Example: []string{"set", "media", "dark", "reduced-motion"},
			Differs: "also no-preference, for motion",
			Check:   checkMedia,
		},
	}
}

func checkSize(c *Call, l *diag.List) {
	for i := range 2 {
		if text, p, ok := c.staticOperand(i); ok {
			if n, err := strconv.Atoi(text); err == nil && (n < 1 || n > 20000) {
				l.Add(p, "set viewport takes 1 to 20000 pixels, not "+text, "")
			}
		}
	}
	if text, p, ok := c.staticOperand(2); ok {
		if f, err := strconv.ParseFloat(text, 64); err == nil && (f <= 0 || f > 10) {
			l.Add(p, "set viewport takes a scale of up to 10, not "+text, "")
		}
	}
}

func checkGeo(c *Call, l *diag.List) {
	for i, limit := range []float64{90, 180} {
		if text, p, ok := c.staticOperand(i); ok {
			if f, err := strconv.ParseFloat(text, 64); err == nil && (f < -limit || f > limit) {
				l.Add(p, text+" is no "+c.Command.Operands[i].Name, "it is between "+strconv.Itoa(int(-limit))+" and "+strconv.Itoa(int(limit)))
			}
		}
	}
}

func checkMedia(c *Call, l *diag.List) {
	sorts := map[string]string{"dark": "colour scheme", "light": "colour scheme", "no-preference": "motion", "reduced-motion": "motion"}
	seen := map[string]string{}
	for i := range c.Operands {
		text, p, ok := c.staticOperand(i)
		sort := sorts[text]
		if !ok || sort == "" {
			continue
		}
		if was := seen[sort]; was != "" {
			l.Add(p, was+" and "+text+" exclude each other", "")
		}
		seen[sort] = text
	}
}
