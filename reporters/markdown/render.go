package markdown

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

const (
	blockWidth = 100
	maxBlock   = 16 << 10 // bytes of one failure
	maxSuites  = 100      // rows of the table of suites
	maxListed  = 100      // entries of a list
	reserve    = 1 << 10  // for what a section says of what was left out
)

// page is a text while it is put together. What does not fit is counted, never cut.
type page struct {
	strings.Builder
	opts Options
	dir  string // of the run
	room int
}

// Render gives the text of a state.
func Render(s *journal.State, o Options) []byte {
	if o.Limit <= 0 {
		o.Limit = MaxBytes
	}
	p := &page{opts: o, dir: s.Run.Dir, room: o.Limit - reserve}
	p.head(s)
	p.failed(s)
	p.lists(s)
	p.suites(s)
	p.foot(s)
	return []byte(p.String())
}

// put writes text if there is room for all of it.
func (p *page) put(text string) bool {
	if p.Len()+len(text) > p.room {
		return false
	}
	p.WriteString(text)
	return true
}

// note says what was left out, in the room that is kept for that.
func (p *page) note(text string) {
	if p.Len()+len(text) <= p.opts.Limit {
		p.WriteString(text)
	}
}

// head is the verdict and the counts.
func (p *page) head(s *journal.State) {
	sign := "❌"
	switch {
	case !s.Ended:
		sign = "⏳"
	case journal.ExitLoaded(s) == journal.ExitPassed:
		sign = "✅"
	}
	p.put("## " + sign + " checkrow: " + Totals(s) + "\n\n")
	if !s.Ended {
		p.put("**The run has not ended:** it was killed, or it goes on.\n\n")
	}
	if s.End.Reason != "" {
		p.put("**Stopped:** " + code(strings.TrimPrefix(s.End.Reason, "stopped ")) + "\n\n")
	}
}

// order is the order of the states in counts, worst first, and their words.
var order = []struct {
	status steps.Status
	word   string
}{{steps.Failed, "failed"}, {steps.Errored, "with an error"}, {steps.StatusInterrupted, "interrupted"}, {steps.NotRun, "not run"},
	{steps.Unknown, "unknown"}, {steps.Flaky, "flaky"}, {steps.Passed, "passed"}, {steps.Skipped, "skipped"},
	{steps.Quarantined, "quarantined"}, {steps.KnownBug, "known bug"}}

// Totals is the line of counts: only what there is.
func Totals(s *journal.State) string {
	count := map[steps.Status]int{}
	for _, t := range s.Tests {
		count[t.Status]++
	}
	var parts []string
	for _, k := range order {
		if n := count[k.status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, k.word))
		}
	}
	if n := len(hooks(s)); n > 0 {
		parts = append(parts, many(n, "failed hook"))
	}
	if n := len(s.Broken); n > 0 {
		parts = append(parts, many(n, "broken file"))
	}
	text := many(len(s.Tests), "test")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if took := reporters.Lasted(s); took != "" {
		text += " in " + took
	}
	return text
}

// hook is a failure outside of any test.
type hook struct {
	what, suite string
	failure     *journal.Failure
}

func hooks(s *journal.State) []hook {
	var out []hook
	for _, u := range s.Suites {
		add := func(what string, f *journal.Failure) {
			if f != nil {
				out = append(out, hook{what, u.Planned.File, f})
			}
		}
		add("setup", u.SetupFailure)
		for _, l := range u.Logins {
			add("login of "+l.Session, l.Failure)
		}
		for _, f := range u.TeardownFail {
			add("teardown", f)
		}
	}
	return out
}

// entry is a thing that failed: in full, and in one line for when the room is gone.
type entry struct{ full, line string }

// failed shows all that made the run red: files, hooks, then tests.
func (p *page) failed(s *journal.State) {
	var list []entry
	for _, b := range s.Broken {
		title := "BROKEN " + html(b.File)
		text := fenced(clip(reporters.Clean(strings.Join(b.Errors, "\n")), maxBlock))
		list = append(list, entry{details(title, text), "- BROKEN " + code(b.File) + "\n"})
	}
	for _, h := range hooks(s) {
		title := "ERROR " + html(h.what+" in "+h.suite) + ": " + html(h.failure.Message)
		line := "- ERROR " + code(h.what+" in "+h.suite) + ": " + code(h.failure.Message) + "\n"
		list = append(list, entry{details(title, p.block(nil, nil, h.failure)), line})
	}
	for _, t := range s.Tests {
		if all := reporters.Failures(t.Last()); len(all) > 0 && reporters.Bad(t.Status) {
			list = append(list, p.test(t, all))
		}
	}
	if len(list) == 0 || !p.put("### Failures\n\n") {
		return
	}
	lines, rest := false, 0
	for _, e := range list {
		switch {
		case !lines && p.Len()+len(e.full) < p.room/10*8 && p.put(e.full):
		case p.Len()+len(e.line) < p.room/10*9 && p.put(e.line):
			lines = true
		default:
			lines = true
			rest++
		}
	}
	if rest > 0 {
		p.note(fmt.Sprintf("- … and %d more in the other reports\n", rest))
	}
	p.put("\n")
}

