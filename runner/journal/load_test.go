package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

func save(text string) string {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	Expect(os.WriteFile(filepath.Join(dir, journal.FileName), []byte(text), 0o600)).To(Succeed())
	return dir
}

var _ = Describe("Load", func() {
	It("gives the state that the live fold had", func() {
		dir := GinkgoT().TempDir()
		w, err := journal.Create(dir, nil, nil)
		Expect(err).NotTo(HaveOccurred())
		for _, e := range sample() {
			Expect(w.Append(e, journal.Buffered)).To(Succeed())
		}
		Expect(w.Close()).To(Succeed())
		loaded, err := journal.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		w.Read(func(live *journal.State) { Expect(text(loaded)).To(Equal(text(live))) })
		Expect(loaded.Tests).To(HaveExactElements(HaveField("Status", steps.Passed), HaveField("Status", steps.Failed),
			HaveField("Status", steps.Flaky)))
		Expect(loaded.Tests[2].Attempts).To(HaveLen(2))
		Expect(loaded.Suites[0].Setup).To(HaveLen(1))
		Expect(loaded.Suites[0].Teardown).To(HaveLen(1))
		Expect(loaded.Procs).To(BeEmpty())
	})

	It("gives the truth of a run that was killed in a test", func() {
		events := sample()
		s, err := journal.Load(write(nil, events[:11]...)) // fails has sent its first row
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Ended).To(BeFalse())
		Expect(s.Test(*key("passes"))).To(HaveField("Status", steps.Passed))
		Expect(s.Test(*key("fails"))).To(HaveField("Status", steps.StatusInterrupted))
		Expect(s.Test(*key("fails")).Attempts[0].Steps[0]).To(HaveField("State", steps.RowSentUnknown))
		Expect(s.Test(*key("flaky"))).To(HaveField("Status", steps.NotRun))
		Expect(s.Procs).To(HaveKey(4711))
		Expect(journal.ExitLoaded(s)).To(Equal(journal.ExitFailed))
	})

	It("ignores a torn last line wherever it is torn", func() {
		whole := content(write(nil, sample()...))
		for i := range len(whole) {
			s, err := journal.Fold(strings.NewReader(whole[:i]))
			if err != nil || s.Ended {
				Fail(fmt.Sprintf("after %d bytes: ended %v, %v", i, s.Ended, err))
			}
		}
	})

	DescribeTable("names the line of any other damage", func(damage func([]string) []string, line int, message string) {
		lines := strings.SplitAfter(content(write(nil, sample()...)), "\n")
		s, err := journal.Load(save(strings.Join(damage(lines), "")))
		var d *journal.DamageError
		Expect(errors.As(err, &d)).To(BeTrue(), "%v", err)
		Expect(d.Line).To(Equal(line))
		Expect(err.Error()).To(ContainSubstring(message))
		Expect(s.Test(*key("passes"))).To(HaveField("Status", steps.Passed))
		Expect(s.Test(*key("flaky"))).To(HaveField("Status", steps.NotRun))
	},
		Entry("a torn line in the middle", func(l []string) []string { l[11] = l[11][:20] + "\n"; return l }, 12, "no JSON event"),
		Entry("a missing line", func(l []string) []string { return append(l[:11:11], l[12:]...) }, 12, "event 13 follows event 11"),
		Entry("a line twice", func(l []string) []string { return append(l[:12:12], l[11:]...) }, 13, "event 12 follows event 12"),
		Entry("zeros", func(l []string) []string { l[11] = "\x00\x00\n"; return l }, 12, "no JSON event"),
		Entry("another format", func(l []string) []string { l[11] = strings.Replace(l[11], `"v":1`, `"v":2`, 1); return l }, 12,
			"format 2, want 1"),
		Entry("an unknown kind", func(l []string) []string { l[11] = strings.Replace(l[11], `"done"`, `"dune"`, 1); return l }, 12,
			`"dune" is no kind of event`),
		Entry("a test that is not planned", func(l []string) []string {
			l[11] = strings.Replace(l[11], `"test":"fails"`, `"test":"other"`, 1)
			return l
		}, 12, "is not planned"))

	It("says when there is no journal", func() {
		_, err := journal.Load(GinkgoT().TempDir())
		Expect(err).To(MatchError(os.ErrNotExist))
	})
})

// FuzzLoad looks for a panic, and for damage without a line.
func FuzzLoad(f *testing.F) {
	seed, err := os.ReadFile("testdata/seed.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(seed[:len(seed)/2])
	f.Add([]byte(`{"v":1,"seq":1,"kind":"done","test":"x","body":{}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := journal.Fold(bytes.NewReader(data))
		var damage *journal.DamageError
		if err != nil && (!errors.As(err, &damage) || damage.Line < 1) {
			t.Fatalf("%v has no line", err)
		}
		if journal.ExitLoaded(s) == 0 && !s.Ended {
			t.Fatal("green though it did not end")
		}
	})
}
