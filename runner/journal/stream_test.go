package journal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
)

var _ = Describe("the stream of events", func() {
	It("has the lines of the journal", func() {
		dir := GinkgoT().TempDir()
		var lines []string
		w, err := journal.Create(dir, nil, func(e journal.Event, _ *journal.State) {
			line, err := journal.Encode(e)
			Expect(err).NotTo(HaveOccurred())
			lines = append(lines, string(line))
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Append(journal.Event{Body: journal.Planned{Run: journal.RunInfo{ID: "r"}, Suites: []journal.PlannedSuite{{File: "a.yaml"}}}}, journal.Disk)).To(Succeed())
		Expect(w.Append(journal.Event{Suite: "a.yaml", Step: "1", Body: journal.Warning{Text: "a \"b\" ü"}}, journal.Buffered)).To(Succeed())
		Expect(w.Append(journal.Event{Body: journal.RunEnd{Exit: 1}}, journal.Disk)).To(Succeed())
		Expect(w.Close()).To(Succeed())
		text, err := os.ReadFile(filepath.Join(dir, journal.FileName))
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Join(lines, "")).To(Equal(string(text)))
	})

	It("knows every kind that there is", func() {
		var have, want []string
		for _, b := range journal.Bodies() {
			have = append(have, b.Kind())
		}
		files, err := filepath.Glob("*.go")
		Expect(err).NotTo(HaveOccurred())
		for _, file := range files {
			text, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			for _, m := range regexp.MustCompile(`\) Kind\(\) string +\{ return "([a-z-]+)" \}`).FindAllStringSubmatch(string(text), -1) {
				want = append(want, m[1])
			}
		}
		slices.Sort(have)
		slices.Sort(want)
		Expect(have).To(Equal(want))
	})
})
