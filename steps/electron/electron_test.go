package electron_test

import (
	"errors"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("The electron step (R159)", func() {
	DescribeTable("says what is wrong with it",
		func(step, want string) {
			_, l := decode(step)
			Expect(l.Err()).To(MatchError(ContainSubstring(want)))
		},
		Entry("a text", "electron: dist/app", `s.yaml:5:19: "electron" must be a map, got text (write electron: { launch: { app_path: "dist/app" } })`),
		Entry("an action as text", "electron: status", "write electron: { status: true }"),
		Entry("nothing to do", "electron: {}", `"electron" says nothing that is to happen (one of launch, list, status, probe, cleanup)`),
		Entry("two things", "electron: { status: true, probe: true }", `"probe" and "status" exclude each other`),
		Entry("no", "electron: { cleanup: false }", `"cleanup" is false: the step does nothing`),
		Entry("a slip", "electron: { lunch: { app_path: a } }", `did you mean "launch"?`),
		Entry("no app", launching("args: [a]"), `"launch" names no app (one of app_path, app_name, bundle_id, executable)`),
		Entry("two apps", launching("app_path: a, app_name: b"), `"app_name" and "app_path" exclude each other`),
		Entry("another's key", launching("appPath: a"), `did you mean "app_path"?`),
		Entry("an empty app", launching(`app_path: ""`), `"app_path" is empty`),
		Entry("its profile", launching("app_path: a, args: [--user-data-dir=x]"), "5:51: --user-data-dir is set by the launch itself"),
		Entry("its port", launching("app_path: a, args: [--remote-debugging-port]"), "--remote-debugging-port is set by the launch itself"),
		Entry("the end of switches", launching("app_path: a, args: [--]"), `"--" cannot be an argument`),
		Entry("args as text", launching("app_path: a, args: --no-sandbox"), `"args" must be a list of texts, got text`),
		Entry("a target", launching("app_path: a, target: pge"), `did you mean "page"?`),
		Entry("a handoff", launching("app_path: a, handoff: snap"), `"handoff" has no value "snap" (one of connect, snapshot, tabs)`),
		Entry("an app beside all", "electron: { status: true, all: true, launch_id: x }", `"launch_id" and "all" exclude each other`),
		Entry("one of a probe", "electron: { probe: true, launch_id: x }", `"launch_id" and "probe" exclude each other`),
		Entry("not all", "electron: { cleanup: true, all: false }", `"all" is false: it says nothing`),
		Entry("all of what", "electron: { all: true }", `"electron" says nothing that is to happen`),
		Entry("a long time", launching("app_path: a, timeout: 3m"), "an app may take at most 2m0s to start, got 3m0s"),
		Entry("a list as a word", "electron: list", "write electron: { list: {} }"),
		Entry("a list as yes", "electron: { list: true }", `5:27: "list" must be a map, got true (write list: {} for every app)`),
		Entry("a list of many", "electron: { list: { max_results: 201 } }", `"max_results" must be at most 200, got 201`),
		Entry("a list of none", "electron: { list: { max_results: 0 } }", `"max_results" must be at least 1, got 0`),
		Entry("another's key of a list", "electron: { list: { maxResults: 3 } }", `did you mean "max_results"?`),
		Entry("no time", launching("app_path: a, timeout: 0s"), `"timeout" must be longer than nothing`),
	)

	It("asks for its program where a policy judges it", func() {
		body, l := decode(launching("executable: ./notes"))
		Expect(l.Err()).NotTo(HaveOccurred())
		b := body.(steps.Opaque)
		Expect(b.Launches).To(BeTrue())
		Expect(b.Wants).To(ConsistOf(HaveField("Kind", steps.AskProgram)))
	})

	Describe("launching", func() {
		var d *desk

		BeforeEach(func(ctx SpecContext) {
			d = &desk{root: GinkgoT().TempDir()}
			GinkgoT().Setenv("TMPDIR", GinkgoT().TempDir())
			DeferCleanup(func(ctx SpecContext) {
				d.end(ctx)
				Expect(profiles()).To(BeEmpty())
			})
		})

		It("lets the session into the app, tells how it is, and ends it", func(ctx SpecContext) {
			port := d.serve(answers{"Chrome/156", []map[string]string{page("devtools://x"), {"type": "service_worker"}, page("app://main")}})
			install(d.root, "notes", serving(port))
			o := d.do(ctx, launching("app_path: notes, timeout: 1m"))
			Expect(o.Error).To(BeEmpty())
			Expect(o.Value).To(Equal("notes"))
			Expect(o.Page.URL).To(Equal("app://main"))
			Expect(o.NextActions).To(ContainElements(HaveField("Row", []string{"snapshot", "-i"}), HaveField("Step", "electron: { probe: true }"),
				HaveField("ID", "status-electron-launch"), HaveField("ID", "cleanup-electron-launch"), HaveField("ID", "list-electron-tabs")))
			Expect(d.entered).To(Equal([]steps.Door{{Address: "http://127.0.0.1:" + port, Window: "w1"}}))
			profile := o.Data["profile"].(string)
			info, err := os.Stat(profile)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o700)))

			By("refusing a second one")
			Expect(d.do(ctx, launching("app_path: notes")).Sub).To(Equal("app-running"))

			o = d.do(ctx, "electron: { status: true }")
			Expect(o.Data).To(And(HaveKeyWithValue("running", true), HaveKeyWithValue("port_open", true),
				HaveKeyWithValue("profile_state", "present"), HaveKeyWithValue("cleanup_state", "active")))
			Expect(o.Data["windows"]).To(HaveLen(3))
			Expect(o.NextActions).To(And(ContainElement(HaveField("ID", "probe-electron-launch")), Not(ContainElement(HaveField("ID", "status-electron-launch")))))

			ends := d.closed
			d.closed = nil
			o = d.do(ctx, "electron: { cleanup: true }")
			Expect(o.Sub).To(Equal("app-left"), "the port is not the app's own, and goes on")
			Expect(o.Data["parts"]).To(HaveExactElements(part("managed-session", "removed"), part("process", "removed"),
				And(part("debug-port", "failed"), HaveKeyWithValue("error", ContainSubstring("still serves"))), part("user-data-dir", "removed")))
			Expect(o.NextActions).To(ContainElement(And(HaveField("ID", "retry-electron-cleanup"), HaveField("Step", "electron: { cleanup: true }"))))
			Expect(profile).NotTo(BeADirectory())
			Expect(d.do(ctx, "electron: { status: true }").Data).To(And(HaveKeyWithValue("running", false),
				HaveKeyWithValue("profile_state", "absent"), HaveKeyWithValue("cleanup_state", "partial")))
			text, _ := d.apps[0].Fate(0)
			Expect(text).To(BeEmpty(), "it did not end by itself")
			d.slow.Store(true)
			Expect(d.do(ctx, "electron: { cleanup: true }").Sub).To(Equal("app-left"), "a port that does not answer in time is open all the same")
			ends()
			o = d.do(ctx, "electron: { cleanup: true }")
			Expect(o.Value).To(Equal("cleaned"))
			Expect(o.Data["parts"]).To(ContainElement(part("user-data-dir", "already-gone")))
		}, SpecTimeout(patience*2))

		DescribeTable("tells why an app did not come (R165, R174)",
			func(ctx SpecContext, script, limit string, category steps.Category, sub, want string) {
				install(d.root, "notes", script)
				o := d.do(ctx, launching("app_path: notes, timeout: %s", limit))
				Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{string(category), sub}))
				Expect(o.Error).To(ContainSubstring(want))
				Expect(o.Detail.Output).To(ContainSubstring("stdout: empty\nstderr:\nno display"))
				Expect(d.apps[0].Cleanup(ctx).Success).To(BeTrue())
				Expect(profiles()).To(BeEmpty())
			},
			Entry("it ended", "echo no display >&2; exit 3\n", "30s", steps.Process, "port-not-found", "ended before it was ready (exit 3)"),
			Entry("it handed over", "echo no display >&2\n", "30s", steps.Environment, "single-instance-conflict", "it may run already"),
			Entry("it serves no port", "echo no display >&2; sleep 60\n", "3s", steps.Timeout, "app-start", "was not ready after 3s: DevToolsActivePort is absent"),
		)

		DescribeTable("waits for a port that is one, and a window (R164)",
			func(ctx SpecContext, a answers, keys, want string) {
				install(d.root, "notes", serving(d.serve(a)))
				o := d.do(ctx, launching("app_path: notes, timeout: 4s%s", keys))
				Expect(o.Sub).To(Equal("app-start"))
				Expect(o.Error).To(ContainSubstring(want))
				Expect(d.entered).To(BeEmpty())
			},
			Entry("a blank browser", answers{"  ", []map[string]string{page("app://main")}}, "", "/json/version names no browser"),
			Entry("no window", answers{"Chrome/156", []map[string]string{{"type": "webview", "url": "https://x.test"}}}, "", "it shows no window"),
			Entry("no webview", answers{"Chrome/156", []map[string]string{page("app://main")}}, ", target: webview", "it shows no webview"),
		)

		It("keeps the last 4096 bytes of each stream (R174)", func(ctx SpecContext) {
			install(d.root, "notes", "i=0; while [ $i -lt 600 ]; do echo \"line $i ☕\"; i=$((i+1)); done; exit 4\n")
			o := d.do(ctx, launching("app_path: notes"))
			Expect(o.Detail.Output).To(And(ContainSubstring("stdout, its last 4096 bytes:\n"), ContainSubstring("line 599 ☕\nstderr: empty"), Not(ContainSubstring("line 9 "))))
			Expect(o.Data["diagnostics"]).To(And(HaveKeyWithValue("stdout_cut", true), HaveKeyWithValue("alive", false)))
			Expect(len(o.Data["diagnostics"].(map[string]any)["stdout"].(string))).To(BeNumerically("<=", 4096))
		}, SpecTimeout(patience))

		It("ends an app whose session cannot be opened (R167)", func(ctx SpecContext) {
			install(d.root, "notes", serving(d.serve(answers{"Chrome/156", []map[string]string{page("app://main")}})))
			d.refuse = errors.New("no driver")
			o := d.do(ctx, launching("app_path: notes, timeout: 1m"))
			Expect(o.Error).To(Equal("no driver"))
			Expect(o.Warnings).To(BeEmpty())
			Expect(d.left).NotTo(BeEmpty())
			Expect(profiles()).To(BeEmpty())
		}, SpecTimeout(patience))

		It("tells an app that died, as a row that missed it hears it (R175)", func(ctx SpecContext) {
			install(d.root, "notes", "for a; do case $a in --user-data-dir=*) dir=${a#*=};; esac; done\n"+
				"printf '"+d.serve(answers{"Chrome/156", []map[string]string{page("app://main")}})+"' > \"$dir/DevToolsActivePort\"\nwhile [ ! -e die ]; do sleep 0.05; done\necho broken >&2; exit 9\n")
			Expect(d.do(ctx, launching("app_path: notes, timeout: 1m")).Error).To(BeEmpty())
			text, _ := d.apps[0].Fate(0)
			Expect(text).To(BeEmpty())
			Expect(os.WriteFile(filepath.Join(d.root, "die"), nil, 0o600)).To(Succeed())
			text, output := d.apps[0].Fate(patience)
			Expect(text).To(Equal(`the app "notes" ended by itself (exit 9)`))
			Expect(output).To(ContainSubstring("stderr:\nbroken"))
			Expect(d.do(ctx, "electron: { status: true }").Data).To(HaveKeyWithValue("exit", 9))
		}, SpecTimeout(patience*2))

		DescribeTable("refuses",
			func(ctx SpecContext, prepare func(), step, sub, want string) {
				install(d.root, "notes", "exit 0\n")
				if prepare != nil {
					prepare()
				}
				o := d.do(ctx, step)
				Expect(o.Sub).To(Equal(sub))
				Expect(o.Error).To(ContainSubstring(want))
				Expect(d.apps).To(BeEmpty(), "nothing was started")
			},
			Entry("a session that was used", func() { d.used = true }, launching("app_path: notes"), "session-used", "launch the app before the first of them"),
			Entry("what is not there", nil, launching("app_path: nothing"), "no-app", "there is no such file"),
			Entry("a file as folder", nil, launching("app_path: notes/notes"), "no-app", "is no folder: name a program by executable"),
			Entry("a name that nobody has", nil, launching("app_name: Nobody"), "no-app", `no app with the app name "Nobody" is installed`),
			Entry("several programs", func() {
				Expect(os.Rename(filepath.Join(d.root, "notes"), filepath.Join(d.root, "dist"))).To(Succeed())
				Expect(os.WriteFile(filepath.Join(d.root, "dist", "other"), nil, 0o755)).To(Succeed())
			}, launching("app_path: dist"), "no-app", "name one by executable: notes, other"),
			Entry("no app at all", func() { Expect(os.Remove(filepath.Join(d.root, "notes/resources/app.asar"))).To(Succeed()) },
				launching("app_path: notes"), "non-electron-target", "its resources hold neither app.asar, nor app/, nor default_app.asar"),
			Entry("a program without Chromium", func() { Expect(os.Remove(filepath.Join(d.root, "notes/chrome_100_percent.pak"))).To(Succeed()) },
				launching("executable: notes/notes"), "non-electron-target", "neither a chrome_*.pak nor resources.pak lies beside it"),
			Entry("what deny names", nil, launching("app_path: notes, allow: [notes], deny: [ote]"), "denied", `"ote" is in deny`),
			Entry("what allow does not name", nil, launching("app_path: notes, allow: [Slack]"), "denied", "nothing of it is in allow: Slack"),
			Entry("an argument of its own", nil, launching(`app_path: notes, args: ["${{ vars.arg }}"]`), "reserved", "--user-data-dir is set by the launch itself"),
			Entry("a status of nothing", nil, "electron: { status: true }", "no-app", "no app was launched in this session"),
		)

		It("finds an app by its name and its desktop id", func(ctx SpecContext) {
			at := install(d.root, "opt/notes app", "exit 3\n")
			apps := filepath.Join(d.root, ".local/share/applications")
			Expect(os.MkdirAll(apps, 0o755)).To(Succeed())
			entry := "[Other]\nName=x\n[Desktop Entry]\nName=Notes of Mine\nExec=env A=1 \"" + at + "/notes\" --flag %U\n"
			Expect(os.WriteFile(filepath.Join(apps, "test.notes.desktop"), []byte(entry), 0o600)).To(Succeed())
			Expect(d.do(ctx, launching("app_name: notes of mine")).Sub).To(Equal("port-not-found"))
			Expect(d.do(ctx, launching("bundle_id: test.notes")).Error).To(ContainSubstring(`the app "Notes of Mine" ended before`))
			Expect(d.do(ctx, launching("app_name: Notes, deny: [test.notes]")).Error).To(ContainSubstring("found were Notes of Mine"))
		}, SpecTimeout(patience))

		DescribeTable("takes other payloads (R161)",
			func(ctx SpecContext, name string) {
				at := install(d.root, "notes", "exit 3\n")
				Expect(os.Remove(filepath.Join(at, "resources/app.asar"))).To(Succeed())
				if name == "app" {
					Expect(os.Mkdir(filepath.Join(at, "resources/app"), 0o755)).To(Succeed())
				} else {
					Expect(os.WriteFile(filepath.Join(at, "resources", name), nil, 0o600)).To(Succeed())
				}
				Expect(d.do(ctx, launching("executable: notes/notes")).Sub).To(Equal("port-not-found"))
			},
			Entry("a folder", "app"), Entry("that of Electron itself", "default_app.asar"),
		)
	})
})

func part(name, state string) OmegaMatcher {
	return And(HaveKeyWithValue("part", name), HaveKeyWithValue("state", state))
}
