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
	line        int // in the suite; 0: none
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
		at := v.at(e, name)
		at.row, at.line = rowText(e, b.Name), e.Pos.Line
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

// lines draws the view: each line shorter than width, and not more of them than height.
func (v *view) lines(now time.Time, width, height int, style reporters.Style) []string {
	if v.total == 0 {
		return nil
	}
	list := slices.Clone(v.busy)
	slices.SortStableFunc(list, func(a, b *busy) int { return cmp.Compare(a.worker, b.worker) })
	room := max(width-1, 20)
	var out []string
	shown := min(len(list), height-1) // the last line is the status
	if shown < len(list) || shown > maxBusy {
		shown = max(min(maxBusy, height-2), 0)
	}
	for i, b := range list {
		if i == shown {
			if height > 1 {
				out = append(out, fmt.Sprintf("  … and %d more", len(list)-i))
			}
			break
		}
		out = append(out, b.draw(now, room, style))
	}
	return append(out, v.status(now, room, style))
}

// draw shows one running test: its name as far as there is room, how long it runs, and its row.
func (b *busy) draw(now time.Time, room int, style reporters.Style) string {
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
	switch {
	case b.line > 0 && room < narrow:
		row += fmt.Sprintf(" :%d", b.line)
	case b.line > 0:
		row += fmt.Sprintf(" (line %d)", b.line)
	}
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

// narrow is the width under which words give way.
const narrow = 60

// status is the line of totals, with a bar if there is room for one. Where there is no room for all what is bad stays longest.
func (v *view) status(now time.Time, room int, style reporters.Style) string {
	parts := []string{fmt.Sprintf("%d of %d", v.ended, v.total)}
	add := func(n int, what, code string) {
		if n > 0 {
			parts = append(parts, style.Paint(code, fmt.Sprintf("%d %s", n, what)))
		}
	}
	add(v.bad, "failed", "31")
	sec := int(max(now.Sub(v.began), 0).Seconds())
	parts = append(parts, fmt.Sprintf("%d:%02d", sec/60, sec%60))
	few := parts
	parts = slices.Clone(parts[:1])
	add(v.passed, "passed", "32")
	add(v.bad, "failed", "31")
	add(v.flaky, "flaky", "33")
	add(v.other, "other", "2")
	parts = append(parts, few[len(few)-1])
	for len(few) > 0 && columns(parts) > room {
		parts, few = few, few[:len(few)-1]
	}
	text, plain := "  "+strings.Join(parts, " · "), columns(parts)+3
	if plain-3 > room {
		return reporters.Cut("  "+parts[0], room)
	}
	if bar := min(room-plain-2, 30); bar >= 10 && v.total > 0 {
		full := bar * v.ended / v.total
		text += "  " + strings.Repeat("━", full) + style.Paint("2", strings.Repeat("─", bar-full))
	}
	return text
}

// columns is how many a line of parts takes.
func columns(parts []string) int {
	return 2 + reporters.Columns(unpainted(strings.Join(parts, " · ")))
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
