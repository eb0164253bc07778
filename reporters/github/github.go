// Package github reports to GitHub Actions without an action or permissions: annotations at the lines of the suites that
// failed, and the summary of the job.
package github

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/reporters/markdown"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// maxOfKind is how many annotations of one kind GitHub shows of a step; it drops the others without a word.
const maxOfKind = 10

// Options of the reporter.
type Options struct {
	Workspace string // the root of the checkout, which paths of annotations start from; "": the folder of the run
	Summary   string // the file that the summary of the step is appended to; "": none
}

// Reporter writes workflow commands to a step's log, and its summary, when the run ends.
type Reporter struct {
	w    io.Writer
	opts Options
}

var _ reporters.Reporter = (*Reporter)(nil)

// New makes the reporter of a step whose log is w.
func New(w io.Writer, o Options) *Reporter { return &Reporter{w, o} }

// Event does nothing: GitHub shows few annotations, and which are worth it is known at the end.
func (r *Reporter) Event(journal.Event, *journal.State) error { return nil }

// Close writes the annotations and the summary.
func (r *Reporter) Close(s *journal.State) error {
	var b strings.Builder
	write(&b, "error", r.failures(s))
	write(&b, "warning", r.flaky(s))
	if err := r.summary(s); err != nil { // the run is what it is: that its summary has no place makes it no other
		b.WriteString("::warning title=checkrow::" + data(err.Error()) + "\n")
	}
	if b.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(r.w, b.String()); err != nil {
		return fmt.Errorf("writing annotations: %w", err)
	}
	return nil
}

// annotation is a message at a line of a file.
type annotation struct {
	pos         diag.Pos
	title, text string
	file        string // as GitHub knows it
}

func (r *Reporter) at(s *journal.State, pos diag.Pos, title, text string) annotation {
	a := annotation{pos: pos, title: title, text: reporters.Clean(text)}
	if pos.File == "" {
		return a
	}
	a.file = filepath.ToSlash(pos.File)
	if r.opts.Workspace == "" {
		return a
	}
	abs := filepath.FromSlash(pos.File)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(s.Run.WorkDir, abs)
	}
	if rel, err := filepath.Rel(r.opts.Workspace, abs); err == nil && filepath.IsLocal(rel) {
		a.file = filepath.ToSlash(rel)
	}
	return a
}

// place begins the text of a diagnostic.
var place = regexp.MustCompile(`^(.+?):(\d+):(?:(\d+):)? `)

// failures are what made the run red: files, hooks, tests, then what did not run.
func (r *Reporter) failures(s *journal.State) []annotation {
	var out []annotation
	for _, b := range s.Broken {
		for _, text := range b.Errors {
			pos := diag.Pos{File: b.File}
			if m := place.FindStringSubmatch(text); m != nil {
				pos.File, text = m[1], text[len(m[0]):]
				pos.Line, _ = strconv.Atoi(m[2]) // digits
				pos.Col, _ = strconv.Atoi(m[3])
			}
			out = append(out, r.at(s, pos, "BROKEN "+b.File, text))
		}
	}
	for _, u := range s.Suites {
		hook := func(what string, f *journal.Failure) {
			if f != nil {
				out = append(out, r.at(s, or(f.Pos, diag.Pos{File: u.Planned.File}), "ERROR "+what+" in "+u.Planned.File, f.Message))
			}
		}
		hook("setup", u.SetupFailure)
		for _, l := range u.Logins {
			hook("login of "+l.Session, l.Failure)
		}
		for _, f := range u.TeardownFail {
			hook("teardown", f)
		}
	}
	silent := 0
	for _, t := range s.Tests {
		if !reporters.Bad(t.Status) {
			continue
		}
		list := reporters.Failures(t.Last())
		if len(list) == 0 {
			silent++
			continue
		}
		text := list[0].Message
		if list[0].Rerun != "" {
			text += "\nrerun: " + list[0].Rerun
		}
		out = append(out, r.at(s, or(list[0].Pos, t.Planned.Pos), reporters.Word(t.Status)+" "+t.Planned.Key.String(), text))
	}
	return append(out, r.run(s, silent)...)
}

