package runner_test

import (
	"fmt"
	"math/rand"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// table plays a plan through the scheduler, event by event, and knows by the words of the language alone what may run.
type table struct {
	hands   *runner.Hands
	suites  []*plan.Suite
	up      map[*plan.Suite]bool
	begun   map[*plan.Suite]bool
	down    map[*plan.Suite]bool
	taken   map[*plan.Test]bool
	passed  map[*plan.Test]bool
	lost    map[*plan.Test]bool
	failed  map[*plan.Suite]bool
	busy    map[int]func() // worker -> what happens when its work ends
	running []*plan.Test
	tearing map[*plan.Suite]bool
	r       *rand.Rand
}

// held gives who holds a lock: tests that run, and suites from their start to their end.
func (t *table) blocked(x *plan.Test) bool {
	for _, other := range t.running {
		if shares(x.Locks, other.Locks) {
			return true
		}
	}
	return t.blockedBySuite(x.Suite, x.Locks)
}

func (t *table) blockedBySuite(own *plan.Suite, locks []string) bool {
	for _, s := range t.suites {
		if s != own && t.begun[s] && !t.down[s] && len(s.Locks) > 0 && shares(locks, allLocks(s)) {
			return true
		}
	}
	return false
}

// allLocks are what a suite with `lock` holds.
func allLocks(s *plan.Suite) []string {
	out := slices.Clone(s.Locks)
	for _, x := range s.Tests {
		out = append(out, x.Locks...)
	}
	return out
}

// runnable tells whether the language lets a test run now, its suite being up or not.
func (t *table) runnable(x *plan.Test) bool {
	s := x.Suite
	if t.taken[x] || t.lost[x] || t.tearing[s] || t.blocked(x) || t.begun[s] && !t.up[s] {
		return false
	}
	for _, n := range x.Needs {
		for _, other := range n.Tests {
			if !t.passed[other] {
				return false
			}
		}
	}
	if s.Serial {
		for _, before := range s.Tests {
			if before == x {
				break
			}
			if !t.taken[before] && !t.lost[before] || slices.Contains(t.running, before) {
				return false
			}
		}
	}
	if len(s.Locks) > 0 && !t.begun[s] { // it takes all of them at its start
		for _, other := range t.running {
			if shares(allLocks(s), other.Locks) {
				return false
			}
		}
		return !t.blockedBySuite(s, allLocks(s))
	}
	return true
}

// give asks the scheduler for work; a worker that gets none must have nothing that it could do.
func (t *table) give(worker int) {
	s, x, ok := t.hands.Next(worker)
	switch {
	case !ok:
		for _, s := range t.suites {
			for _, x := range s.Tests {
				if t.runnable(x) {
					Fail(fmt.Sprintf("%s could run, but worker %d idles", x.Key, worker))
				}
			}
		}
	case x == nil:
		Expect(t.begun[s]).To(BeFalse())
		Expect(slices.ContainsFunc(s.Tests, t.runnable)).To(BeTrue(), "%s starts though none of its tests could run", s.Name)
		t.begun[s] = true
		t.busy[worker] = func() { t.up[s] = true; t.hands.Started(s) }
	default:
		if !t.runnable(x) {
			Fail(x.Key.String() + " must not run yet")
		}
		t.taken[x] = true
		t.running = append(t.running, x)
		t.busy[worker] = func() { t.end(s, x, worker) }
	}
}

func (t *table) end(s *plan.Suite, x *plan.Test, worker int) {
	t.running = slices.DeleteFunc(t.running, func(y *plan.Test) bool { return y == x })
	t.passed[x] = t.r.Intn(12) > 0
	lost, tearDown := t.hands.Ended(s, x, t.passed[x], worker)
	for _, y := range lost {
		Expect(t.taken[y] || t.lost[y]).To(BeFalse())
		t.lost[y] = true
	}
	if tearDown {
		t.tearing[s] = true
		Expect(t.running).NotTo(ContainElement(HaveField("Suite", s)))
		t.busy[worker] = func() { t.down[s] = true; t.hands.Down(s) }
	}
}

// drawPlan makes suites at random, as the compiler would.
func drawPlan(r *rand.Rand) []*plan.Suite {
	lock := func() []string {
		out := []string{fmt.Sprint("l", r.Intn(4)), fmt.Sprint("l", r.Intn(4))}
		slices.Sort(out)
		return slices.Compact(out[:1+r.Intn(2)])
	}
	var out []*plan.Suite
	for i := range 1 + r.Intn(8) {
		s := &plan.Suite{Name: fmt.Sprint("s", i), Serial: r.Intn(3) == 0}
		if r.Intn(4) == 0 {
			s.Locks = lock()
		}
		for k := range 1 + r.Intn(9) {
			x := &plan.Test{Key: steps.TestKey{Suite: s.Name, Name: fmt.Sprint("t", k)}, Suite: s, Locks: s.Locks}
			if r.Intn(2) == 0 {
				x.Locks = slices.Concat(s.Locks, lock())
				slices.Sort(x.Locks)
				x.Locks = slices.Compact(x.Locks)
			}
			for range r.Intn(3) {
				if k > 0 && r.Intn(2) == 0 {
					other := s.Tests[r.Intn(k)]
					x.Needs = append(x.Needs, plan.Need{Name: other.Key.Name, Tests: []*plan.Test{other}})
				}
			}
			s.Tests = append(s.Tests, x)
		}
		if !s.Serial {
			r.Shuffle(len(s.Tests), func(a, b int) { s.Tests[a], s.Tests[b] = s.Tests[b], s.Tests[a] })
		}
		out = append(out, s)
	}
	return out
}

var _ = It("The scheduler lets no worker idle while something may run, and nothing run that may not", func() {
	for round := range 1000 {
		seed := GinkgoRandomSeed() + int64(round)
		r := rand.New(rand.NewSource(seed))
		t := &table{suites: drawPlan(r), up: map[*plan.Suite]bool{}, begun: map[*plan.Suite]bool{}, down: map[*plan.Suite]bool{},
			taken: map[*plan.Test]bool{}, passed: map[*plan.Test]bool{}, lost: map[*plan.Test]bool{}, failed: map[*plan.Suite]bool{},
			busy: map[int]func(){}, tearing: map[*plan.Suite]bool{}, r: r}
		t.hands = runner.NewHands(t.suites)
		workers := 1 + r.Intn(8)
		for {
			for again := true; again; { // until nobody who is free finds anything
				again = false
				for w := range workers {
					if t.busy[w+1] == nil {
						t.give(w + 1)
						again = again || t.busy[w+1] != nil
					}
				}
			}
			var list []int
			for w := range workers {
				if t.busy[w+1] != nil {
					list = append(list, w+1)
				}
			}
			if len(list) == 0 {
				break
			}
			w := list[r.Intn(len(list))]
			done := t.busy[w]
			delete(t.busy, w)
			if done(); t.busy[w] == nil {
				t.give(w) // a worker that is done asks before anybody else does
			}
		}
		for _, s := range t.suites {
			Expect(t.down[s]).To(BeTrue(), "seed %d: %s is not torn down", seed, s.Name)
			for _, x := range s.Tests {
				if !t.taken[x] && !t.lost[x] {
					Fail(fmt.Sprintf("seed %d: %s neither ran nor was lost", seed, x.Key))
				}
			}
		}
	}
})

var _ = It("The scheduler does not let a test that wants two locks wait for ever", func() {
	s := &plan.Suite{Name: "s"}
	add := func(name string, locks ...string) *plan.Test {
		x := &plan.Test{Key: steps.TestKey{Suite: "s", Name: name}, Suite: s, Locks: locks}
		s.Tests = append(s.Tests, x)
		return x
	}
	a, b := add("a", "x"), add("b", "y")
	both := add("both", "x", "y")
	more := add("more", "x")
	free := add("free")
	h := runner.NewHands([]*plan.Suite{s})
	next := func(worker int) *plan.Test {
		_, x, _ := h.Next(worker)
		return x
	}
	Expect(next(1)).To(BeNil())
	h.Started(s)
	Expect(next(1)).To(BeIdenticalTo(a))
	Expect(next(2)).To(BeIdenticalTo(b))
	h.Ended(s, a, true, 1)
	Expect(next(1)).To(BeIdenticalTo(free), "x is free, but `both` waits for it, and something else can run")
	h.Ended(s, b, true, 2)
	Expect(next(2)).To(BeIdenticalTo(both))
	h.Ended(s, free, true, 1)
	h.Ended(s, both, true, 2)
	Expect(next(1)).To(BeIdenticalTo(more))
})

var _ = It("The scheduler leaves the next test of a serial suite to the worker that ended the one before", func() {
	s := &plan.Suite{Name: "s", Serial: true}
	for i := range 3 {
		s.Tests = append(s.Tests, &plan.Test{Key: steps.TestKey{Suite: "s", Name: fmt.Sprint(i)}, Suite: s, Locks: []string{"x"}})
	}
	other := &plan.Suite{Name: "o"}
	other.Tests = []*plan.Test{{Key: steps.TestKey{Suite: "o"}, Suite: other, Locks: []string{"x"}}}
	h := runner.NewHands([]*plan.Suite{s, other})
	next := func(worker int) *plan.Test {
		_, x, _ := h.Next(worker)
		return x
	}
	next(1)
	h.Started(s)
	Expect(next(1)).To(BeIdenticalTo(s.Tests[0]))
	Expect(next(2)).To(BeNil())
	h.Ended(s, s.Tests[0], true, 1)
	Expect(next(2)).To(BeNil(), "it waits for worker 1, and starts the other suite")
	Expect(next(1)).To(BeIdenticalTo(s.Tests[1]))
	h.Started(other)
	h.Ended(s, s.Tests[1], true, 1)
	Expect(next(1)).To(BeIdenticalTo(s.Tests[2]))
	h.Ended(s, s.Tests[2], true, 1)
	Expect(next(2)).To(BeIdenticalTo(other.Tests[0]))
})
