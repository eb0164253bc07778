package runner

import "slices"

// lockTable holds the run-wide locks. A suite with `lock` holds its names, and those of its tests, from its start until it is
// down; inside it its tests exclude each other by them. All names of a test or suite are taken at once or not at all, so that
// nobody holds one while it waits for another.
type lockTable struct {
	ids    map[string]int
	all    []lock
	stamp  int  // of the look that goes on
	fair   bool // it respects those who wait
	denied bool // a lock was free but somebody waits for it
}

type lock struct {
	suite  *suiteRun // that holds it until it is down
	held   bool      // by a test
	waited int       // stamp of the look in which somebody before waits for it
}

// id gives the number of a name.
func (l *lockTable) id(name string) int {
	if id, ok := l.ids[name]; ok {
		return id
	}
	if l.ids == nil {
		l.ids = map[string]int{}
	}
	l.ids[name] = len(l.all)
	l.all = append(l.all, lock{})
	return len(l.all) - 1
}

func (l *lockTable) list(names []string) []int {
	if len(names) == 0 {
		return nil
	}
	out := make([]int, len(names))
	for i, n := range names {
		out[i] = l.id(n)
	}
	slices.Sort(out)
	return out
}

// look begins a look for work.
func (l *lockTable) look(fair bool) {
	l.stamp++
	l.fair, l.denied = fair, false
}

// free tells that a test of a suite, or the suite itself for its start, may take all of the locks now. If not, those that
// are looked at later leave them alone.
func (l *lockTable) free(ids []int, r *suiteRun, start bool) bool {
	free, wanted := true, false
	for _, id := range ids {
		k := &l.all[id]
		own := k.suite == r && !start
		if k.held || k.suite != nil && !own {
			free = false
			break
		}
		wanted = wanted || k.waited == l.stamp && !own
	}
	if free && !(wanted && l.fair) {
		return true
	}
	l.denied = l.denied || free
	for _, id := range ids {
		l.all[id].waited = l.stamp
	}
	return false
}

func (l *lockTable) take(ids []int) {
	for _, id := range ids {
		l.all[id].held = true
	}
}

func (l *lockTable) give(ids []int) {
	for _, id := range ids {
		l.all[id].held = false
	}
}

func (l *lockTable) takeSuite(r *suiteRun) {
	for _, id := range r.rules.locks {
		l.all[id].suite = r
	}
}

func (l *lockTable) giveSuite(r *suiteRun) {
	for _, id := range r.rules.locks {
		l.all[id].suite = nil
	}
}
