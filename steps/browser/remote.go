package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// lookTime is how long a debugging port may take to say what it is of.
const lookTime = 5 * time.Second

// remote tells a session in a browser that somebody else has started.
func remote(o steps.SessionOptions) bool { return o.Connect != "" || o.Attach != "" }

// connect reaches a browser that runs already: that of a Playwright server, or one with a debugging port.
func connect(e *Engine, drv *driver, o steps.SessionOptions) (playwright.Browser, string, error) {
	at := o.Connect + o.Attach
	shown := shownURL(at)
	to, cdp := devtools(at)
	if !cdp {
		b, err := drv.kindOf(brandOf(o)).Connect(to, playwright.BrowserTypeConnectOptions{Timeout: milliseconds(launchTime)})
		return b, "", unreached(shown, err)
	}
	if brandOf(o) != Chromium {
		return nil, "", problem(steps.Validation, "remote", fmt.Sprintf("%s is a debugging port, by which only Chromium can be driven, not %s", shown, o.Browser))
	}
	if err := inspect(to, shown); err != nil {
		return nil, "", err
	}
	b, err := drv.pw.Chromium.ConnectOverCDP(to, playwright.BrowserTypeConnectOverCDPOptions{Timeout: milliseconds(launchTime),
		NoDefaults: playwright.Bool(o.Attach != "")})
	return b, "", unreached(shown, err)
}

// kindOf gives the driver's type of browser for a brand.
func (d *driver) kindOf(brand string) playwright.BrowserType {
	switch brand {
	case Firefox:
		return d.pw.Firefox
	case WebKit:
		return d.pw.WebKit
	}
	return d.pw.Chromium
}

// devtools tells an address of a debugging port from that of a Playwright server, and gives it as the driver takes it. Grids
// have both at any path: cdp+ws:// says which it is.
func devtools(at string) (to string, is bool) {
	if to, is = strings.CutPrefix(at, "cdp+"); is {
		return to, true
	}
	u, err := url.Parse(at)
	if err != nil {
		return at, false
	}
	return at, u.Scheme == "http" || u.Scheme == "https" || strings.HasPrefix(u.Path, "/devtools/") || strings.HasSuffix(u.Path, "/cdp")
}

// shownURL is an address without what may be a credential in it.
func shownURL(at string) string {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" {
		return "the address of the browser"
	}
	out := url.URL{Scheme: u.Scheme, Host: u.Host}
	if is := strings.HasPrefix(u.Path, "/devtools/"); !is && len(u.Path) < 32 {
		out.Path = u.Path
	}
	return strings.TrimSuffix(out.String(), "/")
}

// inspect asks a debugging port what it is of, so that what is none, or of another browser, is told as that. Only addresses by
// HTTP can be asked.
func inspect(to, shown string) error {
	if !strings.HasPrefix(to, "http") {
		return nil
	}
	body, err := askPort(context.Background(), to, shown, "/json/version")
	if err != nil {
		return err
	}
	return known(body, shown)
}

// askPort reads what a debugging port says by HTTP.
func askPort(ctx context.Context, to, shown, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(to, "/")+path, nil)
	if err != nil {
		return nil, problem(steps.Validation, "remote", shown+" is no address of a browser")
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment}}
	resp, err := client.Do(q)
	if err != nil {
		var asked *url.Error
		if errors.As(err, &asked) {
			err = asked.Err
		}
		return nil, problem(steps.Environment, "remote", fmt.Sprintf("no browser answers at %s: %s", shown, firstLine(err)),
			next("start-browser", "start one with --remote-debugging-port=9222 and a profile of its own (--user-data-dir), or check the address"))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		text, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		return nil, problem(steps.Environment, "remote", fmt.Sprintf("what answers at %s is no debugging port of a browser: %d %s", shown, resp.StatusCode, bounded(text)))
	}
	return body, nil
}

