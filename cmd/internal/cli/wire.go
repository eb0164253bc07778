package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/reporters/console"
	"github.com/checkrow/checkrow/reporters/htmlreport"
	"github.com/checkrow/checkrow/reporters/jsonreport"
	"github.com/checkrow/checkrow/reporters/manifest"
	"github.com/checkrow/checkrow/runner/journal"
)

// reporterKind is one line of the table of reporters.
type reporterKind struct {
	name string
	doc  string
	file string // its file in the run folder; "": it writes to stdout
	open func(a *app, p openParams) (reporters.Reporter, error)
}

// whole tells that the end of a run writes the file as a whole, whatever became of it before.
func (k reporterKind) whole() bool { return k.file != "" && k.name != "events" }

// openParams are what a reporter is opened with.
type openParams struct {
	path  string   // "" for stdout
	dir   string   // the run folder
	live  bool     // a run is going on; false when a report is rebuilt
	files []string // of all reporters, as shown in the summary
}

// reporterTable is the table of reporters, sorted by name. A new reporter is a folder under reporters/ and one line here.
var reporterTable = []reporterKind{
	{"console", "progress and failures on stdout", "", openConsole},
	{"github", "annotations on stdout and the job summary of GitHub Actions, if it is named", "", openGitHub},
	{"html", "report.html, for people", "report.html", openHTML},
	{"json", "report.json, see checkrow schema --report", "report.json", openJSON},
	{"junit", "junit.xml", "junit.xml", openJUnit},
	{"markdown", "report.md, or on stdout by markdown=-, if it is named", "report.md", openMarkdown},
	{"timings", "timings.json, for --timings", "timings.json", openTimings},
}

func reporterNames() []string {
	names := make([]string, len(reporterTable))
	for i, k := range reporterTable {
		names[i] = k.name
	}
	return names
}

func openConsole(a *app, p openParams) (reporters.Reporter, error) {
	out, live := a.Stdout, p.live && a.live(a.Stdout)
	c := console.New(out, console.Options{
		Terminal: live, Color: a.color(out), Now: a.Now, Reports: p.files, Actions: a.inActions() && !live,
		Width:  func() int { width, _ := terminal(out); return width },
		Height: func() int { _, height, _ := terminalSize(out); return height },
	})
	if _, shown := terminal(a.Stderr); live && shown {
		a.Stderr, a.hide = c.Beside(a.Stderr), c.Hide
	}
	return c, nil
}

func openHTML(_ *app, p openParams) (reporters.Reporter, error) { return htmlreport.New(p.path, p.dir) }

func openJSON(_ *app, p openParams) (reporters.Reporter, error) { return jsonreport.New(p.path) }

// reporterHelp describes --reporter.
func reporterHelp() string {
	return "`NAME[=PATH]`, repeatable: " + strings.Join(reporterNames(), ", ") +
		" (default: all but github, which is on in GitHub Actions, and markdown; markdown=- is stdout). The other files in the run folder are always written"
}

// chosenReporter is a reporter of the command line: path is "" for its place in the run folder.
type chosenReporter struct {
	kind reporterKind
	path string
}

// chooseReporters reads --reporter; none means all but those that want to be named. The files in the run folder are always
// written: a run without them is a run whose evidence depends on a flag.
func chooseReporters(flags []string) ([]chosenReporter, error) {
	var out []chosenReporter
	named := map[string]bool{"console": len(flags) == 0} // in the run folder, or on stdout
	for _, flag := range flags {
		name, path, hasPath := strings.Cut(flag, "=")
		i := slices.IndexFunc(reporterTable, func(k reporterKind) bool { return k.name == name })
		if i < 0 {
			return nil, usagef("unknown reporter %q%s", name, suggest(name, reporterNames()))
		}
		k := reporterTable[i]
		switch {
		case k.file == "" && hasPath:
			return nil, usagef("--reporter %s writes to stdout and takes no path", name)
		case hasPath && path == toStdout && name != "markdown":
			return nil, usagef("--reporter %s does not write to stdout", name)
		case !hasPath:
			named[name] = true
		case path == "":
			return nil, usagef("--reporter %s= needs a path after the equals sign", name)
		default:
			out = append(out, chosenReporter{k, path})
		}
	}
	for _, k := range reporterTable {
		if named[k.name] || k.file != "" && !slices.Contains(namedReporters, k.name) {
			out = append(out, chosenReporter{k, ""})
		}
	}
	return out, nil
}

