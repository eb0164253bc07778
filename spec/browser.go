package spec

import (
	"maps"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

var viewport = regexp.MustCompile(`^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$`)

// wantBrowser decodes `browser:`, or gives its node if ${{ }} stands in it: each test then makes its own of it.
func wantBrowser(n Node, l *diag.List) (Browser, Node) {
	if n.HasText() {
		return Browser{Pos: n.KeyPos()}, n
	}
	return DecodeBrowser(n, l), Node{}
}

// DecodeBrowser decodes a map of browser keys in which no ${{ }} is left.
func DecodeBrowser(n Node, l *diag.List) Browser {
	if n.IsZero() || n.Empty() {
		return Browser{}
	}
	m, ok := n.Map(`"browser"`, BrowserKeys, l)
	if !ok {
		return Browser{}
	}
	b := Browser{
		Pos:        n.KeyPos(),
		Name:       wantBrand(m["name"], l),
		Headless:   wantFlag(m, "headless", l),
		Viewport:   WantText(m["viewport"], "viewport", l),
		Locale:     WantText(m["locale"], "locale", l),
		Timezone:   WantText(m["timezone"], "timezone", l),
		UserAgent:  WantText(m["user_agent"], "user_agent", l),
		Scheme:     WantText(m["color_scheme"], "color_scheme", l),
		Scale:      WantNumber(m["scale"], "scale", l),
		Mobile:     wantFlag(m, "mobile", l),
		Touch:      wantFlag(m, "touch", l),
		Args:       WantTexts(m["args"], "args", l),
		Executable: WantText(m["executable"], "executable", l),
		Strict:     wantFlag(m, "strict", l),
		IgnoreTLS:  wantFlag(m, "ignore_tls", l),
		Storage:    wantBeside(m["storage_state"], "storage_state", l),
		Trace:      wantCapture(m["trace"], "trace", l),
		Video:      wantCapture(m["video"], "video", l),
		Screenshot: wantCapture(m["screenshot"], "screenshot", l),
		Connect:    wantAddress(m["connect"], "connect", l),
		Attach:     wantAttach(m["attach"], l),
		Domains:    wantHosts(m["allowed_domains"], l),
		Schemes:    wantSchemes(m["allowed_schemes"], l),
	}
	if b.Viewport != "" && !viewport.MatchString(b.Viewport) {
		m["viewport"].report(l, diag.WantKind("viewport", "WIDTHxHEIGHT", strconv.Quote(b.Viewport)), "write it as 1280x720")
		b.Viewport = ""
	}
	if b.Scheme != "" && b.Scheme != "light" && b.Scheme != "dark" {
		msg, hint := diag.BadValue("color_scheme", b.Scheme, []string{"light", "dark"})
		m["color_scheme"].report(l, msg, hint)
		b.Scheme = ""
	}
	b.device(m["device"], l)
	if v, ok := m["headers"]; ok {
		b.Headers = map[string]string{}
		for _, e := range v.Entries(`"headers"`, l) {
			b.Headers[e.Name] = WantText(e.Value, "headers."+e.Name, l)
		}
	}
	return b
}

// device takes what a device says where the map says nothing itself. All of it is set, so that a device stands over
// what is further out as a whole.
func (b *Browser) device(n Node, l *diag.List) {
	name := WantText(n, "device", l)
	if name == "" {
		return
	}
	d, ok := FindDevice(name)
	if !ok {
		n.report(l, "there is no device "+strconv.Quote(name), deviceHint(name))
		return
	}
	b.Device = d.Name
	if b.Viewport == "" {
		b.Viewport = d.Viewport
	}
	if b.Scale == 0 {
		b.Scale = d.Scale
	}
	if b.UserAgent == "" {
		b.UserAgent = d.UserAgent
	}
	if b.Mobile == nil {
		b.Mobile = &d.Mobile
	}
	if b.Touch == nil {
		b.Touch = &d.Touch
	}
}

// deviceHint offers the devices that a name may have meant.
func deviceHint(name string) string {
	if near := diag.Nearest(name, DeviceNames()); len(near) > 0 {
		return diag.DidYouMean(near)
	}
	return "phones and tablets such as iPhone 15, Pixel 7, Galaxy S24, iPad Mini, each also as \"… landscape\", and Desktop Chrome"
}

// wantBeside gives the path of a file that resolves against the file that says it.
func wantBeside(n Node, key string, l *diag.List) string {
	path := WantText(n, key, l)
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(n.Pos().File), path)
}

func wantFlag(m map[string]Node, key string, l *diag.List) *bool {
	n, ok := m[key]
	if !ok {
		return nil
	}
	v := WantBool(n, key, l)
	return &v
}

// Over gives b with what it leaves open taken from base: the keys of a test over those of its suite. Headers are merged
// by name, args are replaced as a whole.
func (b Browser) Over(base Browser) Browser {
	out := base
	if !b.Pos.IsZero() {
		out.Pos = b.Pos
	}
	flag := func(to **bool, from *bool) {
		if from != nil {
			*to = from
		}
	}
	text := func(to *string, from string) {
		if from != "" {
			*to = from
		}
	}
	flag(&out.Headless, b.Headless)
	flag(&out.Mobile, b.Mobile)
	flag(&out.Touch, b.Touch)
	flag(&out.Strict, b.Strict)
	flag(&out.IgnoreTLS, b.IgnoreTLS)
	text(&out.Name, b.Name)
	text(&out.Device, b.Device)
	text(&out.Viewport, b.Viewport)
	text(&out.Locale, b.Locale)
	text(&out.Timezone, b.Timezone)
	text(&out.UserAgent, b.UserAgent)
	text(&out.Scheme, b.Scheme)
	text(&out.Executable, b.Executable)
	text(&out.Storage, b.Storage)
	text(&out.Trace, b.Trace)
	text(&out.Video, b.Video)
	text(&out.Screenshot, b.Screenshot)
	if b.Connect != "" || b.Attach != nil {
		out.Connect, out.Attach = b.Connect, b.Attach
	}
	if b.Domains != nil {
		out.Domains = b.Domains
	}
	if b.Schemes != nil {
		out.Schemes = b.Schemes
	}
	if b.Scale != 0 {
		out.Scale = b.Scale
	}
	if b.Args != nil {
		out.Args = b.Args
	}
	if b.Headers != nil {
		out.Headers = maps.Clone(base.Headers)
		if out.Headers == nil {
			out.Headers = map[string]string{}
		}
		maps.Copy(out.Headers, b.Headers)
	}
	return out
}
