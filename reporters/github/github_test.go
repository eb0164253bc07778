package github_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/reporters/github"
	"github.com/checkrow/checkrow/reporters/markdown"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// command is a workflow command as the runner of GitHub Actions reads it.
type command struct {
	name, text string
	props      map[string]string
}

// read does what the runner's ActionCommand does with a line of a log: the properties end at the first "::" behind them,
// are parted by commas and their names by the first equals sign; then what was escaped comes back.
func read(line string) (command, bool) {
	line = strings.TrimSpace(line)
	rest, ok := strings.CutPrefix(line, "::")
	if !ok {
		return command{}, false
	}
	head, text, ok := strings.Cut(rest, "::")
	if !ok {
		return command{}, false
	}
	back := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	name, props, _ := strings.Cut(head, " ")
	c := command{name: name, text: strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(text), props: map[string]string{}}
	for _, p := range strings.Split(props, ",") {
		k, v, ok := strings.Cut(p, "=")
		if ok {
			c.props[strings.TrimSpace(k)] = back.Replace(v)
		}
	}
	return c, true
}

func commands(text string) []command {
	GinkgoHelper()
	var out []command
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		c, ok := read(l)
		Expect(ok).To(BeTrue(), "no command: %q", l)
		out = append(out, c)
	}
	return out
}

// run is a run whose tests have the given states and all the same words.
func run(words string, states ...steps.Status) *journal.State {
	GinkgoHelper()
	s := journal.NewState()
	plan := journal.Planned{Run: journal.RunInfo{ID: "r", WorkDir: "/repo/web"}}
	for i := range states {
		plan.Tests = append(plan.Tests, journal.PlannedTest{Key: steps.TestKey{Suite: "a.yaml", Name: fmt.Sprintf("%s %d", words, i)},
			Pos: diag.Pos{File: "a.yaml", Line: i + 1, Col: 5}})
	}
	Expect(s.Apply(journal.Event{Body: plan})).To(Succeed())
	for i, t := range s.Tests {
		t.Status, t.Done = states[i], true
		a := &journal.Attempt{N: 1, Failure: &journal.Failure{Category: steps.Assertion, Message: words, Pos: diag.Pos{File: "a.yaml", Line: 10 + i, Col: 9}}}
		switch states[i] {
		case steps.Failed:
			s.End.Exit = 1
			t.Attempts = []*journal.Attempt{a}
		case steps.Flaky:
			t.Attempts = []*journal.Attempt{a, {N: 2}}
		}
	}
	s.Ended = true
	return s
}

func repeat(s steps.Status, n int) []steps.Status {
	out := make([]steps.Status, n)
	for i := range out {
		out[i] = s
	}
	return out
}

