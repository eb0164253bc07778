package markdown_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/reporters/markdown"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// many is a run of n failed tests with the same words everywhere.
func many(n int, words string) *journal.State {
	s := journal.NewState()
	plan := journal.Planned{Run: journal.RunInfo{ID: "r", Dir: "/w/run", WorkDir: "/w"}}
	for i := range n {
		plan.Tests = append(plan.Tests, journal.PlannedTest{Key: steps.TestKey{Suite: "a.yaml", Name: fmt.Sprintf("%s %d", words, i)}})
	}
	if err := s.Apply(journal.Event{Body: plan}); err != nil {
		panic(err)
	}
	for i, t := range s.Tests {
		t.Status, t.Done = steps.Failed, true
		t.Attempts = []*journal.Attempt{{N: 1, Failure: &journal.Failure{Category: steps.Assertion, Message: words,
			Pos: diag.Pos{File: "a.yaml", Line: i + 1}, Detail: &steps.Detail{Output: words + "\n```\n" + words}}}}
	}
	s.Ended, s.End = true, journal.RunEnd{Exit: 1}
	return s
}

var _ = Describe("report.md", func() {
	It("is as the golden says", func() {
		a := &txtar.Archive{Comment: []byte("Runs as Markdown, with links that start beside the run folder.\n\n")}
		for _, name := range []string{"full", "green", "lives", "people", "verdicts"} {
			s, err := journal.Load(filepath.Join("..", "testdata", name))
			Expect(err).NotTo(HaveOccurred())
			base := filepath.Dir(filepath.Dir(s.Run.Dir))
			a.Files = append(a.Files, txtar.File{Name: "want." + name, Data: markdown.Render(s, markdown.Options{Base: base})})
		}
		path := filepath.Join("testdata", "runs.txtar")
		if os.Getenv("CHECKROW_GOLDEN") != "" {
			Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
			Expect(os.WriteFile(path, txtar.Format(a), 0o644)).To(Succeed())
		}
		want, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(txtar.Format(a))).To(Equal(string(want)))
	})

	It("overwrites an old report at once by one that says the run has not ended, and writes the whole at the end", func() {
		path := filepath.Join(GinkgoT().TempDir(), "report.md")
		Expect(os.WriteFile(path, []byte("## ✅ checkrow"), 0o644)).To(Succeed())
		r, err := markdown.New(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.ReadFile(path)).To(ContainSubstring("The run has not ended"))
		Expect(r.Close(many(1, "x"))).To(Succeed())
		Expect(os.ReadFile(path)).To(HavePrefix("## ❌ checkrow: 1 test: 1 failed\n"))
	})

	It("goes to a stream, and says so when that is gone", func() {
		var b bytes.Buffer
		Expect(markdown.NewStream(&b).Close(many(1, "x"))).To(Succeed())
		Expect(b.String()).To(HavePrefix("## ❌"))
		Expect(markdown.NewStream(gone{}).Close(many(1, "x"))).To(MatchError(errGone))
	})

	DescribeTable("never exceeds its limit, and counts what it leaves out", func(n, limit int) {
		s := many(n, "買い物 <b>`@all`|\n")
		out := markdown.Render(s, markdown.Options{Limit: limit})
		if limit == 0 {
			limit = markdown.MaxBytes
		}
		Expect(len(out)).To(BeNumerically("<=", limit))
		Expect(utf8.Valid(out)).To(BeTrue())
		text := string(out)
		if limit > 4096 {
			shown := strings.Count(text, "<details>") + strings.Count(text, "- FAIL ")
			rest := 0
			if i := strings.Index(text, "- … and "); i >= 0 {
				_, err := fmt.Sscanf(text[i:], "- … and %d more", &rest)
				Expect(err).NotTo(HaveOccurred())
			}
			Expect(shown + rest).To(Equal(n))
			Expect(text).To(ContainSubstring("### Suites"))
		}
		Expect(strings.Count(text, "<details>")).To(Equal(strings.Count(text, "</details>")))
	}, Entry(nil, 3, 0), Entry(nil, 6000, markdown.MaxBytes), Entry(nil, 6000, 50_000), Entry(nil, 200, 5000), Entry(nil, 10, 300),
		Entry(nil, 10, 1))
})

var errGone = errors.New("gone")

type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errGone }

// FuzzRender holds that no text of a page can leave its code: outside of it there are only our own words.
func FuzzRender(f *testing.F) {
	for _, s := range []string{"`", "``` @all", "|x|", "</code></summary>", "\n\n# head", "[a](http://b)", "~~~\n", "x`", "` `"} {
		f.Add(s)
	}
	var plain string // the text around, taken from harmless words
	f.Fuzz(func(t *testing.T, words string) {
		around := outside(t, string(markdown.Render(many(2, "w"+words+"w"), markdown.Options{})))
		if plain == "" {
			plain = outside(t, string(markdown.Render(many(2, "www"), markdown.Options{})))
		}
		if around != plain {
			t.Errorf("%q leaves its code:\n%s\nwanted\n%s", words, around, plain)
		}
	})
}

// outside drops fences, code spans and code elements as GitHub reads them.
func outside(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if n := len(l) - len(strings.TrimLeft(l, "`")); n >= 3 && !strings.Contains(l[n:], "`") {
			for i++; i < len(lines) && (strings.Trim(lines[i], "`") != "" || len(lines[i]) < n); i++ {
			}
			out.WriteString("FENCE\n")
			continue
		}
		out.WriteString(spans(l) + "\n")
	}
	return out.String()
}

// spans drops the code of a line.
func spans(l string) string {
	if strings.HasPrefix(l, "<details>") { // a block of HTML: no Markdown is read in it
		for {
			from := strings.Index(l, "<code>")
			to := strings.Index(l, "</code>")
			if from < 0 || to < from {
				return l
			}
			l = l[:from] + "CODE" + l[to+len("</code>"):]
		}
	}
	var out strings.Builder
	for l != "" {
		n := len(l) - len(strings.TrimLeft(l, "`"))
		if n == 0 {
			out.WriteByte(l[0])
			l = l[1:]
			continue
		}
		rest, end := l[n:], -1
		for i := 0; i < len(rest); {
			m := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
			if m == n {
				end = i + m
				break
			}
			i += max(m, 1)
		}
		if end < 0 {
			return out.String() + l
		}
		out.WriteString("CODE")
		l = rest[end:]
	}
	return out.String()
}
