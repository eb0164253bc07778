package junit

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// counts are the totals of a suite or a file.
type counts struct {
	tests, failures, errors, skipped int
	time                             time.Duration
}

func (c *counts) add(o counts) {
	c.tests += o.tests
	c.failures += o.failures
	c.errors += o.errors
	c.skipped += o.skipped
	c.time += o.time
}

func (c *counts) write(x *xml) {
	x.count("tests", c.tests)
	x.count("failures", c.failures)
	x.count("errors", c.errors)
	x.count("skipped", c.skipped)
	x.seconds("time", c.time)
}

// rendered is a test case as it stands in the file. It is made again only when the test's end changes it.
type rendered struct {
	text   []byte
	counts counts
	done   bool
	began  bool
}

// suite is one testsuite while the file is put together.
type suite struct {
	name, file string
	started    time.Time
	counts     counts
	parts      [][]byte
}

func (s *suite) add(r *rendered) {
	s.counts.add(r.counts)
	s.parts = append(s.parts, r.text)
}

// render puts the whole file together.
func (r *Reporter) render(s *journal.State) []byte {
	suites := r.suites(s)
	var total counts
	size := 0
	for _, u := range suites {
		total.add(u.counts)
		for _, p := range u.parts {
			size += len(p)
		}
	}
	if u := ended(s); u != nil && total.failures+total.errors == 0 {
		total.add(u.counts)
		suites = append([]*suite{u}, suites...)
	}
	lives := livesOf(s)
	x := &xml{}
	x.Grow(size + 512*(len(suites)+1))
	x.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<testsuites")
	x.attr("name", "checkrow")
	total.write(x)
	x.WriteString(">\n")
	for _, u := range suites {
		x.WriteString("  <testsuite")
		x.attr("name", u.name)
		if u.file != "" {
			x.attr("file", u.file)
		}
		at := u.started
		if at.IsZero() {
			at = s.Run.Started
		}
		if !at.IsZero() {
			x.attr("timestamp", at.UTC().Format("2006-01-02T15:04:05Z"))
		}
		if s.Run.Hostname != "" {
			x.attr("hostname", s.Run.Hostname)
		}
		u.counts.write(x)
		x.WriteString(">\n")
		x.Write(lives)
		for _, p := range u.parts {
			x.Write(p)
		}
		x.WriteString("  </testsuite>\n")
	}
	x.WriteString("</testsuites>\n")
	return x.Bytes()
}

// ended is what a run itself ended with, though no test or file says so: it was stopped or ran out of time while suites were
// torn down, or could not go on. nil: it ended well, or because of flaky tests, which their cases tell.
func ended(s *journal.State) *suite {
	if !s.Ended || s.End.Exit == journal.ExitPassed || s.End.Exit == journal.ExitFlaky {
		return nil
	}
	code := "the run ended with exit code " + strconv.Itoa(s.End.Exit)
	u := &suite{name: "checkrow", started: s.Run.Started}
	u.add(mishap("checkrow", "(run)", "", "run-failed", join(code, s.End.Reason), ""))
	return u
}

// livesOf are the properties of a run that was taken up again: how often, how long it was worked on in all, and when each life
// was. Readers know properties of a suite, not of the file.
func livesOf(s *journal.State) []byte {
	if len(s.Lives) < 2 {
		return nil
	}
	x := &xml{}
	x.WriteString("    <properties>\n")
	x.property("resumed", strconv.Itoa(len(s.Lives)-1))
	x.property("run.time", seconds(s.Took()))
	for i, l := range s.Lives {
		text := stamp(l.Started) + " to " + stamp(l.Last) + ", " + seconds(l.Took) + " s, "
		switch {
		case l.Ended:
			text += "exit " + strconv.Itoa(l.End.Exit)
		case i < len(s.Lives)-1:
			text += "killed"
		default:
			text += "has not ended"
		}
		if l.Ended && l.End.Reason != "" {
			text += ": " + l.End.Reason
		}
		x.property("life["+strconv.Itoa(i+1)+"]", text)
	}
	x.WriteString("    </properties>\n")
	return x.Bytes()
}

