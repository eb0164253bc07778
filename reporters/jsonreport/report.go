package jsonreport

import (
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// The types below are the form of the file; the schema says the same.

type report struct {
	Schema   int                  `json:"schema"`
	Run      run                  `json:"run"`
	Summary  summary              `json:"summary"`
	Suites   []suite              `json:"suites"`
	Tests    []test               `json:"tests"`
	Broken   []journal.BrokenFile `json:"broken"`
	Warnings []string             `json:"warnings"`
}

type run struct {
	ID       string   `json:"id"`
	Version  string   `json:"version"`
	Started  string   `json:"started,omitempty"`
	Hostname string   `json:"hostname"`
	OS       string   `json:"os"`
	Workers  int      `json:"workers"`
	Hash     string   `json:"hash"`
	Command  []string `json:"command"`
	Dir      string   `json:"dir"`
	WorkDir  string   `json:"workdir"`
	Ended    bool     `json:"ended"`
	Exit     int      `json:"exit"`
	Reason   string   `json:"reason,omitempty"`
	Duration float64  `json:"duration_ms"` // of all lives
	Lives    []life   `json:"lives"`
}

// life is one process of the run.
type life struct {
	Version  string  `json:"version"`
	Workers  int     `json:"workers"`
	Started  string  `json:"started,omitempty"`
	Last     string  `json:"last,omitempty"`
	Duration float64 `json:"duration_ms"`
	Ended    bool    `json:"ended"`
	Exit     *int    `json:"exit,omitempty"`
	Reason   string  `json:"reason,omitempty"`
}

type summary struct {
	Total  int                  `json:"total"`
	Status map[steps.Status]int `json:"status"`
}

type suite struct {
	File     string         `json:"file"`
	Name     string         `json:"name"`
	SHA256   string         `json:"sha256"`
	Started  string         `json:"started,omitempty"`
	Ended    string         `json:"ended,omitempty"`
	Setup    hook           `json:"setup"`
	Logins   []login        `json:"logins"`
	Teardown hook           `json:"teardown"`
	Status   map[string]int `json:"status"`
}

type hook struct {
	Done     bool      `json:"done"`
	Failures []failure `json:"failures"`
	Steps    []step    `json:"steps"`
}

type login struct {
	Session  string    `json:"session"`
	Done     bool      `json:"done"`
	Started  string    `json:"started,omitempty"`
	Duration float64   `json:"duration_ms"`
	Failures []failure `json:"failures"`
	Steps    []step    `json:"steps"`
}

type test struct {
	Suite    string   `json:"suite"`
	Name     string   `json:"name"`
	Pos      diag.Pos `json:"pos"`
	Tags     []string `json:"tags"`
	Retries  int      `json:"retries"`
	KnownBug string   `json:"known_bug,omitempty"`

	Quarantine *journal.Quarantine `json:"quarantine,omitempty"`
	Because    *steps.TestKey      `json:"because,omitempty"`
	Status     steps.Status        `json:"status"`
	Reason     string              `json:"reason,omitempty"`
	Life       int                 `json:"life,omitempty"`
	Started    string              `json:"started,omitempty"`
	Duration   float64             `json:"duration_ms"`
	Attempts   []attempt           `json:"attempts"`
}

type attempt struct {
	N          int              `json:"n"`
	Worker     int              `json:"worker"`
	Life       int              `json:"life"`
	Status     steps.Status     `json:"status"`
	Started    string           `json:"started,omitempty"`
	Duration   float64          `json:"duration_ms"`
	Collateral bool             `json:"collateral"`
	Failure    *failure         `json:"failure,omitempty"`
	More       []failure        `json:"more"`
	Cleanup    []failure        `json:"cleanup"`
	Warnings   []string         `json:"warnings"`
	Artifacts  []steps.Artifact `json:"artifacts"`
	// Apps are the apps that it has launched, and how the end of each went (R168, R170).
	Apps  []steps.AppRecord `json:"apps,omitempty"`
	Steps []step            `json:"steps"`
}

type step struct {
	Phase     journal.Phase      `json:"phase,omitempty"`
	Path      string             `json:"path"`
	Name      string             `json:"name"`
	Title     string             `json:"title,omitempty"`
	Pos       diag.Pos           `json:"pos"`
	State     steps.RowState     `json:"state"`
	Session   string             `json:"session,omitempty"`
	Tries     int                `json:"tries,omitempty"`
	Started   string             `json:"started,omitempty"`
	Duration  float64            `json:"duration_ms"`
	Argv      []string           `json:"argv,omitempty"`
	From      string             `json:"generated_from,omitempty"`
	Category  steps.Category     `json:"category,omitempty"`
	Sub       string             `json:"sub,omitempty"`
	Error     string             `json:"error,omitempty"`
	Summary   string             `json:"summary,omitempty"`
	Value     any                `json:"value,omitempty"`
	Data      map[string]any     `json:"data,omitempty"`
	Page      *steps.Page        `json:"page,omitempty"`
	Detail    *steps.Detail      `json:"detail,omitempty"`
	Checks    []steps.Check      `json:"checks,omitempty"`
	Compiled  *compiled          `json:"compiled,omitempty"`
	Warnings  []string           `json:"warnings,omitempty"`
	Artifacts []steps.Artifact   `json:"artifacts,omitempty"`
	Next      []steps.NextAction `json:"next_actions,omitempty"`
	Change    *steps.Change      `json:"change,omitempty"`
}

// compiled is what a step of few words came to.
type compiled struct {
	Plan   []steps.PlanRow `json:"plan"`
	Checks []string        `json:"checks"`
	Reset  bool            `json:"diagnostics_reset_at_start"`
}

// failure is journal.Failure under a name of this package; its form is the journal's.
type failure = journal.Failure

func build(s *journal.State) report {
	r := report{Schema: Version, Broken: list(s.Broken), Warnings: list(s.Warnings), Suites: []suite{}, Tests: []test{}}
	i := s.Run
	r.Run = run{ID: i.ID, Version: i.Version, Started: stamp(i.Started), Hostname: i.Hostname, OS: i.OS, Workers: i.Workers,
		Hash: i.Hash, Command: list(i.Command), Dir: i.Dir, WorkDir: i.WorkDir, Ended: s.Ended, Exit: journal.ExitLoaded(s),
		Reason: s.End.Reason, Duration: ms(s.Took()), Lives: livesOf(s)}
	r.Summary = summary{Total: len(s.Tests), Status: map[steps.Status]int{}}
	bySuite := map[string]map[string]int{}
	for _, u := range s.Suites {
		bySuite[u.Planned.File] = map[string]int{}
	}
	for _, t := range s.Tests {
		r.Summary.Status[t.Status]++
		if m := bySuite[t.Planned.Key.Suite]; m != nil {
			m[string(t.Status)]++
		}
		r.Tests = append(r.Tests, testOf(t))
	}
	for _, u := range s.Suites {
		r.Suites = append(r.Suites, suiteOf(u, bySuite[u.Planned.File]))
	}
	return r
}

func livesOf(s *journal.State) []life {
	out := make([]life, 0, len(s.Lives))
	for _, l := range s.Lives {
		d := life{Version: l.Version, Workers: l.Workers, Started: stamp(l.Started), Last: stamp(l.Last), Duration: ms(l.Took), Ended: l.Ended}
		if l.Ended {
			d.Exit, d.Reason = &l.End.Exit, l.End.Reason
		}
		out = append(out, d)
	}
	return out
}

func suiteOf(u *journal.Suite, status map[string]int) suite {
	out := suite{File: u.Planned.File, Name: u.Planned.Name, SHA256: u.Planned.SHA256, Started: stamp(u.Started),
		Ended: stamp(u.Ended), Status: status}
	out.Setup = hook{Done: u.SetupDone, Failures: []failure{}, Steps: stepsOf(u.Setup)}
	if u.SetupFailure != nil {
		out.Setup.Failures = failures(u.SetupFailure)
	}
	out.Logins = make([]login, 0, len(u.Logins))
	for _, l := range u.Logins {
		out.Logins = append(out.Logins, login{Session: l.Session, Done: l.Done, Started: stamp(l.Started), Duration: ms(l.Took),
			Failures: failures(l.Failure), Steps: stepsOf(l.Steps)})
	}
	out.Teardown = hook{Done: u.TeardownDone, Failures: failures(u.TeardownFail...), Steps: stepsOf(u.Teardown)}
	return out
}

func testOf(t *journal.Test) test {
	out := test{Suite: t.Planned.Key.Suite, Name: t.Planned.Key.Name, Pos: t.Planned.Pos, Tags: list(t.Planned.Tags),
		Retries: t.Planned.Retries, KnownBug: t.Planned.KnownBug, Quarantine: t.Planned.Quarantine, Because: t.Because,
		Status: t.Status, Reason: t.Reason, Life: t.Life, Started: stamp(t.Started), Duration: ms(t.Took),
		Attempts: make([]attempt, 0, len(t.Attempts))}
	for _, a := range t.Attempts {
		out.Attempts = append(out.Attempts, attempt{N: a.N, Worker: a.Worker, Life: a.Life, Status: a.Status, Started: stamp(a.Started),
			Duration: ms(a.Took), Collateral: a.Collateral, Failure: a.Failure, More: failures(a.More...), Cleanup: failures(a.Cleanup...),
			Warnings: list(a.Warnings), Artifacts: list(a.Artifacts), Apps: a.Apps, Steps: stepsOf(a.Steps)})
	}
	return out
}

func stepsOf(in []*journal.Step) []step {
	out := make([]step, 0, len(in))
	for _, s := range in {
		d := step{Phase: s.Phase, Path: s.Path, Name: s.Name, Title: s.Title, Pos: s.Pos, State: s.State, Session: s.Session, Started: stamp(s.Sent), Tries: s.Tries}
		if o := s.Obs; o != nil {
			d.Duration, d.Argv, d.From = ms(o.Took), o.Argv, o.From
			d.Category, d.Sub, d.Error, d.Summary = o.Category, o.Sub, o.Error, o.Summary
			d.Value, d.Data, d.Detail = o.Value, o.Data, o.Detail
			d.Checks = o.Checks
			if c := o.Compiled; c != nil {
				d.Compiled = &compiled{Plan: c.Plan, Checks: list(c.Checks), Reset: c.Reset}
			}
			d.Warnings, d.Artifacts, d.Next, d.Change = o.Warnings, o.Artifacts, o.NextActions, o.Change
			if o.Page != (steps.Page{}) {
				d.Page = &o.Page
			}
		}
		out = append(out, d)
	}
	return out
}

func failures(in ...*journal.Failure) []failure {
	out := make([]failure, 0, len(in))
	for _, f := range in {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// list is in, or an empty list for none: readers need not tell null from [].
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// ms is a duration in milliseconds, to the microsecond.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
