package journal_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

const file = "suites/login.yaml"

func key(name string) *steps.TestKey { return &steps.TestKey{Suite: file, Name: name} }

func planned(names ...string) journal.Event {
	p := journal.Planned{Run: journal.RunInfo{ID: "r1", Version: "dev", Workers: 2},
		Suites: []journal.PlannedSuite{{File: file, Name: "login", Teardown: true}}}
	for i, n := range names {
		p.Tests = append(p.Tests, journal.PlannedTest{Key: *key(n), Pos: diag.Pos{File: file, Line: 10 * (i + 1), Col: 5}})
	}
	return journal.Event{Body: p}
}

func start(name string, n int) journal.Event {
	return journal.Event{Suite: file, Test: key(name), Attempt: n, Body: journal.AttemptStart{Worker: 1}}
}

func intent(name string, n int, path string) journal.Event {
	return journal.Event{Suite: file, Test: key(name), Attempt: n, Phase: journal.PhaseSteps, Step: path,
		Pos: diag.Pos{File: file, Line: 11, Col: 9}, Body: journal.Intent{Name: "click", Row: 1}}
}

func done(name string, n int, path string, o steps.Observation) journal.Event {
	e := intent(name, n, path)
	e.Body = journal.Done{Name: "click", Obs: o}
	return e
}

func attemptEnd(name string, n int, s steps.Status, f *journal.Failure) journal.Event {
	return journal.Event{Suite: file, Test: key(name), Attempt: n,
		Body: journal.AttemptEnd{Status: s, Failure: f, Took: time.Second}}
}

func testEnd(name string, s steps.Status) journal.Event {
	return journal.Event{Suite: file, Test: key(name), Body: journal.TestEnd{Status: s, Took: time.Second}}
}

var clicked = steps.Observation{Success: true, Summary: "clicked #go", Argv: []string{"click", "#go"}, Took: time.Millisecond,
	Data: map[string]any{"n": 3, "f": 1.5}, Value: int64(42)}

var refused = steps.Observation{Category: steps.Assertion, Error: "want A, got B", Data: map[string]any{"n": int64(1) << 60},
	Detail: &steps.Detail{Want: "A", Got: "B", Terms: []steps.Term{{Source: "a == b", Value: false, Evaluated: true}}}}

// sample is a whole run: one test passes, one fails, one is flaky.
func sample() []journal.Event {
	return []journal.Event{
		planned("passes", "fails", "flaky"),
		{Body: journal.ProcStart{What: "browser", Name: "chromium", PID: 4711, Start: "s1"}},
		{Suite: file, Phase: journal.PhaseSetup, Step: "1", Body: journal.Done{Name: "exec", Obs: steps.Observation{Success: true}}},
		{Suite: file, Body: journal.SetupEnd{Took: time.Second}},
		start("passes", 1), intent("passes", 1, "1"), done("passes", 1, "1", clicked),
		attemptEnd("passes", 1, steps.Passed, nil), testEnd("passes", steps.Passed),
		start("fails", 1), intent("fails", 1, "1"), done("fails", 1, "1", refused),
		attemptEnd("fails", 1, steps.Failed, &journal.Failure{Category: steps.Assertion, Message: "want A, got B"}),
		testEnd("fails", steps.Failed),
		start("flaky", 1), attemptEnd("flaky", 1, steps.Failed, &journal.Failure{Category: steps.Timeout, Message: "too slow"}),
		start("flaky", 2), attemptEnd("flaky", 2, steps.Passed, nil), testEnd("flaky", steps.Flaky),
		{Body: journal.Warning{Text: "trace is off"}},
		{Suite: file, Phase: journal.PhaseTeardown, Step: "1", Body: journal.Done{Name: "exec", Obs: steps.Observation{Success: true}}},
		{Suite: file, Body: journal.TeardownEnd{Took: time.Second}},
		{Body: journal.ProcEnd{What: "browser", Name: "chromium", PID: 4711, Exit: "0"}},
		{Body: journal.RunEnd{Exit: 1, Took: 3 * time.Second}},
	}
}

// write appends events to a new journal and gives its folder.
func write(m journal.Masker, events ...journal.Event) string {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	w, err := journal.Create(dir, m, nil)
	Expect(err).NotTo(HaveOccurred())
	for _, e := range events {
		Expect(w.Append(e, journal.Kernel)).To(Succeed())
	}
	Expect(w.Close()).To(Succeed())
	return dir
}

// text is a state as JSON, to compare two.
func text(s *journal.State) string {
	GinkgoHelper()
	b, err := json.MarshalIndent(s, "", " ")
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

func content(dir string) string {
	GinkgoHelper()
	b, err := os.ReadFile(filepath.Join(dir, journal.FileName))
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}
