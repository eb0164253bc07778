package runner_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

var _ = DescribeTable("Provokes", func(ctx SpecContext, provokes string, faults []steps.Fault, message string, warnings ...string) {
	e := &illEngine{say: on("click", faults...), ask: func(row []string) string {
		if row[0] == "click" {
			return "Really  delete?"
		}
		return ""
	}}
	e.answer = func(row []string) steps.Observation {
		if row[0] == "press" {
			return steps.Fail(steps.NotActionable, "covered", "it is covered")
		}
		return good()
	}
	o := play(ctx, suite(`
health: { page_errors: fail, console_errors: fail, http_errors: fail }
timeouts: { action: 100ms }
tests:
	- name: one
	  steps:
	    - [open, http://x/]
	    - `+provokes+`
`), withIll(e))
	a := o.last("one")
	if message == "" {
		Expect(a.Failure).To(BeNil())
	} else {
		Expect(a.Failure).NotTo(BeNil())
		Expect(a.Failure.Message).To(ContainSubstring(message))
	}
	for _, w := range warnings {
		Expect(a.Failure.Detail.Got).To(ContainSubstring(w))
	}
},
	Entry("takes a response and its line on the console", `{ row: [click, "#a"], provokes: { http: 422, url: /api/coupon } }`, []steps.Fault{api, apiLine}, ""),
	Entry("takes one of a class", `{ row: [click, "#a"], provokes: { http: 4xx } }`, []steps.Fault{api, apiLine}, ""),
	Entry("takes one only", `{ row: [click, "#a"], provokes: { http: 422 } }`, []steps.Fault{api, apiLine, api, apiLine}, "answered 422 (fetch), during"),
	Entry("takes a console error", `{ row: [click, "#a"], provokes: { console: merchant id } }`, []steps.Fault{said}, ""),
	Entry("takes an uncaught error", `{ row: [click, "#a"], provokes: { page_error: is not a function, url: /app.js } }`, []steps.Fault{pageError}, ""),
	Entry("takes a dialog", `{ row: [click, "#a"], provokes: { dialog: "Really delete?" } }`, nil, ""),
	Entry("takes a failure by category", `{ row: [press, Enter], provokes: { category: not-actionable } }`, nil, ""),
	Entry("takes a failure by its finer name", `{ row: [press, Enter], provokes: { category: covered } }`, nil, ""),
	Entry("takes that of a check", `{ exec: ["true"], expect: exit == 3, provokes: { category: assertion } }`, nil, ""),
	Entry("takes that of a group", `{ group: g, do: [[press, Enter]], provokes: { category: covered } }`, nil, ""),
	Entry("takes what rows of a group cause", `{ group: g, do: [[click, "#a"], [reload]], provokes: { http: 422 } }`, []steps.Fault{api}, ""),
	Entry("fails without the response, and says what came", `{ row: [click, "#a"], provokes: { http: 500, url: /api/coupon } }`, []steps.Fault{api},
		"expected the step to provoke a response with status 500 from /api/coupon, but none came within 100ms", "answered 422"),
	Entry("fails for another URL", `{ row: [click, "#a"], provokes: { http: 422, url: /api/cart } }`, []steps.Fault{api}, "from /api/cart"),
	Entry("fails where nothing came", `{ row: [click, "#a"], provokes: { page_error: boom } }`, nil, `an uncaught error with "boom"`, "nothing"),
	Entry("fails without the dialog", `{ row: [click, "#a"], provokes: { dialog: Bye } }`, nil, `a dialog "Bye"`, `alert "Really  delete?"`),
	Entry("fails when the step passes", `{ row: [click, "#a"], provokes: { category: not-found } }`, nil, "expected the step to fail with not-found, but it did not fail"),
	Entry("fails when it fails otherwise", `{ row: [press, Enter], provokes: { category: not-found } }`, nil, "it is covered (expected the step to fail with not-found)"),
	Entry("fails when the step itself fails", `{ row: [press, Enter], provokes: { http: 422 } }`, nil, "it is covered"),
	Entry("needs a page", `{ exec: ["true"], provokes: { dialog: "x" } }`, nil, `to provoke a dialog "x"`),
)

