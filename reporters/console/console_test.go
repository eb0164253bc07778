package console_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/reporters/console"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// replay plays a recorded run to a console; now is the time of the event that is played.
func replay(name string, o console.Options, w *screen, each func(journal.Event, *console.Reporter)) {
	GinkgoHelper()
	var now time.Time
	o.Now, o.Every = func() time.Time { return now }, time.Hour // drawn by the test alone
	r := console.New(w, o)
	s, err := journal.Replay(filepath.Join("..", "testdata", name), func(e journal.Event, s *journal.State) {
		now = e.At
		Expect(r.Event(e, s)).To(Succeed())
		if each != nil {
			each(e, r)
		}
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(r.Close(s)).To(Succeed())
}

func golden(name, comment string, files ...txtar.File) {
	GinkgoHelper()
	got := string(txtar.Format(&txtar.Archive{Comment: []byte(comment + "\n\n"), Files: files}))
	path := filepath.Join("testdata", name+".txtar")
	if os.Getenv("CHECKROW_GOLDEN") != "" {
		Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte(got), 0o644)).To(Succeed())
	}
	want, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(string(want)))
}

var _ = Describe("elsewhere", func() {
	It("says how long each life of a run took", func() {
		out := &screen{width: 1000}
		replay("lives", console.Options{}, out, nil)
		Expect(out.String()).To(ContainSubstring("2 tests: 2 passed in 15.5s (resumed 2 times: 10.0s + 2.5s + 3.0s)\n"))
	})

	It("prints one line a test, failure blocks and a summary", func() {
		out := &screen{width: 1000}
		replay("full", console.Options{Reports: []string{"junit.xml", "report.json"}}, out, nil)
		Expect(out.odd).To(BeEmpty())
		green := &screen{width: 1000}
		replay("green", console.Options{}, green, nil)
		golden("plain", "What is printed where there is no terminal.",
			txtar.File{Name: "want.full", Data: []byte(out.String())}, txtar.File{Name: "want.green", Data: []byte(green.String())})
	})

	It("prints the block of a failed login once, and names sessions and scopes", func() {
		out := &screen{width: 1000}
		replay("people", console.Options{}, out, nil)
		golden("people", "Logins, and several people in one test.", txtar.File{Name: "want.people", Data: []byte(out.String())})
	})

	It("prints warnings, every failure of an attempt, and what became of known bugs and quarantines", func() {
		out := &screen{width: 1000}
		replay("verdicts", console.Options{}, out, nil)
		golden("verdicts", "Verdicts beside pass and fail.", txtar.File{Name: "want.verdicts", Data: []byte(out.String())})
	})

	It("writes no escape sequence without colour, whatever a test is called", func() {
		var out bytes.Buffer
		r := console.New(&out, console.Options{})
		s := journal.NewState()
		key := steps.TestKey{Suite: "a.yaml", Name: "x\x1b[2J\x1b]0;t\x07\ny\r"}
		for _, e := range []journal.Event{{Body: journal.Planned{Tests: []journal.PlannedTest{{Key: key}}}},
			{Test: &key, Body: journal.TestEnd{Status: steps.Failed}}} {
			Expect(s.Apply(e)).To(Succeed())
			Expect(r.Event(e, s)).To(Succeed())
		}
		Expect(r.Close(s)).To(Succeed())
		Expect(out.String()).NotTo(MatchRegexp("[\x00-\x09\x0b-\x1f]"))
	})

	It("says so when the stream is gone", func() {
		r := console.New(gone{}, console.Options{})
		Expect(r.Close(journal.NewState())).To(MatchError(os.ErrClosed))
	})
})

type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, os.ErrClosed }

