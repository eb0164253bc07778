// Package markdown writes a run as Markdown: the summary of a job, a comment on a change, or report.md beside the other
// reports. What comes from pages, processes and suites stands in code, so that it can be no markup, no link and no mention.
package markdown

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
)

// MaxBytes is how much GitHub takes: 1 MiB for the summary of a step.
const MaxBytes = 1 << 20

// Options of a text. The zero value of each field is its default.
type Options struct {
	Limit int    // bytes; 0: MaxBytes
	Base  string // the folder that links to artifacts start from; "": no links
}

// Reporter writes one Markdown text when the run ends.
type Reporter struct {
	path string
	w    io.Writer
}

var _ reporters.Reporter = (*Reporter)(nil)

// New makes the reporter of one file and at once overwrites what lies there by a report that says the run has not ended:
// an old report must not be taken for this run's.
func New(path string) (*Reporter, error) {
	r := &Reporter{path: path}
	return r, r.Close(journal.NewState())
}

// NewStream makes a reporter that writes to w. It writes nothing before the end.
func NewStream(w io.Writer) *Reporter { return &Reporter{w: w} }

// Event does nothing: the text is written at the end.
func (r *Reporter) Event(journal.Event, *journal.State) error { return nil }

// Close writes the text.
func (r *Reporter) Close(s *journal.State) error {
	if r.w == nil {
		return reporters.Replace(r.path, Render(s, Options{Base: filepath.Dir(r.path)}), false)
	}
	if _, err := r.w.Write(Render(s, Options{})); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	return nil
}
