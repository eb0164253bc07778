package console_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/reporters/console"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// crowd plays n tests that all run at once and then all fail with the same words; look is called after each event.
func crowd(n int, words string, o console.Options, out *screen, look func(*console.Reporter)) {
	GinkgoHelper()
	now := time.Unix(1_800_000_000, 0)
	o.Now, o.Every = func() time.Time { return now }, time.Hour
	r, s := console.New(out, o), journal.NewState()
	play := func(e journal.Event) {
		e.At = now
		Expect(s.Apply(e)).To(Succeed())
		Expect(r.Event(e, s)).To(Succeed())
		if look != nil {
			look(r)
		}
	}
	keys := make([]steps.TestKey, n)
	plan := journal.Planned{Run: journal.RunInfo{Workers: n, WorkDir: "/w", Dir: "/w/.checkrow/runs/r"}}
	for i := range keys {
		keys[i] = steps.TestKey{Suite: "suites/カート.yaml", Name: fmt.Sprintf("%s %d", words, i)}
		plan.Tests = append(plan.Tests, journal.PlannedTest{Key: keys[i]})
	}
	play(journal.Event{Body: plan})
	for i := range keys {
		play(journal.Event{Test: &keys[i], Suite: keys[i].Suite, Attempt: 1, Body: journal.AttemptStart{Worker: i + 1}})
		play(journal.Event{Test: &keys[i], Suite: keys[i].Suite, Attempt: 1, Phase: journal.PhaseSteps, Pos: diag.Pos{Line: 10 + i},
			Body: journal.Intent{Name: "click"}})
	}
	for i := range keys {
		f := &journal.Failure{Category: steps.Assertion, Message: "want " + words, Pos: diag.Pos{File: keys[i].Suite, Line: 10 + i, Col: 9}}
		play(journal.Event{Test: &keys[i], Suite: keys[i].Suite, Attempt: 1, Body: journal.AttemptEnd{Status: steps.Failed, Failure: f}})
		play(journal.Event{Test: &keys[i], Suite: keys[i].Suite, Body: journal.TestEnd{Status: steps.Failed, Took: time.Second}})
	}
	play(journal.Event{Body: journal.RunEnd{Exit: 1, Took: 61 * time.Second}})
	Expect(r.Close(s)).To(Succeed())
}

// tail is the last n lines of a text.
func tail(text string, n int) []byte {
	lines := strings.SplitAfter(text, "\n")
	return []byte(strings.Join(lines[max(0, len(lines)-1-n):], ""))
}

var _ = Describe("places", func() {
	It("keeps its live view in a terminal of 80 and 40 columns and few lines, with wide names, while 200 tests fail at once", func() {
		var shots []txtar.File
		for _, c := range []struct{ width, height int }{{80, 24}, {40, 15}, {40, 6}, {24, 3}} {
			out, n := &screen{width: c.width}, 0
			o := console.Options{Terminal: true, Width: func() int { return c.width }, Height: func() int { return c.height }}
			crowd(200, "カートに商品を入れる 🛒 and keeps what was put into it", o, out, func(r *console.Reporter) {
				if n++; n%9 == 0 {
					r.Redraw()
				}
				if n == 300 || n == 700 {
					shots = append(shots, txtar.File{Name: fmt.Sprintf("want.%dx%d.%d", c.width, c.height, n), Data: tail(out.String(), c.height)})
				}
			})
			Expect(out.odd).To(BeEmpty())
			Expect(out.highest).To(BeNumerically("<", c.height-1), "tmux keeps a view that is cleared from the first line on")
			Expect(out.String()).NotTo(ContainSubstring(" of 200"), "its live view is gone")
			Expect(strings.Count(out.String(), "200 tests: 200 failed")).To(Equal(1))
			shots = append(shots, txtar.File{Name: fmt.Sprintf("want.%dx%d.end", c.width, c.height), Data: tail(out.String(), 12)})
		}
		golden("crowd", "200 tests that fail at once, on terminals of some sizes: last lines.", shots...)
	})

	It("groups failures in the log of GitHub Actions, where text of pages is no command", func() {
		out := &screen{width: 10_000}
		replay("full", console.Options{Actions: true, Reports: []string{".checkrow/runs/20261130-184924-a1/report.html", "out/junit.xml"}}, out, nil)
		golden("actions", "The log of a step of GitHub Actions.", txtar.File{Name: "want.full", Data: []byte(out.String())})

		out = &screen{width: 10_000}
		crowd(3, "x\n::add-mask::all\n  ::stop-commands::100%\n##[error]z", console.Options{Actions: true}, out, nil)
		depth := 0
		for _, l := range strings.Split(out.String(), "\n") {
			Expect(l).NotTo(ContainSubstring("##["))
			switch text := strings.TrimSpace(l); {
			case strings.HasPrefix(text, "::group::"):
				Expect(text).To(HavePrefix("::group::FAIL suites/カート.yaml › x ::add-mask::all ::stop-commands::100%25 ## ["))
				depth++
			case strings.HasPrefix(text, "::endgroup::"):
				depth--
			default:
				Expect(text).NotTo(HavePrefix("::"))
			}
			Expect(depth).To(BeElementOf(0, 1), "groups do not nest")
		}
		Expect(depth).To(BeZero())
	})

	It("lets others write to its terminal: above its view, of which nothing stays when it hides", func() {
		out := &screen{width: 80}
		now := time.Unix(1_800_000_000, 0)
		r := console.New(out, console.Options{Terminal: true, Width: func() int { return 80 }, Now: func() time.Time { return now }, Every: time.Hour})
		others := r.Beside(out)
		s := journal.NewState()
		plan := journal.Event{At: now, Body: journal.Planned{Tests: []journal.PlannedTest{{Key: steps.TestKey{Suite: "a.yaml", Name: "t"}}}}}
		Expect(s.Apply(plan)).To(Succeed())
		Expect(r.Event(plan, s)).To(Succeed())
		Expect(out.String()).To(ContainSubstring("0 of 1"))
		for range 3 {
			_, err := fmt.Fprintln(others, "checkrow: SIGINT")
			Expect(err).NotTo(HaveOccurred())
			Expect(out.String()).NotTo(ContainSubstring("0 of 1"), "it was taken off first")
			Expect(out.x).To(BeZero())
			r.Redraw()
			Expect(strings.Count(out.String(), "0 of 1")).To(Equal(1))
		}
		r.Hide()
		r.Redraw()
		Expect(out.String()).NotTo(ContainSubstring("0 of 1"), "a process that ends now leaves a clean screen")
		Expect(r.Close(s)).To(Succeed())
		Expect(strings.Count(out.String(), "checkrow: SIGINT\n")).To(Equal(3))
		Expect(out.String()).NotTo(ContainSubstring("0 of 1"))
	})

	It("writes lines of their own to a file, with no escape sequence and no carriage return", func() {
		var b bytes.Buffer
		r := console.New(&b, console.Options{})
		s, err := journal.Replay(filepath.Join("..", "testdata", "verdicts"), func(e journal.Event, s *journal.State) { Expect(r.Event(e, s)).To(Succeed()) })
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Close(s)).To(Succeed())
		Expect(b.String()).To(HaveSuffix("\n"))
		Expect(b.String()).NotTo(ContainSubstring("\r"))
		Expect(b.String()).NotTo(ContainSubstring("\x1b"))
	})
})