// test is the entry of a failed test.
func (p *page) test(t *journal.Test, all []*journal.Failure) entry {
	word, name := reporters.Word(t.Status), t.Planned.Key.String()
	var b strings.Builder
	for _, f := range all {
		b.WriteString(p.block(t, t.Last(), f))
	}
	if n := len(t.Attempts); n > 1 {
		b.WriteString("\nBefore:\n\n")
		for _, a := range t.Attempts[:n-1] {
			what := "passed"
			if list := reporters.Failures(a); len(list) > 0 {
				what = code(list[0].Message)
			}
			fmt.Fprintf(&b, "%d. attempt: %s\n", a.N, what)
		}
		b.WriteString("\n")
	}
	b.WriteString(p.files(t.Last().Artifacts))
	title := word + " " + html(name) + ": " + html(all[0].Message)
	return entry{details(title, b.String()), "- " + word + " " + code(name) + place(all[0]) + ": " + code(all[0].Message) + "\n"}
}

func place(f *journal.Failure) string {
	if f.Pos.IsZero() {
		return ""
	}
	return " at " + code(f.Pos.String())
}

// block is the failure block of the console.
func (p *page) block(t *journal.Test, a *journal.Attempt, f *journal.Failure) string {
	var b strings.Builder
	_ = reporters.Block(&b, t, a, f, reporters.Style{Width: blockWidth, NoTitle: true}) // a Builder does not fail
	return fenced(clip(b.String(), maxBlock))
}

// files links the artifacts of an attempt, and shows its pictures, where the text lies beside them.
func (p *page) files(all []steps.Artifact) string {
	if p.opts.Base == "" || len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, a := range all {
		if a.State != steps.Saved && a.State != steps.Unverified && a.State != steps.Stale {
			continue
		}
		link := p.link(a.Path)
		if strings.EqualFold(filepath.Ext(a.Path), ".png") {
			fmt.Fprintf(&b, "![%s](%s)\n", a.Kind, link)
			continue
		}
		fmt.Fprintf(&b, "- [%s](%s)\n", a.Kind, link)
	}
	return b.String()
}

func details(title, body string) string {
	return "<details><summary>" + title + "</summary>\n\n" + body + "\n</details>\n"
}

// lists are the tests that are neither green nor shown above, with the reason.
func (p *page) lists(s *journal.State) {
	for _, k := range []struct {
		title  string
		states []steps.Status
	}{
		{"Flaky", []steps.Status{steps.Flaky}},
		{"Not run", []steps.Status{steps.NotRun, steps.Unknown, steps.StatusInterrupted, steps.Failed, steps.Errored}},
		{"Skipped, quarantined, known bugs", []steps.Status{steps.Skipped, steps.Quarantined, steps.KnownBug}},
	} {
		var rows []string
		for _, t := range s.Tests {
			if !slices.Contains(k.states, t.Status) || reporters.Bad(t.Status) && len(reporters.Failures(t.Last())) > 0 {
				continue
			}
			rows = append(rows, "- "+strings.ToLower(reporters.Word(t.Status))+" "+code(t.Planned.Key.String())+why(t)+"\n")
		}
		if len(rows) == 0 || !p.put("### "+k.title+"\n\n") {
			continue
		}
		for i, row := range rows {
			if i == maxListed || !p.put(row) {
				p.note(fmt.Sprintf("- … and %d more\n", len(rows)-i))
				break
			}
		}
		p.put("\n")
	}
}

// why says what is known of a test that has no block of its own.
func why(t *journal.Test) string {
	switch t.Status {
	case steps.Flaky:
		for _, a := range t.Attempts {
			if list := reporters.Failures(a); len(list) > 0 {
				return fmt.Sprintf(", %d attempts%s: %s", len(t.Attempts), place(list[0]), code(list[0].Message))
			}
		}
	case steps.Quarantined, steps.KnownBug:
		text := reporters.Outcome(t)
		if t.Reason != "" {
			text = t.Reason + "; " + text
		}
		return ": " + code(text)
	}
	if t.Reason != "" {
		return ": " + code(t.Reason)
	}
	return ""
}

// suites is the table of suites, those that are not green first.
func (p *page) suites(s *journal.State) {
	type row struct {
		name          string
		n, ok, bad    int
		flaky, silent int
		took          time.Duration
	}
	rows, at := []*row{}, map[string]*row{}
	for _, t := range s.Tests {
		file := t.Planned.Key.Suite
		r := at[file]
		if r == nil {
			r = &row{name: file}
			at[file] = r
			rows = append(rows, r)
		}
		r.n++
		r.took += t.Took
		switch {
		case t.Status == steps.Passed:
			r.ok++
		case t.Status == steps.Flaky:
			r.flaky++
		case reporters.Bad(t.Status):
			r.bad++
		default:
			r.silent++
		}
	}
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return min(b.bad, 1) - min(a.bad, 1) })
	if !p.put("### Suites\n\n| suite | tests | passed | not passed | flaky | left out | time |\n|---|--:|--:|--:|--:|--:|--:|\n") {
		return
	}
	for i, r := range rows {
		text := fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %s |\n", cell(r.name), r.n, r.ok, r.bad, r.flaky, r.silent,
			reporters.Took(r.took))
		if i == maxSuites || !p.put(text) {
			p.note(fmt.Sprintf("\n… and %s\n", many(len(rows)-i, "more suite")))
			break
		}
	}
	p.put("\n")
}

// foot says which run it was.
func (p *page) foot(s *journal.State) {
	if s.Run.ID == "" {
		return
	}
	text := "Run " + code(s.Run.ID) + " of checkrow " + code(s.Run.Version) + " on " + code(s.Run.OS) + ", " + many(s.Run.Workers, "worker")
	for _, t := range s.Tests {
		if list := reporters.Failures(t.Last()); len(list) > 0 && reporters.Bad(t.Status) && list[0].Rerun != "" {
			text += "; rerun: " + code(list[0].Rerun)
			break
		}
	}
	p.note(text + "\n")
}