var _ = Describe("on a terminal", func() {
	It("shows what runs, and leaves only what failed and the summary", func() {
		out := &screen{width: 80}
		var shots []txtar.File
		replay("full", console.Options{Terminal: true, Width: func() int { return 80 }}, out, func(e journal.Event, r *console.Reporter) {
			r.Redraw()
			switch e.Seq {
			case 3, 15, 40:
				lines := strings.SplitAfter(out.String(), "\n")
				shots = append(shots, txtar.File{Name: "want.live" + e.Body.Kind(),
					Data: []byte(strings.Join(lines[max(0, len(lines)-8):], ""))})
			}
		})
		Expect(out.odd).To(BeEmpty())
		golden("live", "The last lines of the live view at three moments, and what stays, on 80 columns.",
			append(shots, txtar.File{Name: "want.end", Data: []byte(out.String())})...)
	})

	It("never wraps its live view and leaves none of it, on 40 to 200 columns, with wide names", func() {
		for width := 40; width <= 200; width += 9 {
			now := width
			out := &screen{width: 10_000}
			replay("full", console.Options{Terminal: true, Color: true, Width: func() int { return now }}, out,
				func(_ journal.Event, r *console.Reporter) {
					r.Redraw()
					Expect(len(out.rows[len(out.rows)-1])).To(BeNumerically("<", width))
				})
			Expect(out.odd).To(BeEmpty())
			Expect(out.String()).NotTo(ContainSubstring(" of 11"))
			Expect(strings.Count(out.String(), "11 tests:")).To(Equal(1))
		}
	})

	It("shows rows of wide names within the width", func() {
		for width := 40; width <= 90; width += 7 {
			out := &screen{width: width}
			now := time.Unix(1_800_000_000, 0)
			r := console.New(out, console.Options{Terminal: true, Width: func() int { return width },
				Now: func() time.Time { return now }, Every: time.Hour})
			s := journal.NewState()
			key := steps.TestKey{Suite: "suites/買い物.yaml", Name: strings.Repeat("カートに商品を入れる", 5)}
			for _, e := range []journal.Event{{Body: journal.Planned{Tests: []journal.PlannedTest{{Key: key}}}},
				{Test: &key, Suite: key.Suite, Attempt: 1, Body: journal.AttemptStart{Worker: 1}},
				{Test: &key, Suite: key.Suite, Attempt: 1, Phase: journal.PhaseSteps, Pos: diag.Pos{Line: 12}, Body: journal.Intent{Name: "click"}}} {
				e.At = now
				Expect(s.Apply(e)).To(Succeed())
				Expect(r.Event(e, s)).To(Succeed())
				r.Redraw()
			}
			Expect(out.wraps).To(Equal(0), out.String())
			Expect(out.String()).To(MatchRegexp(`click (:|\(line )12`))
			Expect(r.Close(s)).To(Succeed())
			Expect(out.String()).NotTo(MatchRegexp(`click (:|\(line )12`), "its live view is gone")
		}
	})

	It("draws at most ten times a second, by a goroutine that Close ends", func() {
		before := gleak.Goroutines()
		out := &counter{}
		r := console.New(out, console.Options{Terminal: true})
		s := journal.NewState()
		key := steps.TestKey{Suite: "a.yaml", Name: "t"}
		plan := journal.Event{Body: journal.Planned{Tests: []journal.PlannedTest{{Key: key}}}}
		Expect(s.Apply(plan)).To(Succeed())
		Expect(r.Event(plan, s)).To(Succeed())
		began := time.Now()
		for i := 0; time.Since(began) < time.Second; i++ {
			e := journal.Event{Test: &key, Attempt: 1, Pos: diag.Pos{Line: i}, Body: journal.Intent{Name: "click"}}
			Expect(r.Event(e, s)).To(Succeed())
		}
		Expect(r.Close(s)).To(Succeed())
		Expect(out.n).To(BeNumerically("<=", 3+int(time.Since(began)/(100*time.Millisecond))))
		Expect(out.n).To(BeNumerically(">=", 3))
		Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before))
	})
})

// counter counts writes. Close has waited for the goroutine when it is read.
type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, errors.New("an empty write")
	}
	c.n++
	return len(p), nil
}
