package junit_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/reporters/junit"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// runDir is the run folder that the recorded runs name.
const runDir = "/build/shop/.checkrow/runs/20261130-184924-a1"

// clock is a clock that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

var _ = Describe("junit.xml", func() {
	var path string
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "out", "junit.xml") })

	closed := func(s *journal.State, o junit.Options) string {
		GinkgoHelper()
		r, err := junit.New(path, o)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Close(s)).To(Succeed())
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return string(data)
	}

	DescribeTable("is as the golden says", func(name string) {
		got := closed(load(name), junit.Options{Attachments: junit.FromProject})
		parse(path)
		want := filepath.Join("testdata", name+".xml")
		if os.Getenv("CHECKROW_GOLDEN") != "" {
			Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
			Expect(os.WriteFile(want, []byte(got), 0o644)).To(Succeed())
		}
		data, err := os.ReadFile(want)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(string(data)))
	}, Entry(nil, "full"), Entry(nil, "green"), Entry(nil, "lives"), Entry(nil, "people"), Entry(nil, "verdicts"))

	It("overwrites an old report before anything else, and is red then", func() {
		Expect(os.MkdirAll(filepath.Dir(path), 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte("<testsuites/>"), 0o644)).To(Succeed())
		_, err := junit.New(path, junit.Options{})
		Expect(err).NotTo(HaveOccurred())
		Expect(parse(path).Errors).To(Equal(1))
	})

	It("is red and whole after a kill at any event", func() {
		for _, name := range []string{"green", "full"} {
			r, err := junit.New(path, junit.Options{Now: (&clock{}).now})
			Expect(err).NotTo(HaveOccurred())
			last, planned := 0, 0
			final, err := journal.Replay(recorded(name), func(e journal.Event, s *journal.State) {
				Expect(r.Event(e, s)).To(Succeed())
				doc := parse(path)
				planned = len(s.Tests)
				Expect(doc.Tests).To(BeNumerically(">=", planned))
				last = doc.Errors + doc.Failures
				if !s.Ended {
					Expect(last).To(BeNumerically(">", 0), "%s after event %d", name, e.Seq)
				}
			})
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Close(final)).To(Succeed())
			Expect(parse(path).Errors == 0).To(Equal(name == "green"))
		}
	})

	It("is red and true when it is rebuilt from the journal of a killed run", func() {
		for _, name := range []string{"green", "full"} {
			whole, err := os.ReadFile(filepath.Join(recorded(name), journal.FileName))
			Expect(err).NotTo(HaveOccurred())
			lines := bytes.SplitAfter(whole, []byte("\n"))
			for n := range lines[:len(lines)-1] {
				dir := GinkgoT().TempDir()
				Expect(os.WriteFile(filepath.Join(dir, journal.FileName), bytes.Join(lines[:n], nil), 0o600)).To(Succeed())
				s, err := journal.Load(dir)
				Expect(err).NotTo(HaveOccurred())
				closed(s, junit.Options{})
				doc := parse(path)
				Expect(doc.Errors).To(BeNumerically(">", 0), "%s cut before line %d", name, n+1)
				for _, t := range s.Tests {
					c := find(doc, t.Planned.Key.Name)
					Expect(len(c.Errors)+len(c.Failures) > 0).To(Equal(t.Status != steps.Passed && t.Status != steps.Flaky &&
						t.Status != steps.Skipped && t.Status != steps.Quarantined && t.Status != steps.KnownBug), t.Planned.Key.Name)
					if t.Status == steps.StatusInterrupted {
						Expect(c.Errors[0].Type).To(Equal("interrupted"))
					}
				}
			}
		}
	})

	It("rewrites at most one time in fifty", func() {
		at := &clock{at: time.Unix(1_800_000_000, 0)}
		tick := time.Duration(0)
		now := func() time.Time { at.at = at.at.Add(tick); return at.at }
		r, err := junit.New(path, junit.Options{Now: now})
		Expect(err).NotTo(HaveOccurred())
		writes := 0
		seen := ""
		_, err = journal.Replay(recorded("full"), func(e journal.Event, s *journal.State) {
			tick = 10 * time.Millisecond // what a rewrite costs
			Expect(r.Event(e, s)).To(Succeed())
			tick = 0
			at.at = at.at.Add(20 * time.Millisecond)
			if data, err := os.ReadFile(path); err == nil && string(data) != seen {
				writes++
				seen = string(data)
			}
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(writes).To(BeNumerically(">", 1))
		Expect(writes).To(BeNumerically("<", 6))
	})

	It("shows attachments from its own folder, the project or the root", func() {
		for base, want := range map[junit.Base]string{junit.FromProject: ".checkrow/runs/20261130-184924-a1/artifacts/checkout/cart/1/cart.png",
			junit.Absolute: runDir + "/artifacts/checkout/cart/1/cart.png"} {
			Expect(closed(load("full"), junit.Options{Attachments: base})).To(ContainSubstring("\n[[ATTACHMENT|" + want + "]]\n"))
		}
		s := load("full")
		s.Run.Dir = filepath.Dir(path)
		Expect(closed(s, junit.Options{})).To(ContainSubstring("\n[[ATTACHMENT|artifacts/checkout/cart/1/cart.png]]\n"))
	})

	It("survives what pages and people write", func() {
		odd := "]]>\x00\x1b[31mred\x1b[0m\xff\xfe<&\">\ud7ff\ufffe\U0010ffff日本"
		s := journal.NewState()
		key := steps.TestKey{Suite: "a.b/c.d.yaml", Name: odd}
		apply := func(e journal.Event) { Expect(s.Apply(e)).To(Succeed()) }
		apply(journal.Event{Body: journal.Planned{Suites: []journal.PlannedSuite{{File: key.Suite, Name: odd}},
			Tests: []journal.PlannedTest{{Key: key, Tags: []string{odd}, Pos: diag.Pos{File: odd}}}}})
		apply(journal.Event{Test: &key, Suite: key.Suite, Attempt: 1, Body: journal.AttemptStart{}})
		apply(journal.Event{Test: &key, Suite: key.Suite, Attempt: 1, Body: journal.AttemptEnd{Status: steps.Failed,
			Failure: &journal.Failure{Category: steps.Assertion, Message: odd, Detail: &steps.Detail{Want: odd, Got: "x" + odd}}}})
		apply(journal.Event{Test: &key, Suite: key.Suite, Body: journal.TestEnd{Status: steps.Failed}})
		text := closed(s, junit.Options{})
		Expect(text).NotTo(MatchRegexp("[\x00-\x08\x0b-\x1f]"))
		doc := parse(path)
		c := doc.Suites[1].Cases[0]
		Expect(c.Class).To(Equal("a_b/c_d"))
		Expect(c.Name).To(ContainSubstring("]]>[NUL]red"))
		Expect(c.Failures).To(HaveLen(1))
	})

	It("tells suites apart whose class would be the same", func() {
		s := journal.NewState()
		p := journal.Planned{}
		for i, f := range []string{"x/a.b.yaml", "x/a_b.yaml", "x/a.b.yml"} {
			p.Suites = append(p.Suites, journal.PlannedSuite{File: f})
			p.Tests = append(p.Tests, journal.PlannedTest{Key: steps.TestKey{Suite: f, Name: "same"}, Pos: diag.Pos{Line: i + 1}})
		}
		Expect(s.Apply(journal.Event{Body: p})).To(Succeed())
		closed(s, junit.Options{})
		parse(path)
	})

	It("reports files that are broken when nothing could run", func() {
		s := journal.NewState()
		s.Broken = []journal.BrokenFile{{File: "suites/x.yaml", Errors: []string{"suites/x.yaml:1:1: bad", "suites/x.yaml:2:1: worse"}}}
		text := closed(s, junit.Options{})
		Expect(parse(path).Errors).To(Equal(2))
		Expect(text).To(ContainSubstring(`type="validation">suites/x.yaml:1:1: bad` + "\nsuites/x.yaml:2:1: worse</error>"))
	})

	DescribeTable("is red when the run was not well though every test passed", func(exit, errors int) {
		s := journal.NewState()
		s.Ended, s.End = true, journal.RunEnd{Exit: exit, Reason: "by SIGINT"}
		text := closed(s, junit.Options{})
		Expect(parse(path).Errors).To(Equal(errors))
		if errors > 0 {
			Expect(text).To(ContainSubstring(fmt.Sprintf("exit code %d; by SIGINT", exit)))
		}
	}, Entry("stopped", 130, 1), Entry("out of time", 5, 1), Entry("no browser", 3, 1), Entry("at fault", 4, 1),
		Entry("well", 0, 0), Entry("flaky, which the cases say", 6, 0))

	It("rewrites 1,000 finished tests quickly", func() {
		s := big(1000)
		r, err := junit.New(path, junit.Options{Now: (&clock{}).now})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Close(s)).To(Succeed())
		Expect(os.Remove(path)).To(Succeed())
		began := time.Now()
		Expect(r.Event(journal.Event{Body: journal.RunEnd{}}, s)).To(Succeed())
		took := time.Since(began)
		AddReportEntry("rewrite", fmt.Sprint(took))
		Expect(took).To(BeNumerically("<", 3*time.Second))             // 2.5 ms when nothing else runs
		Expect(strings.Count(read(path), "<testcase")).To(Equal(1002)) // the run and its teardown are to come
	})
})

func read(path string) string {
	GinkgoHelper()
	data, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	return string(data)
}

func find(doc document, name string) testcase {
	GinkgoHelper()
	for _, u := range doc.Suites {
		for _, c := range u.Cases {
			if c.Name == name {
				return c
			}
		}
	}
	Fail("no case " + name)
	return testcase{}
}
