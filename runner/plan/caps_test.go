package plan_test

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// capped compiles a suite below a project file.
func capped(project, suite string) (*plan.Plan, []string) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	for name, text := range map[string]string{"checkrow.yaml": project, "s.yaml": "suite: s\n" + suite} {
		Expect(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)).To(Succeed())
	}
	var l diag.List
	p := plan.Load([]string{"s.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: dir}, &l)
	out := []string{}
	for _, e := range l.All() {
		out = append(out, e.Error())
	}
	return p, out
}

var _ = Describe("caps of a project", func() {
	const two = "sessions: { ada: {}, bob: {} }\ntests:\n  - name: t\n    steps:\n      - { scope: { session: ada }, do: [[expect, visible, h1]] }\n" +
		"      - { scope: { session: bob }, do: [[expect, visible, h1]] }\n"

	It("cut every limit of a row, and say so where one is written", func() {
		p, said := capped("max_timeout: 20s\n", "timeouts: { open: 60s, row: 60s }\ntests:\n  - name: t\n    timeouts: { wait: 50s }\n    steps:\n"+
			"      - [wait, h1, --timeout, 40s]\n      - { row: [expect, visible, h1], within: 10s }\n")
		Expect(said).To(Equal([]string{"s.yaml:7:9: the row waits up to 40s, and max_timeout in checkrow.yaml cuts it to 20s"}))
		l := p.Tests[0].Limits
		Expect([]time.Duration{l.Row, l.Open, l.Wait, l.Action, l.Expect}).To(Equal([]time.Duration{20 * time.Second, 20 * time.Second, 20 * time.Second, 5 * time.Second, 5 * time.Second}))
		Expect(p.Tests[0].Browser.Limits.Open).To(Equal(20 * time.Second))
		Expect(p.Suites[0].MaxRow).To(Equal(20 * time.Second))
	})

	It("refuse a test that needs more sessions than there may be", func() {
		_, said := capped("max_sessions: 1\n", two)
		Expect(said).To(Equal([]string{"s.yaml:4:5: the test uses 2 sessions, and max_sessions in checkrow.yaml is 1 (raise it, or split what it does)"}))
		p, said := capped("max_sessions: 2\n", two)
		Expect(said).To(BeEmpty())
		Expect(p.Tests[0].Rooms).To(Equal(2))
	})

	It("refuse hooks that need more", func() {
		_, said := capped("max_sessions: 1\n", "setup:\n  - [open, /]\n  - { session: ada, row: [open, /] }\n"+two)
		Expect(said).To(ContainElement("s.yaml:3:5: setup or teardown uses 2 sessions, and max_sessions in checkrow.yaml is 1 (raise it, or split what it does)"))
	})

	DescribeTable("are checked", func(project, want string) {
		_, said := capped(project, "tests: [{ name: t, steps: [[expect, visible, h1]] }]\n")
		Expect(said).To(ConsistOf(ContainSubstring(want)))
	},
		Entry("no session", "max_sessions: 0\n", `checkrow.yaml:1:15: "max_sessions" must be`),
		Entry("no number", "max_sessions: many\n", `checkrow.yaml:1:15: "max_sessions" must be`),
		Entry("no time", "max_timeout: 0\n", `checkrow.yaml:1:14: "max_timeout" must be longer than nothing (leave it out for no cap)`),
		Entry("no unit", "max_timeout: 30\n", `checkrow.yaml:1:14: "max_timeout" must be`),
		Entry("a slip", "max_session: 3\n", `did you mean "max_sessions"?`),
		Entry("another's word", "maxTimeout: 30s\n", `did you mean "max_timeout"?`),
	)
})
