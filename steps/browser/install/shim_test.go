package install_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
)

var _ = Describe("IsShim", func() {
	DescribeTable("knows a driver start by its second argument", func(want bool, args ...string) {
		Expect(install.IsShim(args)).To(Equal(want))
	},
		Entry("a start", true, "/usr/bin/checkrow", "/x/shim/checkrow-driver.cjs", "run-driver"),
		Entry("a run", false, "checkrow", "run", "checkrow-driver.cjs"),
		Entry("nothing", false, "checkrow"),
		Entry("no arguments at all", false),
	)
})

var _ = Describe("the driver shim", Label("browser"), func() {
	var found install.Found
	var cache string

	BeforeEach(func(ctx SpecContext) {
		var err error
		found, err = install.Find(ctx, install.Env{Environ: os.Environ()})
		need(err, "browser")
		cache = filepath.Join(GinkgoT().TempDir(), "cache")
		vars, err := install.ShimEnv(found, self(), cache)
		Expect(err).NotTo(HaveOccurred())
		for _, kv := range vars {
			name, value, _ := strings.Cut(kv, "=")
			GinkgoT().Setenv(name, value)
		}
	})

	It("answers --version by the driver's package.json", func(ctx SpecContext) {
		fake := GinkgoT().TempDir()
		put(filepath.Join(fake, "package/package.json"), `{"name":"playwright-core","version":"9.9.9"}`, 0o600)
		cmd := exec.CommandContext(ctx, self(), os.Getenv("PLAYWRIGHT_CLI_PATH"), "--version")
		cmd.Env = append(os.Environ(), "CHECKROW_DRIVER_DIR="+fake)
		Expect(cmd.Output()).To(BeEquivalentTo("Version 9.9.9\n"))
	})

	It("runs a real driver and browser in a group of its own, and keeps compiled code", func(ctx SpecContext) {
		Expect(title(found)).To(Equal("shim"))
		Expect(perm(filepath.Join(cache, "shim", install.ShimName))).To(BeEquivalentTo(0o600))
		Expect(perm(filepath.Join(cache, "shim"))).To(BeEquivalentTo(0o700))
		Eventually(func() []string { return codeFiles(cache) }).ShouldNot(BeEmpty())
		Expect(title(found)).To(Equal("shim"), "with the code cache")
	})

	It("bears damaged compiled code", func(ctx SpecContext) {
		Expect(title(found)).To(Equal("shim"))
		Eventually(func() []string { return codeFiles(cache) }).ShouldNot(BeEmpty())
		for _, f := range codeFiles(cache) {
			Expect(os.WriteFile(f, []byte("rubbish"), 0o600)).To(Succeed())
		}
		Expect(title(found)).To(Equal("shim"))
	})

	It("needs a program, a Node and a driver", func() {
		_, err := install.ShimEnv(found, "", cache)
		Expect(err).To(HaveOccurred())
		Expect(install.ShimMain([]string{"x", install.ShimName, "run-driver"}, nil)).To(MatchError(ContainSubstring("must be set")))
	})
})

// title opens a page by the driver and reads its title.
func title(found install.Found) string {
	GinkgoHelper()
	pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.Driver, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard})
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(pw.Stop()).To(Succeed()) }()
	Expect(syscall.Getpgid(pw.Pid())).To(Equal(pw.Pid()), "it leads a group of its own")
	b, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &found.Browser.Path, Timeout: playwright.Float(20_000)})
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(b.Close()).To(Succeed()) }()
	page, err := b.NewPage()
	Expect(err).NotTo(HaveOccurred())
	_, err = page.Goto("data:text/html,<title>shim</title>")
	Expect(err).NotTo(HaveOccurred())
	text, err := page.Title()
	Expect(err).NotTo(HaveOccurred())
	return text
}

// codeFiles are the files of compiled code, be it ours or Node's own.
func codeFiles(cache string) []string {
	ours, err := filepath.Glob(filepath.Join(cache, "shim", "*.v8*"))
	Expect(err).NotTo(HaveOccurred())
	nodes, err := filepath.Glob(filepath.Join(cache, "shim", "node", "*", "*"))
	Expect(err).NotTo(HaveOccurred())
	return append(ours, nodes...)
}

// self is this test binary, which is also the shim (see TestMain).
func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// BenchmarkDriverStart measures playwright.Run as it is, and through the shim with a warm code cache.
func BenchmarkDriverStart(b *testing.B) {
	found, err := install.Find(context.Background(), install.Env{Environ: os.Environ()})
	if err != nil {
		b.Skip(err)
	}
	vars, err := install.ShimEnv(found, self(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	run := func(b *testing.B) {
		for b.Loop() {
			pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.Driver, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard})
			if err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if err := pw.Stop(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
	b.Run("plain", run)
	b.Run("shim", func(b *testing.B) {
		for _, kv := range vars {
			name, value, _ := strings.Cut(kv, "=")
			b.Setenv(name, value)
		}
		pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: found.Driver, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard})
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(3 * time.Second) // the code cache is written late
		if err := pw.Stop(); err != nil {
			b.Fatal(err)
		}
		b.ResetTimer()
		run(b)
	})
}
