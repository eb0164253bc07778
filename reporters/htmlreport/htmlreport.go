// Package htmlreport writes report.html: one file for people that opens anywhere without a network. The data lies in it as
// JSON outside the document: an index of the tests, and what else is known of them in chunks that are read when a test is
// opened. Pictures and logs of failures are in the file, other artifacts are links.
package htmlreport

import (
	"fmt"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
)

// Reporter writes the report when the run ends. It does nothing per event: tests pay nothing for it.
type Reporter struct{ path, dir string }

var _ reporters.Reporter = (*Reporter)(nil)

// New makes the reporter of the run in folder dir, and at once overwrites what lies at path by a report that says the run
// has not ended: an old report must not be taken for this run's.
func New(path, dir string) (*Reporter, error) {
	r := &Reporter{path: path, dir: dir}
	return r, r.write(journal.NewState())
}

// Event does nothing: the report is written at the end.
func (r *Reporter) Event(journal.Event, *journal.State) error { return nil }

// Close writes the whole report.
func (r *Reporter) Close(s *journal.State) error { return r.write(s) }

// write does not wait for the disk: the journal does, and the report can be made from it again.
func (r *Reporter) write(s *journal.State) error {
	data, err := Render(s, r.dir, r.path)
	if err != nil {
		return err
	}
	return reporters.Replace(r.path, data, false)
}

// Render gives the page of a state. Artifacts are read from the run folder dir, and links to them are relative to path.
func Render(s *journal.State, dir, path string) ([]byte, error) {
	doc, err := build(s, dir, path)
	if err != nil {
		return nil, fmt.Errorf("gathering the report: %w", err)
	}
	return assemble(doc)
}
