package install_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
)

// npmEnv is an environment with npm's settings of this machine and a cache folder of its own.
func npmEnv() install.Env {
	GinkgoHelper()
	return install.Env{Environ: os.Environ(), Cache: filepath.Join(GinkgoT().TempDir(), "cache")}
}

var _ = Describe("Install", func() {
	It("is for the driver that playwright-go speaks to", func() {
		driver, err := playwright.NewDriver()
		Expect(err).NotTo(HaveOccurred())
		Expect(install.DriverVersion).To(Equal(driver.Version))
	})

	It("installs the driver from the registry, once, also when two do it at once", Label("network"), func(ctx SpecContext) {
		env := npmEnv()
		var group sync.WaitGroup
		var said [2]bytes.Buffer
		var errs [2]error
		for i := range 2 {
			group.Go(func() {
				_, errs[i] = install.Install(ctx, install.Options{Env: env, SkipBrowser: true, Progress: &said[i]})
			})
		}
		group.Wait()
		for i := range 2 {
			if errs[i] != nil && (strings.Contains(errs[i].Error(), "npm error") || len(missing(errs[i])) > 0) {
				Skip("the registry cannot be reached: " + errs[i].Error())
			}
			Expect(errs[i]).NotTo(HaveOccurred())
		}
		all := said[0].String() + said[1].String()
		Expect(strings.Count(all, "installed the Playwright driver")).To(Equal(1), all)
		Expect(strings.Count(all, "the Playwright driver "+install.DriverVersion+" is there")).To(Equal(1), all)

		driver := filepath.Join(env.Cache, "driver", install.DriverVersion)
		Expect(exec.CommandContext(ctx, filepath.Join(driver, "node"), "--version").Output()).To(HavePrefix("v"))
		for _, dir := range []string{env.Cache, driver} {
			Expect(perm(dir)).To(BeEquivalentTo(0o700), dir)
		}
		Expect(filepath.Glob(filepath.Join(env.Cache, "driver", ".*"))).To(BeEmpty())
		bundle, err := os.ReadFile(filepath.Join(driver, "package/lib/coreBundle.js"))
		Expect(err).NotTo(HaveOccurred())
		Expect(bytes.Contains(bundle, []byte("pageError.location?.url"))).To(BeTrue())

		Expect(codeFiles(env.Cache)).NotTo(BeEmpty(), "compiled ahead")

		By("finding it again without npm or a network")
		env.Environ = append(env.Environ, "PATH="+filepath.Dir(nodeOf(ctx, env)), "npm_config_registry=http://127.0.0.1:1/")
		began := time.Now()
		Expect(install.Install(ctx, install.Options{Env: env, SkipBrowser: true})).To(HaveField("DriverVersion", install.DriverVersion))
		Expect(time.Since(began)).To(BeNumerically("<", 2*time.Second))

		By("mending a damaged one")
		Expect(os.Remove(filepath.Join(driver, "package/cli.js"))).To(Succeed())
		_, err = install.Install(ctx, install.Options{Env: install.Env{Environ: os.Environ(), Cache: env.Cache}, SkipBrowser: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(filepath.Join(driver, "package/cli.js")).To(BeARegularFile())
	}, SpecTimeout(2*time.Minute))

	It("never takes an archive with another checksum, and leaves nothing behind", func(ctx SpecContext) {
		evil := archive(file("package/cli.js"), file("package/package.json"))
		asked := ""
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL.Path
			_, _ = w.Write(evil)
		}))
		defer server.Close()
		env := npmEnv()
		env.Environ = []string{"HOME=" + env.Cache, "PATH=/nowhere", install.NodeEnv + "=" + nodeOf(ctx, npmEnv()), "npm_config_registry=" + server.URL + "/npm/"}
		_, err := install.Install(ctx, install.Options{Env: env, SkipBrowser: true})
		Expect(err).To(MatchError(ContainSubstring("its checksum is sha512-")))
		Expect(asked).To(Equal("/npm/playwright-core/-/playwright-core-" + install.DriverVersion + ".tgz"))
		Expect(os.ReadDir(filepath.Join(env.Cache, "driver"))).To(BeEmpty())
	})

	It("says what to do without npm and registry, and when the registry does not have it", func(ctx SpecContext) {
		env := npmEnv()
		env.Root = GinkgoT().TempDir()
		env.Environ = []string{"HOME=" + env.Cache, "PATH=/nowhere", install.NodeEnv + "=" + nodeOf(ctx, npmEnv())}
		_, err := install.Install(ctx, install.Options{Env: env, SkipBrowser: true})
		Expect(err).To(MatchError(ContainSubstring("install npm, or set npm_config_registry")))

		server := httptest.NewServer(http.NotFoundHandler())
		defer server.Close()
		address := strings.Replace(server.URL, "http://", "http://user:hunter22@", 1)
		put(filepath.Join(env.Cache, ".npmrc"), "fund=false\nregistry = \""+address+"\"\n", 0o600)
		_, err = install.Install(ctx, install.Options{Env: env, SkipBrowser: true})
		Expect(err).To(MatchError(And(ContainSubstring("404"), Not(ContainSubstring("hunter22")))))
	})

	It("refuses a cache folder of another user", func(ctx SpecContext) {
		if os.Geteuid() != 0 {
			Skip("only root can give a folder away")
		}
		env := npmEnv()
		Expect(os.Mkdir(env.Cache, 0o700)).To(Succeed())
		Expect(os.Chown(env.Cache, 65534, 65534)).To(Succeed())
		_, err := install.Install(ctx, install.Options{Env: env, SkipBrowser: true})
		Expect(err).To(MatchError(ContainSubstring("belongs to user 65534")))
	})

	It("tells why each way to a browser failed, and what a person can do", func(ctx SpecContext) {
		if runtime.GOOS != "linux" || os.Geteuid() != 0 {
			Skip("apt-get is used by root on Linux only")
		}
		env := npmEnv()
		env.Root = GinkgoT().TempDir()
		node := nodeOf(ctx, npmEnv())
		driver := filepath.Join(env.Cache, "driver", install.DriverVersion, "package")
		put(filepath.Join(driver, "package.json"), `{"name":"playwright-core","version":"`+install.DriverVersion+`"}`, 0o600)
		put(filepath.Join(driver, "browsers.json"), "{}", 0o600)
		put(filepath.Join(driver, "lib/coreBundle.js"), "", 0o600)
		put(filepath.Join(driver, "cli.js"), `console.error("cannot download " + process.argv.slice(2).join(" ")); process.exit(1)`, 0o600)
		put(filepath.Join(env.Root, "etc/os-release"), "NAME=x\nID=debian\n", 0o600)
		log := filepath.Join(env.Root, "log")
		put(filepath.Join(env.Root, "bin/apt-get"), "#!/bin/sh\necho $DEBIAN_FRONTEND $@ >>"+log+"\n[ $1 = update ] || { echo unable to locate $4 >&2; exit 100; }\n", 0o755)
		env.Environ = []string{"HOME=" + env.Root, "PATH=" + filepath.Join(env.Root, "bin"), install.NodeEnv + "=" + node}
		var said bytes.Buffer
		_, err := install.Install(ctx, install.Options{Env: env, Progress: &said})
		Expect(err).To(MatchError(And(ContainSubstring("unable to locate chromium-headless-shell"), ContainSubstring("unable to locate chromium;"),
			ContainSubstring("cannot download install --with-deps chromium-headless-shell"), ContainSubstring(install.BrowserEnv))))
		Expect(os.ReadFile(log)).To(BeEquivalentTo("noninteractive update\n" +
			"noninteractive install -y --no-install-recommends chromium-headless-shell\n" +
			"noninteractive install -y --no-install-recommends chromium\n"))
		Expect(said.String()).To(ContainSubstring("installing the package chromium-headless-shell with apt-get"))

		By("taking what apt-get installed")
		put(filepath.Join(env.Root, "bin/apt-get"), "#!/bin/sh\n[ $1 = update ] || { printf '#!/bin/sh\\necho Chromium 9.8.7\\n' >"+
			filepath.Join(env.Root, "bin/chromium-headless-shell")+"; chmod 755 "+filepath.Join(env.Root, "bin/chromium-headless-shell")+"; }\n", 0o755)
		env.Environ[1] += ":/usr/bin:/bin"
		found, err := install.Install(ctx, install.Options{Env: hide(env), Progress: &said})
		Expect(err).NotTo(HaveOccurred())
		Expect(found.Browser).To(And(HaveField("Version", "9.8.7"), HaveField("Kind", install.KindShell)))
	})
})

// hide gives the environment a PATH whose system programs are only those the fake apt-get needs.
func hide(env install.Env) install.Env {
	GinkgoHelper()
	bin := filepath.Join(env.Root, "bin")
	for _, name := range []string{"chmod"} {
		for _, dir := range []string{"/bin", "/usr/bin"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				_ = os.Symlink(filepath.Join(dir, name), filepath.Join(bin, name))
			}
		}
	}
	env.Environ[1] = "PATH=" + bin
	return env
}

// nodeOf is the Node of this machine; a spec that needs one is skipped without.
func nodeOf(ctx context.Context, env install.Env) string {
	GinkgoHelper()
	found, err := install.Find(ctx, env)
	if found.Node == "" {
		need(err, "node")
	}
	return found.Node
}
