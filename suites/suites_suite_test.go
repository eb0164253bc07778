package suites_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestSuites(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Suites")
}

// root is the folder of the module.
const root = ".."

var binary string

var _ = BeforeSuite(func(ctx context.Context) {
	dir := GinkgoT().TempDir()
	binary = filepath.Join(dir, "checkrow")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/checkrow")
	build.Dir = root
	out, err := build.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), "%s", out)
	if _, err := checkrow(ctx, "install"); err != nil && os.Getenv("CI") != "true" {
		Skip("no browser could be installed")
	} else {
		Expect(err).NotTo(HaveOccurred())
	}
})

// checkrow runs the binary in the module's root and gives what it printed.
func checkrow(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = root
	// The shop's own password, so that the suite about secrets has one to mask. A busy machine takes longer than the suites allow.
	cmd.Env = append(os.Environ(), "SHOP_PASSWORD=teapot-42", "CHECKROW_TIMEOUT_SCALE=3", "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}