var _ = Describe("Provokes", func() {
	It("evaluates what is to come before the step runs", func(ctx SpecContext) {
		e := &illEngine{say: on("click", api, apiLine)}
		e.answer = func(row []string) steps.Observation {
			if row[0] == "press" {
				return steps.Fail(steps.NotActionable, "covered", "it is covered")
			}
			return good()
		}
		o := play(ctx, suite(`
timeouts: { action: 100ms }
vars: { code: 422, what: coupon, none: "", bad: "200", how: covered, far: api/x }
tests:
	- name: met
	  steps:
	    - [open, http://x/]
	    - { row: [click, "#a"], provokes: { http: "${{ vars.code }}", url: "/api/${{ vars.what }}" } }
	    - { row: [press, Enter], provokes: { category: "${{ vars.how }}" } }
	- name: other
	  steps:
	    - [open, http://x/]
	    - { row: [click, "#a"], provokes: { http: "${{ vars.code }}", url: "/cart/${{ vars.what }}" } }
	- name: empty
	  steps: [[open, http://x/], { row: [click, "#b"], provokes: { dialog: "${{ vars.none }}" } }]
	- name: low
	  steps: [[open, http://x/], { row: [click, "#b"], provokes: { http: "${{ vars.bad }}" } }]
	- name: category
	  steps: [[open, http://x/], { row: [click, "#b"], provokes: { category: "not-${{ vars.none }}foun" } }]
	- name: pattern
	  steps: [[open, http://x/], { row: [click, "#b"], provokes: { http: 422, url: "${{ vars.far }}" } }]
`), withIll(e))
		Expect(o.last("met").Failure).To(BeNil())
		Expect(o.last("other").Failure.Message).To(ContainSubstring("a response with status 422 from /cart/coupon"))
		for name, says := range map[string]string{"empty": `"dialog" in provokes is empty`, "low": "below 400", "category": "no step fails with", "pattern": "is no URL pattern"} {
			b := o.last(name).Failure
			Expect(b.Category).To(Equal(steps.Validation), name)
			Expect(b.Message).To(ContainSubstring(says))
			Expect(b.Pos.Line).To(BeNumerically(">", 10), "at the step")
			Expect(o.last(name).Steps).To(HaveLen(1), "the step is not sent")
		}
	})

	It("does not take what came before the step", func(ctx SpecContext) {
		e := &illEngine{say: on("open", said)}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite(`
timeouts: { action: 50ms }
tests:
	- name: one
	  steps: [[open, http://x/], { row: [click, "#a"], provokes: { console: merchant } }]
`), withIll(e))
		Expect(o.last("one").Failure.Sub).To(Equal("not-provoked"))
	})

	It("waits for what comes late", func(ctx SpecContext) {
		e := &illEngine{say: on("")}
		began := time.Time{}
		e.answer = func([]string) steps.Observation { return good() }
		e.late = func() []steps.Fault {
			if began.IsZero() {
				began = time.Now()
			}
			if time.Since(began) < 150*time.Millisecond {
				return nil
			}
			return []steps.Fault{said}
		}
		o := play(ctx, one("\t    - [open, http://x/]\n\t    - { row: [click, \"#a\"], provokes: { console: merchant } }\n"), withIll(e))
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		Expect(o.last("one").Warnings).To(BeEmpty())
	})

	It("leaves the step as one that did what it was to do", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			if row[0] == "click" {
				return steps.Fail(steps.NotFound, "not-found", "no #a")
			}
			return good()
		}}
		o := play(ctx, one(`
	    - [open, http://x/]
	    - { id: a, row: [click, "#a"], provokes: { category: not-found } }
	    - expect: [steps.a.ok, steps.a.error startsWith "no "]
`), with(e))
		Expect(o.exit).To(Equal(0))
		Expect(o.last("one").Steps[1].State).To(Equal(steps.RowCompleted))
	})
})

