package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// DamageError says that a journal cannot be read on from a line. A last line that was torn by a kill is no damage.
type DamageError struct {
	Path string
	Line int
	Err  error
}

// Error names file, line and cause.
func (e *DamageError) Error() string {
	return fmt.Sprintf("%s:%d: the journal is damaged here: %v", e.Path, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *DamageError) Unwrap() error { return e.Err }

// VersionError says that a journal was written by another version of the format.
type VersionError struct{ Found int }

// Error names both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("it has format %d, want %d", e.Found, Version)
}

// Load folds the journal of a run folder. A torn last line is ignored; other damage is an error that names the line,
// with the state up to there. In the state of a run that was killed finished tests are as they were, one that ran is
// interrupted, the others are not-run, and Ended is false.
func Load(dir string) (*State, error) { return Replay(dir, nil) }

// Replay is Load that calls fn with each event after it was folded.
func Replay(dir string, fn func(Event, *State)) (*State, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.Open(path)
	if err != nil {
		return NewState(), fmt.Errorf("reading the journal: %w", err)
	}
	defer func() { _ = f.Close() }() // read only: nothing can be lost
	return fold(f, path, fn)
}

// fold reads events until the end or the first damage.
func fold(r io.Reader, path string, fn func(Event, *State)) (*State, error) {
	s := NewState()
	defer s.settle()
	_, _, err := foldInto(s, r, path, fn)
	return s, err
}

// foldInto is fold that says how far it came: the last event, and the bytes of whole lines.
func foldInto(s *State, r io.Reader, path string, fn func(Event, *State)) (seq uint64, whole int64, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // what has no line end was torn
			return seq, whole, nil
		}
		if err != nil {
			return seq, whole, fmt.Errorf("reading %q: %w", path, err)
		}
		e, err := decode(text)
		if err == nil && e.Seq != seq+1 {
			err = fmt.Errorf("event %d follows event %d", e.Seq, seq)
		}
		if err == nil {
			err = s.Apply(e)
		}
		if err != nil {
			return seq, whole, &DamageError{Path: path, Line: n, Err: err}
		}
		seq, whole = e.Seq, whole+int64(len(text))
		if fn != nil {
			fn(e, s)
		}
	}
}

// record is a line of the journal as it is read.
type record struct {
	V       int             `json:"v"`
	Seq     uint64          `json:"seq"`
	At      time.Time       `json:"at"`
	Kind    string          `json:"kind"`
	Suite   string          `json:"suite"`
	Test    *string         `json:"test"`
	Attempt int             `json:"attempt"`
	Phase   Phase           `json:"phase"`
	Step    string          `json:"step"`
	Pos     diag.Pos        `json:"pos"`
	Session string          `json:"session"`
	Body    json.RawMessage `json:"body"`
}

// decode reads one line.
func decode(text []byte) (Event, error) {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return Event{}, fmt.Errorf("it is no JSON event: %w", err)
	}
	if r.V != Version {
		return Event{}, &VersionError{Found: r.V}
	}
	body, err := decodeBody(r.Kind, r.Body)
	if err != nil {
		return Event{}, err
	}
	e := Event{Seq: r.Seq, At: r.At, Suite: r.Suite, Attempt: r.Attempt, Phase: r.Phase, Step: r.Step, Pos: r.Pos, Session: r.Session, Body: body}
	if r.Test != nil {
		e.Test = &steps.TestKey{Suite: r.Suite, Name: *r.Test}
	}
	return e, nil
}

// decodeBody reads the body of an event of the kind.
func decodeBody(kind string, text []byte) (Body, error) {
	switch kind {
	case Planned{}.Kind():
		return bodyOf[Planned](text)
	case ProcStart{}.Kind():
		return bodyOf[ProcStart](text)
	case ProcEnd{}.Kind():
		return bodyOf[ProcEnd](text)
	case SetupEnd{}.Kind():
		return bodyOf[SetupEnd](text)
	case LoginEnd{}.Kind():
		return bodyOf[LoginEnd](text)
	case AttemptStart{}.Kind():
		return bodyOf[AttemptStart](text)
	case Intent{}.Kind():
		return bodyOf[Intent](text)
	case Done{}.Kind():
		return bodyOf[Done](text)
	case AttemptEnd{}.Kind():
		return bodyOf[AttemptEnd](text)
	case TestEnd{}.Kind():
		return bodyOf[TestEnd](text)
	case TeardownEnd{}.Kind():
		return bodyOf[TeardownEnd](text)
	case Warning{}.Kind():
		return bodyOf[Warning](text)
	case RunEnd{}.Kind():
		return bodyOf[RunEnd](text)
	case Resumed{}.Kind():
		return bodyOf[Resumed](text)
	}
	return nil, fmt.Errorf("%q is no kind of event", kind)
}

// bodyOf keeps numbers of free values as they were written: an int must not come back as a float.
func bodyOf[B Body](text []byte) (Body, error) {
	var b B
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("the body of a %q event: %w", b.Kind(), err)
	}
	return b, nil
}