func seconds(d time.Duration) string { return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 3, 64) }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// suites gathers the run itself while it has not ended, files that are broken, then the suites of the plan.
func (r *Reporter) suites(s *journal.State) []*suite {
	var out []*suite
	if !s.Ended {
		u := &suite{name: "checkrow", started: s.Run.Started}
		u.add(mishap("checkrow", "(run)", "", "not-run", "the run has not ended: it was killed, or it goes on", ""))
		out = append(out, u)
	}
	for _, b := range s.Broken {
		u := &suite{name: b.File, file: b.File}
		message := "the file cannot be run"
		if len(b.Errors) > 0 {
			message = b.Errors[0]
		}
		u.add(mishap(undotted(b.File), "(suite file)", b.File, string(steps.Validation), message, strings.Join(b.Errors, "\n")))
		out = append(out, u)
	}
	byFile := map[string]*suite{}
	for _, p := range s.Suites {
		u := &suite{name: p.Planned.Name, file: p.Planned.File, started: p.Started}
		if u.name == "" {
			u.name = u.file
		}
		byFile[u.file] = u
		out = append(out, u)
		if p.SetupFailure != nil {
			u.add(r.hook(s, p, "(setup)", p.SetupFailure))
		}
		for i, l := range p.Logins {
			if l.Failure == nil {
				continue
			}
			name := "(login " + l.Session + ")"
			if slices.ContainsFunc(p.Logins[:i], func(x *journal.Login) bool { return x.Failure != nil && x.Session == l.Session }) {
				name = "(login " + l.Session + " again)"
			}
			u.add(r.hook(s, p, name, l.Failure))
		}
	}
	for _, t := range s.Tests {
		u := byFile[t.Planned.Key.Suite]
		if u == nil { // a plan without its suite is still reported
			u = &suite{name: t.Planned.Key.Suite, file: t.Planned.Key.Suite}
			byFile[u.file] = u
			out = append(out, u)
		}
		u.add(r.test(s, t))
	}
	for _, p := range s.Suites {
		r.teardown(s, p, byFile[p.Planned.File])
	}
	return out
}

// teardown adds a case for a suite's end while it is to come, and for each thing that failed in it. A suite that never
// began has no end to wait for once the run is over.
func (r *Reporter) teardown(s *journal.State, p *journal.Suite, u *suite) {
	for i, f := range p.TeardownFail {
		name := "(teardown)"
		if i > 0 {
			name += " " + string(rune('1'+min(i, 8)))
		}
		u.add(r.hook(s, p, name, f))
	}
	began := p.SetupDone || !p.Started.IsZero()
	owed := p.Planned.Teardown || p.Planned.Services > 0
	if p.TeardownDone || s.Ended && !(began && owed) {
		return
	}
	u.add(mishap(r.classname(s, p.Planned.File), "(teardown)", p.Planned.File, "not-run",
		"the suite has not ended: its teardown did not run", ""))
}

// hook is the case of a failed setup or teardown.
func (r *Reporter) hook(s *journal.State, p *journal.Suite, name string, f *journal.Failure) *rendered {
	var b strings.Builder
	_ = reporters.Block(&b, nil, nil, f, reporters.Style{Width: blockWidth}) // a Builder does not fail
	kind := string(f.Category)
	if name == "(setup)" || f.Phase == journal.PhaseLogin {
		kind = string(steps.Setup)
	}
	file := p.Planned.File
	if f.Pos.File != "" {
		file = f.Pos.File
	}
	return mishap(r.classname(s, p.Planned.File), name, file, kind, f.Message, b.String(), r.attached(s, picturesFirst(f.Artifacts))...)
}

// mishap is a case that is no test of the plan: an error with a reason.
func mishap(class, name, file, kind, message, text string, output ...string) *rendered {
	x := &xml{}
	x.WriteString("    <testcase")
	x.attr("classname", class)
	x.attr("name", name)
	if file != "" {
		x.attr("file", file)
	}
	x.WriteString(` time="0.000">` + "\n")
	x.problem("error", kind, message, text)
	x.output(output)
	x.WriteString("    </testcase>\n")
	return &rendered{text: x.Bytes(), counts: counts{tests: 1, errors: 1}}
}
