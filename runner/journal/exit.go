package journal

import "github.com/checkrow/checkrow/steps"

// The exit codes that follow from the state of a run (DECISIONS 12).
const (
	ExitPassed      = 0
	ExitFailed      = 1
	ExitSpec        = 2
	ExitEnvironment = 3
	ExitFlaky       = 6
)

// Exit gives the exit code that a state amounts to: the first that holds of 1 a test failed or did not run, 3 the
// environment was not there, 2 a file was bad, 6 a test was flaky and failFlaky says that this counts, 0. Signals,
// internal errors and the deadline (130, 143, 4, 5) go before it; only the runner knows them. Whether the run has ended
// is not looked at, for the runner asks before it says so: for a run that was killed use ExitLoaded.
func Exit(s *State, failFlaky bool) int {
	code := ExitPassed
	raise := func(to int) {
		if rank(to) > rank(code) {
			code = to
		}
	}
	for _, t := range s.Tests {
		raise(t.exit(s, failFlaky))
	}
	for _, suite := range s.Suites {
		if f := suite.SetupFailure; f != nil {
			raise(byCategory(f))
		}
		for _, l := range suite.Logins {
			if l.Failure != nil {
				raise(byCategory(l.Failure))
			}
		}
		if len(suite.TeardownFail) > 0 {
			raise(ExitFailed)
		}
	}
	if len(s.Broken) > 0 {
		raise(ExitSpec)
	}
	return code
}

// ExitLoaded gives the exit code of a run that was read back: what it ended with, or at least 1 if it was killed.
func ExitLoaded(s *State) int {
	switch code := Exit(s, false); {
	case s.Ended:
		return s.End.Exit
	case code == ExitPassed:
		return ExitFailed
	default:
		return code
	}
}

// rank orders the codes by which beats which.
func rank(code int) int {
	switch code {
	case ExitFailed:
		return 4
	case ExitEnvironment:
		return 3
	case ExitSpec:
		return 2
	case ExitFlaky:
		return 1
	}
	return 0
}

// byCategory tells a missing environment from a failure.
func byCategory(f *Failure) int {
	if f.Category == steps.Environment {
		return ExitEnvironment
	}
	return ExitFailed
}

func (t *Test) exit(s *State, failFlaky bool) int {
	switch t.Status {
	case steps.Passed, steps.Skipped, steps.Quarantined, steps.KnownBug:
		return ExitPassed
	case steps.Flaky:
		if failFlaky {
			return ExitFlaky
		}
		return ExitPassed
	case steps.Errored:
		if a := t.Last(); a != nil && a.Failure != nil {
			return byCategory(a.Failure)
		}
	}
	if suite := s.Suite(t.Planned.Key.Suite); suite != nil && t.Status == steps.Errored && len(t.Attempts) == 0 {
		for _, l := range suite.Logins {
			if l.Failure != nil {
				return byCategory(l.Failure)
			}
		}
	}
	if t.Status == steps.Errored || t.Status == steps.NotRun {
		if suite := s.Suite(t.Planned.Key.Suite); suite != nil && suite.SetupFailure != nil {
			return byCategory(suite.SetupFailure)
		}
	}
	return ExitFailed
}
