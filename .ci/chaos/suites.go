package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// write puts the suites in place: 60 tests in four suites, and those that faults need.
func (l *lab) write() error {
	for name, text := range map[string]string{
		"suites/forms.yaml": l.forms(18), "suites/children.yaml": l.children(30), "suites/serial.yaml": l.serial(6), "suites/bonds.yaml": l.bonds(),
		"slow.yaml": l.slow(), "service.yaml": l.service(), "child.yaml": l.child(), "loads.yaml": l.loads(),
		"checkpoint.yaml": l.checkpointed(),
	} {
		path := filepath.Join(l.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// mark is what a test sends to the site: who it is, and in which chain of runs.
const mark = `${{ env.CHAOS ?? 'none' }}`

func (l *lab) forms(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "suite: forms\nbase_url: %s\ntests:\n", l.site.url)
	for i := range n {
		fmt.Fprintf(&b, "  - name: form %d\n    steps:\n      - [open, /form]\n      - [fill, \"#name\", \"%s form %d\"]\n      - [click, \"#go\"]\n"+
			"      - [expect, text, h1, Done]\n", i, mark, i)
	}
	return b.String()
}

// note is an http step that tells the site that a test is at its end.
func (l *lab) note(name string) string {
	return fmt.Sprintf("{ http: { url: \"%s/hit\", form: { name: \"%s %s\" } } }", l.site.url, mark, name)
}

func (l *lab) children(n int) string {
	var b strings.Builder
	b.WriteString("suite: children\nsetup:\n  - exec: [\"true\"]\nteardown:\n  - " + l.note("teardown") + "\ntests:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: child %d\n    steps:\n      - exec: [sh, -c, \"sleep 0.05 & wait\"]\n      - %s\n", i, l.note(fmt.Sprintf("child %d", i)))
	}
	return b.String()
}

func (l *lab) serial(n int) string {
	var b strings.Builder
	b.WriteString("suite: serial\nserial: true\ntests:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: serial %d\n    steps:\n      - exec: [sleep, \"0.03\"]\n      - %s\n", i, l.note(fmt.Sprintf("serial %d", i)))
	}
	return b.String()
}

// bonds are tests that need each other, fail by a known bug, are skipped, and pass at their second attempt.
func (l *lab) bonds() string {
	return `suite: bonds
tests:
  - name: first
    steps: [{ exec: [sleep, "0.05"] }, ` + l.note("first") + `]
  - name: second
    needs: [first]
    steps: [{ exec: [sleep, "0.05"] }, ` + l.note("second") + `]
  - name: third
    needs: [second]
    steps: [` + l.note("third") + `]
  - name: broken
    known_bug: BUG-1
    steps: [{ exec: ["false"] }]
  - name: lost
    needs: [broken]
    steps: [{ exec: ["true"] }]
  - name: skipped
    skip: not today
    steps: [{ exec: ["true"] }]
`
}

func (l *lab) slow() string {
	return fmt.Sprintf("suite: slow\nbase_url: %s\ntests:\n  - name: waits\n    retries: 1\n    steps:\n      - [open, /slow]\n"+
		"      - [expect, text, \"#late\", there, --within, 10s]\n  - name: other\n    steps:\n      - [open, /form]\n      - [expect, text, h1, Form]\n", l.site.url)
}

func (l *lab) service() string {
	return "suite: service\nservices:\n  sleeper:\n    exec: [sh, -c, \"echo ready; exec sleep 61\"]\n    ready: { log: ready }\n" +
		"tests:\n  - name: waits\n    steps:\n      - exec: [sleep, \"2\"]\n"
}

func (l *lab) child() string {
	return "suite: child\ntests:\n  - name: hangs\n    steps:\n      - exec: [sleep, \"62\"]\n        timeout: 50s\n  - name: other\n    steps:\n      - exec: [\"true\"]\n"
}

func (l *lab) checkpointed() string {
	return fmt.Sprintf(`suite: checkpoint
base_url: %s
tests:
  - name: signed in
    resume: checkpoint
    steps:
      - [open, /sign-in]
      - [open, /form]
      - set: { attempt_then: attempt }
      - checkpoint: in
      - [open, /slow]
      - [expect, text, "#late", there, --within, 10s]
      - [open, /whoami]
      - [expect, text, h1, ada]
      - [expect, text, "#seat", "7"]
      - expect: vars.attempt_then == 1
`, l.site.url)
}

func (l *lab) loads() string {
	return fmt.Sprintf(`suite: loads
base_url: %s
tests:
  - name: ten megabytes of console
    steps:
      - [open, /burst]
      - [expect, text, "#state", done]
  - name: fifteen hundred requests in one row
    steps:
      - [open, /requests]
      - [click, "#go"]
      - [expect, text, "#state", done, --within, 30s]
  - name: a snapshot of two thousand nodes
    steps:
      - [open, /big]
      - { row: [snapshot], id: s, expect: "len(value) > 20000" }
`, l.site.url)
}
