// Package manifest writes artifacts.json: every file that the rows, the results and the evidence of a run left, with its
// state, type, size and digest. It is a fold of the journal and nothing else, so that "checkrow report" makes the same of a
// run that was killed, and "checkrow verify" needs no file but the journal to compare with.
package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// FileName is the name of the list in a run folder.
const FileName = "artifacts.json"

// Version is the version of the file's form.
const Version = 1

// Entry is one file and who left it. Test is "" for what belongs to setup, a login or teardown.
type Entry struct {
	Suite   string        `json:"suite"`
	Test    string        `json:"test,omitempty"`
	Attempt int           `json:"attempt,omitempty"`
	Phase   journal.Phase `json:"phase,omitempty"` // setup, login or teardown
	steps.Artifact
}

// document is the form of the file.
type document struct {
	Schema    int                         `json:"schema"`
	Run       string                      `json:"run"`
	Ended     bool                        `json:"ended"`
	Summary   map[steps.ArtifactState]int `json:"summary"`
	Artifacts []Entry                     `json:"artifacts"`
}

// Reporter writes the list when the run is planned, and when it ends.
type Reporter struct{ path string }

var _ reporters.Reporter = (*Reporter)(nil)

// New makes the reporter and at once overwrites what lies at path: an old list must not be taken for this run's.
func New(path string) (*Reporter, error) {
	r := &Reporter{path: path}
	return r, r.write(journal.NewState(), false)
}

// Event does nothing: the list is written at the end.
func (r *Reporter) Event(journal.Event, *journal.State) error { return nil }

// Close writes the list.
func (r *Reporter) Close(s *journal.State) error { return r.write(s, true) }

func (r *Reporter) write(s *journal.State, last bool) error {
	data, err := Render(s)
	if err != nil {
		return err
	}
	return reporters.Replace(r.path, data, last)
}

// Render gives the list of a state.
func Render(s *journal.State) ([]byte, error) {
	doc := document{Schema: Version, Run: s.Run.ID, Ended: s.Ended, Summary: map[steps.ArtifactState]int{}, Artifacts: List(s)}
	for _, a := range doc.Artifacts {
		doc.Summary[a.State]++
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(doc); err != nil {
		return nil, fmt.Errorf("encoding the list of artifacts: %w", err)
	}
	return out.Bytes(), nil
}

// List gives every file of a run, in the order in which they came. What is known last of a file counts, but that it is still
// to come does not stand over what it is.
func List(s *journal.State) []Entry {
	l := &list{at: map[string]int{}, out: []Entry{}}
	for _, u := range s.Suites {
		file := u.Planned.File
		l.steps(Entry{Suite: file, Phase: journal.PhaseSetup}, u.Setup)
		l.failures(Entry{Suite: file, Phase: journal.PhaseSetup}, u.SetupFailure)
		for _, x := range u.Logins {
			l.steps(Entry{Suite: file, Phase: journal.PhaseLogin}, x.Steps)
			l.failures(Entry{Suite: file, Phase: journal.PhaseLogin}, x.Failure)
		}
		for _, t := range s.Tests {
			if t.Planned.Key.Suite == file {
				l.test(t)
			}
		}
		l.steps(Entry{Suite: file, Phase: journal.PhaseTeardown}, u.Teardown)
		l.failures(Entry{Suite: file, Phase: journal.PhaseTeardown}, u.TeardownFail...)
	}
	return slices.Clip(l.out)
}

type list struct {
	at  map[string]int // by path
	out []Entry
}

func (l *list) test(t *journal.Test) {
	for _, a := range t.Attempts {
		by := Entry{Suite: t.Planned.Key.Suite, Test: t.Planned.Key.Name, Attempt: a.N}
		l.steps(by, a.Steps)
		l.failures(by, append(append([]*journal.Failure{a.Failure}, a.More...), a.Cleanup...)...)
		l.add(by, a.Artifacts)
	}
}

func (l *list) steps(by Entry, all []*journal.Step) {
	for _, s := range all {
		if s.Obs != nil {
			l.add(by, s.Obs.Artifacts)
		}
	}
}

func (l *list) failures(by Entry, all ...*journal.Failure) {
	for _, f := range all {
		if f != nil {
			l.add(by, f.Artifacts)
		}
	}
}

func (l *list) add(by Entry, all []steps.Artifact) {
	for _, a := range all {
		if a.Path == "" {
			continue
		}
		by.Artifact = a
		i, known := l.at[a.Path]
		switch {
		case !known:
			l.at[a.Path] = len(l.out)
			l.out = append(l.out, by)
		case a.State != steps.Pending:
			l.out[i] = by
		}
	}
}
