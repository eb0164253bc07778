package electron_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/electron"
	"github.com/checkrow/checkrow/steps/proc"
)

func TestElectron(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Electron")
}

// decode compiles one step of a suite.
func decode(step string) (steps.Body, *diag.List) {
	GinkgoHelper()
	l := &diag.List{}
	f := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - "+step+"\n"), l)
	if f.Suite == nil {
		return nil, l
	}
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{},
		Names: map[string]spec.Type{"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"arg": {Base: spec.String}}}}}
	d := &steps.Decoder{Errs: l, Scope: sc, Kinds: map[string]steps.Kind{"electron": electron.Kind}}
	list := d.Steps(f.Suite.Tests[0].Steps, sc)
	if len(list) == 0 {
		return nil, l
	}
	return list[0].Body, l
}

// process is a real process without a watchdog.
type process struct{ *proc.Process }

func (p process) Exit() steps.Exit {
	x := p.Process.Exit()
	return steps.Exit{Code: x.Code, Signal: x.Signal, PID: x.PID}
}

func (p process) Stop(ctx context.Context) error {
	p.Process.Stop(ctx)
	return p.Err()
}

// desk is one session of an attempt: what a runner would give.
type desk struct {
	root    string
	apps    []steps.App
	entered []steps.Door
	mu      sync.Mutex
	left    []string
	used    bool
	refuse  error       // of Enter
	closed  func()      // ends what serves the port, as the end of the app would
	slow    atomic.Bool // the port takes its time from now on
	url     string      // of the window that the session is in
	rows    []string    // that steps have run in the session
	fails   string      // the row or read that fails
}

// leaving gives why the session was left.
func (d *desk) leaving() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.left)
}

// Read implements spec.Reader: it is the window that the session is in.
func (d *desk) Read(_ context.Context, fn string, _ []any) (any, error) {
	if d.rows = append(d.rows, fn); fn == d.fails || d.fails == "all" {
		return nil, errors.New(fn + " does not answer")
	}
	return map[string]string{"url": d.url, "title": "Notes", "js": "input#q"}[fn], nil
}

// row runs a row in the window.
func (d *desk) row(_ context.Context, r steps.InnerRow) steps.Observation {
	name := strings.Join(r.Cells, " ")
	if d.rows = append(d.rows, name); name == d.fails || d.fails == "all" {
		return steps.Fail(steps.Timeout, "", name+" does not answer")
	}
	switch name {
	case "tab list":
		var tabs []any
		for i := range 9 {
			tabs = append(tabs, map[string]any{"id": fmt.Sprintf("t%d", i+1), "url": d.url})
		}
		return steps.OK(map[string]any{"tabs": tabs}, "tabs")
	case "snapshot -i":
		var lines []string
		refs := map[string]any{}
		for i := range 30 {
			lines = append(lines, fmt.Sprintf("- button %q [ref=e%d]", strings.Repeat("long name ", 40), i+1))
			refs[fmt.Sprintf("e%d", i+1)] = map[string]any{"role": "button"}
		}
		o := steps.OK(map[string]any{"refs": refs}, "")
		o.Value = strings.Join(lines, "\n")
		return o
	}
	return steps.Fail(steps.Internal, "", "an unknown row "+name)
}

func (d *desk) env() steps.Env {
	apps := func() steps.Apps {
		a := steps.Apps{
			Start: func(_ context.Context, c steps.Command, out func(bool, string)) (steps.Running, error) {
				p, err := proc.Start(proc.Spec{Argv: c.Argv, Dir: c.Dir, Env: c.Env, Line: out}, nil)
				if err != nil {
					return nil, err
				}
				return process{p}, nil
			},
			Keep: func(a steps.App) { d.apps = append(d.apps, a) },
			Enter: func(_ context.Context, at steps.Door) error {
				d.entered = append(d.entered, at)
				return d.refuse
			},
			Leave: func(why string) bool {
				d.mu.Lock()
				d.left = append(d.left, why)
				d.mu.Unlock()
				if d.closed != nil {
					d.closed()
				}
				return len(d.entered) > 0 && len(d.left) == 1
			},
			Used: d.used, All: d.apps, Session: "main",
		}
		if len(d.apps) > 0 {
			a.Current = d.apps[len(d.apps)-1]
		}
		return a
	}
	return steps.Env{Reader: d, Row: d.row, Root: d.root, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.root, "TOKEN=t0ken"}, Apps: apps,
		Values: spec.Values{"vars": map[string]any{"arg": "--user-data-dir=/tmp/x"}}}
}

// do runs a step to its end.
func (d *desk) do(ctx context.Context, step string) steps.Observation {
	GinkgoHelper()
	body, l := decode(step)
	Expect(l.Err()).NotTo(HaveOccurred())
	return body.(steps.Opaque).Run(ctx, d.env())
}

// end cleans up as the end of an attempt does.
func (d *desk) end(ctx context.Context) {
	GinkgoHelper()
	for _, a := range d.apps {
		Expect(a.Cleanup(ctx).Error).To(BeEmpty())
	}
}

// answers are what the debugging port of an app says.
type answers struct {
	browser string
	targets []map[string]string
}

// key is what the browser is told as: with either case it is one.
func (a answers) key() string {
	if strings.HasPrefix(a.browser, "chrome") {
		return "browser"
	}
	return "Browser"
}

// serve serves a debugging port and gives its number.
func (d *desk) serve(a answers) string {
	GinkgoHelper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.slow.Load() {
			<-r.Context().Done()
			return
		}
		switch r.URL.Path {
		case "/json/version":
			_ = json.NewEncoder(w).Encode(map[string]string{a.key(): a.browser, "webSocketDebuggerUrl": "ws://127.0.0.1/devtools/browser/1"})
		case "/json/list":
			_ = json.NewEncoder(w).Encode(a.targets)
		}
	}))
	d.closed = srv.Close
	DeferCleanup(srv.Close)
	return srv.URL[strings.LastIndex(srv.URL, ":")+1:]
}

// install lays an app out as Linux has it: its program is a shell script.
func install(root, dir, script string) string {
	GinkgoHelper()
	at := filepath.Join(root, dir)
	Expect(os.MkdirAll(filepath.Join(at, "resources"), 0o755)).To(Succeed())
	for name, text := range map[string]string{"resources/app.asar": "x", "chrome_100_percent.pak": "x"} {
		Expect(os.WriteFile(filepath.Join(at, name), []byte(text), 0o600)).To(Succeed())
	}
	for _, name := range []string{"chrome-sandbox", "chrome_crashpad_handler"} {
		Expect(os.WriteFile(filepath.Join(at, name), nil, 0o755)).To(Succeed())
	}
	Expect(os.WriteFile(filepath.Join(at, "notes"), []byte("#!/bin/sh\n"+script), 0o755)).To(Succeed())
	return at
}

// serving is a script that says it serves a port, and goes on until it is ended.
func serving(port string) string {
	return "for a; do case $a in --user-data-dir=*) dir=${a#*=};; esac; done\nprintf '" + port + "\\n/devtools' > \"$dir/DevToolsActivePort\"\nsleep 60 & wait\n"
}

// profiles lists the temporary profiles that are there.
func profiles() []string {
	list, _ := filepath.Glob(filepath.Join(os.TempDir(), "checkrow-electron-*"))
	return list
}

const patience = time.Minute

func page(url string) map[string]string {
	return map[string]string{"id": "w1", "type": "page", "url": url, "title": "Notes"}
}

func launching(format string, args ...any) string {
	return "electron: { launch: { " + fmt.Sprintf(format, args...) + " } }"
}
