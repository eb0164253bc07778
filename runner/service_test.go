package runner_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// gone tells that a process has ended; one that only waits for its parent to look has.
func gone(pid int) bool {
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		_, rest, _ := strings.Cut(string(stat), ") ")
		return strings.HasPrefix(rest, "Z")
	}
	return syscall.Kill(pid, 0) != nil
}

// pidOf reads a pid that a service wrote.
func (o outcome) pidOf(file string) int {
	GinkgoHelper()
	b, err := os.ReadFile(filepath.Join(o.dir, file))
	Expect(err).NotTo(HaveOccurred())
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	Expect(err).NotTo(HaveOccurred())
	return pid
}

var _ = Describe("Services", func() {
	DescribeTable("are ready before the first step, at an address of their own, and end with the suite", func(ctx SpecContext, ready string) {
		o := play(ctx, suite(`
services:
	web:
	  exec: [sh, -c, "echo $$ > web.pid; exec \"$0\" serve $1", "${{ env.SELF }}", "${{ self.port }}"]
	  ready: `+ready+`
tests:
	- name: one
	  steps:
	    - exec: [bash, -c, "exec 3<>/dev/tcp/localhost/$0 && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3", "${{ services.web.port }}"]
	      expect: stdout contains "hello"
	    - expect: services.web.url == "http://localhost:" + string(services.web.port)
`))
		Expect(o.exit).To(Equal(0))
		Expect(gone(o.pidOf("web.pid"))).To(BeTrue())
		Expect(o.state.Procs).To(BeEmpty())
	},
		Entry("by http", "{ http: /healthz }"), Entry("by tcp", "{ tcp: true }"),
		Entry("by tcp at a port", `{ tcp: "${{ self.port }}" }`), Entry("by a log line", `{ log: "^listening on ${{ self.port }}" }`))

	It("start once, for the suite, and see those before them", func(ctx SpecContext) {
		o := play(ctx, suite(`
services:
	db: { exec: [sh, -c, "echo db >> $LOG; exec sleep 60"] }
	web: { exec: [sh, -c, "echo web-$0 >> $LOG; exec sleep 60", "${{ services.db.host }}"], env: { LOG: "${{ suite.dir }}/log.txt" }, ready: { log: never }  }
tests: [{ name: one, steps: [{ exec: [./note, never] }] }]
`), func(o *runner.Options, _ *plan.Options) { o.Deadline = 2500 * time.Millisecond })
		Expect(o.log()).To(ConsistOf("db", "web-localhost"))
		Expect(o.exit).To(Equal(5))
	})

	It("that die before they are ready fail the environment, with their last lines", func(ctx SpecContext) {
		o := play(ctx, suite(`
services:
	web: { exec: [sh, -c, "echo cannot bind >&2; exit 3"], ready: { http: / } }
teardown: [{ exec: [./note, teardown] }]
tests: [{ name: one, steps: [{ exec: [./note, never] }] }]
`))
		b := o.state.Suites[0].SetupFailure
		Expect(b).NotTo(BeNil())
		Expect(b.Category).To(Equal(steps.Environment))
		Expect(b.Message).To(ContainSubstring(`starting service "web": it ended before it was ready (exit 3)`))
		Expect(b.Detail.Output).To(ContainSubstring("cannot bind"))
		Expect(b.Pos.Line).To(Equal(5))
		Expect(o.test("one").Status).To(Equal(steps.Errored))
		Expect(o.exit).To(Equal(3))
		Expect(o.log()).To(Equal(words("teardown")))
	})

	It("that are not ready in time fail the environment, and are ended", func(ctx SpecContext) {
		o := play(ctx, suite(`
services:
	web: { exec: [sh, -c, "echo $$ > web.pid; echo waiting; sleep 60"], ready: { tcp: true, within: 1500ms } }
tests: [{ name: one, steps: [{ exec: ["true"] }] }]
`))
		b := o.state.Suites[0].SetupFailure
		Expect(b.Message).To(ContainSubstring("the start of the service has passed its limit of 1.5s"))
		Expect(b.Detail.Output).To(ContainSubstring("waiting"))
		Expect(o.exit).To(Equal(3))
		Expect(gone(o.pidOf("web.pid"))).To(BeTrue())
	})

	It("that die while tests run fail them, with the reason", func(ctx SpecContext) {
		o := play(ctx, suite(`
services:
	web: { exec: ["${{ env.SELF }}", serve, "${{ self.port }}"], ready: { http: / } }
tests:
	- name: one
	  steps:
	    - exec: [bash, -c, "exec 3<>/dev/tcp/localhost/$0 && printf 'GET /die HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3; sleep 3", "${{ services.web.port }}"]
	- { name: two, steps: [{ exec: [./note, never] }] }
`), func(o *runner.Options, _ *plan.Options) { o.Workers = 1 })
		for _, name := range []string{"one", "two"} {
			b := o.last(name).Failure
			Expect(b).NotTo(BeNil(), name)
			Expect(b.Sub).To(Equal("service-died"))
			Expect(b.Message).To(MatchRegexp(`service "web" ended by itself after \S+ \(exit 7\)`))
			Expect(b.Services).To(HaveExactElements(ContainSubstring("dying as told")))
		}
		Expect(o.exit).To(Equal(1))
		Expect(o.log()).To(BeEmpty())
	})

	It("that ignore SIGTERM are killed, grandchildren too", func(ctx SpecContext) {
		o := play(ctx, suite(`
services:
	web: { exec: [sh, -c, "trap '' TERM; sleep 61 & echo $! > child.pid; echo up; wait; wait"], ready: { log: up }, grace: 100ms }
tests: [{ name: one, steps: [{ exec: ["true"] }] }]
`))
		Expect(o.exit).To(Equal(0))
		Expect(gone(o.pidOf("child.pid"))).To(BeTrue())
	})
})
