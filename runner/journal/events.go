package journal

import (
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Version is the version of the journal format: the "v" of every line.
const Version = 1

// Event is one line of RUN/journal.jsonl. Test is nil for what belongs to a suite or the run. Step is the path of a step
// in its phase, "3" or "5.then.1" or "4[2].1", 1-based.
type Event struct {
	Seq     uint64
	At      time.Time
	Suite   string // file of the suite; "" for the run
	Test    *steps.TestKey
	Attempt int // 1-based; 0 outside an attempt
	Phase   Phase
	Step    string
	Pos     diag.Pos
	Session string // that it happened in; "": the one of the test
	Body    Body
}

// Phase is the part of the hook order an event belongs to.
type Phase string

// The phases, in the order of LANGUAGE §7.
const (
	PhaseNone       Phase = ""
	PhaseServices   Phase = "services"
	PhaseSetup      Phase = "setup"
	PhaseLogin      Phase = "login" // of a session, at its first need
	PhaseBeforeEach Phase = "before_each"
	PhaseSteps      Phase = "steps"
	PhaseFinally    Phase = "finally"
	PhaseAfterEach  Phase = "after_each"
	PhaseTeardown   Phase = "teardown"
)

// Body is what an event says; Kind is its name in the journal.
type Body interface{ Kind() string }

// Planned is the first event of a run: everything that is going to run.
type Planned struct {
	Run    RunInfo        `json:"run"`
	Suites []PlannedSuite `json:"suites"`
	Tests  []PlannedTest  `json:"tests"`
	Broken []BrokenFile   `json:"broken,omitempty"` // files with errors, under --keep-going
	Inputs []Input        `json:"inputs,omitempty"` // what the plan was made of
	Others []Other        `json:"others,omitempty"` // of a shard: the tests of the plan that the others run
}

// RunInfo describes a run.
type RunInfo struct {
	ID       string    `json:"id"`
	Version  string    `json:"version"` // of checkrow
	Started  time.Time `json:"started"`
	Hostname string    `json:"hostname"`
	OS       string    `json:"os"` // linux/amd64
	Workers  int       `json:"workers"`
	Hash     string    `json:"hash"` // digest of the plan
	Command  []string  `json:"command"`
	Dir      string    `json:"dir"`     // run folder, absolute
	WorkDir  string    `json:"workdir"` // where the command was given
	Shard    *Shard    `json:"shard,omitempty"`
}

// PlannedSuite is one suite of the plan.
type PlannedSuite struct {
	File     string `json:"file"`
	Name     string `json:"name"`
	SHA256   string `json:"sha256"`
	Setup    bool   `json:"setup,omitempty"`
	Teardown bool   `json:"teardown,omitempty"`
	Services int    `json:"services,omitempty"`
}

// PlannedTest is one test of the plan.
type PlannedTest struct {
	Key     steps.TestKey `json:"key"`
	Pos     diag.Pos      `json:"pos"`
	Tags    []string      `json:"tags,omitempty"`
	Retries int           `json:"retries,omitempty"`
	Params  []Param       `json:"params,omitempty"` // what tells it apart from the other forms of the same test
	// KnownBug is the bug that the test must fail for. Quarantine is nil for a test that counts: whether its day has passed
	// is decided once, when the run is planned.
	KnownBug   string      `json:"known_bug,omitempty"`
	Quarantine *Quarantine `json:"quarantine,omitempty"`
}

// Param is one part of the name of a form that matrix or each made of a test: its axis or column, and the value. The name is
// "" for a row that is a single value.
type Param struct {
	From  string `json:"from"` // matrix or each
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// Quarantine says why and until which day a test does not count.
type Quarantine struct {
	Why   string `json:"why"`
	Until string `json:"until"` // 2031-05-04, in UTC
	Over  bool   `json:"over,omitempty"`
}

// BrokenFile is a file that did not compile.
type BrokenFile struct {
	File   string   `json:"file"`
	Errors []string `json:"errors"`
}

// ProcStart says that a driver, browser, service or exec child runs: its pid, group and start identity.
type ProcStart struct {
	What  string `json:"what"` // driver, browser, service, exec
	Name  string `json:"name"`
	PID   int    `json:"pid"`
	Start string `json:"start"` // start identity, see steps/proc
}

// ProcEnd says that a process ended.
type ProcEnd struct {
	What   string `json:"what"`
	Name   string `json:"name"`
	PID    int    `json:"pid"`
	Exit   string `json:"exit"` // "0", "signal: killed"
	Output string `json:"output,omitempty"`
	Died   bool   `json:"died,omitempty"` // it was not us who ended it
}

// SetupEnd is the end of a suite's services and setup; Failure is nil if all went well.
type SetupEnd struct {
	Failure *Failure      `json:"failure,omitempty"`
	Took    time.Duration `json:"took"`
}

// LoginEnd is the end of a session's login. Failure is nil if what it left seeds the session's contexts.
type LoginEnd struct {
	Session string        `json:"session"`
	Failure *Failure      `json:"failure,omitempty"`
	Took    time.Duration `json:"took"`
}

// AttemptStart begins an attempt of a test.
type AttemptStart struct {
	Worker int `json:"worker"`
}

// Intent says that a row or step is about to be sent. It never holds argv: only Done can know that the field was a
// password (DECISIONS 4).
type Intent struct {
	Name string `json:"name,omitempty"` // step kind or command name, "click"
	Row  int    `json:"row"`            // index in its batch
}

// Done is the outcome of a row or step.
type Done struct {
	Name   string            `json:"name,omitempty"`  // of the step, or its kind
	Title  string            `json:"title,omitempty"` // the name that the suite gives the step
	Obs    steps.Observation `json:"obs"`
	Tries  int               `json:"tries,omitempty"`  // how many the step needed, if more than one
	Wanted bool              `json:"wanted,omitempty"` // the failure is what the step was to provoke
}

// AttemptEnd is the end of an attempt, cleanup included.
type AttemptEnd struct {
	Status     steps.Status     `json:"status"`
	Failure    *Failure         `json:"failure,omitempty"`
	More       []*Failure       `json:"more,omitempty"`    // beside Failure: soft failures, health
	Cleanup    []*Failure       `json:"cleanup,omitempty"` // failures of finally and after_each
	Collateral bool             `json:"collateral,omitempty"`
	Warnings   []string         `json:"warnings,omitempty"`
	Artifacts  []steps.Artifact `json:"artifacts,omitempty"`
	// Apps are the apps that the attempt has launched, and how their end went (R168).
	Apps []steps.AppRecord `json:"apps,omitempty"`
	Took time.Duration     `json:"took"`
}

// TestEnd is the verdict on a test. Reason says why for skipped, not-run and interrupted.
type TestEnd struct {
	Status steps.Status  `json:"status"`
	Reason string        `json:"reason,omitempty"`
	Took   time.Duration `json:"took"` // all attempts
	// Because is the test whose end kept this one from running: it needs it, or comes behind it in a serial suite.
	Because *steps.TestKey `json:"because,omitempty"`
}

// TeardownEnd is the end of a suite: teardown ran and its services are stopped.
type TeardownEnd struct {
	Failures []*Failure    `json:"failures,omitempty"`
	Took     time.Duration `json:"took"`
}

// Warning is a message that belongs in every report.
type Warning struct {
	Text string `json:"text"`
}

// RunEnd is the last event. A journal without it is of a run that was killed.
type RunEnd struct {
	Exit   int           `json:"exit"`
	Reason string        `json:"reason,omitempty"` // interrupted by SIGTERM, deadline …
	Took   time.Duration `json:"took"`
}

// Kind implements Body.
func (Planned) Kind() string { return "planned" }

// Kind implements Body.
func (ProcStart) Kind() string { return "proc-start" }

// Kind implements Body.
func (ProcEnd) Kind() string { return "proc-end" }

// Kind implements Body.
func (SetupEnd) Kind() string { return "setup-end" }

// Kind implements Body.
func (LoginEnd) Kind() string { return "login-end" }

// Kind implements Body.
func (AttemptStart) Kind() string { return "attempt-start" }

// Kind implements Body.
func (Intent) Kind() string { return "intent" }

// Kind implements Body.
func (Done) Kind() string { return "done" }

// Kind implements Body.
func (AttemptEnd) Kind() string { return "attempt-end" }

// Kind implements Body.
func (TestEnd) Kind() string { return "test-end" }

// Kind implements Body.
func (TeardownEnd) Kind() string { return "teardown-end" }

// Kind implements Body.
func (Warning) Kind() string { return "warning" }

// Kind implements Body.
func (RunEnd) Kind() string { return "run-end" }

// Failure is all that the failure block of LANGUAGE §12 shows. The runner fills it once, when the attempt ends; every
// reporter renders the same.
type Failure struct {
	Pos       diag.Pos       `json:"pos"`
	Excerpt   []Line         `json:"excerpt,omitempty"` // of the spec file around Pos
	Phase     Phase          `json:"phase,omitempty"`
	Step      string         `json:"step,omitempty"`
	Row       []string       `json:"row,omitempty"` // rendered and masked; nil for a step without cells
	StepName  string         `json:"step_name,omitempty"`
	Session   string         `json:"session,omitempty"` // "": the only one, and the main
	Scope     []string       `json:"scope,omitempty"`   // the scopes around the step, outermost first
	Category  steps.Category `json:"category"`
	Sub       string         `json:"sub,omitempty"`
	Message   string         `json:"message"` // one sentence: wanted, got
	Detail    *steps.Detail  `json:"detail,omitempty"`
	Page      steps.Page     `json:"page"`
	LastWrite *RowRef        `json:"last_write,omitempty"` // the row that last changed the page
	Health    []steps.Fault  `json:"health,omitempty"`     // console errors, page errors, failed requests of the window
	Services  []string       `json:"services,omitempty"`   // services that died, with their last lines
	Progress  []RowProgress  `json:"progress,omitempty"`   // of the batch: completed, failed, not-run, sent-unknown

	// Partial is how far the list of steps got, if a limit or a stop cut it off.
	Partial *steps.PartialProgress `json:"partial_progress,omitempty"`

	Artifacts []steps.Artifact   `json:"artifacts,omitempty"`
	Paste     []string           `json:"paste,omitempty"` // lines for the suite, ready to paste
	Rerun     string             `json:"rerun,omitempty"` // the command that reruns just this
	Next      []steps.NextAction `json:"next,omitempty"`
}

// Line is one line of an excerpt.
type Line struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// RowRef points at a row.
type RowRef struct {
	Pos diag.Pos `json:"pos"`
	Row []string `json:"row"`
}

// RowProgress is how far one row of the failed batch got.
type RowProgress struct {
	Pos   diag.Pos       `json:"pos"`
	Row   []string       `json:"row"`
	State steps.RowState `json:"state"`
}
