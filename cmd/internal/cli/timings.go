package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// timingsReport writes timings.json: how long each test took, for --timings.
type timingsReport struct{ path string }

var _ reporters.Reporter = timingsReport{}

func openTimings(_ *app, p openParams) (reporters.Reporter, error) {
	r := timingsReport{p.path}
	return r, r.write(journal.NewState())
}

// Event implements reporters.Reporter.
func (r timingsReport) Event(journal.Event, *journal.State) error { return nil }

// Close implements reporters.Reporter.
func (r timingsReport) Close(s *journal.State) error { return r.write(s) }

func (r timingsReport) write(s *journal.State) error {
	out := timingsFile{Version: 1, Tests: []timingOfTest{}}
	for _, t := range s.Tests {
		if t.Done && t.Took > 0 && t.Status != steps.StatusInterrupted {
			out.Tests = append(out.Tests, timingOfTest{t.Planned.Key.Suite, t.Planned.Key.Name, max(t.Took.Milliseconds(), 1)})
		}
	}
	slices.SortFunc(out.Tests, func(a, b timingOfTest) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Name, b.Name))
	})
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return fmt.Errorf("encoding timings: %w", err)
	}
	return reporters.Replace(r.path, append(text, '\n'), true)
}
