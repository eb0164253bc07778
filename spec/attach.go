package spec

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// Attach says which browser a session works in that somebody uses (R187).
type Attach struct {
	CDP   string // of its debugging port
	Adopt string // part of the URL of the one tab that it takes over; "": it opens its own
}

// AttachKeys are the keys of browser.attach.
var AttachKeys = []Key{
	{Name: "cdp", Type: "address", Required: true, Doc: "Its debugging port: http://127.0.0.1:9222, or ws://… of it.", Aka: []string{"url", "endpoint", "address"}},
	{Name: "adopt", Type: "text", Doc: "Works in the one tab whose URL has this text, and leaves it open; without it in a tab of its own.",
		Aka: []string{"tab", "page", "adopturlsubstring"}},
}

// attachedIsAsItIs are keys that set up what exists already where a session is attached.
var attachedIsAsItIs = strings.Fields("connect headless device viewport locale timezone user_agent color_scheme scale mobile touch args executable headers " +
	"ignore_tls trace storage_state allowed_domains")

// AddressPattern is what the address of a browser looks like to an editor.
const AddressPattern = `^(https?|(cdp\+)?wss?)://[^/?#\s]`

// addressSchemes are those of AddressPattern.
var addressSchemes = strings.Fields("http https ws wss cdp+ws cdp+wss")

// wantAddress gives the address of a browser.
func wantAddress(n Node, key string, l *diag.List) string {
	text := WantText(n, key, l)
	if text == "" && !n.Quoted() {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || !slices.Contains(addressSchemes, u.Scheme) || strings.ContainsAny(text, " \t") {
		n.report(l, strconv.Quote(key)+" must be the address of a browser, got "+strconv.Quote(text), "as http://127.0.0.1:9222 or ws://grid.test:3000/")
		return ""
	}
	return text
}

// wantAttach decodes browser.attach.
func wantAttach(n Node, l *diag.List) *Attach {
	if n.IsZero() {
		return nil
	}
	m, ok := n.Map(`"attach"`, AttachKeys, l)
	if !ok {
		return nil
	}
	a := &Attach{CDP: wantAddress(m["cdp"], "cdp", l), Adopt: WantText(m["adopt"], "adopt", l)}
	if v, ok := m["adopt"]; ok && a.Adopt == "" && v.Quoted() {
		v.report(l, `"adopt" is empty: it would be part of every URL`, "leave it out for a tab of its own")
	}
	return a
}

// Settings names what of b cannot be set in a browser that is attached to; it is "" if there is nothing.
func (b Browser) Settings() string {
	for _, x := range []struct {
		key string
		set bool
	}{
		{"headless", b.Headless != nil}, {"device", b.Device != ""}, {"viewport", b.Viewport != ""}, {"locale", b.Locale != ""}, {"timezone", b.Timezone != ""},
		{"user_agent", b.UserAgent != ""}, {"color_scheme", b.Scheme != ""}, {"scale", b.Scale != 0}, {"mobile", b.Mobile != nil}, {"touch", b.Touch != nil},
		{"args", b.Args != nil}, {"executable", b.Executable != ""}, {"headers", b.Headers != nil}, {"ignore_tls", b.IgnoreTLS != nil},
		{"trace", b.Trace != ""}, {"storage_state", b.Storage != ""},
	} {
		if x.set {
			return x.key
		}
	}
	return ""
}
