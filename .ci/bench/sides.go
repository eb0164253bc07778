package main

import (
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed site.html
var site []byte

// serve answers every path with the page under test.
func (b *bench) serve() (stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b.url = "http://" + listener.Addr().String()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(site)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	return func() { _ = server.Close(); <-done }, nil
}

// workloads is the table, in the order it is printed.
func workloads() []workload {
	seconds := func(name string, goal float64, suite, spec string, workers int) workload {
		return workload{name: name, goal: goal, unit: "s",
			ours: func(b *bench) (float64, error) { return b.wall(b.ours(suite, workers)...) },
			peer: func(b *bench) (float64, error) { return b.wall(b.peer(spec, workers)...) }}
	}
	memory := func(name string, goal float64, workers int) workload {
		return workload{name: name, goal: goal, unit: "MB", runs: 2,
			ours: func(b *bench) (float64, error) { return b.memory(b.ours("form-css", workers)...) },
			peer: func(b *bench) (float64, error) { return b.memory(b.peer("form-css", workers)...) }}
	}
	return []workload{
		{name: "a warm click", goal: 0.25, unit: "ms",
			ours: func(b *bench) (float64, error) {
				return b.perClick(b.ours("clicks", 1), b.ours("page", 1))
			},
			peer: func(b *bench) (float64, error) {
				return b.perClick(b.peer("clicks", 1), b.peer("page", 1))
			}},
		seconds("100 x (click, get text)", 0.3, "read", "read", 1),
		seconds("one trivial page test, cold", 0.6, "page", "page", 1),
		seconds("60 form tests, CSS, 1 worker", 0.55, "form-css", "form-css", 1),
		seconds("60 form tests, CSS, 2 workers", 0.6, "form-css", "form-css", 2),
		seconds("60 form tests, label/role, 1 worker", 0.55, "form-role", "form-role", 1),
		seconds("60 form tests, label/role, 2 workers", 0.6, "form-role", "form-role", 2),
		{name: "60 form tests: share of the evidence", unit: "%", goal: 3,
			ours: func(b *bench) (float64, error) { return b.evidence(b.ours("form-css", 1)) }},
		memory("peak memory (PSS), 60 forms, 1 worker", 0.75, 1),
		memory("peak memory (PSS), 60 forms, 2 workers", 0.6, 2),
		{name: "500 suites x 5 exec [true], 2 workers", goal: 0.9, unit: "s",
			ours: func(b *bench) (float64, error) {
				return b.wall(b.checkrow, "run", "--workers", "2", "--output", b.out(), filepath.Join(b.dir, "execs"))
			},
			peer: func(b *bench) (float64, error) {
				return b.wall("bash", "-c", "for ((i = 0; i < 2500; i++)); do /bin/true; done")
			}},
		{name: "the same: peak memory (PSS)", unit: "MB", runs: 1, ours: func(b *bench) (float64, error) {
			return b.memory(b.checkrow, "run", "--workers", "2", "--output", b.out(), filepath.Join(b.dir, "execs"))
		}},
		{name: "check of 1,000 files of 20 rows", unit: "s", ours: func(b *bench) (float64, error) {
			return b.wall(b.checkrow, "check", filepath.Join(b.dir, "many"))
		}},
		{name: "checkrow version", unit: "ms", runs: 20, ours: func(b *bench) (float64, error) {
			return b.wall(b.checkrow, "version")
		}},
		{name: "checkrow version: peak memory (RSS)", unit: "MB", runs: 5, ours: func(b *bench) (float64, error) {
			return b.maxRSS(b.checkrow, "version")
		}},
	}
}

// clicks is how many clicks the "a warm click" workload makes in one test.
const clicks = 200

// perClick is the time of one click: a test with many less a test with none.
func (b *bench) perClick(many, none []string) (float64, error) {
	m, err := b.wall(many...)
	if err != nil {
		return 0, err
	}
	n, err := b.wall(none...)
	if err != nil {
		return 0, err
	}
	return (m - n) / clicks, nil
}

func (b *bench) out() string {
	dir, err := os.MkdirTemp(b.dir, "run-")
	if err != nil {
		return filepath.Join(b.dir, "run")
	}
	return dir
}

// ours is the command line for one of our suites.
func (b *bench) ours(suite string, workers int) []string {
	return []string{b.checkrow, "run", "--workers", fmt.Sprint(workers), "--output", b.out(),
		filepath.Join(b.dir, "suites", suite+".yaml")}
}

// peer is the command line for the same work in Playwright Test.
func (b *bench) peer(spec string, workers int) []string {
	return []string{"node", filepath.Join(b.peerDir, "node_modules/@playwright/test/cli.js"), "test",
		"--config", filepath.Join(b.peerDir, "playwright.config.ts"), "--workers", fmt.Sprint(workers), spec + `\.spec\.ts`}
}

// write puts our suites in place.
func (b *bench) write() error {
	head := func(name string) string { return "suite: " + name + "\nbase_url: " + b.url + "\ntests:\n" }
	var many, read strings.Builder
	many.WriteString(head("clicks") + "  - name: clicks\n    steps:\n      - [open, /]\n")
	read.WriteString(head("read") + "  - name: click and read\n    steps:\n      - [open, /]\n")
	for i := range clicks {
		many.WriteString("      - [click, \"#inc\"]\n")
		if i < 100 {
			fmt.Fprintf(&read, "      - [click, \"#inc\"]\n      - { row: [get, text, \"#count\"], expect: value == \"%d\", within: 0s }\n", i+1)
		}
	}
	fmt.Fprintf(&many, "      - [expect, text, \"#count\", \"%d\"]\n", clicks)
	files := map[string]string{
		"suites/clicks.yaml":    many.String(),
		"suites/read.yaml":      read.String(),
		"suites/page.yaml":      head("page") + "  - name: page\n    steps:\n      - [open, /]\n",
		"suites/form-css.yaml":  head("form") + forms(`"#name"`, `"#email"`, `"#submit"`),
		"suites/form-role.yaml": head("form") + forms(`label=Name`, `label=Email`, `role=button Submit`),
	}
	for i := range 500 {
		files[fmt.Sprintf("execs/s%03d.yaml", i)] = fmt.Sprintf("suite: s%03d\ntests:\n  - name: five\n    steps:\n", i) +
			strings.Repeat("      - exec: [\"true\"]\n", 5)
	}
	for i := range 1000 {
		files[fmt.Sprintf("many/s%04d.yaml", i)] = fmt.Sprintf("suite: s%04d\nbase_url: http://localhost:1\ntests:\n  - name: rows\n    steps:\n      - [open, /]\n", i) +
			strings.Repeat("      - [fill, \"#name\", \"Ada Lovelace\"]\n      - [expect, text, \"#out\", \"Welcome, Ada\"]\n", 9) +
			"      - [click, \"#submit\"]\n"
	}
	for name, text := range files {
		path := filepath.Join(b.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// forms is sixty tests that fill in a form, in one spelling of the targets.
func forms(name, email, submit string) string {
	var s strings.Builder
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&s, "  - name: form %d\n    steps:\n      - [open, /]\n      - [fill, %s, User %d]\n", i, name, i)
		fmt.Fprintf(&s, "      - [fill, %s, user%d@example.test]\n      - [click, %s]\n", email, i, submit)
		fmt.Fprintf(&s, "      - [expect, text, \"#out\", \"Welcome, User %d <user%d@example.test>\"]\n", i, i)
		fmt.Fprintf(&s, "      - [screenshot, form-%d.png]\n", i)
	}
	return s.String()
}

// findBrowser takes CHECKROW_BROWSER, else a headless shell, else chromium from PATH.
func findBrowser() (string, error) {
	if p := os.Getenv("CHECKROW_BROWSER"); p != "" {
		return p, nil
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no browser on PATH: set CHECKROW_BROWSER")
}
