package runner_test

import (
	"context"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// counting counts the sessions that are open at a time, and notes the limit of each row.
type counting struct {
	*fakeEngine
	mu     sync.Mutex
	now    int
	most   int
	limits []time.Duration
	own    []time.Duration
}

func (e *counting) Open(context.Context, steps.SessionOptions) (steps.Session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now++
	e.most = max(e.most, e.now)
	return &counted{fakeSession{e.fakeEngine}, e}, nil
}

type counted struct {
	fakeSession
	e *counting
}

func (s *counted) Do(ctx context.Context, _ argv.Args, o steps.RowOptions) steps.Observation {
	until, _ := ctx.Deadline()
	s.e.mu.Lock()
	s.e.limits, s.e.own = append(s.e.limits, time.Until(until)), append(s.e.own, o.Timeout)
	s.e.mu.Unlock()
	select { // others come meanwhile, if they may
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
	}
	return steps.Observation{Success: true}
}

func (s *counted) Close() {
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	s.e.now--
}

func newCounting() *counting {
	return &counting{fakeEngine: &fakeEngine{}}
}

const pair = "    steps:\n      - { session: ada, row: [reload] }\n      - { session: bob, row: [reload] }\n"

var _ = Describe("Sessions", func() {
	It("are never more than max_sessions, whoever opens them", func(ctx SpecContext) {
		e := newCounting()
		files := map[string]string{"a.yaml": "suite: a\nsessions: { ada: {}, bob: {} }\nsetup:\n  - [reload]\nteardown:\n  - [reload]\ntests:\n" +
			"  - name: one\n" + pair + "  - name: two\n" + pair + "  - name: three\n    steps:\n      - [reload]\n  - name: four\n" + pair,
			"b.yaml": "suite: b\nsetup:\n  - [reload]\ntests:\n  - name: one\n    steps:\n      - [reload]\n"}
		o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Engine, o.Workers, o.MaxSessions = e, 4, 2 })
		Expect(o.exit).To(Equal(runner.ExitPassed))
		Expect(e.most).To(Equal(2))
		Expect(e.now).To(BeZero())
	}, SpecTimeout(time.Minute))

	It("that nobody knew of find no room", func(ctx SpecContext) {
		e := newCounting()
		files := map[string]string{"a.yaml": "suite: a\nsessions: { ada: {} }\ntests:\n  - name: one\n    steps:\n      - [reload]\n" +
			"      - { session: ada, exec: [./note, \"${{ url() }}\"] }\n"}
		o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Engine, o.MaxSessions = e, 3 })
		Expect(o.last("one").Failure).To(And(HaveField("Sub", "max-sessions"), HaveField("Category", steps.PolicyDenied)))
		Expect(e.most).To(Equal(1))
	}, SpecTimeout(time.Minute))
})

var _ = Describe("max_timeout", func() {
	It("cuts what rows say themselves", func(ctx SpecContext) {
		e := newCounting()
		files := map[string]string{"checkrow.yaml": "max_timeout: 30s\n", "a.yaml": "suite: a\ntests:\n  - name: one\n    steps:\n" +
			"      - { row: [reload], timeout: 50s }\n      - { row: [reload], timeout: 10s }\n      - [wait, h1, --timeout, 60s]\n"}
		o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Engine = e })
		Expect(o.exit).To(Equal(runner.ExitPassed))
		Expect(e.own).To(Equal([]time.Duration{30 * time.Second, 10 * time.Second, 0}))
		Expect(e.limits).To(HaveEach(BeNumerically("<=", 30*time.Second)))
	}, SpecTimeout(time.Minute))
})
