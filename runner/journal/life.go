package journal

import "time"

// Life is one process of a run: the one that began it, or one that took it up again. Order is that of the journal, whatever
// the clock says: a life may begin before the one before it ended, if somebody set the clock back.
type Life struct {
	Started time.Time // its first event
	Last    time.Time // its last event
	// Took is measured apart from the clock if Ended; of a life that was killed it is the time until its last event.
	Took    time.Duration
	Ended   bool // it said its end
	End     RunEnd
	Version string // of checkrow
	Workers int

	before time.Duration // what the lives before it took
}

// Took is how long the run was worked on: the sum of its lives, without the time between them.
func (s *State) Took() time.Duration {
	if l := s.life(); l != nil {
		return l.before + l.Took
	}
	return 0
}

// life is the one that goes on, or was the last; nil before the plan.
func (s *State) life() *Life {
	if n := len(s.Lives); n > 0 {
		return s.Lives[n-1]
	}
	return nil
}

// live begins a life.
func (s *State) live(at time.Time, version string, workers int) {
	s.Lives = append(s.Lives, &Life{Started: at, Last: at, Version: version, Workers: workers, before: s.Took()})
}

// pass lets the time of the life go on until an event. Within a life the times of events do not go back, but for journals of
// a version that wrote what the clock said: what it jumped back is left out.
func (s *State) pass(at time.Time) {
	l := s.life()
	if l == nil {
		return
	}
	l.Took += max(0, at.Sub(l.Last))
	l.Last = at
}

// elapsed is how long the run had been worked on when something began in the life that goes on.
func (s *State) elapsed(at time.Time) time.Duration {
	l := s.life()
	if l == nil {
		return 0
	}
	return l.before + max(0, at.Sub(l.Started))
}

// cutOff gives an attempt without an end the time that is known of it.
func (s *State) cutOff(a *Attempt) {
	if a.Took == 0 && a.Life == len(s.Lives) {
		a.Took = max(0, s.Took()-a.Offset)
	}
}
