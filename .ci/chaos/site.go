package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// site is the page under test. It counts what tests do to it: the proof of what ran, which no journal can colour.
type site struct {
	url    string
	server *http.Server

	mu   sync.Mutex
	hits map[string]int
}

func serve() (*site, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{url: "http://" + ln.Addr().String(), hits: map[string]int{}}
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>chaos</title><link rel=icon href=data:,>"+body)
		})
	}
	page("/form", `<h1>Form</h1><form method=post action=/done><input id=name name=name><button id=go>Go</button></form>`)
	page("/slow", `<h1>Slow</h1><p id=late></p><script>fetch('/hit?name=slow'); setTimeout(() => late.textContent = 'there', 1500)</script>`)
	page("/burst", `<h1>Burst</h1><p id=state></p><script>const line = 'x'.repeat(10000);
		for (let i = 0; i < 1000; i++) console.log(i + line); state.textContent = 'done'</script>`)
	page("/requests", `<h1>Requests</h1><button id=go>Go</button><p id=state></p><script>go.onclick = async () => {
		for (let i = 0; i < 30; i++) await Promise.all(Array.from({length: 50}, (_, n) => fetch('/ping?n=' + (i * 50 + n))));
		state.textContent = 'done' }</script>`)
	page("/big", "<h1>Big</h1><ul>"+strings.Repeat("<li><a href=#>entry</a></li>", 1000)+"</ul>")
	mux.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		s.hit("sign-in")
		http.SetCookie(w, &http.Cookie{Name: "who", Value: "ada", Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>in</title><link rel=icon href=data:,><h1>In</h1><script>localStorage.setItem('seat', '7')</script>")
	})
	mux.HandleFunc("/whoami", func(w http.ResponseWriter, r *http.Request) {
		who := "nobody"
		if c, err := r.Cookie("who"); err == nil {
			who = c.Value
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>who</title><link rel=icon href=data:,><h1>%s</h1><p id=seat></p>"+
			"<script>seat.textContent = localStorage.getItem('seat')</script>", who)
	})
	mux.HandleFunc("/ping", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/hit", func(_ http.ResponseWriter, r *http.Request) { s.hit(r.FormValue("name")) })
	mux.HandleFunc("/done", func(w http.ResponseWriter, r *http.Request) {
		s.hit(r.FormValue("name"))
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>done</title><link rel=icon href=data:,><h1>Done</h1>")
	})
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(ln) }() // until close
	return s, nil
}

func (s *site) close() { _ = s.server.Close() }

func (s *site) hit(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits[name]++
}

// count tells how often a test came to its end, as the site saw it.
func (s *site) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[name]
}
