package junit_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/checkrow/checkrow/reporters/junit"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// big is the state of a run of n tests of ten rows that have passed, but for the end of the run.
func big(n int) *journal.State {
	s := journal.NewState()
	const file = "suites/big.yaml"
	p := journal.Planned{Suites: []journal.PlannedSuite{{File: file, Name: "big"}}}
	for i := range n {
		p.Tests = append(p.Tests, journal.PlannedTest{Key: steps.TestKey{Suite: file, Name: fmt.Sprintf("test %d", i)},
			Pos: diag.Pos{File: file, Line: i}})
	}
	put := func(e journal.Event) {
		if err := s.Apply(e); err != nil {
			panic(err)
		}
	}
	put(journal.Event{Body: p})
	for _, t := range p.Tests {
		key := t.Key
		at := journal.Event{Suite: file, Test: &key, Attempt: 1, At: time.Unix(1_800_000_000, 0)}
		at.Body = journal.AttemptStart{}
		put(at)
		for row := range 10 {
			at.Phase, at.Step, at.Pos = journal.PhaseSteps, fmt.Sprint(row+1), diag.Pos{File: file, Line: row, Col: 7}
			at.Body = journal.Done{Name: "click", Obs: steps.Observation{Success: true, Argv: []string{"click", "role=button Pay"}}}
			put(at)
		}
		at.Body = journal.AttemptEnd{Status: steps.Passed}
		put(at)
		at.Body = journal.TestEnd{Status: steps.Passed}
		put(at)
	}
	return s
}

// BenchmarkRewrite is what one rewrite of 1,000 finished tests costs, file and rename included.
func BenchmarkRewrite(b *testing.B) {
	s := big(1000)
	r, err := junit.New(filepath.Join(b.TempDir(), "junit.xml"), junit.Options{Now: func() time.Time { return time.Time{} }})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Event(journal.Event{Body: journal.RunEnd{}}, s); err != nil {
			b.Fatal(err)
		}
	}
}
