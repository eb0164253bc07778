package install_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
)

// fakeVersion is a browser as far as its name and its --version go.
const fakeVersion = "#!/bin/sh\necho Some Browser 1.2.3.4\n"

var _ = Describe("FindBrowser", func() {
	var root, bin string
	var env install.Env

	BeforeEach(func() {
		if runtime.GOOS != "linux" {
			Skip("the folders are those of Linux")
		}
		root = GinkgoT().TempDir()
		bin = filepath.Join(root, "bin")
		env = install.Env{Environ: []string{"PATH=" + bin, "HOME=" + root}, Cache: filepath.Join(root, "cache"), Root: root}
	})
	fake := func(path string) string { return put(path, fakeVersion, 0o755) }
	own := func(name, revision, exe string) string {
		folder := filepath.Join(root, ".cache", "ms-playwright", name+"-"+revision)
		put(filepath.Join(folder, "INSTALLATION_COMPLETE"), "", 0o600)
		return fake(filepath.Join(folder, exe))
	}

	It("takes them in the documented order", func(ctx SpecContext) {
		order := []struct {
			path   string
			kind   install.Kind
			source install.Source
		}{
			{fake(filepath.Join(root, "mine", "my-chrome")), install.KindChrome, install.SourceConfigured},
			{own("chromium_headless_shell", "1248", "chrome-headless-shell-linux64/chrome-headless-shell"), install.KindShell, install.SourcePlaywright},
			{fake(filepath.Join(bin, "chromium-headless-shell")), install.KindShell, install.SourceSystem},
			{own("chromium", "1248", "chrome-linux64/chrome"), install.KindChromium, install.SourcePlaywright},
			{fake(filepath.Join(bin, "chromium")), install.KindChromium, install.SourceSystem},
			{fake(filepath.Join(bin, "google-chrome")), install.KindChrome, install.SourceSystem},
			{fake(filepath.Join(root, "opt/google/chrome/chrome")), install.KindChrome, install.SourceSystem},
			{fake(filepath.Join(bin, "microsoft-edge")), install.KindEdge, install.SourceSystem},
		}
		env.Environ = append(env.Environ, install.BrowserEnv+"="+order[0].path)
		for i, want := range order {
			b, err := install.FindBrowser(ctx, env)
			Expect(err).NotTo(HaveOccurred())
			Expect(b).To(And(HaveField("Path", want.path), HaveField("Kind", want.kind), HaveField("Source", want.source),
				HaveField("Version", "1.2.3.4"), HaveField("Why", Not(BeEmpty()))), "place %d", i)
			Expect(os.Remove(want.path)).To(Succeed())
			if i == 0 {
				env.Environ = env.Environ[:2]
			}
		}
		_, err := install.FindBrowser(ctx, env)
		Expect(missing(err)).To(Equal([]string{"browser"}))
		Expect(err).To(MatchError(ContainSubstring("checkrow install")))
	})

	It("takes no shell for a headed run", func(ctx SpecContext) {
		shell := fake(filepath.Join(bin, "chromium-headless-shell"))
		env.Headed = true
		_, err := install.FindBrowser(ctx, env)
		Expect(err).To(MatchError(ContainSubstring("headless shell")))
		want := fake(filepath.Join(bin, "chromium"))
		Expect(install.FindBrowser(ctx, env)).To(HaveField("Path", want))
		env.Environ = append(env.Environ, install.BrowserEnv+"="+shell)
		_, err = install.FindBrowser(ctx, env)
		Expect(err).To(MatchError(ContainSubstring("needs a window")))
	})

	DescribeTable("fails on a browser that was named and is not there, rather than take another", func(ctx SpecContext, value, text string) {
		fake(filepath.Join(bin, "chromium"))
		env.Environ = append(env.Environ, install.BrowserEnv+"="+value)
		_, err := install.FindBrowser(ctx, env)
		Expect(err).To(MatchError(ContainSubstring(text)))
	},
		Entry("a path", "/no/such/chrome", "not a program"),
		Entry("a name", "no-such-chrome", "not on PATH"),
		Entry("a folder", "/tmp", "not a program"),
	)

	It("finds a named browser on PATH", func(ctx SpecContext) {
		want := fake(filepath.Join(bin, "brave"))
		env.Environ = append(env.Environ, install.BrowserEnv+"=brave")
		Expect(install.FindBrowser(ctx, env)).To(And(HaveField("Path", want), HaveField("Kind", install.KindChromium)))
	})

	It("takes the newest of Playwright's own and no half download", func(ctx SpecContext) {
		own("chromium_headless_shell", "900", "chrome-linux/headless_shell")
		want := own("chromium_headless_shell", "1100", "chrome-headless-shell-linux64/chrome-headless-shell")
		fake(filepath.Join(root, ".cache/ms-playwright/chromium_headless_shell-2000/chrome-headless-shell-linux64/chrome-headless-shell"))
		Expect(install.FindBrowser(ctx, env)).To(HaveField("Path", want))
		put(filepath.Join(env.Cache, "driver", install.DriverVersion, "package", "browsers.json"),
			`{"browsers":[{"name":"chromium-headless-shell","revision":"900"}]}`, 0o600)
		Expect(install.FindBrowser(ctx, env)).To(HaveField("Path", HaveSuffix("-900/chrome-linux/headless_shell")))
	})

	It("asks for a version once", func(ctx SpecContext) {
		count := filepath.Join(root, "count")
		put(filepath.Join(bin, "chromium"), "#!/bin/sh\necho x >>"+count+"\necho Chromium 5.6.7\n", 0o755)
		for range 3 {
			Expect(install.FindBrowser(ctx, env)).To(HaveField("Version", "5.6.7"))
		}
		Expect(os.ReadFile(count)).To(BeEquivalentTo("x\n"))
	})

	It("says when a browser does not start", func(ctx SpecContext) {
		put(filepath.Join(bin, "chromium"), "#!/bin/sh\necho no libfoo >&2\nexit 127\n", 0o755)
		_, err := install.FindBrowser(ctx, env)
		Expect(err).To(MatchError(And(ContainSubstring("does not start"), ContainSubstring("no libfoo"))))
	})

	It("is not led by a relative PATH", func(ctx SpecContext) {
		fake(filepath.Join(bin, "chromium"))
		GinkgoT().Chdir(bin)
		env.Environ = []string{"PATH=.", "HOME=" + root}
		_, err := install.FindBrowser(ctx, env)
		Expect(missing(err)).To(Equal([]string{"browser"}))
	})
})

