package spec

import (
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Chromium is the browser that is meant where none is named.
const Chromium = "chromium"

// BrowserNames are the values of browser.name.
var BrowserNames = []string{Chromium, "firefox", "webkit"}

// brandsElsewhere are what people call the browsers.
var brandsElsewhere = map[string]string{"chrome": Chromium, "msedge": Chromium, "edge": Chromium, "safari": "webkit", "gecko": "firefox", "ff": "firefox"}

// wantBrand gives one of BrowserNames, "" if none stands there.
func wantBrand(n Node, l *diag.List) string {
	text := WantText(n, "name", l)
	for _, name := range BrowserNames {
		if name == text {
			return text
		}
	}
	if text == "" && !n.Quoted() { // what is no text was reported
		return ""
	}
	msg, hint := diag.BadValue("name", text, BrowserNames)
	if other := brandsElsewhere[strings.ToLower(text)]; other != "" {
		hint = "write " + other
		if other == Chromium {
			hint += "; browser.executable names a Chrome or Edge"
		}
	}
	n.report(l, msg, hint)
	return ""
}
