package console

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// maxBusy is how many running tests the live view shows.
const maxBusy = 12

// view is what the live view shows. It is filled from events, so that drawing needs no State.
type view struct {
	began  time.Time
	total  int
	ended  int
	passed int
	bad    int
	flaky  int
	other  int
	busy   []*busy
}

// busy is a test or a suite's hook that runs now.
type busy struct {
	suite, test string
	worker      int
	since       time.Time // by the journal's clock
	row         string
	attempt     int
}

// apply follows an event.
func (v *view) apply(e journal.Event, s *journal.State) {
	name := ""
	if e.Test != nil {
		name = e.Test.Name
	}
	switch b := e.Body.(type) {
	case journal.AttemptStart:
		v.drop(e.Suite, name)
		v.busy = append(v.busy, &busy{suite: e.Suite, test: name, worker: b.Worker, since: e.At, attempt: e.Attempt})
	case journal.Intent:
		v.at(e, name).row = rowText(e, b.Name)
	case journal.SetupEnd, journal.TeardownEnd, journal.LoginEnd:
		v.drop(e.Suite, "")
	case journal.AttemptEnd:
		v.drop(e.Suite, name)
	case journal.TestEnd:
		v.drop(e.Suite, name)
		v.count(b.Status)
	}
}

func rowText(e journal.Event, name string) string {
	if e.Pos.Line > 0 {
		name = fmt.Sprintf("%s (line %d)", name, e.Pos.Line)
	}
	if e.Phase != journal.PhaseSteps && e.Phase != journal.PhaseNone {
		name = string(e.Phase) + ": " + name
	}
	return name
}

func (v *view) count(s steps.Status) {
	v.ended++
	switch {
	case s == steps.Passed:
		v.passed++
	case s == steps.Flaky:
		v.passed++
		v.flaky++
	case s == steps.Failed || s == steps.Errored:
		v.bad++
	default:
		v.other++
	}
}

// at finds the busy entry of an event, or makes it.
func (v *view) at(e journal.Event, test string) *busy {
	for _, b := range v.busy {
		if b.suite == e.Suite && b.test == test {
			return b
		}
	}
	b := &busy{suite: e.Suite, test: test, since: e.At}
	v.busy = append(v.busy, b)
	return b
}

func (v *view) drop(suite, test string) {
	v.busy = slices.DeleteFunc(v.busy, func(b *busy) bool { return b.suite == suite && b.test == test })
}

// lines draws the view, each line shorter than width.
func (v *view) lines(now time.Time, width int, style reporters.Style) []string {
	if v.total == 0 {
		return nil
	}
	list := slices.Clone(v.busy)
	slices.SortStableFunc(list, func(a, b *busy) int { return cmp.Compare(a.worker, b.worker) })
	room := max(width-1, 20)
	var out []string
	for i, b := range list {
		if i == maxBusy {
			out = append(out, fmt.Sprintf("  … and %d more", len(list)-i))
			break
		}
		out = append(out, b.line(now, room, style))
	}
	return append(out, v.status(now, room, style))
}

// line shows one running test: its name as far as there is room, how long it runs, and its row.
func (b *busy) line(now time.Time, room int, style reporters.Style) string {
	name := b.suite
	if b.test != "" {
		name = b.test + " · " + b.suite
	}
	if b.attempt > 1 {
		name = fmt.Sprintf("(attempt %d) ", b.attempt) + name
	}
	name = strings.ReplaceAll(reporters.Clean(name), "\n", " ")
	right := fmt.Sprintf("%4ds", int(max(now.Sub(b.since), 0).Seconds()))
	row := strings.ReplaceAll(reporters.Clean(b.row), "\n", " ")
	left := room - 2 - len(right)
	if row != "" {
		row = reporters.Cut(row, max(left/3, 8))
		left -= reporters.Columns(row) + 2
	}
	name = reporters.Cut(name, max(left, 4))
	pad := strings.Repeat(" ", max(left-reporters.Columns(name), 0))
	text := "  " + name + pad
	if row != "" {
		text += "  " + style.Paint("2", row)
	}
	return text + right
}

// status is the line of totals, with a bar if there is room for one.
func (v *view) status(now time.Time, room int, style reporters.Style) string {
	parts := []string{fmt.Sprintf("%d of %d", v.ended, v.total)}
	add := func(n int, what, code string) {
		if n > 0 {
			parts = append(parts, style.Paint(code, fmt.Sprintf("%d %s", n, what)))
		}
	}
	add(v.passed, "passed", "32")
	add(v.bad, "failed", "31")
	add(v.flaky, "flaky", "33")
	add(v.other, "other", "2")
	sec := int(max(now.Sub(v.began), 0).Seconds())
	parts = append(parts, fmt.Sprintf("%d:%02d", sec/60, sec%60))
	plain := 2
	for _, p := range parts {
		plain += reporters.Columns(unpainted(p)) + 3
	}
	text := "  " + strings.Join(parts, " · ")
	if plain > room { // too narrow for all: the count is what matters
		return reporters.Cut("  "+parts[0], room)
	}
	if bar := min(room-plain-2, 30); bar >= 10 && v.total > 0 {
		full := bar * v.ended / v.total
		text += "  " + strings.Repeat("━", full) + style.Paint("2", strings.Repeat("─", bar-full))
	}
	return text
}

// unpainted is text without its colours.
func unpainted(s string) string {
	for {
		from := strings.IndexByte(s, 0x1b)
		if from < 0 {
			return s
		}
		to := strings.IndexByte(s[from:], 'm')
		if to < 0 {
			return s[:from]
		}
		s = s[:from] + s[from+to+1:]
	}
}

// erase moves the cursor to where the view began and clears from there. A line takes more rows if the terminal has become
// narrower since it was drawn.
func erase(b *bytes.Buffer, drawn []string, width int) {
	rows := 0
	for _, l := range drawn {
		rows += max(1, (reporters.Columns(unpainted(l))+width-1)/max(width, 1))
	}
	if rows > 0 {
		fmt.Fprintf(b, "\x1b[%dA\r\x1b[J", rows)
	}
}
