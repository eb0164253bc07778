package runner_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// under runs suites with rows that always succeed, under a policy.
func under(text string) setting {
	GinkgoHelper()
	var l diag.List
	p := spec.ParsePolicy("p.yaml", []byte(text), &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return func(o *runner.Options, po *plan.Options) {
		po.Policy = p
		o.Engine = &fakeEngine{answer: func([]string) steps.Observation { return steps.OK(map[string]any{"status": 200}, "status") }}
	}
}

var _ = DescribeTable("A running test under a policy", func(ctx SpecContext, policy, list, message string) {
	files := map[string]string{"a.yaml": "suite: a\nvars: { host: evil.test, file: ../outside.txt, name: HOME }\ntests:\n\t- name: one\n\t  steps:\n" + list}
	Expect(os.Setenv("RUNNER_TEST_OTHER", "1")).To(Succeed())
	DeferCleanup(os.Unsetenv, "RUNNER_TEST_OTHER")
	o := play(ctx, files, under("domains: [a.test]\nfiles: ['*.txt']\nprograms: [sh]\n"+policy))
	if message == "" {
		Expect(o.last("one").Failure).To(BeNil())
		return
	}
	Expect(o.test("one").Status).To(Equal(steps.Errored))
	Expect(o.last("one").Failure.Category).To(Equal(steps.PolicyDenied))
	Expect(o.last("one").Failure.Message).To(ContainSubstring(message))
},
	Entry("goes to listed hosts", "", "\t    - [open, 'http://a.test/']\n", ""),
	Entry("is stopped on its way to another", "", "\t    - [open, 'http://${{ vars.host }}/']\n", `the host "evil.test" is denied`),
	Entry("is stopped on its way to one without a scheme", "", "\t    - [open, '//${{ vars.host }}/']\n", `the host "evil.test" is denied`),
	Entry("is stopped before it reads a file", "", "\t    - [upload, '#f', '${{ vars.file }}']\n", "reading the file"),
	Entry("has so many rows and no more", "max_rows: 2\n", "\t    - [reload]\n\t    - [reload]\n\t    - [reload]\n", "the policy allows a run 2 rows"),
	Entry("gives its programs what they cannot do without", "",
		"\t    - { exec: [sh, -c, 'test -n \"$PATH\" -a -z \"$RUNNER_TEST_OTHER$LANG\"'] }\n", ""))

var _ = Describe("What rows bring to light", func() {
	It("is masked from then on, and read again as it was", func(ctx SpecContext) {
		var told []string
		o := play(ctx, one(`
	    - [cookies, set, session, s3cr3tvalue]
	    - { row: [cookies, get], id: jar, expect: 'value[0].value == "s3cr3tv4lue"', save: jar.json }
	    - [state, load, "${{ test.dir }}/jar.json"]
`), func(o *runner.Options, _ *plan.Options) {
			o.Secrets = sink(func(v string) { told = append(told, v) })
			o.Engine = &fakeEngine{answer: func(row []string) steps.Observation {
				switch row[0] + " " + row[1] {
				case "cookies get":
					return steps.OK(map[string]any{"cookies": []any{map[string]any{"name": "sid", "value": "s3cr3tv4lue"}}}, "cookies")
				case "state load":
					return steps.OK(map[string]any{"loaded": true}, "loaded")
				}
				return steps.OK(map[string]any{"set": true}, "set")
			}}
		})
		Expect(o.last("one").Failure).To(BeNil())
		Expect(told).To(ContainElements("s3cr3tvalue", "s3cr3tv4lue"))
		kept, err := filepath.Glob(filepath.Join(o.run, "artifacts/*/*/attempt-1/jar.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(kept).To(HaveLen(1))
		text, err := os.ReadFile(kept[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(And(ContainSubstring("[REDACTED]"), Not(ContainSubstring("s3cr3t"))))
		journal, err := os.ReadFile(filepath.Join(o.run, "journal.jsonl"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(journal)).NotTo(ContainSubstring("s3cr3tv4lue"))
	})
})

// sink takes secrets.
type sink func(string)

// Add implements runner.Secrets.
func (s sink) Add(v string) { s(v) }
