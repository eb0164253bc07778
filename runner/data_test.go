package runner_test

import (
	"encoding/base32"
	"os"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

// heard keeps the values that a run had masked.
type heard struct {
	mu   sync.Mutex
	list []string
}

func (h *heard) Add(v string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, v)
}

func textOf(file string) string {
	GinkgoHelper()
	b, err := os.ReadFile(file)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

var _ = Describe("Data", func() {
	It("is what matrix and each are for a form, in vars, hooks, steps and finally", func(ctx SpecContext) {
		files := suite(`
matrix: { lang: [ { name: de, hello: Hallo, n: 2 }, { name: en, hello: "${{ vars.english }}", n: 3 } ] }
vars: { english: Hello }
before_each: [ { exec: [./note, "before-${{ matrix.lang.name }}"] } ]
tests:
	- name: greets
	  each: users.csv
	  vars: { text: "${{ matrix.lang.hello }}-${{ each.name }}", twice: "${{ matrix.lang.n * 2 }}" }
	  if: each.name != "Eve"
	  steps: [ { exec: [./note, "${{ vars.text }}-${{ vars.twice }}-${{ each.zip }}"] } ]
	  finally: [ { exec: [./note, "after-${{ each.name }}"] } ]
`)
		files["users.csv"] = "name,zip\nAda,007\nEve,1\n"
		o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Workers = 1 })
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(HaveExactElements("before-de", "Hallo-Ada-4-007", "after-Ada", "before-en", "Hello-Ada-6-007", "after-Ada"))
		Expect(o.test("greets [lang=en, name=Eve]").Status).To(Equal(steps.Skipped))
		Expect(o.test("greets [lang=en, name=Ada]").Planned.Params).To(HaveExactElements(
			journal.Param{From: "matrix", Name: "lang", Value: "en"}, journal.Param{From: "each", Name: "name", Value: "Ada"}))
	})
	It("keeps secrets of the matrix for the run, and a fragment does not see it", func(ctx SpecContext) {
		files := suite(`
secrets: [SELF]
tests:
	- name: one
	  matrix: { role: [ { name: admin, password: "${{ secrets.SELF }}" } ] }
	  steps:
	    - { exec: [test, "${{ matrix.role.password }}", "=", "${{ secrets.SELF }}"] }
`)
		Expect(play(ctx, files).test("one [role=admin]").Status).To(Equal(steps.Passed))
	})
	It("names just the form in the command that runs it again", func(ctx SpecContext) {
		o := play(ctx, suite(`
tests:
	- name: "it's"
	  matrix: { n: [1, 2] }
	  steps: [ { exec: [test, "${{ matrix.n }}", "=", "1"] } ]
	- name: plain
	  steps: [ { exec: ["false"] } ]
`), func(_ *runner.Options, p *plan.Options) { p.Repeat = 2 })
		want := `checkrow run a.yaml:5 -g '› it'\''s \[n=2\]$'`
		Expect(o.last("it's [n=2]").Failure.Rerun).To(Equal(want))
		Expect(o.last("it's [n=2] #2").Failure.Rerun).To(Equal(want))
		Expect(o.test("it's [n=1] #2").Status).To(Equal(steps.Passed))
		Expect(o.last("plain").Failure.Rerun).To(Equal("checkrow run a.yaml:8"))
	})
})

var _ = Describe("A project file", func() {
	It("gives its vars, environment and root to the suites below it", func(ctx SpecContext) {
		o := play(ctx, map[string]string{
			"checkrow.yaml": "vars: { who: project, base: \"${{ suite.name }}-${{ vars.who }}\" }\nenv: { LOG: \"${{ suite.dir }}/../log.txt\", WHO: \"${{ vars.who }}\" }\n",
			"sub/a.yaml": `suite: a
vars: { who: suite }
tests:
	- name: one
	  steps: [ { exec: [./note, "${{ vars.base }}"] }, { exec: [sh, -c, "test $WHO = suite"] } ]
`})
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(HaveExactElements("a-suite"))
	})
})

