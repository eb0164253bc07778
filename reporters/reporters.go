// Package reporters is the contract of reporters: folds over the journal's events and state. A reporter sees masked
// events only and never a plan. To write one: a folder of its own, a type with the two methods, one line in the wiring
// table of cmd/internal/cli.
package reporters

import "github.com/checkrow/checkrow/runner/journal"

// Reporter is told of every event after it was appended and folded; calls come one at a time. Close is called once,
// after the last event, also when the run was interrupted.
type Reporter interface {
	Event(e journal.Event, s *journal.State) error
	Close(s *journal.State) error
}
