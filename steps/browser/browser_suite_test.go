package browser_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/browser"
	"github.com/checkrow/checkrow/steps/browser/install"
)

// TestMain lets the test binary pose as checkrow: the driver then starts through the shim, in a group of its own.
func TestMain(m *testing.M) {
	if install.IsShim(os.Args) {
		fmt.Fprintln(os.Stderr, install.ShimMain(os.Args, os.Environ()))
		if len(os.Args) > 2 && os.Args[2] == "--version" {
			os.Exit(0)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestBrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(patience) // what must come, comes late on a busy machine
	RunSpecs(t, "Browser Suite")
}

var (
	found  install.Found
	absent error
	eng    *browser.Engine
	srv    *httptest.Server
	pids   sync.Map // pid -> process, of every process the engines started
)

var _ = BeforeSuite(func(ctx SpecContext) {
	found, absent = install.Find(ctx, install.Env{Environ: os.Environ()})
	if absent == nil {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		env, err := install.ShimEnv(found, self, found.Cache)
		Expect(err).NotTo(HaveOccurred())
		for _, kv := range env {
			k, v, _ := strings.Cut(kv, "=")
			Expect(os.Setenv(k, v)).To(Succeed())
		}
	}
	srv = httptest.NewServer(pages())
	DeferCleanup(srv.Close)
	eng = newEngine()
	DeferCleanup(func(ctx SpecContext) { Expect(eng.Close(ctx)).To(Succeed()) })
})

// newEngine makes an engine on the browser of this machine. It starts nothing.
func newEngine() *browser.Engine {
	return browser.New(browser.Options{Driver: found.Driver, Executable: found.Browser.Path, Bare: bare, Other: other,
		OnProcess: func(what, _ string, pid int) { started(what, pid) }, OnExit: func(pid int) { pids.Delete(pid) }})
}

// needBrowser skips a spec where there is no browser, and fails it in CI.
func needBrowser() {
	GinkgoHelper()
	if absent != nil {
		if os.Getenv("CI") == "true" {
			Fail(absent.Error())
		}
		Skip(absent.Error())
	}
}

// patience is how long a spec waits for what must come: far longer than it takes, for machines that do much besides.
const patience = 30 * time.Second

// options are those of a test session: short waits, so that failures come quickly. What must succeed waits longer, see [tester.ok].
func options() steps.SessionOptions {
	return steps.SessionOptions{Browser: os.Getenv("CHECKROW_TEST_BROWSER"), Headless: true, Viewport: [2]int{1280, 720}, BaseURL: srv.URL, Strict: true,
		Limits: steps.Limits{Action: 700 * time.Millisecond, Expect: 600 * time.Millisecond, Wait: 2 * time.Second,
			Open: patience, Row: 15 * time.Second}}
}

// tester drives one session row by row.
type tester struct {
	steps.Session
	files *folder
}

// openOn opens a session on an engine, closed when the spec ends.
func openOn(ctx context.Context, e *browser.Engine, o steps.SessionOptions) *tester {
	GinkgoHelper()
	needBrowser()
	s, err := e.Open(ctx, o)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(s.Close)
	return &tester{s, &folder{dir: GinkgoT().TempDir()}}
}

// at opens a session on a page.
func at(ctx context.Context, path string) *tester {
	GinkgoHelper()
	t := openOn(ctx, eng, options())
	t.ok(ctx, "open", path)
	return t
}

// row executes one row.
func (t *tester) row(ctx context.Context, cells ...string) steps.Observation {
	GinkgoHelper()
	return t.timed(ctx, 0, cells...)
}

func (t *tester) timed(ctx context.Context, d time.Duration, cells ...string) steps.Observation {
	GinkgoHelper()
	return t.Do(ctx, args(cells...), steps.RowOptions{Files: t.files, Dir: t.files.dir, Timeout: d})
}

// ok executes a row that must succeed, however long that takes.
func (t *tester) ok(ctx context.Context, cells ...string) steps.Observation {
	GinkgoHelper()
	o := t.timed(ctx, patience, cells...)
	Expect(o.Success).To(BeTrue(), "%v: %s %s: %s %v", cells, o.Category, o.Sub, o.Error, o.Detail)
	return o
}

// fails executes a row that must fail with a category and a finer name.
func (t *tester) fails(ctx context.Context, c steps.Category, sub string, cells ...string) steps.Observation {
	GinkgoHelper()
	o := t.row(ctx, cells...)
	Expect(o.Success).To(BeFalse(), "%v succeeded: %v", cells, o.Data)
	Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{string(c), sub}), "%v: %s", cells, o.Error)
	return o
}

// args checks and renders a row as a suite would.
func args(cells ...string) argv.Args {
	GinkgoHelper()
	var l diag.List
	in := make([]argv.Cell, len(cells))
	for i, c := range cells {
		in[i] = argv.Cell{Text: c, Pos: diag.Pos{File: "t.yaml", Line: 1, Col: i + 1}}
	}
	call := argv.Parse(in, diag.Pos{File: "t.yaml", Line: 1, Col: 1}, &l)
	var hard []string
	for _, e := range l.All() {
		if e.Severity != diag.Lint {
			hard = append(hard, e.Error())
		}
	}
	Expect(hard).To(BeEmpty())
	a, err := call.Bind(cells)
	Expect(err).NotTo(HaveOccurred())
	return a
}

// folder is an attempt's folder.
type folder struct{ dir string }

// Reserve makes parents and gives a temporary name.
func (f *folder) Reserve(name string) (string, func() (steps.Artifact, error), error) {
	to := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", nil, err
	}
	tmp := filepath.Join(filepath.Dir(to), ".tmp-"+filepath.Base(to))
	return tmp, func() (steps.Artifact, error) {
		info, err := os.Stat(tmp)
		if err != nil {
			return steps.Artifact{}, err
		}
		return steps.Artifact{Path: name, State: steps.Saved, Bytes: info.Size()}, os.Rename(tmp, to)
	}, nil
}

// html wraps a body.
func html(w io.Writer, body string) {
	_, _ = io.WriteString(w, "<!doctype html><title>Test</title>"+body)
}

var _ http.Handler = http.HandlerFunc(nil)

// process is what runs under a pid; seq orders them, for pids start anew once the system has none left.
type process struct {
	what string
	seq  int64
}

var processes atomic.Int64

// started keeps a process of an engine for [running].
func started(what string, pid int) { pids.Store(pid, process{what, processes.Add(1)}) }
