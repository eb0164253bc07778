package conformance_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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

func TestConformance(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Conformance Suite")
}

// newEngine makes an engine on the browser of this machine, and tells whether that is a headless shell. Where there is
// none the specs are skipped, and fail in CI.
func newEngine(ctx SpecContext) (e *browser.Engine, shell bool) {
	GinkgoHelper()
	found, err := install.Find(ctx, install.Env{Environ: os.Environ()})
	if err != nil {
		if os.Getenv("CI") == "true" {
			Fail(err.Error())
		}
		Skip(err.Error())
	}
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	env, err := install.ShimEnv(found, self, found.Cache)
	Expect(err).NotTo(HaveOccurred())
	for _, kv := range env {
		k, v, _ := strings.Cut(kv, "=")
		Expect(os.Setenv(k, v)).To(Succeed())
	}
	e = browser.New(browser.Options{Driver: found.Driver, Executable: found.Browser.Path})
	DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
	return e, strings.Contains(found.Browser.Path, "shell")
}
