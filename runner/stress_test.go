package runner_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// drawn is one test of a random plan, and what must become of it.
type drawn struct {
	suite, name string
	locks       []string
	needs       []*drawn
	fails       bool
	skip        string // "", static or if
	want        steps.Status
}

// drawnSuite is one suite of a random plan.
type drawnSuite struct {
	name   string
	serial bool
	locks  []string
	tests  []*drawn
}

// stay is how long a test was there.
type stay struct{ from, to time.Duration }

// clock notes when tests run: its step kind `stay` is the only step of the drawn tests.
type clock struct {
	zero  time.Time
	mu    sync.Mutex
	stays map[string]stay
	now   int
	most  int
}

func (c *clock) kind() steps.Kind {
	return steps.Kind{Name: "stay", Doc: "stays a while", Example: "- stay: 1ms\n",
		Keys: []spec.Key{{Name: "stay", Type: "text", Doc: "how long, or fail", Required: true}},
		Decode: func(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
			text, _ := m["stay"].Text()
			return steps.Opaque{Checks: true, Run: func(ctx context.Context, e steps.Env) steps.Observation { return c.stay(ctx, e, text) }}, spec.Type{}
		}}
}

func (c *clock) stay(ctx context.Context, e steps.Env, text string) steps.Observation {
	suite, test := e.Values["suite"].(map[string]any)["name"], e.Values["test"].(map[string]any)["name"]
	span, fail, _ := strings.Cut(text, " ")
	d, err := time.ParseDuration(span)
	if err != nil {
		return steps.Fail(steps.Internal, "", err.Error())
	}
	c.mu.Lock()
	from := time.Since(c.zero)
	c.now++
	c.most = max(c.most, c.now)
	c.mu.Unlock()
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now--
	c.stays[fmt.Sprintf("%s/%s", suite, test)] = stay{from, time.Since(c.zero)}
	if fail != "" {
		return steps.Fail(steps.Assertion, "", "as drawn")
	}
	return steps.Observation{Success: true}
}

// draw makes suites of 200 tests at random.
func draw(r *rand.Rand) []*drawnSuite {
	names := func(n int) []string {
		var out []string
		for range n {
			if l := fmt.Sprintf("l%d", r.Intn(7)); !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
		slices.Sort(out)
		return out
	}
	var out []*drawnSuite
	for left := 200; left > 0; {
		s := &drawnSuite{name: fmt.Sprintf("s%02d", len(out)), serial: r.Intn(4) == 0}
		if r.Intn(6) == 0 {
			s.locks = names(1 + r.Intn(2))
		}
		for i := range min(left, 1+r.Intn(14)) {
			t := &drawn{suite: s.name, name: fmt.Sprintf("t%d", i), fails: r.Intn(20) == 0}
			if r.Intn(3) == 0 {
				t.locks = names(1 + r.Intn(2))
			}
			if i > 0 && r.Intn(4) == 0 {
				t.needs = append(t.needs, s.tests[r.Intn(i)])
			}
			t.skip = []string{"static", "if", ""}[min(2, r.Intn(20))]
			s.tests = append(s.tests, t)
		}
		left -= len(s.tests)
		if !s.serial {
			r.Shuffle(len(s.tests), func(i, j int) { s.tests[i], s.tests[j] = s.tests[j], s.tests[i] })
		}
		out = append(out, s)
	}
	return out
}

// yaml writes a suite down.
func (s *drawnSuite) yaml(r *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "suite: %s\n", s.name)
	if s.serial {
		b.WriteString("serial: true\n")
	}
	if len(s.locks) > 0 {
		fmt.Fprintf(&b, "lock: [%s]\n", strings.Join(s.locks, ", "))
	}
	b.WriteString("tests:\n")
	for _, t := range s.tests {
		fmt.Fprintf(&b, "  - name: %s\n", t.name)
		if len(t.locks) > 0 {
			fmt.Fprintf(&b, "    lock: [%s]\n", strings.Join(t.locks, ", "))
		}
		if len(t.needs) > 0 {
			fmt.Fprintf(&b, "    needs: [%s]\n", t.needs[0].name)
		}
		switch t.skip {
		case "static":
			b.WriteString("    skip: drawn\n")
		case "if":
			b.WriteString("    if: 1 == 2\n")
		}
		fail := ""
		if t.fails {
			fail = " fail"
		}
		fmt.Fprintf(&b, "    steps: [{ stay: %dms%s }]\n", 1+r.Intn(6), fail)
	}
	return b.String()
}

