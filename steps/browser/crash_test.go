package browser_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// running gives the pid of a process of an engine that was made last.
func running(what string) int {
	GinkgoHelper()
	pid, last := 0, int64(0)
	pids.Range(func(k, v any) bool {
		if p := v.(process); p.what == what && p.seq > last {
			pid, last = k.(int), p.seq
		}
		return true
	})
	Expect(pid).To(BeNumerically(">", 1), "no %s is running", what)
	return pid
}

// fresh makes an engine of its own for a spec that kills things.
func fresh() *browser.Engine {
	e := newEngine()
	DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
	return e
}

var _ = Describe("what hangs and what dies", Label("browser"), func() {
	DescribeTable("ends a hanging page in time", func(ctx SpecContext, click string, usable bool) {
		t := openOn(ctx, fresh(), options())
		t.ok(ctx, "open", "/hang")
		within, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		start := time.Now()
		o := t.row(within, "click", click)
		if o.Success { // the press was answered before the handler ran on
			o = t.row(within, "eval", "1")
		}
		Expect(time.Since(start)).To(BeNumerically("<", 4*time.Second))
		Expect(o.Category).To(Equal(steps.Timeout))
		Expect(o.Collateral).To(BeFalse())
		o = t.row(ctx, "get", "text", "h1")
		if usable || o.Success { // some loops of microtasks can be stopped too
			Expect(o.Error).To(BeEmpty())
			return
		}
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"crash", "page-hung"}))
	},
		Entry("a loop is stopped, the page stays", FlakeAttempts(3), "#hang", true),
		Entry("a loop of microtasks ends the page", "#micro", false))

	It("gives up a page that hangs by the row's own limit", func(ctx SpecContext) {
		t := openOn(ctx, fresh(), options())
		t.ok(ctx, "open", "/hang")
		t.ok(ctx, "eval", "setTimeout(()=>{for(;;);},50)")
		start := time.Now()
		o := t.timed(ctx, 300*time.Millisecond, "expect", "text", "h1", "Nope")
		for o.Category == steps.Assertion {
			o = t.timed(ctx, 300*time.Millisecond, "expect", "text", "h1", "Nope")
		}
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"timeout", "page-hung"}))
		Expect(time.Since(start)).To(BeNumerically("<", 8*time.Second))
	})

	It("fails only the session whose renderer crashed", func(ctx SpecContext) {
		e := fresh()
		t, other := openOn(ctx, e, options()), openOn(ctx, e, options())
		t.ok(ctx, "open", "/")
		other.ok(ctx, "open", "/")
		o := t.row(ctx, "open", "chrome://crash")
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"crash", "renderer-crashed"}), o.Error)
		Expect(o.Collateral).To(BeFalse())
		t.fails(ctx, steps.Crash, "renderer-crashed", "get", "text", "h1")
		Expect(t.Evidence(ctx).Problems).NotTo(BeEmpty())
		other.ok(ctx, "get", "text", "h1")
	})

	DescribeTable("tells a session alone on what died from the others", func(ctx SpecContext, what, sub string, alone bool) {
		e := fresh()
		t := openOn(ctx, e, options())
		t.ok(ctx, "open", "/")
		var other *tester
		if !alone {
			other = openOn(ctx, e, options())
			other.ok(ctx, "open", "/")
		}
		Expect(syscall.Kill(running(what), syscall.SIGKILL)).To(Succeed())
		var o steps.Observation
		Eventually(func() bool { o = t.row(ctx, "get", "text", "h1"); return o.Success }).Should(BeFalse())
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"crash", sub}))
		Expect(o.Collateral).To(Equal(!alone))
		if other != nil {
			Expect(other.row(ctx, "get", "text", "h1")).To(And(HaveField("Sub", sub), HaveField("Collateral", true)))
		}
		t.fails(ctx, steps.Crash, sub, "open", "/") // never a silent relaunch
		again := openOn(ctx, e, options())
		again.ok(ctx, "open", "/two")
	},
		Entry("browser, alone", "browser", "browser-crashed", true), Entry("browser, shared", "browser", "browser-crashed", false),
		Entry("driver, alone", "driver", "driver-crashed", true), Entry("driver, shared", "driver", "driver-crashed", false))

	DescribeTable("ends a row while what it waits for dies", func(ctx SpecContext, what, sub string) {
		t := openOn(ctx, fresh(), options())
		t.ok(ctx, "open", "/")
		pid := running(what)
		time.AfterFunc(200*time.Millisecond, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
		start := time.Now()
		o := t.timed(ctx, 2*patience, "wait", "#nope")
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{"crash", sub}), o.Error)
		Expect(time.Since(start)).To(BeNumerically("<", 2*time.Second))
	}, Entry("browser", "browser", "browser-crashed"), Entry("driver", "driver", "driver-crashed"))

	DescribeTable("kills what is frozen, and spares the innocent", func(ctx SpecContext, what, sub, warning string) {
		e := fresh()
		t, other := openOn(ctx, e, options()), openOn(ctx, e, options())
		t.ok(ctx, "open", "/")
		other.ok(ctx, "open", "/")
		pid := running(what)
		Expect(syscall.Kill(pid, syscall.SIGSTOP)).To(Succeed())
		within, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		o := t.row(within, "get", "title")
		Expect(time.Since(start)).To(BeNumerically("<", 2300*time.Millisecond))
		Expect([]any{o.Category, o.Collateral}).To(Equal([]any{steps.Timeout, false}))
		Expect(o.Warnings).To(ContainElement(ContainSubstring(warning)))
		o = other.row(ctx, "get", "title")
		Expect([]any{o.Category, o.Sub, o.Collateral}).To(Equal([]any{steps.Crash, sub, true}))
		Expect(t.row(ctx, "get", "title").Category).To(Equal(steps.Crash))
	}, Entry("browser", "browser", "browser-crashed", "browser did not react"), Entry("driver", "driver", "driver-crashed", "driver did not react"))

	It("says why a page function has no answer", func(ctx SpecContext) {
		t := at(ctx, "/dialogs")
		t.ok(ctx, "click", "#confirm")
		_, err := t.Read(ctx, "text", []any{"#out"})
		var o steps.Observed
		Expect(errors.As(err, &o)).To(BeTrue())
		Expect(o.Observation().Category).To(Equal(steps.DialogBlocked))
		t.ok(ctx, "dialog", "accept")
		Expect(t.Read(ctx, "text", []any{"#out"})).To(Equal("true"))
	})

	It("leaves no process, goroutine or folder behind", func(ctx SpecContext) {
		needBrowser()
		dir := GinkgoT().TempDir()
		before := gleak.Goroutines()
		e := browser.New(browser.Options{Driver: found.Driver, Executable: found.Browser.Path, TempDir: dir,
			OnProcess: func(what, _ string, pid int) { started(what, pid) }, OnExit: func(pid int) { pids.Delete(pid) }})
		Expect(e.Warm(ctx)).To(Succeed())
		driver, chrome := running("driver"), running("browser")
		for range 3 {
			t := openOn(ctx, e, options())
			t.ok(ctx, "open", "/popups")
			t.ok(ctx, "click", "#pop")
			t.ok(ctx, "tab", "t2")
			t.ok(ctx, "open", "/dialogs")
			t.ok(ctx, "click", "#confirm")
			t.Close()
		}
		start := time.Now()
		Expect(e.Close(ctx)).To(Succeed())
		GinkgoWriter.Printf("close took %s\n", time.Since(start))
		Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before))
		Expect(gone(driver)).To(BeTrue(), "driver %d", driver)
		Expect(gone(chrome)).To(BeTrue(), "browser %d", chrome)
		Expect(childrenOf(dir)).To(BeEmpty())
		left, err := os.ReadDir(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(left).To(BeEmpty())
		_, err = e.Open(ctx, options())
		Expect(err).To(MatchError(ContainSubstring("closed")))
	})

	It("says what it could not start", func(ctx SpecContext) {
		needBrowser()
		o := options()
		o.Executable = "/nonexistent/chromium"
		_, err := eng.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("/nonexistent/chromium")))
	})
})

// gone tells that a process does not run any more; one that nobody reaped yet counts as gone.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

// childrenOf lists processes whose command line names a folder.
func childrenOf(dir string) []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	var out []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), dir) {
			out = append(out, strings.ReplaceAll(string(b), "\x00", " "))
		}
	}
	return out
}
