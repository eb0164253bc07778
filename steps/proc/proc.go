// Package proc runs child processes: each in a group of its own, with bounded output, a deadline and a reaper, and fed to
// a watchdog that ends the groups, grandchildren too, when the runner dies (DECISIONS 9). It is the one user of os/exec
// for what a suite starts, and imports the standard library only.
package proc

import (
	"os"
	"time"
)

// WatchdogArg is argv[1] of the child mode that runs [WatchdogMain]; cmd/checkrow recognises it before anything else.
const WatchdogArg = "checkrow:watchdog"

// MarkEnv is the environment variable that every process of a run inherits, grandchildren too; its value is the run's
// random mark. The watchdog finds by it what left its process group.
const MarkEnv = "CHECKROW_RUN_MARK"

// Spec is a process to start.
type Spec struct {
	Argv  []string
	Dir   string
	Env   []string // complete
	Stdin []byte
	Limit int                            // bytes kept of each stream, half head half tail, a line says what is between; 0: 1 MiB
	Grace time.Duration                  // between SIGTERM and SIGKILL to the group; 0: 2s
	Line  func(stderr bool, line string) // each line of output as it comes, at most 64 KiB of it; may be nil
	// In and Out are the child's ends of a conversation, in place of Stdin and of the captured output; nil: there is none.
	// They are closed here once the child has its own, or cannot be started.
	In, Out *os.File
}

// Exit is how a process ended.
type Exit struct {
	Code           int    // -1 if a signal ended it
	Signal         string // "killed", or ""
	Stdout, Stderr []byte
	Dropped        int // bytes that were not kept
	PID            int
	Took           time.Duration
}