var _ = Describe("GitHub Actions", func() {
	annotate := func(s *journal.State, o github.Options) []command {
		GinkgoHelper()
		var b bytes.Buffer
		Expect(github.New(&b, o).Close(s)).To(Succeed())
		if b.Len() == 0 {
			return nil
		}
		return commands(b.String())
	}

	It("writes what the golden says", func() {
		a := &txtar.Archive{Comment: []byte("Annotations of recorded runs, in a checkout whose root is two folders up.\n\n")}
		for _, name := range []string{"full", "green", "people", "verdicts"} {
			s, err := journal.Load(filepath.Join("..", "testdata", name))
			Expect(err).NotTo(HaveOccurred())
			var b bytes.Buffer
			Expect(github.New(&b, github.Options{Workspace: filepath.Dir(s.Run.WorkDir)}).Close(s)).To(Succeed())
			a.Files = append(a.Files, txtar.File{Name: "want." + name, Data: b.Bytes()})
		}
		path := filepath.Join("testdata", "annotations.txtar")
		if os.Getenv("CHECKROW_GOLDEN") != "" {
			Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
			Expect(os.WriteFile(path, txtar.Format(a), 0o644)).To(Succeed())
		}
		want, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(txtar.Format(a))).To(Equal(string(want)))
	})

	It("comes back as it was from the runner's reader, whatever a test is called and says", func() {
		words := "a, b=c::error file=x::y 100%0A %25 買い物\n##[error]z\x1b[31m"
		got := annotate(run(words, steps.Failed, steps.Flaky), github.Options{Workspace: "/repo"})
		Expect(got).To(HaveLen(2))
		clean := "a, b=c::error file=x::y 100%0A %25 買い物\n##[error]z"
		Expect(got[0].name).To(Equal("error"))
		Expect(got[0].text).To(Equal(clean))
		Expect(got[0].props).To(Equal(map[string]string{"file": "web/a.yaml", "line": "10", "col": "9",
			"title": "FAIL a.yaml › " + strings.ReplaceAll(clean, "\n", " ") + " 0"}))
		Expect(got[1].name).To(Equal("warning"))
		Expect(got[1].text).To(Equal("passed at attempt 2; attempt 1: " + clean))
		Expect(got[1].props).To(HaveKeyWithValue("line", "11"))
	})

	It("says nothing of a green run, and that a run has not ended, was stopped or left tests out", func() {
		Expect(annotate(run("x", steps.Passed, steps.Skipped, steps.KnownBug, steps.Quarantined), github.Options{})).To(BeEmpty())
		Expect(annotate(journal.NewState(), github.Options{})[0].text).To(Equal("the run has not ended"))
		s := run("x", steps.NotRun, steps.NotRun, steps.Passed)
		Expect(annotate(s, github.Options{})[0].text).To(Equal("not everything that was planned ran (2 of 3 tests without a verdict)"))
		s.End.Reason = "stopped by SIGTERM"
		Expect(annotate(s, github.Options{})[0].text).To(Equal("the run was stopped: by SIGTERM (2 of 3 tests without a verdict)"))
	})

	It("uses no more annotations than GitHub shows, and counts the others", func() {
		got := annotate(run("x", repeat(steps.Failed, 10)...), github.Options{})
		Expect(got).To(HaveLen(10))
		got = annotate(run("x", append(repeat(steps.Failed, 200), repeat(steps.Flaky, 11)...)...), github.Options{})
		Expect(got).To(HaveLen(20))
		Expect(got[9].text).To(HavePrefix("… and 191 more"))
		Expect(got[19].text).To(HavePrefix("… and 2 more"))
	})

	It("leaves a path alone that is not in the checkout", func() {
		got := annotate(run("x", steps.Failed), github.Options{Workspace: "/elsewhere"})
		Expect(got[0].props).To(HaveKeyWithValue("file", "a.yaml"))
	})

	It("appends to the summary of the step what there is room for", func() {
		path := filepath.Join(GinkgoT().TempDir(), "summary.md")
		annotate(run("x", steps.Failed), github.Options{Summary: path})
		Expect(os.ReadFile(path)).To(HavePrefix("## ❌ checkrow: 1 test: 1 failed\n"))

		taken := strings.Repeat("x", markdown.MaxBytes-3000)
		Expect(os.WriteFile(path, []byte(taken), 0o644)).To(Succeed())
		annotate(run("x", repeat(steps.Failed, 300)...), github.Options{Summary: path})
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(data)).To(HavePrefix(taken + "\n\n## ❌ checkrow: 300 tests"))
		Expect(len(data)).To(BeNumerically("<=", markdown.MaxBytes))

		Expect(os.WriteFile(path, []byte(strings.Repeat("x", markdown.MaxBytes)), 0o644)).To(Succeed())
		got := annotate(run("x", steps.Passed), github.Options{Summary: path})
		Expect(got).To(HaveLen(1))
		Expect(got[0].name + got[0].text).To(HavePrefix("warningthe summary of the job is full"))
	})

	It("warns of a summary that cannot be written, and fails if the log is gone", func() {
		got := annotate(run("x", steps.Passed), github.Options{Summary: filepath.Join(GinkgoT().TempDir(), "no", "such")})
		Expect(got[0].name + got[0].text).To(HavePrefix("warningopening the summary of the job"))
		Expect(github.New(gone{}, github.Options{}).Close(run("x", steps.Failed))).To(MatchError(errGone))
	})
})

var errGone = errors.New("gone")

type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errGone }