var _ = Describe("a wrapper script", func() {
	var env install.Env
	in := func(path string) string { return filepath.Join(env.Root, path) }
	BeforeEach(func() { env = install.Env{Root: GinkgoT().TempDir()} })

	It("of a package is seen through", func() {
		binary := program(in("usr/lib/chromium/chromium-headless-shell"))
		wrapper := put(in("usr/bin/chromium-headless-shell"), "#!/bin/sh -e\n\n/usr/lib/chromium/chromium-headless-shell \"$@\"\n", 0o755)
		Expect(install.Unwrap(env, wrapper)).To(Equal(binary))

		binary = program(in("usr/lib/chromium/chromium"))
		wrapper = put(in("usr/bin/chromium"), "#!/bin/sh\nAPPNAME=chromium\nLIBDIR=/usr/lib/$APPNAME\nexec $LIBDIR/$APPNAME \"$@\"\n", 0o755)
		Expect(install.Unwrap(env, wrapper)).To(Equal(binary))

		binary = program(in("opt/google/chrome/chrome"))
		script := put(in("opt/google/chrome/google-chrome"), "#!/bin/bash\nexec \"$HERE/chrome\" \"$@\"\n", 0o755)
		Expect(os.MkdirAll(in("bin"), 0o700)).To(Succeed())
		Expect(os.Symlink(script, in("bin/google-chrome"))).To(Succeed())
		Expect(install.Unwrap(env, in("bin/google-chrome"))).To(Equal(binary))
	})

	It("of somebody's own is left, and so is what it cannot be seen through", func() {
		program(in("usr/lib/chromium/chromium"))
		mine := put(in("home/me/chromium"), "#!/bin/sh\nexec /usr/lib/chromium/chromium --my-flag \"$@\"\n", 0o755)
		Expect(install.Unwrap(env, mine)).To(Equal(mine))
		other := program(in("usr/lib/tool"))
		wrapper := put(in("usr/bin/browser"), "#!/bin/sh\nexec /usr/lib/tool \"$@\"\n", 0o755)
		Expect(install.Unwrap(env, wrapper)).To(Equal(wrapper))
		Expect(install.Unwrap(env, other)).To(Equal(other))
	})
})

