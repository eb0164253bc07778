package htmlreport

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// document is all that goes into the page.
type document struct {
	index  index
	chunks []chunk
	images []image
}

// builder gathers a document.
type builder struct {
	state *journal.State
	doc   document
	files *files
	place map[steps.TestKey]int
	suite map[string]int
}

func build(s *journal.State, dir, path string) (*document, error) {
	b := &builder{state: s, files: newFiles(), place: map[steps.TestKey]int{}, suite: map[string]int{}}
	root, err := os.OpenRoot(dir) // nothing outside of it is read, whatever the journal says
	switch {
	case err == nil:
		b.files.root = root
		defer root.Close()
	case !os.IsNotExist(err):
		return nil, fmt.Errorf("opening %q: %w", dir, err)
	}
	b.doc.index = index{Run: runOf(s), Counts: map[steps.Status]int{}, Broken: s.Broken, Warnings: s.Warnings,
		Others: len(s.Others), Chunk: chunkSize, Base: base(dir, path),
		Suites: make([]suite, 0, len(s.Suites)), Tests: make([]entry, 0, len(s.Tests))}
	for i, u := range s.Suites {
		b.suite[u.Planned.File] = i
		b.doc.index.Suites = append(b.doc.index.Suites, b.suiteOf(u))
	}
	b.doc.index.Texts = b.files.texts
	for i, t := range s.Tests {
		b.place[t.Planned.Key] = i
	}
	for i, t := range s.Tests {
		b.doc.index.Counts[status(t)]++
		b.doc.index.Tests = append(b.doc.index.Tests, b.entry(t))
		if i%chunkSize == 0 {
			b.files.texts = map[string]string{}
			b.doc.chunks = append(b.doc.chunks, chunk{Texts: b.files.texts})
		}
		c := &b.doc.chunks[len(b.doc.chunks)-1]
		c.Tests = append(c.Tests, b.test(t))
	}
	b.doc.images = b.files.images
	return &b.doc, nil
}

