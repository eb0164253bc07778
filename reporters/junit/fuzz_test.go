package junit_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/checkrow/checkrow/reporters/junit"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// FuzzText looks for text that makes the file no XML.
func FuzzText(f *testing.F) {
	f.Add("]]>", "\x00\x1b[31m\xff&<>\"'")
	f.Add("\ufffe\uffff\U0010ffff", "\r\n\t\u0085\u2028")
	path := filepath.Join(f.TempDir(), "junit.xml")
	f.Fuzz(func(t *testing.T, name, message string) {
		s := journal.NewState()
		key := steps.TestKey{Suite: name, Name: message}
		for _, e := range []journal.Event{
			{Body: journal.Planned{Suites: []journal.PlannedSuite{{File: name, Name: message}}, Tests: []journal.PlannedTest{{Key: key, Tags: []string{name}}}}},
			{Test: &key, Suite: name, Attempt: 1, Body: journal.AttemptEnd{Status: steps.Errored, Warnings: []string{message},
				Failure: &journal.Failure{Message: message}, Artifacts: []steps.Artifact{{Path: name, State: steps.Saved}}}},
			{Test: &key, Suite: name, Body: journal.TestEnd{Status: steps.Errored, Reason: message}},
		} {
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		r, err := junit.New(path, junit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(s); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		d := xml.NewDecoder(file)
		for {
			if _, err := d.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("%q, %q: %v", name, message, err)
			}
		}
	})
}
