package suites_test

import (
	"encoding/xml"
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
	for _, pattern := range []string{"suites/*.yaml", "examples/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			panic(err) // the patterns are constant
		}
		files = append(files, found...)
	}

	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			panic(err) // both are relative
		}
		name = filepath.ToSlash(name)
		if strings.HasSuffix(name, "-fails.yaml") {
			It(name+" fails as it says", func(ctx SpecContext) {
				out, err := checkrow(ctx, "run", "--output", filepath.Join(GinkgoT().TempDir(), "run"), name)
				var exit *exec.ExitError
				Expect(err).To(BeAssignableToTypeOf(exit), out)
				Expect(err.(*exec.ExitError).ExitCode()).To(Equal(1), out)
			}, SpecTimeout(3*time.Minute))
			continue
		}
		It(name+" passes", func(ctx SpecContext) {
			run := filepath.Join(GinkgoT().TempDir(), "run")
			out, err := checkrow(ctx, "run", "--output", run, name)
			Expect(err).NotTo(HaveOccurred(), out)
			Expect(green(filepath.Join(run, "junit.xml"))).To(BeTrue(), out)
		}, SpecTimeout(3*time.Minute))
	}
})

// green tells that a JUnit file counts at least one test and no failure, error or skip.
func green(path string) (bool, error) {
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
	return report.Tests > 0 && report.Failures+report.Errors+report.Skipped == 0, nil
}
