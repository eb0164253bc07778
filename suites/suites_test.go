package suites_test

import (
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("every suite", Label("browser"), func() {
	files := []string{}
	for _, pattern := range []string{"suites/*.yaml", "examples/*.yaml", "examples/jobs/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			panic(err) // the patterns are constant
		}
		files = append(files, found...)
	}

	for _, file := range files {
		if filepath.Base(file) == "rows.yaml" {
			continue // its tests are specs of their own, see specs_test.go
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			panic(err) // both are relative
		}
		name = filepath.ToSlash(name)
		if strings.HasSuffix(name, "-fails.yaml") {
			It(name+" fails as it says", func(ctx SpecContext) {
				out, err := checkrow(ctx, "run", "--output", filepath.Join(GinkgoT().TempDir(), "run"), name)
				Expect(exitCode(err)).To(Equal(1), out)
			}, SpecTimeout(6*time.Minute))
			continue
		}
		It(name+" passes", func(ctx SpecContext) {
			run := filepath.Join(GinkgoT().TempDir(), "run")
			out, err := checkrow(ctx, "run", "--output", run, name)
			Expect(err).NotTo(HaveOccurred(), out)
			// A known bug and a quarantined test are skips that somebody declared.
			Expect(green(filepath.Join(run, "junit.xml"), strings.Contains(name, "quarantine"))).To(BeTrue(), out)
		}, SpecTimeout(6*time.Minute))
	}
})

// exitCode is the code a program ended with; -1 if it did not run.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// green tells that a JUnit file counts at least one test and no failure or error; skips only where they are declared.
func green(path string, skips bool) (bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	var report struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	if err := xml.Unmarshal(text, &report); err != nil {
		return false, err
	}
	return report.Tests > 0 && report.Failures+report.Errors == 0 && (skips || report.Skipped == 0), nil
}
