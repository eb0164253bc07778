// Package conformance holds the engine against what the reference CLI answered: the pages that it was asked about, as a
// server, and in its tests 1325 rows with their answers. Each difference that is decided has a name, a reason and the
// paragraph that decides it; any other difference fails the test.
package conformance

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

//go:embed pages/*.html
var pages embed.FS

// logo is a picture of one pixel.
const logo = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDAT" +
	"x\xdacd`\xf8_\x0f\x00\x02\x87\x01\x80\xebG\xba\x92\x00\x00\x00\x00IEND\xaeB`\x82"

// Fixture serves the pages that the reference CLI was asked about. React is the folder that holds react.js and
// react-dom.js of version 18, for the page /react alone; it may be "".
type Fixture struct {
	React string
}

var _ http.Handler = Fixture{}

// ServeHTTP answers one request.
func (f Fixture) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, "/api/"):
		api(w, r)
	case path == "/file.txt":
		w.Header().Set("Content-Disposition", `attachment; filename="server-name.txt"`)
		send(w, 200, "text/plain", "file body\n")
	case path == "/plain.txt":
		send(w, 200, "text/plain", "plain body\n")
	case path == "/logo.png":
		send(w, 200, "image/png", logo)
	case path == "/react.js":
		f.script(w, "react.js")
	case path == "/react-dom.js":
		f.script(w, "react-dom.js")
	case strings.HasPrefix(path, "/delayed/"), strings.HasPrefix(path, "/spa/"):
		page(w, strings.Split(path, "/")[1])
	default:
		special(w, r)
	}
}

// special answers with a status, a header or a delay of its own; everything else is a page.
func special(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; path {
	case "/hang": // never responds
		<-r.Context().Done()
	case "/slowbody":
		if pause(r, 3000) {
			document(w, 200, "Slow", "<h1>Slow page</h1>")
		}
	case "/slowasset":
		document(w, 200, "SlowAsset", `<h1>DCL quick</h1><img src="/api/slow?ms=4000">`)
	case "/redirect":
		w.Header().Set("Location", "/two")
		send(w, 302, "text/plain", "")
	case "/setcookie":
		w.Header().Add("Set-Cookie", "sid=secret123; HttpOnly; Path=/")
		w.Header().Add("Set-Cookie", "theme=dark; Path=/")
		document(w, 200, "SetCookie", "ok")
	case "/err404":
		document(w, 404, "Not Found", "<h1>404</h1>")
	case "/err500":
		document(w, 500, "Server Error", "<h1>500</h1>")
	case "/auth":
		if user, pass, _ := r.BasicAuth(); user != "u" || pass != "p" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			document(w, 401, "401", "no")
			return
		}
		document(w, 200, "Authed", "<h1>Authed</h1>")
	case "/":
		page(w, "index")
	default:
		page(w, strings.TrimPrefix(path, "/"))
	}
}

// api answers the requests that pages make.
func api(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/ok":
		send(w, 200, "application/json", `{"ok":true}`)
	case "/api/fail":
		_, _ = io.Copy(io.Discard, r.Body)
		send(w, 500, "application/json", `{"error":"nope"}`)
	case "/api/slow":
		if pause(r, 2000) {
			send(w, 200, "application/json", `{"slow":true}`)
		}
	case "/api/echo":
		headers := map[string]string{"host": r.Host}
		for name, values := range r.Header {
			headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
		var cookies any
		if c := r.Header.Get("Cookie"); c != "" {
			cookies = c
		}
		text, err := json.Marshal(map[string]any{"headers": headers, "cookies": cookies})
		if err != nil {
			send(w, 500, "text/plain", err.Error())
			return
		}
		send(w, 200, "application/json", string(text))
	default:
		send(w, 404, "text/plain", "not found")
	}
}

// script sends a file of React.
func (f Fixture) script(w http.ResponseWriter, name string) {
	text, err := os.ReadFile(filepath.Join(f.React, name))
	if err != nil || f.React == "" {
		send(w, 404, "text/plain", "not found")
		return
	}
	send(w, 200, "text/javascript", string(text))
}

// page sends one of the pages.
func page(w http.ResponseWriter, name string) {
	text, err := pages.ReadFile("pages/" + name + ".html")
	if err != nil {
		send(w, 404, "text/plain", "not found")
		return
	}
	send(w, 200, "text/html; charset=utf-8", string(text))
}

// document sends a small page.
func document(w http.ResponseWriter, status int, title, body string) {
	send(w, status, "text/html", fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title></head><body>%s</body></html>`,
		html.EscapeString(title), body))
}

func send(w http.ResponseWriter, status int, kind, body string) {
	h := w.Header() // as the reference's server: in pieces, on a connection that is kept
	h.Set("Content-Type", kind)
	h.Set("Connection", "keep-alive")
	h.Set("Keep-Alive", "timeout=5")
	w.WriteHeader(status)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	_, _ = io.WriteString(w, body) // the page may be gone
}

// pause waits the time that the query names; it is false when the page is gone.
func pause(r *http.Request, def int) bool {
	ms, err := strconv.Atoi(r.URL.Query().Get("ms"))
	if err != nil {
		ms = def
	}
	t := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
