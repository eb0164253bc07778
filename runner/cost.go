package runner

import "time"

// Cost is the time that evidence took in a run: what it would not have done if it only ran tests. The parts lie in the time
// of different workers, so that they add up to more than the run took longer.
type Cost struct {
	Journal   time.Duration // appending events, incremental reports included
	Sync      time.Duration // bringing them to the disk, beside the workers
	Artifacts time.Duration // hiding secrets in files, checking and hashing them
}

// cost sums up.
func (r *run) cost() {
	if r.o.Cost == nil {
		return
	}
	r.o.Cost.Journal, r.o.Cost.Sync = r.o.Journal.Spent()
	r.o.Cost.Artifacts = r.store.Spent()
}
