// Package journal is the only source of truth of a run: an append-only file of events, the one fold over them, and the
// masking that stands before every byte (DESIGN §7). Console, JUnit, JSON, resume and last-failed are folds over its
// events, live or read back; nothing is reported that is not in it.
package journal

import (
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Durability says how far an event must have gone before Append returns.
type Durability uint8

// The levels of durability.
const (
	Buffered Durability = iota // with the next write
	Kernel                     // written to the kernel: survives a kill of the runner
	Disk                       // synced, by group commit outside the lock
)

// State is THE fold of a journal. Reporters, report, resume and the runner's own exit code read it and nothing else.
type State struct {
	Run      RunInfo
	Suites   []*Suite
	Tests    []*Test // in planned order
	Broken   []BrokenFile
	Warnings []string
	Procs    map[int]ProcStart // running now
	Ended    bool
	End      RunEnd
	LastAt   time.Time
	Inputs   []Input   // what the plan was made of
	Others   []Other   // tests of the plan that run in other shards
	Resumes  []Resumed // how often the run was taken up again
	Lives    []*Life   // one, and one more for each time that it was taken up again

	bySuite map[string]*Suite
	byTest  map[steps.TestKey]*Test
}

// Suite is the state of one suite.
type Suite struct {
	Planned      PlannedSuite
	SetupDone    bool
	SetupFailure *Failure
	Setup        []*Step
	Logins       []*Login
	TeardownDone bool
	TeardownFail []*Failure
	Teardown     []*Step
	Started      time.Time
	Ended        time.Time

	// Took is of services and setup, and of teardown and the end of services; Offset is how long the run had been worked on
	// when that began.
	SetupOffset, SetupTook, TeardownOffset, TeardownTook time.Duration
}

// Login is one login of a session.
type Login struct {
	Session string
	Started time.Time
	Offset  time.Duration // how long the run had been worked on by then; set at its end
	Took    time.Duration
	Done    bool
	Failure *Failure
	Steps   []*Step
}

// Test is the state of one test. Status is NotRun until it has ended, StatusInterrupted if the run ended while it ran.
type Test struct {
	Planned  PlannedTest
	Status   steps.Status
	Reason   string
	Because  *steps.TestKey // the test that kept it from running
	Attempts []*Attempt
	Done     bool
	Life     int // that gave the verdict, from 1
	Started  time.Time
	Took     time.Duration
}

// Attempt is one attempt of a test. Status is "" while it runs.
type Attempt struct {
	N          int
	Worker     int
	Life       int // that it ran in, from 1
	Started    time.Time
	Offset     time.Duration // how long the run had been worked on by then
	Took       time.Duration // of one that was cut off: as far as is known
	Status     steps.Status
	Failure    *Failure
	More       []*Failure // beside Failure: soft failures, health
	Cleanup    []*Failure
	Collateral bool
	CutOff     bool // the run ended while it ran, and was taken up again
	Warnings   []string
	Artifacts  []steps.Artifact
	Apps       []steps.AppRecord // that it has launched
	Steps      []*Step
}

// Step is one row or step of an attempt, hook or login. Obs is nil while its outcome is not known.
type Step struct {
	Phase Phase
	Path  string
	Name  string
	Title string // the name that the suite gives the step
	Pos   diag.Pos
	State steps.RowState
	Sent  time.Time
	// Session is where it happened; "": in the one of the test.
	Session string
	Obs     *steps.Observation
	Tries   int // how many it needed; more than one: unstable
}
