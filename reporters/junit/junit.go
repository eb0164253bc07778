// Package junit writes junit.xml. The file is there from before the run on, is valid at every instant, and is not green
// until the run has ended: what is planned and has not run is an error in it, and so are the end of the run and each
// suite's teardown while they are to come (DECISIONS 8). It is what GitLab, Jenkins, GitHub actions and Surefire readers
// agree on.
package junit

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
)

// Base says what the paths of attachments start from.
type Base string

// The bases.
const (
	FromReport  Base = ""         // the folder of the XML file
	FromProject Base = "project"  // Options.Project, as GitLab wants it
	Absolute    Base = "absolute" // as Jenkins wants it
)

// Options of a report. The zero value of each field is its default.
type Options struct {
	Attachments Base
	Project     string           // "": the folder the command was given in
	Now         func() time.Time // nil: time.Now
}

// restFactor is how many times the cost of a rewrite must pass before the next: rewriting stays under 2 % of the run.
const restFactor = 50

// Reporter keeps one junit.xml up to date.
type Reporter struct {
	path  string
	opts  Options
	cases map[*journal.Test]*rendered
	names map[string]string // classname by suite file
	dirty bool
	next  time.Time
}

var _ reporters.Reporter = (*Reporter)(nil)

// New makes the reporter of one file and at once overwrites what lies there: a report of an earlier run must not be taken
// for this one's, whatever happens next. Call it before anything can fail.
func New(path string, o Options) (*Reporter, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding %q: %w", path, err)
	}
	r := &Reporter{path: abs, opts: o}
	r.reset()
	return r, r.write(journal.NewState(), false)
}

// reset forgets what was rendered.
func (r *Reporter) reset() {
	r.cases, r.names = map[*journal.Test]*rendered{}, map[string]string{}
}

// Event notes what changed and rewrites the file unless the last rewrite is too near.
func (r *Reporter) Event(e journal.Event, s *journal.State) error {
	switch e.Body.(type) {
	case journal.Planned, journal.Resumed:
		r.reset()
		r.dirty, r.next = true, time.Time{}
	case journal.TestEnd, journal.SetupEnd, journal.LoginEnd, journal.TeardownEnd, journal.RunEnd:
		r.dirty = true
	}
	if !r.dirty || r.opts.Now().Before(r.next) {
		return nil
	}
	return r.write(s, false)
}

// Close writes the file a last time. A state whose run has not ended stays red.
func (r *Reporter) Close(s *journal.State) error { return r.write(s, true) }

// write renders and replaces the file.
func (r *Reporter) write(s *journal.State, last bool) error {
	began := r.opts.Now()
	err := reporters.Replace(r.path, r.render(s), last)
	now := r.opts.Now()
	r.next = now.Add(restFactor * now.Sub(began))
	r.dirty = err != nil
	return err
}

// classname is the path of a suite without its suffix and without dots, which Jenkins takes for packages. Two suites
// never share one.
func (r *Reporter) classname(s *journal.State, file string) string {
	if len(r.names) == 0 {
		taken := map[string]bool{}
		for _, suite := range s.Suites {
			r.names[suite.Planned.File] = free(taken, undotted(suite.Planned.File))
		}
	}
	if name, ok := r.names[file]; ok {
		return name
	}
	return undotted(file)
}

func undotted(file string) string {
	file = strings.TrimPrefix(filepath.ToSlash(file), "./")
	return strings.ReplaceAll(strings.TrimSuffix(file, filepath.Ext(file)), ".", "_")
}

// free gives name, or name with a number if it is taken.
func free(taken map[string]bool, name string) string {
	for n, base := 2, name; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[name] = true
	return name
}

// attachment gives the path of an artifact as Options ask for it.
func (r *Reporter) attachment(s *journal.State, path string) string {
	abs := filepath.Join(s.Run.Dir, filepath.FromSlash(path))
	base := filepath.Dir(r.path)
	switch r.opts.Attachments {
	case Absolute:
		return filepath.ToSlash(abs)
	case FromProject:
		if base = r.opts.Project; base == "" {
			base = s.Run.WorkDir
		}
	}
	if rel, err := filepath.Rel(base, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}
