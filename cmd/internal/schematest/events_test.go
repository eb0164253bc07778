package schematest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/checkrow/checkrow/cmd/internal/cli"
)

const eventSuite = `suite: e
services: { s: { exec: [sleep, "30"] } }
setup: [{ exec: ["true"] }]
teardown: [{ exec: ["true"] }]
tests:
  - { name: passes, tags: [a], steps: [{ set: { n: 1 } }, { exec: [echo, hi], id: x }, { expect: steps.x.value == "hi" }] }
  - { name: fails, retries: 1, steps: [{ exec: ["false"] }], finally: [{ exec: ["false"] }] }
  - { name: never, skip: because, steps: [{ expect: 1 == 1 }] }
`

// TestEventsAreAsPublished runs suites with --events and holds every line against the schema.
func TestEventsAreAsPublished(t *testing.T) {
	schema := compileSchema(t, "events")
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.yaml": eventSuite})
	run := func(args ...string) (string, string, int) {
		var out, errOut bytes.Buffer
		code := cli.Main(append([]string{"run", "a.yaml", "--output", filepath.Join(dir, "out")}, args...), cli.World{Stdin: strings.NewReader(""), Stdout: &out,
			Stderr: &errOut, Environ: []string{"PATH=" + os.Getenv("PATH")}, Dir: dir, Now: time.Now, Setenv: os.Setenv, Exit: os.Exit,
			Notify: func(chan<- os.Signal) func() { return func() {} }})
		return out.String(), errOut.String(), code
	}
	lines, console, code := run("--events", "-")
	if code != 1 || !strings.Contains(console, "1 failed") {
		t.Fatalf("exit %d: %s", code, console)
	}
	journal, err := os.ReadFile(filepath.Join(dir, "out", "journal.jsonl"))
	if err != nil || lines != string(journal) {
		t.Fatalf("the stream is not the journal (%v):\n%s\n%s", err, lines, journal)
	}
	kinds := map[string]bool{}
	d := json.NewDecoder(strings.NewReader(lines))
	d.UseNumber()
	for {
		var event map[string]any
		if err := d.Decode(&event); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		kinds[event["kind"].(string)] = true
		if err := schema.Validate(event); err != nil {
			t.Errorf("%v\n%v", event, err)
		}
	}
	for _, k := range []string{"planned", "proc-start", "setup-end", "attempt-start", "intent", "done", "attempt-end", "test-end", "teardown-end", "run-end"} {
		if !kinds[k] {
			t.Errorf("no event %q among %v", k, kinds)
		}
	}
	if schema.Validate(map[string]any{"v": json.Number("1"), "seq": json.Number("1"), "at": "x", "kind": "dnoe", "body": map[string]any{}}) == nil {
		t.Error("the schema takes every kind")
	}

	_, _, code = run("--events", filepath.Join(dir, "few.jsonl"), "--events-only", "test-end,run-end")
	few, err := os.ReadFile(filepath.Join(dir, "few.jsonl"))
	if err != nil || code != 1 || bytes.Count(few, []byte("\n")) != 4 {
		t.Errorf("exit %d, %v: %s", code, err, few)
	}
	for says, args := range map[string][]string{
		`"test-ends" is no kind of event, did you mean "test-end"?`: {"--events", "-", "--events-only", "test-ends"},
		"which is not given":                {"--events-only", "done"},
		"write fd:3 for the open file":      {"--events", "3"},
		"takes the number of an open file":  {"--events", "fd:x"},
		"no file is open as 987":            {"--events", "fd:987"},
		"opening the stream of events: ope": {"--events", filepath.Join(dir, "none", "x")},
	} {
		if _, errOut, code := run(args...); code == 0 || code == 1 || !strings.Contains(errOut, says) {
			t.Errorf("%v: exit %d, %s", args, code, errOut)
		}
	}
}
