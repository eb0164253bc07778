// Package jsonreport writes report.json: all that a run did and found, for programs. Its form is report.schema.json in
// this folder; "schema" in the file is the version, which changes only when a reader would have to. Durations are
// milliseconds, times RFC 3339, paths of artifacts relative to the run folder.
package jsonreport

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
)

// Version is the version of the report's form.
const Version = 1

// Schema is the JSON Schema (2020-12) of the report.
//
//go:embed report.schema.json
var Schema []byte

// Reporter writes one report when the run is planned, so that a killed run leaves one that says it has not ended, and
// when it ends.
type Reporter struct{ path string }

var _ reporters.Reporter = (*Reporter)(nil)

// New makes the reporter and at once overwrites what lies at path: an old report must not be taken for this run's.
func New(path string) (*Reporter, error) {
	r := &Reporter{path: path}
	return r, r.write(journal.NewState(), false)
}

// Event writes the plan; the rest comes with Close.
func (r *Reporter) Event(e journal.Event, s *journal.State) error {
	switch e.Body.(type) {
	case journal.Planned, journal.Resumed:
		return r.write(s, false)
	}
	return nil
}

// Close writes the whole report.
func (r *Reporter) Close(s *journal.State) error { return r.write(s, true) }

func (r *Reporter) write(s *journal.State, last bool) error {
	data, err := Render(s)
	if err != nil {
		return err
	}
	return reporters.Replace(r.path, data, last)
}

// Render gives the report of a state.
func Render(s *journal.State) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(build(s)); err != nil {
		return nil, fmt.Errorf("encoding the report: %w", err)
	}
	return out.Bytes(), nil
}
