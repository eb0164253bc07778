package install_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/install"
	"github.com/checkrow/checkrow/steps/proc"
)

// TestMain lets the test binary stand in for checkrow when the driver is started through the shim.
func TestMain(m *testing.M) {
	if install.IsShim(os.Args) {
		if err := install.ShimMain(os.Args, os.Environ()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == proc.WatchdogArg {
		os.Exit(proc.WatchdogMain(os.Stdin, os.Args[2:]))
	}
	if len(os.Args) > 2 && os.Args[1] == browserMode {
		os.Exit(browserMain(os.Args[2]))
	}
	os.Exit(m.Run())
}

func TestInstall(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(30 * time.Second) // what must come, comes late on a busy machine
	RunSpecs(t, "steps/browser/install")
}

// put writes a file and the folders above it.
func put(path, text string, mode os.FileMode) string {
	GinkgoHelper()
	Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	Expect(os.Chmod(path, mode)).To(Succeed())
	return path
}

// program is a copy of a real binary, so that it is no script; it fails when it is run with --version.
func program(path string) string {
	GinkgoHelper()
	src, err := exec.LookPath("true")
	Expect(err).NotTo(HaveOccurred())
	raw, err := os.ReadFile(src)
	Expect(err).NotTo(HaveOccurred())
	return put(path, string(raw), 0o755)
}

// need fails a spec in CI and skips it elsewhere.
func need(err error, what string) {
	GinkgoHelper()
	if err == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		Fail(what + ": " + err.Error())
	}
	Skip(what + ": " + err.Error())
}

// perm are the permissions of a file or folder.
func perm(path string) os.FileMode {
	GinkgoHelper()
	info, err := os.Stat(path)
	Expect(err).NotTo(HaveOccurred())
	return info.Mode().Perm()
}
