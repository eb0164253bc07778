package reporters_test

import (
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/runner/journal"
)

func TestReporters(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "reporters")
}

// load folds one of the recorded runs.
func load(name string) *journal.State {
	GinkgoHelper()
	s, err := journal.Load(filepath.Join("testdata", name))
	Expect(err).NotTo(HaveOccurred())
	return s
}

// golden compares files with an archive, or writes it when CHECKROW_GOLDEN is set.
func golden(name, comment string, files ...txtar.File) {
	GinkgoHelper()
	got := string(txtar.Format(&txtar.Archive{Comment: []byte(comment + "\n\n"), Files: files}))
	path := filepath.Join("testdata", name+".txtar")
	if os.Getenv("CHECKROW_GOLDEN") != "" {
		Expect(os.WriteFile(path, []byte(got), 0o644)).To(Succeed())
	}
	want, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(string(want)))
}