// base is the way from the report to the run folder, with slashes; "" if the report lies in it.
func base(dir, path string) string {
	rel, err := filepath.Rel(filepath.Dir(path), dir)
	if err != nil {
		return "file://" + filepath.ToSlash(dir) + "/"
	}
	if rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// status is never empty: a test without a verdict is unknown.
func status(t *journal.Test) steps.Status {
	if t.Status == "" {
		return steps.Unknown
	}
	return t.Status
}

func runOf(s *journal.State) run {
	r := s.Run
	out := run{ID: r.ID, Version: r.Version, Hostname: r.Hostname, OS: r.OS, Workers: r.Workers, Hash: r.Hash, Command: r.Command,
		Dir: r.Dir, WorkDir: r.WorkDir, Lives: livesOf(s), Ended: s.Ended,
		Exit: journal.ExitLoaded(s), Reason: s.End.Reason, MS: ms(s.Took())}
	if !r.Started.IsZero() {
		out.Started = stamp(r.Started)
	}
	if r.Shard != nil {
		out.Shard = fmt.Sprintf("%d/%d", r.Shard.Index, r.Shard.Of)
	}
	return out
}

// livesOf tells of the lives of a run that was taken up again.
func livesOf(s *journal.State) []life {
	if len(s.Lives) < 2 {
		return nil
	}
	out := make([]life, 0, len(s.Lives))
	for i, l := range s.Lives {
		d := life{Started: stamp(l.Started), Last: stamp(l.Last), MS: ms(l.Took), End: "was killed"}
		switch {
		case l.Ended:
			d.End = strings.TrimSuffix(fmt.Sprintf("exit code %d, %s", l.End.Exit, l.End.Reason), ", ")
		case i == len(s.Lives)-1:
			d.End = "has not ended"
		}
		out = append(out, d)
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (b *builder) suiteOf(u *journal.Suite) suite {
	out := suite{File: u.Planned.File, Name: u.Planned.Name, SHA256: u.Planned.SHA256}
	add := func(name string, at, took time.Duration, list []*journal.Step, fails ...*journal.Failure) {
		h := hook{Name: name, At: ms(at), MS: ms(took), Failures: b.failures(nil, nil, fails)}
		var began time.Time
		if len(list) > 0 {
			began = list[0].Sent
		}
		h.Steps, _ = b.steps(u.Planned.File, began, list)
		if len(h.Failures)+len(h.Steps) > 0 || u.Planned.Services > 0 && took > 0 {
			out.Hooks = append(out.Hooks, h)
		}
	}
	add("setup", u.SetupOffset, u.SetupTook, u.Setup, u.SetupFailure)
	for _, l := range u.Logins {
		add(strings.TrimSpace("login "+l.Session), l.Offset, l.Took, l.Steps, l.Failure)
	}
	add("teardown", u.TeardownOffset, u.TeardownTook, u.Teardown, u.TeardownFail...)
	return out
}

func (b *builder) entry(t *journal.Test) entry {
	p := t.Planned
	out := entry{Suite: b.suite[p.Key.Suite], Name: p.Key.Name, Status: status(t), Line: p.Pos.Line,
		Tags: p.Tags, MS: ms(t.Took), Why: t.Reason}
	for _, a := range t.Attempts {
		r := bar{Worker: a.Worker, At: ms(a.Offset), MS: ms(b.took(a))}
		if a.Status != t.Status && t.Status != steps.KnownBug && t.Status != steps.Quarantined { // what is known alarms nobody
			r.Status = a.Status
		}
		if a.Status == "" && t.Status != "" {
			r.Status = steps.Unknown
		}
		out.Runs = append(out.Runs, r)
		if list := reporters.Failures(a); len(list) > 0 {
			out.Why = reporters.Cut(list[0].Message, 300)
		}
	}
	return out
}

// took is how long an attempt took, also one whose end nobody saw.
func (b *builder) took(a *journal.Attempt) time.Duration {
	if a.Took == 0 && a.Status == "" {
		return max(0, b.state.Took()-a.Offset)
	}
	return a.Took
}

func (b *builder) test(t *journal.Test) test {
	p := t.Planned
	out := test{Retries: p.Retries, Params: p.Params, KnownBug: p.KnownBug, Quarantine: p.Quarantine,
		Attempts: make([]attempt, 0, len(t.Attempts))}
	if t.Because != nil {
		if i, ok := b.place[*t.Because]; ok {
			out.Because = &i
		}
	}
	for _, a := range t.Attempts {
		d := attempt{N: a.N, Worker: a.Worker, Status: a.Status, At: ms(a.Offset), MS: ms(b.took(a)), Collateral: a.Collateral,
			CutOff: a.CutOff, Warnings: a.Warnings, Failures: b.failures(t, a, reporters.Failures(a))}
		if d.Status == "" {
			d.Status = steps.Unknown
		}
		var wrote []steps.Artifact
		d.Steps, wrote = b.steps(p.Key.Suite, a.Started, a.Steps)
		d.Artifacts = b.files.list(known(d.Failures, append(wrote, a.Artifacts...)), false)
		out.Attempts = append(out.Attempts, d)
	}
	return out
}

// known drops the artifacts that a failure lists, and keeps the last word on each other one.
func known(fails []failure, all []steps.Artifact) []steps.Artifact {
	at := map[string]int{}
	for _, f := range fails {
		for _, a := range f.Artifacts {
			at[a.Path] = -1
		}
	}
	var out []steps.Artifact
	for _, a := range all {
		i, seen := at[a.Path]
		switch {
		case !seen:
			at[a.Path] = len(out)
			out = append(out, a)
		case i >= 0 && a.State != steps.Pending:
			out[i] = a
		}
	}
	return out
}

func (b *builder) failures(t *journal.Test, a *journal.Attempt, in []*journal.Failure) []failure {
	var out []failure
	for _, f := range in {
		if f == nil {
			continue
		}
		var block strings.Builder
		_ = reporters.Block(&block, t, a, f, reporters.Style{Width: 100}) // a builder takes everything
		d := failure{Failure: f, Block: block.String(), Artifacts: b.files.list(f.Artifacts, true)}
		if len(f.Row) > 0 {
			d.RowText = reporters.Row(f.Row)
		}
		if w := f.LastWrite; w != nil {
			d.Written = reporters.Row(w.Row) + " at " + w.Pos.String()
		}
		for _, r := range f.Progress {
			d.Rows = append(d.Rows, row{Line: r.Pos.Line, Text: reporters.Row(r.Row), State: r.State})
		}
		for _, n := range f.Next {
			x := next{Reason: n.Reason, Row: n.Step}
			if len(n.Row) > 0 {
				x.Row = reporters.Row(n.Row)
			}
			d.Try = append(d.Try, x)
		}
		out = append(out, d)
	}
	return out
}

// steps gives the steps of an attempt that began at from, and the files that they wrote.
func (b *builder) steps(file string, from time.Time, in []*journal.Step) ([]step, []steps.Artifact) {
	out, wrote, url := make([]step, 0, len(in)), []steps.Artifact(nil), ""
	for _, s := range in {
		d := step{Phase: s.Phase, Path: s.Path, Row: s.Name, Title: s.Title, Line: s.Pos.Line, State: s.State, Session: s.Session, Tries: s.Tries}
		if d.Phase == journal.PhaseSteps {
			d.Phase = ""
		}
		if d.State == steps.RowCompleted {
			d.State = ""
		}
		if s.Pos.File != file {
			d.File = s.Pos.File
		}
		if !s.Sent.IsZero() && !from.IsZero() {
			d.At = ms(max(0, s.Sent.Sub(from)))
		}
		if o := s.Obs; o != nil {
			d.observe(o, &url)
			if d.Title == d.Row {
				d.Title = ""
			}
			wrote = append(wrote, o.Artifacts...)
		}
		out = append(out, d)
	}
	return slices.Clip(out), wrote
}

func (d *step) observe(o *steps.Observation, url *string) {
	if len(o.Argv) > 0 {
		d.Row = reporters.Row(o.Argv)
	}
	d.MS, d.From, d.Error, d.Summary, d.Checks, d.Warnings = ms(o.Took), o.From, o.Error, o.Summary, o.Checks, o.Warnings
	if o.Page.URL != "" && o.Page.URL != *url {
		d.URL, *url = o.Page.URL, o.Page.URL
	}
	if text, ok := o.Value.(string); !ok || text != o.Page.URL && !slices.Contains(o.Argv, text) { // else it says nothing new
		d.Value = value(o.Value)
	}
	for _, a := range o.Artifacts {
		d.Files = append(d.Files, a.Path)
	}
}

// value shows the start of what a step gave; all of it is in report.json.
func value(v any) string {
	if v == nil {
		return ""
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // the text is encoded once more
	if e.Encode(v) != nil {
		return ""
	}
	return reporters.Cut(strings.TrimSpace(out.String()), 240)
}

// ms is a duration in milliseconds, to the tenth.
func ms(d time.Duration) float64 { return float64(d.Round(100*time.Microsecond).Microseconds()) / 1000 }
