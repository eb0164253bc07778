package runner_test

import (
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
)

// openFiles lists what the process has open, as far as the system tells.
func openFiles() []string {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		Skip("this system does not list open files")
	}
	var out []string
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && !strings.HasPrefix(to, "anon_inode") &&
			!strings.HasPrefix(to, "/proc/") {
			out = append(out, to)
		}
	}
	return out
}

// children lists the processes whose parent is this one.
func children() []string {
	list, err := os.ReadFile("/proc/thread-self/children")
	if err != nil {
		entries, _ := os.ReadDir("/proc/self/task")
		for _, e := range entries {
			b, _ := os.ReadFile("/proc/self/task/" + e.Name() + "/children")
			list = append(list, b...)
		}
	}
	return strings.Fields(string(list))
}

var _ = DescribeTable("Nothing is left of a run", func(ctx SpecContext, body string, signal time.Duration) {
	goroutines := gleak.Goroutines()
	open := openFiles()
	signals := make(chan runner.Signal, 1)
	if signal > 0 {
		time.AfterFunc(signal, func() { signals <- runner.Signal{Name: "SIGTERM", Exit: 143} })
	}
	files := suite(body)
	if project, rest, ok := strings.Cut(body, "-- suite --"); ok {
		files = suite(rest)
		files["checkrow.yaml"] = project
	}
	play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Signals = signals })
	Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(goroutines))
	Expect(openFiles()).To(ConsistOf(open))
	Expect(children()).To(BeEmpty())
},
	Entry("that passes, with services and hooks", `
services: { s: { exec: ["${{ env.SELF }}", serve, "${{ self.port }}"], ready: { http: / } } }
`+hooks+`
tests:
	- { name: one, steps: [{ exec: [./note, a] }] }
	- { name: two, steps: [{ exec: [./note, b, "1"] }], retries: 1 }
	- { name: three, timeout: 200ms, steps: [{ exec: [sleep, "30"] }] }
`, time.Duration(0)),
	Entry("that a signal ends", `
services: { s: { exec: [sleep, "60"] } }
tests: [{ name: one, steps: [{ exec: [sh, -c, "sleep 60 & sleep 60"] }], finally: [{ exec: [./note, f] }] }]
`, 300*time.Millisecond),
	Entry("whose service does not start", `
services: { s: { exec: [sh, -c, "sleep 60 & exit 1"], ready: { tcp: true } } }
tests: [{ name: one, steps: [{ exec: [./note, a] }] }]
`, time.Duration(0)),
	Entry("whose run-wide services end with it", `
services:
	web: { exec: ["${{ env.SELF }}", serve, "${{ self.port }}"], ready: { http: / } }
	app: { exec: [sh, -c, "sleep 60 & sleep 60", "${{ services.web.port }}"] }
-- suite --
serial: true
lock: [a]
tests:
	- { name: one, steps: [{ exec: [./note, a] }], outputs: { x: "1" } }
	- { name: two, needs: [one], lock: [b], steps: [{ exec: [./note, b, "1"] }] }
	- { name: three, needs: [two], steps: [{ exec: [./note, c] }] }
`, time.Duration(0)),
	Entry("that a signal ends while a run-wide service starts", `
services: { web: { exec: [sh, -c, "sleep 60 & sleep 60"], ready: { tcp: true, within: 60s } } }
-- suite --
tests: [{ name: one, lock: [a], steps: [{ exec: [./note, never] }] }, { name: two, needs: [one], steps: [{ exec: [./note, never] }] }]
`, 300*time.Millisecond),
)