var _ = Describe("Find", func() {
	It("tells all that is missing at once, and what to do", func(ctx SpecContext) {
		root := GinkgoT().TempDir()
		env := install.Env{Environ: []string{"PATH=" + root, "HOME=" + root}, Root: root}
		_, err := install.Find(ctx, env)
		Expect(missing(err)).To(Equal([]string{"driver", "node", "browser"}))
		states := map[string]string{}
		for _, f := range install.Facts(ctx, env) {
			states[f.What] = f.State
			if f.State != install.StateOK {
				Expect(f.Fix).NotTo(BeEmpty(), f.What)
			}
		}
		Expect(states).To(Equal(map[string]string{"node": install.StateMissing, "driver": install.StateMissing, "browser": install.StateMissing,
			"cache": install.StateWarn, "registry": install.StateMissing}))
	})

	It("wants a HOME", func(ctx SpecContext) {
		_, err := install.Find(ctx, install.Env{})
		Expect(err).To(MatchError(ContainSubstring("HOME is not set")))
		Expect(install.Facts(ctx, install.Env{})).To(ContainElement(HaveField("State", install.StateMissing)))
	})

	It("takes no Node that is too old, and the binary behind a version manager's script", func(ctx SpecContext) {
		node, err := exec.LookPath("node")
		need(err, "node")
		root := GinkgoT().TempDir()
		old := put(filepath.Join(root, "old/node"), "#!/bin/sh\necho v18.1.0\n", 0o755)
		script := put(filepath.Join(root, "new/node"), "#!/bin/sh\nexec "+node+" \"$@\"\n", 0o755)
		env := install.Env{Environ: []string{"PATH=" + filepath.Dir(old), "HOME=" + root}}
		_, err = install.Find(ctx, env)
		Expect(err).To(MatchError(ContainSubstring(`version "18.1.0"`)))
		env.Environ[0] += ":" + filepath.Dir(script)
		found, _ := install.Find(ctx, env)
		real, err := filepath.EvalSymlinks(node)
		Expect(err).NotTo(HaveOccurred())
		Expect(found.Node).To(Equal(real))
	})
})

// missing names what a joined error says is missing.
func missing(err error) (what []string) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the tree itself is wanted
		for _, e := range joined.Unwrap() {
			what = append(what, missing(e)...)
		}
		return what
	}
	var m *install.Missing
	if errors.As(err, &m) {
		what = append(what, m.What)
	}
	return what
}

var _ = Describe("FindOther", func() {
	It("takes Playwright's own, then the Firefox of the system, and says what is missing", func(ctx SpecContext) {
		if runtime.GOOS != "linux" {
			Skip("the folders are those of Linux")
		}
		root := GinkgoT().TempDir()
		bin := filepath.Join(root, "bin")
		env := install.Env{Environ: []string{"PATH=" + bin, "HOME=" + root}, Cache: filepath.Join(root, "cache"), Root: root}
		_, err := install.FindOther(ctx, env, install.Firefox, "")
		Expect(err).To(MatchError("no Firefox found (Playwright's own, firefox or firefox-esr on PATH): " +
			"run `checkrow install --browser firefox`, or name one as browser.executable"))
		_, err = install.FindOther(ctx, env, install.WebKit, "")
		Expect(err).To(MatchError(ContainSubstring("checkrow install --browser webkit")))

		esr := put(filepath.Join(bin, "firefox-esr"), fakeVersion, 0o755)
		Expect(install.FindOther(ctx, env, install.Firefox, "")).To(And(HaveField("Path", esr), HaveField("Source", install.SourceSystem),
			HaveField("Kind", install.KindFirefox), HaveField("Version", "1.2.3.4")))
		folder := filepath.Join(root, ".cache", "ms-playwright", "firefox-1530")
		own := put(filepath.Join(folder, "firefox", "firefox"), fakeVersion, 0o755)
		Expect(install.FindOther(ctx, env, install.Firefox, "")).To(HaveField("Path", esr), "a download that was cut off")
		put(filepath.Join(folder, "INSTALLATION_COMPLETE"), "", 0o600)
		Expect(install.FindOther(ctx, env, install.Firefox, "")).To(And(HaveField("Path", own), HaveField("Source", install.SourcePlaywright)))
		Expect(install.FindOther(ctx, env, install.Firefox, "firefox-esr")).To(And(HaveField("Path", esr), HaveField("Source", install.SourceSystem)))
		Expect(install.FindOther(ctx, env, install.Firefox, own)).To(HaveField("Source", install.SourcePlaywright))
		_, err = install.FindOther(ctx, env, install.Firefox, "/nowhere")
		Expect(err).To(MatchError(ContainSubstring(`browser.executable is "/nowhere", which is not a program`)))

		env.Brand = install.WebKit
		kit := filepath.Join(root, ".cache", "ms-playwright", "webkit-2300")
		put(filepath.Join(kit, "INSTALLATION_COMPLETE"), "", 0o600)
		run := put(filepath.Join(kit, "pw_run.sh"), fakeVersion, 0o755)
		Expect(install.FindBrowser(ctx, env)).To(HaveField("Path", run))
	})
})