// foresee says what must become of each test.
func (s *drawnSuite) foresee() {
	broken := false
	var judge func(t *drawn)
	judge = func(t *drawn) {
		if t.want != "" {
			return
		}
		if t.skip == "static" {
			t.want = steps.Skipped
			return
		}
		for _, n := range t.needs {
			if judge(n); n.want != steps.Passed {
				t.want = steps.NotRun
				if n.want == steps.Skipped {
					t.want = steps.Skipped
				}
				return
			}
		}
		switch {
		case s.serial && broken:
			t.want = steps.NotRun
		case t.skip == "if":
			t.want = steps.Skipped
		case t.fails:
			t.want, broken = steps.Failed, true
		default:
			t.want = steps.Passed
		}
	}
	for _, t := range s.tests {
		judge(t)
	}
}

// shares tells that two tests hold a lock in common, those of their suites too.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(n string) bool { return slices.Contains(b, n) })
}

var _ = DescribeTable("200 tests drawn at random keep the rules and run in parallel", func(ctx SpecContext, count int) {
	seed := GinkgoRandomSeed() + int64(count)
	By(fmt.Sprintf("drawing with %d", seed))
	r := rand.New(rand.NewSource(seed))
	suites := draw(r)
	files := map[string]string{}
	for _, s := range suites {
		s.foresee()
		files[s.name+".yaml"] = s.yaml(r)
	}
	c := &clock{zero: time.Now(), stays: map[string]stay{}}
	o := play(ctx, files, workers(8), func(_ *runner.Options, po *plan.Options) { po.Kinds = append(po.Kinds, c.kind()) })
	Expect(o.err).NotTo(HaveOccurred())
	Expect(o.exit).To(Equal(1))
	dump := func() string {
		dir := filepath.Join(os.TempDir(), fmt.Sprintf("checkrow-drawn-%d", seed))
		return fmt.Sprintf("seed %d, suites in %s (%v)", seed, dir, os.CopyFS(dir, os.DirFS(o.dir)))
	}
	workerOf := map[string]int{}
	for _, t := range o.state.Tests {
		for _, a := range t.Attempts {
			workerOf[strings.TrimSuffix(t.Planned.Key.Suite, ".yaml")+"/"+t.Planned.Key.Name] = a.Worker
		}
	}
	type placed struct {
		*drawn
		*drawnSuite
		stay
		worker int
	}
	var all []placed
	for _, s := range suites {
		var before placed
		for _, t := range s.tests {
			key := s.name + "/" + t.name
			at, ran := c.stays[key]
			got := o.state.Test(steps.TestKey{Suite: s.name + ".yaml", Name: t.name})
			Expect(got.Status).To(Equal(t.want), func() string { return key + ": " + got.Reason + "; " + dump() })
			Expect(ran).To(Equal(t.want == steps.Passed || t.want == steps.Failed), key)
			if !ran {
				continue
			}
			p := placed{t, s, at, workerOf[key]}
			for _, n := range t.needs {
				Expect(c.stays[s.name+"/"+n.name].to).To(BeNumerically("<=", at.from), dump)
			}
			if s.serial && before.drawn != nil {
				Expect(before.to).To(BeNumerically("<=", at.from), dump)
			}
			before = p
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b placed) int { return int(a.from - b.from) })
	for i, a := range all {
		for _, b := range all[i+1:] {
			if b.from >= a.to {
				break
			}
			Expect(a.worker).NotTo(Equal(b.worker), dump)
			if a.drawn.suite == b.drawn.suite {
				Expect(shares(slices.Concat(a.drawn.locks, a.drawnSuite.locks), slices.Concat(b.drawn.locks, b.drawnSuite.locks))).To(BeFalse(), dump)
				continue
			}
			Expect(shares(slices.Concat(a.drawn.locks, a.drawnSuite.locks), slices.Concat(b.drawn.locks, b.drawnSuite.locks))).To(BeFalse(), dump)
		}
	}
	Expect(c.most).To(BeNumerically(">=", 4), dump)
	Expect(c.most).To(BeNumerically("<=", 8), dump)
}, Entry(nil, 1), Entry(nil, 2), Entry(nil, 3), Entry(nil, 4))