// openReport is one reporter of a run and the first error it met.
type openReport struct {
	kind reporterKind
	rep  reporters.Reporter
	err  error
	out  bool // it writes to stdout
	gone bool // nobody reads stdout any more
}

// note keeps the first error. That whoever read stdout has gone is none: the files of the run say all.
func (o *openReport) note(err error) {
	switch {
	case err == nil:
	case !o.out || !errors.Is(err, syscall.EPIPE):
		o.err = err
	default:
		o.gone = true
	}
}

// reportSet hands events to every reporter. One that fails gets no more events and does not disturb the others; its error
// is told at the end, with exit code 3.
type reportSet struct {
	list []*openReport
	past bool // what is told was told before: those that write to stdout are not told again
}

// openReports opens the reporters of a run in dir. Opening one overwrites its file with a report of a run that has not
// ended, so that no file of an earlier run can be taken for this one's (DECISIONS 8): it comes before compiling.
func (a *app) openReports(chosen []chosenReporter, dir string, live bool) (*reportSet, error) {
	set, params := &reportSet{}, openParams{live: live, dir: dir}
	for _, c := range chosen {
		if path := a.reportPath(c, dir); path != "" {
			params.files = append(params.files, a.shown(path))
		}
	}
	for _, c := range chosen {
		params.path = a.reportPath(c, dir)
		if c.path != "" && params.path != "" { // a folder of the project's own, not of the run
			if err := os.MkdirAll(filepath.Dir(params.path), 0o755); err != nil {
				return nil, environment(fmt.Errorf("opening reporter %q: making its folder: %w", c.kind.name, err))
			}
		}
		rep, err := c.kind.open(a, params)
		if err != nil && c.kind.whole() && c.path == "" { // no old report lies in the run folder: a full disk is no reason not to run
			a.warnf("the %s report cannot be written yet: %v", c.kind.name, err)
			err = nil
		}
		if err != nil {
			return nil, environment(fmt.Errorf("opening reporter %q: %w", c.kind.name, err))
		}
		set.list = append(set.list, &openReport{kind: c.kind, rep: rep, out: params.path == ""})
	}
	files, err := manifest.New(filepath.Join(dir, manifest.FileName)) // always: "verify" and people look for it
	if err != nil {
		a.warnf("the list of artifacts cannot be written yet: %v", err)
	}
	set.list = append(set.list, &openReport{kind: reporterKind{name: "artifacts", file: manifest.FileName}, rep: files})
	return set, nil
}

// reportPath is where a reporter writes: the path of the command line, else its file in the run folder; "" is stdout.
func (a *app) reportPath(c chosenReporter, folder string) string {
	switch {
	case c.path == toStdout:
		return ""
	case c.path != "":
		return a.abs(c.path)
	case c.kind.file != "":
		return filepath.Join(folder, c.kind.file)
	}
	return ""
}

// shown is a path as people want to read it: relative if it lies below the current folder.
func (a *app) shown(path string) string {
	if rel, err := filepath.Rel(a.Dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// mute drops the console: what it would say was said.
func (r *reportSet) mute() {
	r.list = slices.DeleteFunc(r.list, func(o *openReport) bool { return o.kind.name == "console" })
}

func (r *reportSet) observe(e journal.Event, s *journal.State) {
	for _, o := range r.list {
		if o.err == nil && !o.gone && !(r.past && o.kind.file == "") {
			o.note(o.rep.Event(e, s))
		}
	}
}

// close ends every reporter, also one that failed: it may still be able to write its last word, and a file that is written
// as a whole is right then.
func (r *reportSet) close(s *journal.State) {
	for _, o := range r.list {
		if err := o.rep.Close(s); o.err == nil || o.kind.whole() {
			o.err = nil
			o.note(err)
		}
	}
}

// err joins what went wrong.
func (r *reportSet) err() error {
	var errs []error
	for _, o := range r.list {
		if o.err != nil {
			errs = append(errs, fmt.Errorf("reporting to %q: %w", o.kind.name, o.err))
		}
	}
	return errors.Join(errs...)
}