// Tab is a tab of a browser with a debugging port.
type Tab struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// Tabs lists the tabs of a browser with a debugging port, by its address by HTTP; it does nothing to them.
func Tabs(ctx context.Context, at string) ([]Tab, error) {
	shown := shownURL(at)
	if u, err := url.Parse(at); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, problem(steps.Validation, "remote", "a debugging port that lists its tabs has an address as http://127.0.0.1:9222")
	}
	if err := inspect(at, shown); err != nil {
		return nil, err
	}
	body, err := askPort(ctx, at, shown, "/json/list")
	if err != nil {
		return nil, err
	}
	var list []struct {
		Tab
		Type string `json:"type"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, problem(steps.Environment, "remote", "what answers at "+shown+" lists no tabs")
	}
	out := []Tab{}
	for _, t := range list {
		if t.Type == "page" {
			out = append(out, t.Tab)
		}
	}
	return out, nil
}

// known judges what a debugging port says of itself: a browser that names itself and speaks the protocol that is spoken here.
func known(body []byte, shown string) error {
	var v struct {
		Browser  string `json:"Browser"`
		Protocol string `json:"Protocol-Version"`
	}
	wrong := func(why string) error {
		return problem(steps.Environment, "remote", fmt.Sprintf("what answers at %s cannot be driven: %s", shown, why))
	}
	if json.Unmarshal(body, &v) != nil || strings.TrimSpace(v.Browser) == "" {
		return wrong("it is no debugging port of a browser, its /json/version names none")
	}
	name, version, _ := strings.Cut(v.Browser, "/")
	if strings.EqualFold(name, Firefox) {
		return wrong("it is " + bounded(v.Browser) + ", and by a debugging port only Chromium can be driven")
	}
	if v.Protocol != "" && !strings.HasPrefix(v.Protocol, "1.") {
		return wrong(fmt.Sprintf("%s %s speaks version %s of the protocol, not 1", bounded(name), bounded(version), bounded(v.Protocol)))
	}
	return nil
}

// unlike is how a Playwright server refuses a driver of another version.
var unlike = regexp.MustCompile(`(?s)server version: v?([0-9.]+).*client version: v?([0-9.]+)`)

// unreached says why a browser could not be reached.
func unreached(shown string, err error) error {
	if err == nil {
		return nil
	}
	if m := unlike.FindStringSubmatch(err.Error()); m != nil {
		return problem(steps.Environment, "remote-version", fmt.Sprintf("the Playwright server at %s is of version %s and the driver here of %s: they must be the same",
			shown, m[1], m[2]), next("same-version", "start the server as: npx playwright@"+m[2]+" run-server"))
	}
	if connectionClosed(err) { // the driver's end, or the far one's: whoever asks looks
		return fmt.Errorf("connecting to the browser at %q: %w", shown, err)
	}
	text := cleanError(err)
	for _, cut := range []string{"connect to server via WebSocket: ", "WebSocket error: ", "browserType.connect: ", "browserType.connectOverCDP: "} {
		if _, rest, is := strings.Cut(text, cut); is {
			text = rest
		}
	}
	if isTimeout(err) {
		text = "it did not answer within " + span(launchTime)
	}
	return problem(steps.Environment, "remote", fmt.Sprintf("the browser at %s cannot be reached: %s", shown, unaddressed(text)))
}

var anyURL = regexp.MustCompile(`(?i)\b(wss?|https?)://[^\s'"]+`)

// unaddressed shortens the addresses in a text as shownURL does.
func unaddressed(text string) string { return anyURL.ReplaceAllStringFunc(text, shownURL) }

// settle prepares a browser that was connected to.
func (c *chrome) settle(o steps.SessionOptions) error {
	c.remote, c.name = true, shownURL(o.Connect+o.Attach)
	if o.Attach == "" {
		return nil
	}
	list := c.b.Contexts()
	if len(list) == 0 {
		_ = c.b.Close()
		return problem(steps.Environment, "remote", "the browser at "+c.name+" shows no profile that a session could work in")
	}
	c.hub = &hub{ctx: list[0], of: map[playwright.Page]*session{}, lent: map[playwright.Page]bool{}}
	hear(c.hub.ctx, func(from func() playwright.Page) *session { return c.hub.owner(from()) })
	return nil
}

// fetched waits for a download and gives its file: from a browser that runs elsewhere it is brought here first.
func (s *session) fetched(d playwright.Download) (string, error) {
	if !s.chr.remote {
		return d.Path()
	}
	s.e.mu.Lock()
	dir, err := s.e.temp()
	s.e.mu.Unlock()
	if err != nil {
		return "", err
	}
	at := filepath.Join(dir, fmt.Sprintf("download-%d", time.Now().UnixNano()))
	return at, d.SaveAs(at)
}
