// Package plan turns suites into what a run does: discovery, parsing and compiling of every file, selection of tests,
// resolved limits and browser options, batches of rows and the artifacts they claim. A plan is not changed by running
// it: attempts share its compiled steps.
package plan

import (
	"regexp"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Options say what to load and what to select. The zero value loads and selects everything, with no step kind known.
type Options struct {
	Kinds     []steps.Kind                     // the table of step kinds, see runner/standard
	Grep      *regexp.Regexp                   // tests whose "file › name" matches
	Tag       string                           // a tag expression: "smoke and not slow"; "" selects all
	KeepGoing bool                             // files with errors go to Plan.Broken, the others still run
	Vars      map[string]string                // --var NAME=VALUE, typed like vars.NAME
	Retries   *int                             // over what suites and tests say
	LookupEnv func(name string) (string, bool) // nil: every name is unset
	NeedEnv   bool                             // a name that is not set is an error (run), else a lint (check)
	Version   string                           // of checkrow, part of Plan.Hash
	Today     time.Time                        // for quarantines; zero: now
	Dir       string                           // relative paths start here; "": the folder of the process
	Timeouts  spec.Timeouts                    // over what suites, tests and steps say, see CHECKROW_TIMEOUTS_*
	Policy    *spec.Policy                     // of --policy: what suites may do; nil: anything
	PolicySum string                           // digest of its file, part of Plan.Hash
	Repeat    int                              // how often each selected test runs, as tests of their own; 0: once

	// Overlay are texts that stand for files, by absolute path: what an editor has and has not saved.
	Overlay map[string][]byte

	Interactive bool // a person is there, so that steps that ask one may run
	AllowAttach bool // --allow-attach: suites may attach to a browser that somebody uses, if their project lets them
}

// Plan is everything that a run is going to do.
type Plan struct {
	Suites  []*Suite      // that have at least one selected test, in order
	Tests   []*Test       // the selected tests, in order
	Hash    string        // digest of suites, fragments, variables and version
	Inputs  []Input       // what Hash is the digest of
	Broken  []Broken      // files with errors, under KeepGoing
	Partial bool          // FILE:LINE, grep or tag left tests out
	Ignored []string      // YAML files found in folders that are neither suite nor fragment
	Files   int           // suites read, selected or not
	Run     time.Duration // the shortest timeouts.run of the suites; 0: none is set
	EnvUses []spec.EnvUse
	Dir     string // absolute folder that relative file names start from
}

// Broken is a file that did not compile, with everything said of it.
type Broken struct {
	File   string
	Errors []*diag.Error
}

// Suite is one compiled suite.
type Suite struct {
	Spec     *spec.Suite
	File     string // as given by the user, with slashes: the name in diagnostics and test keys
	Name     string
	Dir      string // absolute folder of the file: what steps read resolves against it
	Root     string // absolute project root: exec steps and services run there
	BaseURL  spec.Text
	HasBase  bool
	Vars     []Var
	Env      []EnvVar // environment of exec steps
	Base     []EnvVar // the part of Env that does not need a service to be up
	Secrets  []string
	Services []Service  // each behind those whose address it reads
	Project  *Suite     // of checkrow.yaml: its Services are run-wide, nil if it has none
	Shared   []*Service // of Project, those that this suite needs, each behind those whose address it reads
	Sessions []*Session
	Dismiss  []steps.Dismissal
	Setup    []steps.Step
	Teardown []steps.Step
	Limits   steps.Limits  // of setup and teardown
	Limit    time.Duration // timeouts.suite; 0: none
	Browser  steps.SessionOptions
	Tests    []*Test           // the selected ones
	Sources  map[string][]byte // text of the suite and its fragments by file name, for excerpts
	Serial   bool              // its tests run one after the other in file order
	Locks    []string          // it holds from setup to teardown, sorted
	Policy   *steps.Policy     // what it may do; nil: anything
	ReadOnly bool              // no row of it may change a page
	Asks     []Asked           // what it asks for that a policy can deny
	Outside  bool              // its rows may write outside the run folder
	MaxRow   time.Duration     // what no row of it takes longer than; 0: no cap
	Rooms    int               // sessions that its setup or teardown may have open at a time

	uses  []spec.EnvUse
	reads map[string]bool // services that an expression reads
	tags  []string        // of its tests, selected or not
}

// Var is one entry of vars. The entries are evaluated in order; a later one may read those before it.
type Var struct {
	Name  string
	Value Value
}

// EnvVar is one entry of env.
type EnvVar struct {
	Name string
	Text spec.Text
}

// Test is one compiled test.
type Test struct {
	Key          steps.TestKey
	Suite        *Suite
	Pos          diag.Pos
	Tags         []string
	If           *spec.Expr // nil: always
	Skip         spec.Text
	HasSkip      bool
	Vars         []Var // of the test, after the suite's
	Limits       steps.Limits
	Retries      int
	Browser      steps.SessionOptions
	BeforeEach   []steps.Step
	Steps        []steps.Step
	Finally      []steps.Step
	AfterEach    []steps.Step
	NeedsBrowser bool
	UsesDir      bool              // an expression of it reads test.dir: the folder must exist before it is asked for
	App          bool              // all that it does in a browser it does in an app that it launches
	ReadOnly     bool              // no row of it may change a page
	Session      string            // that it runs in
	Resume       string            // what becomes of it when it was cut off: checkpoint, manual, else restart
	Rooms        int               // sessions that it may have open at a time, if it says them all
	Logins       []string          // sessions that a login must have prepared, sorted
	Dismiss      []steps.Dismissal // its own and those of its suite
	Locks        []string          // held while it runs, sorted; those of the suite too
	Needs        []Need            // tests that must have passed before
	Needed       bool              // a selected test needs it: its outputs are kept
	Outputs      []Output
	Wanted       []WantedFile

	Health     spec.Health
	KnownBug   spec.KnownBug
	Quarantine *Quarantine // nil: the test counts

	Of     *spec.Test // as it is written; the forms that matrix and each make of one test share it
	Data   []Var      // the values of matrix and each, to be evaluated after the suite's vars and before the test's
	Round  int        // 2 and more for a repetition
	Params []Param    // what tells it apart from the other forms, as its name shows it

	uses  []spec.EnvUse
	row   diag.Pos // of the row of each
	group int      // which form of the suite's own matrix and each it belongs to
	own   bool     // it has a matrix or an each of its own
}

// NeedsBrowser tells that a selected test has browser rows, so that an engine may be started ahead.
func (p *Plan) NeedsBrowser() bool {
	for _, t := range p.Tests {
		if t.NeedsBrowser {
			return true
		}
	}
	return false
}

// StaticSkip gives the reason of a test whose skip is known before the run.
func (t *Test) StaticSkip() (string, bool) {
	if !t.HasSkip {
		return "", false
	}
	s, ok := t.Skip.Static()
	if !ok {
		return "", false
	}
	return s, s != ""
}