// run is what is wrong with the run itself.
func (r *Reporter) run(s *journal.State, silent int) []annotation {
	var text string
	switch {
	case !s.Ended:
		text = "the run has not ended"
	case s.End.Reason != "":
		text = "the run was stopped: " + strings.TrimPrefix(s.End.Reason, "stopped ")
	case silent > 0:
		text = "not everything that was planned ran"
	default:
		return nil
	}
	if silent > 0 {
		text += fmt.Sprintf(" (%d of %d tests without a verdict)", silent, len(s.Tests))
	}
	return []annotation{r.at(s, diag.Pos{}, "checkrow", text)}
}

// flaky are the tests that needed another attempt, at the line where one failed.
func (r *Reporter) flaky(s *journal.State) []annotation {
	var out []annotation
	for _, t := range s.Tests {
		if t.Status != steps.Flaky {
			continue
		}
		pos, text := t.Planned.Pos, fmt.Sprintf("passed at attempt %d", len(t.Attempts))
		for _, a := range t.Attempts {
			if list := reporters.Failures(a); len(list) > 0 {
				pos = or(list[0].Pos, pos)
				text += fmt.Sprintf("; attempt %d: %s", a.N, list[0].Message)
				break
			}
		}
		out = append(out, r.at(s, pos, "FLAKY "+t.Planned.Key.String(), text))
	}
	return out
}

func or(a, b diag.Pos) diag.Pos {
	if a.File == "" {
		return b
	}
	return a
}

// write writes annotations of one kind, and how many there are beyond those that GitHub shows.
func write(b *strings.Builder, kind string, list []annotation) {
	for i, a := range list {
		if i == maxOfKind-1 && len(list) > maxOfKind {
			fmt.Fprintf(b, "::%s title=checkrow::%s\n", kind, data(fmt.Sprintf("… and %d more like these: see the summary of the job", len(list)-i)))
			return
		}
		b.WriteString("::" + kind + " ")
		if a.file != "" {
			b.WriteString("file=" + property(a.file) + ",")
			if a.pos.Line > 0 {
				fmt.Fprintf(b, "line=%d,", a.pos.Line)
			}
			if a.pos.Line > 0 && a.pos.Col > 0 {
				fmt.Fprintf(b, "col=%d,", a.pos.Col)
			}
		}
		b.WriteString("title=" + property(strings.Join(strings.Fields(reporters.Clean(a.title)), " ")) + "::" + data(a.text) + "\n")
	}
}

var (
	inData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// data escapes the text of a command, property the value of one of its properties.
func data(s string) string     { return inData.Replace(s) }
func property(s string) string { return inProperty.Replace(s) }

// summary appends to the summary of the step what there is room for: a larger one is refused as a whole.
func (r *Reporter) summary(s *journal.State) error {
	if r.opts.Summary == "" {
		return nil
	}
	f, err := os.OpenFile(r.opts.Summary, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("opening the summary of the job: %w", err)
	}
	err = r.fill(f, s)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

func (r *Reporter) fill(f *os.File, s *journal.State) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("measuring the summary of the job: %w", err)
	}
	lead := ""
	if info.Size() > 0 { // whatever stands there may not have ended its line
		lead = "\n\n"
	}
	room := markdown.MaxBytes - int(info.Size()) - len(lead)
	if room <= 0 {
		return fmt.Errorf("the summary of the job is full: %d bytes stand in it", info.Size())
	}
	if _, err := f.WriteString(lead + string(markdown.Render(s, markdown.Options{Limit: room}))); err != nil {
		return fmt.Errorf("writing the summary of the job: %w", err)
	}
	return nil
}