var _ = Describe("Helpers", func() {
	It("have totp masked before a step shows it", func(ctx SpecContext) {
		key := base32.StdEncoding.EncodeToString([]byte("12345678901234567890"))
		h := &heard{}
		files := suite(`
secrets: [OTP_KEY]
tests:
	- name: one
	  steps:
	    - { exec: [./note, "${{ totp(secrets.OTP_KEY) }}"] }
	    - { use: in.yaml, with: { key: "${{ secrets.OTP_KEY }}" } }
`)
		files["in.yaml"] = "fragment: in\ninputs: { key: { type: string, secret: true } }\nsteps:\n\t- { exec: [./note, \"${{ totp(inputs.key) }}\"] }\n"
		o := play(ctx, files, func(o *runner.Options, p *plan.Options) {
			o.Secrets = h
			o.Environ = append(o.Environ, "OTP_KEY="+key)
			p.LookupEnv = func(name string) (string, bool) { return key, name == "OTP_KEY" }
		})
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(HaveEach(MatchRegexp(`^\d{6}$`)))
		Expect(o.log()).To(HaveLen(2))
		Expect(h.list).To(ContainElements(o.log()[0], o.log()[1], key))
	})
	It("know the folders of suite, run and test", func(ctx SpecContext) {
		o := play(ctx, map[string]string{"sub/a.yaml": `suite: a
tests:
	- name: one
	  steps:
	    - { exec: [sh, -c, "printf %s \"$1\" > \"$1/own.txt\"", x, "${{ test.dir }}"] }
	    - { exec: [sh, -c, "printf '%s %s' \"$1\" \"$2\" > \"$1/dirs.txt\"", x, "${{ suite.dir }}", "${{ run.dir }}"] }
`})
		Expect(o.exit).To(Equal(0))
		dirs := strings.Fields(textOf(filepath.Join(o.dir, "sub", "dirs.txt")))
		Expect(dirs).To(HaveExactElements(filepath.Join(o.dir, "sub"), o.run))
		own, err := filepath.Glob(filepath.Join(o.run, "artifacts", "*", "*", "attempt-1", "own.txt"))
		Expect(err).NotTo(HaveOccurred())
		Expect(own).To(HaveLen(1))
		Expect(textOf(own[0])).To(Equal(filepath.Dir(own[0])))
	})
})

var _ = Describe("A fragment", func() {
	fragment := `fragment: f
inputs:
	rows: { type: list }
	at: { type: map, default: { host: "${{ env.SELF }}", n: 3 } }
	key: { type: list, secret: true, default: [] }
	pin: { type: string, default: 007 }
steps:
	- { exec: [./note, "${{ len(inputs.rows) }}-${{ inputs.rows[1].n }}-${{ inputs.at.n }}-${{ inputs.pin }}"] }
	- { exec: [test, -n, "${{ inputs.at.host }}"] }
outputs: { rows: "inputs.rows", first: "inputs.rows[0]" }
`
	It("takes lists and maps with ${{ }} inside, and has defaults of its own", func(ctx SpecContext) {
		h := &heard{}
		files := suite(`
vars: { n: 4, word: swordfish }
tests:
	- name: one
	  steps:
	    - { use: f.yaml, id: f, with: { rows: [ "${{ vars.word }}", { n: "${{ vars.n + 1 }}" } ], key: [ "${{ vars.word }}!" ] } }
	    - expect: steps.f.first == "swordfish" and len(steps.f.rows) == 2
`)
		files["f.yaml"] = fragment
		o := play(ctx, files, func(o *runner.Options, _ *plan.Options) { o.Secrets = h })
		Expect(o.exit).To(Equal(0))
		Expect(o.log()).To(HaveExactElements("2-5-3-007"))
		Expect(h.list).To(HaveExactElements("swordfish!"))
	})
	It("refuses a value whose type only the run knows, and shows no part of it", func(ctx SpecContext) {
		files := suite(`
tests:
	- name: one
	  steps:
	    - { use: f.yaml, with: { rows: "${{ fromJSON('\"secret-text\"') }}" } }
`)
		files["f.yaml"] = fragment
		f := play(ctx, files).last("one").Failure
		Expect(f.Category).To(Equal(steps.Validation))
		Expect(f.Message).To(Equal(`the input "rows" of the fragment "f" must be a list, got text`))
		Expect(f.Pos.Line).To(Equal(7))
	})
})
