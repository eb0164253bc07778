package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// journal is what journal.jsonl says, read here line by line and not by checkrow's own code.
type journal struct {
	planned bool
	tests   []string
	status  map[string]string // of tests that have ended
	ends    map[string]int    // verdicts that count, by test
	exit    int               // -1: it has no end
	lines   int
	bytes   int64
	last    time.Time // of the last line
	back    int       // how often the clock had gone back between two lives
}

// final tells a verdict that may not change any more.
func final(status string) bool {
	return status != "" && status != "not-run" && status != "interrupted" && status != "unknown"
}

// look reads the journal of the chain.
func (c *chain) look() error {
	c.journal = &journal{status: map[string]string{}, ends: map[string]int{}, exit: -1}
	f, err := os.Open(filepath.Join(c.run, "journal.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF { // what has no line end was torn
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.journal.take(line); err != nil {
			return fmt.Errorf("journal.jsonl:%d: %w", c.journal.lines+1, err)
		}
	}
}

func (j *journal) take(line []byte) error {
	var e struct {
		V    int
		Seq  int
		At   time.Time
		Kind string
		Test string
		Body json.RawMessage
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	j.lines++
	j.bytes += int64(len(line))
	if e.Seq != j.lines {
		return fmt.Errorf("event %d, wanted %d", e.Seq, j.lines)
	}
	if e.At.Before(j.last) {
		if e.Kind != "resumed" {
			return fmt.Errorf("its time %s is before that of the line above, %s", e.At, j.last)
		}
		j.back++
	}
	j.last = e.At
	switch e.Kind {
	case "planned":
		var p struct {
			Tests []struct{ Key struct{ Name string } }
		}
		if err := json.Unmarshal(e.Body, &p); err != nil {
			return err
		}
		j.planned = true
		for _, t := range p.Tests {
			j.tests = append(j.tests, t.Key.Name)
		}
	case "test-end":
		var b struct{ Status string }
		if err := json.Unmarshal(e.Body, &b); err != nil {
			return err
		}
		j.status[e.Test] = b.Status
		if final(b.Status) {
			j.ends[e.Test]++
		}
	case "resumed":
		j.exit = -1
	case "run-end":
		var b struct{ Exit int }
		if err := json.Unmarshal(e.Body, &b); err != nil {
			return err
		}
		j.exit = b.Exit
	}
	return nil
}

// green checks that junit.xml is valid and says what it should.
func (c *chain) green(want bool) error {
	text, err := os.ReadFile(filepath.Join(c.run, "junit.xml"))
	if err != nil {
		return err
	}
	bad := 0
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("junit.xml is not valid: %w", err)
		}
		if e, ok := t.(xml.StartElement); ok && (e.Name.Local == "failure" || e.Name.Local == "error") {
			bad++
		}
	}
	if !bytes.Contains(text, []byte("</testsuites>")) {
		return errors.New("junit.xml is cut off")
	}
	if green := bad == 0; green != want {
		return fmt.Errorf("junit.xml is green: %v, wanted %v (%d bad)", green, want, bad)
	}
	return nil
}

// contains looks for words in a file of the run folder.
func (c *chain) contains(name, words string) error {
	text, err := os.ReadFile(filepath.Join(c.run, name))
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), words) {
		return fmt.Errorf("%s does not say %q", name, words)
	}
	return nil
}
