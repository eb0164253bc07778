// Package runner executes a plan: scheduling, attempts, hooks, deadlines, services, evidence. It imports contracts only
// and knows neither a step kind nor an engine.
package runner

import (
	"context"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// Options of a run. The zero value of each field is its default.
type Options struct {
	Workers     int          // 0: min(4, cores)
	Engine      steps.Engine // asked for a session at the first browser row, closed at the end; nil: browser rows fail
	Journal     *journal.Writer
	Dir         string        // run folder, exists, 0700
	Self        string        // path of the checkrow binary for child modes; "": no watchdog
	Deadline    time.Duration // of the whole run; 0: 55m
	MaxFailures int           // 0: no limit
	Retries     *int          // over the suites' own
	FailFlaky   bool
	Environ     []string       // NAME=value the run was started with: env.NAME, secrets and the pass-list for children
	Signals     <-chan Signal  // SIGINT and SIGTERM, sent by the caller; a closed or nil channel never fires
	Secrets     Secrets        // is told of every value that must be masked from now on; nil: nothing is masked
	Mask        journal.Masker // masks text files of the evidence; nil: they stay as they are
	Declared    journal.Masker // masks what was declared and not what a run only learns, in files that are saved unredacted; nil: Mask
	Procs       *Procs         // the run's processes, if the engine tells of its own too; nil: made from Self
	Info        journal.RunInfo
	Private     string          // folder for the storage state of sessions, outside Dir; "": one among the system's temporary files
	Hold        Hold            // where a person may hold the run
	Cost        *Cost           // is told what evidence took, when the run ends; nil: nobody asks
	Others      []journal.Other // tests of the plan that other shards run
	Baselines   steps.Baselines // what becomes of a baseline that is missing or different; 0: nothing is written
	MaxSessions int             // how many sessions may be open at a time; 0: no cap
	Locate      Locate          // names the file of the project that a fault comes from; nil: none is named
	Resume      *Resume         // the journal is one of a run that goes on; nil: the run is new
}

// Locate finds the file of the project below root that a fault of a page at base comes from, see [steps.Env]: "" if it finds
// none.
type Locate func(ctx context.Context, root, base string, from []steps.Place, url string) string

// Secrets takes values that must not appear in what the run writes.
type Secrets interface {
	Add(value string)
}

// Learner is a Secrets that tells what a run has learnt from what is declared: the value of a cookie that a row has read. It
// must not appear either, but in a file that a step saves unredacted.
type Learner interface {
	Learn(value string)
}

// Signal is a request to stop in order.
type Signal struct {
	Name string // SIGINT or SIGTERM
	Exit int    // 130 or 143
}

// Exit codes of a run, by precedence (DECISIONS 12): 130 and 143, internal, deadline, failed, environment, bad spec,
// flaky, passed.
const (
	ExitPassed      = 0
	ExitFailed      = 1
	ExitSpec        = 2
	ExitEnvironment = 3
	ExitInternal    = 4
	ExitDeadline    = 5
	ExitFlaky       = 6
)
