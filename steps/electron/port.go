package electron

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// portFile is what the app writes into its profile once it serves the debugging port.
	portFile = "DevToolsActivePort"
	// askTime bounds one question to the port.
	askTime = time.Second
	// maxAnswer bounds one answer of it.
	maxAnswer = 1 << 20
)

// readPort gives the port that the app says it serves; the error says what is wrong with the file.
func readPort(profile string) (int, error) {
	text, err := os.ReadFile(filepath.Join(profile, portFile))
	if errors.Is(err, os.ErrNotExist) {
		return 0, errors.New("absent")
	}
	if err != nil {
		return 0, errors.New("unreadable")
	}
	line, _, _ := strings.Cut(string(text), "\n")
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || n < 1 || n > 65535 {
		return 0, errors.New("not written yet")
	}
	return n, nil
}

func address(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// window is a target that the port lists.
type window struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// client asks our own child: no proxy stands between, and no connection is left open.
var client = &http.Client{
	Timeout: askTime,
	Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil,
		DialContext: (&net.Dialer{Timeout: askTime}).DialContext},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// query reads what the port says at a path.
func query(ctx context.Context, port int, path string, into any) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address(port)+path, nil)
	if err != nil {
		return fmt.Errorf("asking the debugging port %q: %w", path, err)
	}
	resp, err := client.Do(q)
	if err != nil {
		return fmt.Errorf("asking the debugging port %q: %w", path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the debugging port answers %d to %s", resp.StatusCode, path)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("reading what the debugging port says to %q: %w", path, err)
	}
	return nil
}

// version is what a debugging port says of itself.
type version struct {
	Browser  string // "browser" too: JSON names fold
	Debugger string `json:"webSocketDebuggerUrl"`
}

// serves tells that a debugging port is one, by the browser that it names: whatever else it says is not asked for (R164).
// That an app is ready, that it lives, and that its port is closed behind its end are told alike.
func serves(ctx context.Context, port int) (v version, err error) {
	if err := query(ctx, port, "/json/version", &v); err != nil {
		return version{}, err
	}
	if v.Browser = strings.TrimSpace(v.Browser); v.Browser == "" {
		return version{}, errors.New("/json/version names no browser")
	}
	return v, nil
}

// windows lists what the app shows.
func windows(ctx context.Context, port int) ([]window, error) {
	var all []window
	if err := query(ctx, port, "/json/list", &all); err != nil {
		return nil, err
	}
	return all, nil
}

// pick gives the first window of a type that a session can begin in, of any type a page if there is one; nil if there is
// none yet.
func pick(all []window, kind string) *window {
	if kind == anyTarget {
		if w := pick(all, pageTarget); w != nil {
			return w
		}
		kind = viewTarget
	}
	for i, w := range all {
		if w.Type == kind && !strings.HasPrefix(w.URL, "devtools:") {
			return &all[i]
		}
	}
	return nil
}

// shows says what an app without a target of a type does not show.
func shows(kind string) string {
	if kind == viewTarget {
		return "it shows no webview"
	}
	return "it shows no window"
}
