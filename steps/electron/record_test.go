package electron_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("A launched app", func() {
	var d *desk

	BeforeEach(func() {
		d = &desk{root: GinkgoT().TempDir(), url: "app://main"}
		GinkgoT().Setenv("TMPDIR", GinkgoT().TempDir())
		DeferCleanup(func(ctx SpecContext) {
			if d.closed != nil {
				d.closed()
			}
			d.end(ctx)
			Expect(profiles()).To(BeEmpty())
		})
	})

	// start launches an app whose port shows some windows.
	start := func(ctx context.Context, browser, keys string, targets ...map[string]string) steps.Observation {
		GinkgoHelper()
		install(d.root, "notes", `echo "$@" > "${0%/*}/args"; `+serving(d.serve(answers{browser, targets})))
		return d.do(ctx, launching("app_path: notes, timeout: 1m%s", keys))
	}

	It("has a record of what it is, where it runs, and how its end went (R168, R170)", func(ctx SpecContext) {
		o := start(ctx, "chrome/156", "", page("app://main"))
		Expect(o.Error).To(BeEmpty())
		r := d.apps[0].Record()
		Expect(r.LaunchID).To(MatchRegexp(`^electron-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
		Expect(r).To(And(HaveField("Name", "notes"), HaveField("Path", filepath.Join(d.root, "notes")), HaveField("Executable", filepath.Join(d.root, "notes", "notes")),
			HaveField("Session", "main"), HaveField("State", "active"), HaveField("Debugger", "ws://127.0.0.1/devtools/browser/1"), HaveField("Cleanup", BeEmpty())))
		Expect(r.Created).To(BeTemporally("~", time.Now(), patience))
		Expect(r.PID).To(BeNumerically(">", 1))
		Expect(r.Group).To(Equal(r.PID))
		Expect(o.Data).To(And(HaveKeyWithValue("launch_id", r.LaunchID), HaveKeyWithValue("group", r.Group), HaveKeyWithValue("profile", r.Profile),
			HaveKeyWithValue("browser", "chrome/156"), HaveKeyWithValue("debugger", r.Debugger), HaveKeyWithValue("session", "main")))
		Expect(time.Parse(time.RFC3339Nano, o.Data["created"].(string))).To(BeTemporally("==", r.Created))

		ends := d.closed
		ends()
		Expect(d.do(ctx, "electron: { cleanup: true }").Error).To(BeEmpty())
		r = d.apps[0].Record()
		Expect(r.State).To(Equal("cleaned"))
		all := []steps.AppPart{{Part: "managed-session", State: "removed"}, {Part: "process", State: "removed"},
			{Part: "debug-port", State: "removed"}, {Part: "user-data-dir", State: "removed"}}
		Expect(r.Cleanup).To(Equal(all))
		Expect(d.apps[0].Cleanup(ctx).Error).To(BeEmpty())
		Expect(d.apps[0].Record().Cleanup).To(Equal(all), "a second cleanup forgets nothing")
	}, SpecTimeout(patience))

	It("is started in a profile of its own, on a port of the system's, without extensions and questions (R162, R163)", func(ctx SpecContext) {
		o := start(ctx, "Chrome/156", ", args: [--mine, x]", page("app://main"))
		Expect(o.Error).To(BeEmpty())
		text, err := os.ReadFile(filepath.Join(d.root, "notes", "args"))
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Fields(string(text))).To(Equal([]string{"--user-data-dir=" + o.Data["profile"].(string), "--remote-debugging-port=0",
			"--disable-extensions", "--no-first-run", "--no-default-browser-check", "--mine", "x"}))
	}, SpecTimeout(patience))

	DescribeTable("is looked at as its launch says (R160)",
		func(ctx SpecContext, keys string, rows, tabs, refs int) {
			o := start(ctx, "Chrome/156", keys, page("app://main"))
			Expect(o.Error).To(BeEmpty())
			Expect(d.rows).To(HaveLen(rows))
			Expect(o.Data["tabs"]).To(HaveLen(tabs))
			Expect(o.Data["refs"]).To(HaveLen(refs))
			Expect(o.Data["tree"] != "").To(Equal(refs > 0))
			Expect(o.Data["url"] == d.url).To(Equal(tabs > 0))
		},
		Entry("in whole by default", "", 3, 9, 30),
		Entry("in whole", ", handoff: snapshot", 3, 9, 30),
		Entry("its windows", ", handoff: tabs", 2, 9, 0),
		Entry("not at all", ", handoff: connect", 0, 0, 0),
	)

	DescribeTable("that cannot be read was not launched, and is ended at once (R167)",
		func(ctx SpecContext, what string) {
			d.fails = what
			install(d.root, "notes", serving(d.serve(answers{"Chrome/156", []map[string]string{page("app://main")}})))
			ends := d.closed
			go func() { // the port goes with the app
				defer GinkgoRecover()
				Eventually(func() []string { return d.leaving() }).WithContext(ctx).ShouldNot(BeEmpty())
				ends()
			}()
			o := d.do(ctx, launching("app_path: notes, timeout: 1m"))
			Expect(o.Error).To(Equal("the app was started, but cannot be read: " + what + " does not answer"))
			Expect(d.apps[0].Record().State).To(Equal("cleaned"))
			Expect(profiles()).To(BeEmpty())
		},
		Entry("its URL", "url"), Entry("its windows", "tab list"), Entry("its tree", "snapshot -i"),
	)

	It("opens nothing for a run that was stopped before, and stays for none that is stopped while it starts (R166)", func(ctx SpecContext) {
		install(d.root, "notes", "sleep 60 & wait\n")
		over, end := context.WithCancel(ctx)
		end()
		Expect(d.do(over, launching("app_path: notes")).Success).To(BeFalse())
		Expect(d.apps).To(BeEmpty())
		Expect(profiles()).To(BeEmpty())

		stopped, stop := context.WithCancelCause(ctx)
		time.AfterFunc(300*time.Millisecond, func() { stop(context.Canceled) })
		began := time.Now()
		o := d.do(stopped, launching("app_path: notes, timeout: 2m"))
		Expect(time.Since(began)).To(BeNumerically("<", patience/2))
		Expect(o.Success).To(BeFalse())
		Expect(d.apps[0].Record().State).To(Equal("cleaned"))
		Expect(profiles()).To(BeEmpty())
		Expect(o.Data["diagnostics"]).To(And(HaveKeyWithValue("port_file", "absent"), HaveKeyWithValue("port_answered", false), HaveKeyWithValue("alive", true)))
	}, SpecTimeout(patience))

	It("is told by its launch, and with all others (R171)", func(ctx SpecContext) {
		Expect(d.do(ctx, "electron: { status: true, all: true }").Data).To(And(HaveKeyWithValue("running", false), HaveKeyWithValue("apps", BeEmpty())))
		id := start(ctx, "Chrome/156", "", page("app://main")).Data["launch_id"].(string)
		Expect(d.do(ctx, "electron: { status: true, launch_id: "+id+" }").Data).To(And(HaveKeyWithValue("running", true), HaveKeyWithValue("launch_id", id)))
		o := d.do(ctx, "electron: { status: true, launch_id: electron-1 }")
		Expect(o.Error).To(Equal(`no launch of this test has the id "electron-1": it has ` + id))
		o = d.do(ctx, "electron: { status: true, all: true }")
		Expect(o.Value).To(BeTrue())
		Expect(o.Data["apps"]).To(HaveExactElements(And(HaveKeyWithValue("launch_id", id), HaveKeyWithValue("session_state", "attached"), Not(HaveKey("apps")))))
		d.closed()
		o = d.do(ctx, "electron: { cleanup: true, all: true }")
		Expect(o.Value).To(Equal("cleaned"))
		Expect(o.Data["parts"]).To(ContainElement(And(part("process", "removed"), HaveKeyWithValue("launch_id", id))))
		Expect(d.do(ctx, "electron: { status: true, all: true }").Data["apps"]).To(BeEmpty(), "it was ended")
		Expect(d.do(ctx, "electron: { status: true, launch_id: "+id+" }").Data).To(And(HaveKeyWithValue("running", false), HaveKeyWithValue("cleanup_state", "cleaned")))
		Expect(d.do(ctx, "electron: { cleanup: true, launch_id: "+id+" }").Value).To(Equal("cleaned"))
	}, SpecTimeout(patience))

	DescribeTable("tells where the session is, by whole URLs (R172)",
		func(ctx SpecContext, at, state, warning string) {
			long := "app://main/" + strings.Repeat("x", 400)
			d.url = strings.ReplaceAll(at, "LONG", long)
			Expect(start(ctx, "Chrome/156", ", handoff: connect", page(long+"1"), page("about:blank")).Error).To(BeEmpty())
			o := d.do(ctx, "electron: { status: true }")
			Expect(o.Data).To(HaveKeyWithValue("session_state", state))
			Expect(len([]rune(o.Data["windows"].([]any)[0].(map[string]any)["url"].(string)))).To(Equal(300))
			again := HaveField("ID", "reattach-electron-launch")
			if warning == "" {
				Expect(o.Warnings).To(BeEmpty())
				Expect(o.NextActions).NotTo(ContainElement(again))
				return
			}
			Expect(o.Warnings).To(HaveExactElements(ContainSubstring(warning)))
			Expect(o.NextActions).To(ContainElement(again))
		},
		Entry("in a window", "LONG1", "attached", ""),
		Entry("in none, though it looks like one", "LONG2", "elsewhere", "which no window of the app shows"),
		Entry("in one that is blank", "about:blank", "blank", "another one shows something"),
	)

	It("is probed within bounds, and fails only where nothing of it can be read (R173)", func(ctx SpecContext) {
		d.url = "app://main/" + strings.Repeat("y", 400)
		Expect(start(ctx, "Chrome/156", ", handoff: connect", page(d.url)).Error).To(BeEmpty())
		o := d.do(ctx, "electron: { probe: true }")
		Expect(o.Warnings).To(BeEmpty())
		Expect(d.rows).To(Equal([]string{"url", "title", "js", "tab list", "snapshot -i"}))
		tabs := o.Data["tabs"].([]any)
		Expect(tabs).To(HaveLen(6))
		Expect([]rune(tabs[0].(map[string]any)["url"].(string))).To(HaveLen(240))
		Expect([]rune(o.Data["url"].(string))).To(HaveLen(300))
		Expect(o.Data["refs"]).To(HaveLen(20))
		Expect([]rune(o.Data["tree"].(string))).To(HaveLen(1600))
		for _, what := range []string{"url", "title", "js", "tab list", "snapshot -i"} {
			d.fails = what
			o = d.do(ctx, "electron: { probe: true }")
			Expect(o.Success).To(BeTrue())
			Expect(o.Warnings).To(HaveExactElements(HaveSuffix(what + " does not answer")))
		}
		d.fails = "all"
		o = d.do(ctx, "electron: { probe: true }")
		Expect(string(o.Category) + " " + o.Sub).To(Equal("environment app-unreadable"))
	}, SpecTimeout(patience))
})