var _ = It("A body that a network row read is journaled by its beginning, also where an expect looks at it", func(ctx SpecContext) {
	body := strings.Repeat("menu ", 300) + "end"
	e := &fakeEngine{answer: func(row []string) steps.Observation {
		o := good()
		if row[0] == "network" {
			o.Data, o.Value = map[string]any{"responseBody": body, "requestId": "r1"}, body
		}
		return o
	}}
	o := play(ctx, one(`
	    - [open, http://x/]
	    - { id: a, row: [network, request, r1], expect: [value endsWith "end", data.responseBody contains "beginning"], within: 0s }
`), with(e))
	b := o.last("one").Failure
	Expect(b.Message).To(ContainSubstring(`data.responseBody contains "beginning"`))
	Expect(b.Detail.Terms).NotTo(BeEmpty())
	raw, err := os.ReadFile(filepath.Join(o.run, "journal.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	Expect(string(raw)).To(ContainSubstring(strings.Repeat("menu ", 56) + "…"))
	Expect(string(raw)).NotTo(ContainSubstring(strings.Repeat("menu ", 57)))
})

var _ = DescribeTable("Retry", func(ctx SpecContext, step, log string, status steps.Status, warnings ...string) {
	o := play(ctx, one(step))
	Expect(o.log()).To(Equal(append([]string(nil), words(log)...)))
	Expect(o.test("one").Status).To(Equal(status))
	a := o.last("one")
	Expect(a.Warnings).To(HaveLen(len(warnings)), strings.Join(a.Warnings, "\n"))
	for i, w := range warnings {
		Expect(a.Warnings[i]).To(ContainSubstring(w))
	}
},
	Entry("goes on while when holds", `
	    - { exec: [./note, x, "75"], retry: { times: 2, unsafe: true, when: exit == 75 and category == "process" } }
`, "x x x", steps.Failed),
	Entry("stops when it does not", `
	    - { exec: [./note, x, "1"], retry: { times: 2, unsafe: true, when: exit == 75 } }
`, "x", steps.Failed),
	Entry("sees the finer reason and the message", `
	    - { exec: [./note, x, "1"], retry: { times: 1, unsafe: true, when: sub == "exit-status" and error contains "exited with 1" } }
`, "x x", steps.Failed),
	Entry("stops and says so when it cannot be evaluated", `
	    - { exec: [no-such-program], retry: { times: 2, unsafe: true, when: int(stdout) > 3 } }
`, "", steps.Failed, "retry: when cannot be evaluated"),
	Entry("forgets the soft failures of a try that was repeated", `
	    - group: g
	      retry: { times: 1, unsafe: true }
	      do:
	        - { exec: [sh, -c, "echo a >> $LOG; test $(wc -l < $LOG) -ge 3"], soft: true }
	        - { exec: [sh, -c, "echo b >> $LOG; test $(wc -l < $LOG) -ge 3"] }
`, "a b a b", steps.Passed, "soft failure of a try that was repeated", "unstable: passed at try 2"),
)

var _ = Describe("A step that needed a second try", func() {
	It("is unstable in every report, whatever it is made of", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - group: g
	      retry: { times: 2, unsafe: true }
	      do: [{ exec: [sh, -c, "echo x >> $LOG; test $(wc -l < $LOG) -ge 2"] }]
	    - exec: [sh, -c, "echo x >> $LOG; test $(wc -l < $LOG) -ge 4"]
	      retry: { times: 4, unsafe: true }
`))
		Expect(o.exit).To(Equal(0))
		var tries []int
		for _, s := range o.last("one").Steps {
			if s.Tries > 0 {
				tries = append(tries, s.Tries)
			}
		}
		Expect(tries).To(Equal([]int{2, 2}))
	})
})

var _ = DescribeTable("While", func(ctx SpecContext, step, log, sub, message string) {
	o := play(ctx, one(step))
	Expect(strings.Join(o.log(), " ")).To(Equal(log))
	b := o.last("one").Failure
	if sub == "" {
		Expect(b).To(BeNil())
		return
	}
	Expect(b).NotTo(BeNil())
	Expect([]string{string(b.Category), b.Sub}).To(Equal([]string{"timeout", sub}))
	Expect(b.Message).To(ContainSubstring(message))
},
	Entry("runs while its condition holds", `
	    - set: { n: 1 }
	    - while: vars.n < 4
	      max: 5
	      do:
	        - { exec: [./note, "${{ vars.n }}"], id: last }
	        - set: { n: vars.n + 1 }
	    - { exec: [./note, "${{ steps.last?.ok ?? false }}"] }
`, "1 2 3 true", "", ""),
	Entry("may not run at all", `
	    - { while: 1 == 2, max: 1, do: [{ exec: [./note, never] }] }
	    - { exec: [./note, after] }
`, "after", "", ""),
	Entry("reads what its steps gave, from the second round on", `
	    - while: (steps.job?.value ?? "") != "xxx"
	      max: 9
	      do: [{ exec: [sh, -c, "echo x >> $LOG; tr -d '\\n' < $LOG"], id: job }]
`, "x x x", "", ""),
	Entry("fails at its number of rounds", `
	    - { while: 1 == 1, max: 2, do: [{ exec: [./note, a] }] }
`, "a a", "while-max", "1 == 1 still holds after 2 rounds"),
	Entry("fails at its time", `
	    - { while: 1 == 1, within: 1500ms, every: 1h, do: [{ exec: [./note, a] }] }
`, "a", "while-within", "1 == 1 still holds after 1.5s and 1 round"),
	Entry("ends with the failure of a step in it", `
	    - { while: 1 == 1, max: 5, do: [{ exec: [./note, a] }, { exec: [sleep, "9"], timeout: 50ms }] }
`, "a", "step-limit", "the step has passed its limit of 50ms"),
)

// learner is a sink that masks, and keeps what was learnt apart.
type learner struct{ all, declared *mask.Masker }

func (l learner) Add(v string) {
	_ = l.all.Add("", v)
	_ = l.declared.Add("", v)
}

func (l learner) Learn(v string) { _ = l.all.Add("", v) }

var _ = Describe("Save", func() {
	read := func(o outcome, pattern string) string {
		GinkgoHelper()
		found, err := filepath.Glob(filepath.Join(o.run, "artifacts/*/*/attempt-1", pattern))
		Expect(err).NotTo(HaveOccurred())
		Expect(found).To(HaveLen(1))
		b, err := os.ReadFile(found[0])
		Expect(err).NotTo(HaveOccurred())
		return string(b)
	}

	It("keeps what looks like a credential where unredacted says so, never a declared secret", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			o := good()
			if row[0] == "cookies" {
				list := []any{map[string]any{"name": "sid", "value": "f00dface99", "httpOnly": true}, map[string]any{"name": "pw", "value": "hunter2-long"}}
				o.Data = map[string]any{"cookies": list}
				o.Value = list
			}
			return o
		}}
		sink := learner{&mask.Masker{}, &mask.Masker{}}
		o := play(ctx, suite(`
secrets: [PW]
tests:
	- name: one
	  steps:
	    - [open, http://x/]
	    - { row: [cookies, get], save: raw.json, unredacted: true }
	    - { row: [cookies, get], save: clean.json }
	    - { exec: [printf, '{"token":"deadbeef-1","pw":"%s"}', "${{ secrets.PW }}"], save: out.json, unredacted: true }
`), with(e), func(o *runner.Options, p *plan.Options) {
			o.Secrets, o.Mask, o.Declared = sink, sink.all, sink.declared
			o.Environ = append(o.Environ, "PW=hunter2-long")
			up := p.LookupEnv
			p.LookupEnv = func(name string) (string, bool) {
				if name == "PW" {
					return "hunter2-long", true
				}
				return up(name)
			}
		})
		Expect(o.exit).To(Equal(0))
		Expect(read(o, "raw.json")).To(And(ContainSubstring("f00dface99"), ContainSubstring("•••"), Not(ContainSubstring("hunter2"))))
		Expect(read(o, "clean.json")).To(And(Not(ContainSubstring("f00dface99")), Not(ContainSubstring("hunter2"))))
		Expect(read(o, "out.json")).To(Equal(`{"token":"deadbeef-1","pw":"•••"}`))
		raw, err := os.ReadFile(filepath.Join(o.run, "journal.jsonl"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(raw)).NotTo(ContainSubstring("f00dface99"), "in that file alone")
		Expect(string(raw)).NotTo(ContainSubstring("deadbeef-1"))
	})

	It("has no secret in the name of a file or folder, and knows what went into a password field", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			o := good()
			if row[0] == "fill" {
				o.Argv = []string{"fill", "#p", "•••"}
			}
			return o
		}}
		sink := learner{&mask.Masker{}, &mask.Masker{}}
		Expect(sink.all.Add("PW", "hunter2-long")).To(Succeed())
		o := play(ctx, suite(`
vars: { pw: "Tr0ub4dor&3" }
tests:
	- name: one hunter2-long
	  steps:
	    - [fill, "#p", "${{ vars.pw }}"]
	    - [screenshot, "shot ${{ 'hunter2' + '-long' }}.png"]
	- { name: two, steps: [{ exec: [echo, x], save: "a/hunter2-long.txt" }, { exec: ["false"] }] }
`), with(e), func(o *runner.Options, _ *plan.Options) { o.Secrets, o.Mask = sink, sink.all })
		Expect(o.exit).To(Equal(1))
		for _, t := range o.state.Tests {
			Expect(t.Last().Failure.Message).To(ContainSubstring("its name holds a secret"))
		}
		Expect(sink.all.String("Tr0ub4dor&3")).To(Equal("•••"))
		Expect(filepath.WalkDir(o.run, func(path string, _ os.DirEntry, _ error) error {
			Expect(path).NotTo(ContainSubstring("hunter2"))
			return nil
		})).To(Succeed())
	})

	It("writes a text as it is and anything else as JSON, each round of a loop to its own folder", func(ctx SpecContext) {
		e := &fakeEngine{answer: func(row []string) steps.Observation {
			o := good()
			if row[0] == "console" {
				o.Data = map[string]any{"messages": []any{map[string]any{"text": "a<b"}}, "dropped": 0}
				o.Value = o.Data["messages"]
			}
			return o
		}}
		o := play(ctx, one(`
	    - { exec: [printf, "a b\n\n"], save: "out-${{ attempt }}.txt", id: out }
	    - { row: [console], save: sub/console.json }
	    - for: n in 1..2
	      do: [{ exec: [echo, "${{ n }}"], save: n.txt }]
	    - expect: [steps.out.value == "a b", steps.out.artifact endsWith "out-1.txt"]
`), with(e))
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		Expect(read(o, "out-1.txt")).To(Equal("a b"))
		var back map[string]any
		Expect(json.Unmarshal([]byte(read(o, "sub/console.json")), &back)).To(Succeed())
		Expect(back).To(HaveKeyWithValue("messages", HaveLen(1)))
		Expect(read(o, "step-3-2/n.txt")).To(Equal("2"))
		Expect(o.last("one").Artifacts).To(HaveLen(4))
	})

	It("hides secrets, and keeps what a failed step had", func(ctx SpecContext) {
		t, err := mask.New(mask.Secret{Name: "PW", Value: "hunter2-long"})
		Expect(err).NotTo(HaveOccurred())
		o := play(ctx, one(`
	    - { exec: [sh, -c, "echo hunter2-long; exit 3"], save: out.txt }
`), func(o *runner.Options, _ *plan.Options) { o.Mask = t })
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(read(o, "out.txt")).NotTo(ContainSubstring("hunter2"))
	})

	It("fails the step if the file cannot be written", func(ctx SpecContext) {
		o := play(ctx, one(`
	    - { exec: [echo, a], save: "${{ 'a' }}.txt" }
	    - { exec: [echo, b], save: "a.txt", soft: true }
`))
		b := o.last("one").Failure
		Expect(b.Category).To(Equal(steps.ArtifactBad))
		Expect(b.Message).To(ContainSubstring("another step of this attempt wrote it already"))
	})
})
