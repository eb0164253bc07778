package runner_test

import (
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("A scope", func() {
	It("goes with each row and page function, nests, and is left", func(ctx SpecContext) {
		e := &people{}
		files := suite(`
vars: { what: Teapot }
tests:
	- name: one
	  steps:
	    - scope: 'li:has-text("${{ vars.what }}")'
	      do:
	        - [click, "#a"]
	        - scope: { frame: "#f" }
	          do: [[click, "#b"], { expect: 'not visible("#c")' }]
	        - [click, "#d"]
	        - { use: f.yaml }
	    - [click, "#e"]
`)
		files["f.yaml"] = "fragment: f\nsteps: [[click, \"#frag\"]]\n"
		o := play(ctx, files, e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(e.all).To(HaveLen(1))
		tea := `li:has-text("Teapot")`
		Expect(e.all[0].rows).To(Equal([]string{tea + " | click #a", tea + " > frame #f | click #b", "frame #f ? visible",
			tea + " | click #d", tea + " | click #frag", " | click #e"}))
	})

	It("is left when a step in it fails, and named in the block", func(ctx SpecContext) {
		e := &people{answer: func(_ *person, row []string, _ steps.RowOptions) (steps.Observation, bool) {
			return steps.Fail(steps.NotFound, "not-found", "nothing"), row[len(row)-1] == "#bad"
		}}
		o := play(ctx, suite(`
tests:
	- name: one
	  steps:
	    - scope: "#outer"
	      soft: true
	      do: [{ scope: "#inner", do: [[click, "#bad"]] }]
	    - [click, "#after"]
	  finally: [[click, "#end"]]
`), e.with(1))
		Expect(o.exit).To(Equal(1))
		Expect(e.all[0].rows).To(Equal([]string{"#outer > #inner | click #bad", " | click #after", " | click #end"}))
		Expect(o.last("one").Failure.Scope).To(Equal([]string{"#outer", "#inner"}))
		Expect(o.last("one").Failure.Session).To(BeEmpty())
	})

	It("fails at a target that only the run shows to be wrong", func(ctx SpecContext) {
		o := play(ctx, suite(`
vars: { t: "//x" }
tests: [{ name: one, steps: [{ scope: "${{ vars.t }}", do: [[click, "#a"], { expect: "true" }] }] }]
`), (&people{}).with(1))
		b := o.last("one").Failure
		Expect(b.Category).To(Equal(steps.Validation))
		Expect(b.Message).To(HavePrefix("scope: "))
	})
})

var _ = Describe("Several people in one test", func() {
	const two = "sessions: { ada: { login: in.yaml, with: { user: ada } }, bo: { login: in.yaml, with: { user: bo } }, guest: {} }\n"

	It("have a browser context each, opened when they come and closed at the end", func(ctx SpecContext) {
		e := &people{}
		o := play(ctx, loginSuite(two+`tests:
	- name: one
	  session: ada
	  steps:
	    - scope: "#room"
	      do:
	        - [click, "#say"]
	        - scope: { session: bo }
	          do:
	            - [click, "#read"]
	            - scope: "#room"
	              do: [[click, "#answer"], { row: [click, "#again"], session: ada }]
	        - { expect: 'text("#me") == "ada"' }
	        - { expect: 'text("#me") == "bo"', session: bo, within: 0s }
	    - { row: [click, "#look"], session: guest }
	    - { if: 'text("#me") == "bo"', session: bo, then: [[click, "#yes"]], else: [[click, "#no"]] }
	- { name: two, session: ada, steps: [[click, "#x"], { expect: "true" }] }
`), e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(e.count("ada")).To(Equal(1))
		Expect(e.count("bo")).To(Equal(1))
		rows := map[string][]string{}
		for _, p := range e.all[2:5] {
			Expect(p.closed).To(BeTrue())
			rows[p.user] = p.rows
		}
		Expect(rows["ada"]).To(Equal([]string{"#room | click #say", " | click #again", "#room ? text"}))
		Expect(rows["bo"]).To(Equal([]string{" | click #read", "#room | click #answer", " | click #yes"}))
		Expect(rows[""]).To(Equal([]string{" | click #look"}))
		Expect(e.all).To(HaveLen(6), "two logins, three people, and ada again")
		var where []string
		for _, s := range o.last("one").Steps {
			where = append(where, s.Name+" "+s.Session)
		}
		Expect(where).To(ContainElements("click bo", "click guest", "expect bo", "click "))
	})

	It("show the one that failed, and the health of all", func(ctx SpecContext) {
		e := &people{answer: func(_ *person, row []string, _ steps.RowOptions) (steps.Observation, bool) {
			return steps.Fail(steps.NotFound, "not-found", "nothing"), row[len(row)-1] == "#bad"
		}}
		o := play(ctx, loginSuite(two+`tests:
	- name: one
	  session: ada
	  steps:
	    - [click, "#first"]
	    - { scope: { session: bo }, do: [[click, "#second"], [click, "#bad"]] }
	  finally: [[click, "#end"]]
`), e.with(1))
		Expect(o.exit).To(Equal(1))
		b := o.last("one").Failure
		Expect(b.Session).To(Equal("bo"))
		Expect(b.LastWrite.Row).To(Equal([]string{"click", "#second"}))
		var files []string
		for _, a := range b.Artifacts {
			files = append(files, filepath.Base(a.Path))
		}
		Expect(files).To(Equal([]string{"failure-bo.aria.txt", "console-bo.txt", "rows-bo.txt"}))
		var health []string
		for _, f := range b.Health {
			health = append(health, strings.TrimSpace(f.Session+" "+f.Text))
		}
		Expect(health).To(ConsistOf("fault of ada", "bo fault of bo"))
		Expect(e.all[len(e.all)-2].rows).To(Equal([]string{" | click #first", " | click #end"}), "finally is where the test is")
	})

	It("lose only the session that died", func(ctx SpecContext) {
		e := &people{answer: func(p *person, row []string, _ steps.RowOptions) (steps.Observation, bool) {
			return steps.Fail(steps.Crash, "browser-crashed", "the page crashed"), row[len(row)-1] == "#crash"
		}}
		o := play(ctx, loginSuite(two+`tests:
	- name: one
	  steps:
	    - [click, "#first"]
	    - { row: [click, "#crash"], session: guest }
	  finally: [[click, "#end"], { row: [click, "#gone"], session: guest }]
`), e.with(1))
		Expect(o.last("one").Status).To(Equal(steps.Errored))
		Expect(o.last("one").Failure.Session).To(Equal("guest"))
		Expect(e.all[0].rows).To(Equal([]string{" | click #first", " | click #end"}))
		Expect(e.all[1].rows).To(Equal([]string{" | click #crash"}))
		Expect(o.last("one").Cleanup).To(BeEmpty())
	})
})

var _ = Describe("dismiss", func() {
	// covered answers that the overlay number 0 is in the way, n times.
	covered := func(n int, seen *[]int) *people {
		e := &people{}
		e.answer = func(_ *person, row []string, o steps.RowOptions) (steps.Observation, bool) {
			if row[0] == "click" && row[1] == "#pay" {
				*seen = append(*seen, len(o.Overlays))
				if n > 0 && len(o.Overlays) > 0 {
					n--
					out := steps.Fail(steps.NotActionable, steps.Obstructed, "in the way")
					out.Data = map[string]any{steps.OverlayKey: 0}
					return out, true
				}
				if n > 0 {
					return steps.Fail(steps.NotActionable, "covered", "covered"), true
				}
			}
			return steps.Fail(steps.NotFound, "not-found", "no button"), row[len(row)-1] == "#broken"
		}
		return e
	}
	const body = `
dismiss: [{ overlay: "#cookie", do: [[click, "#accept"], [click, "#close"]] }]
tests:
	- name: one
	  dismiss: [{ overlay: "${{ vars.chat }}", do: [[click, "#hide"]] }]
	  vars: { chat: "#chat" }
	  steps: [{ scope: "#form", do: [[click, "#pay"]] }, [expect, visible, "#thanks"]]
`
	It("takes an overlay away and sends the row again, with a note", func(ctx SpecContext) {
		var seen []int
		e := covered(1, &seen)
		o := play(ctx, suite(body), e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(seen).To(Equal([]int{2, 2}))
		Expect(e.all[0].rows).To(Equal([]string{"#form | click #pay", " | click #hide", "#form | click #pay", " | expect visible #thanks"}))
		a := o.last("one")
		Expect(a.Warnings).To(ContainElement(ContainSubstring(`the overlay "#chat" was in the way and was dismissed (once in this attempt)`)))
		var paths []string
		for _, s := range a.Steps {
			paths = append(paths, s.Path+" "+string(s.State))
		}
		Expect(paths).To(Equal([]string{"1.1 completed", "1.1.dismiss1-1.1 completed", "2 completed"}))
		Expect(a.Steps[0].Obs.Warnings).To(HaveLen(1))
	})

	It("ends after a few times", func(ctx SpecContext) {
		var seen []int
		o := play(ctx, suite(body), covered(99, &seen).with(1))
		Expect(o.exit).To(Equal(1))
		Expect(seen).To(Equal([]int{2, 2, 2, 1, 1, 1, 0}), "three for each")
		Expect(o.last("one").Failure.Sub).To(Equal("covered"))
		Expect(o.last("one").Failure.Message).To(Equal("covered"))
	})

	It("says when an overlay cannot be taken away", func(ctx SpecContext) {
		var seen []int
		o := play(ctx, suite(`
dismiss: [{ overlay: "#cookie", do: [[click, "#broken"]] }]
tests: [{ name: one, steps: [[click, "#pay"], { expect: "true" }] }]
`), covered(99, &seen).with(1))
		Expect(seen).To(Equal([]int{1, 0}))
		Expect(o.last("one").Failure.Sub).To(Equal("covered"))
		Expect(o.last("one").Warnings).To(ContainElement(ContainSubstring(`"#cookie" was in the way and could not be dismissed: no button`)))
	})

	It("is nothing for rows that change nothing", func(ctx SpecContext) {
		var overlays []int
		e := &people{answer: func(_ *person, _ []string, o steps.RowOptions) (steps.Observation, bool) {
			overlays = append(overlays, len(o.Overlays))
			return steps.Observation{}, false
		}}
		o := play(ctx, suite(`
dismiss: [{ overlay: "#cookie", do: [[click, "#accept"]] }]
tests: [{ name: one, steps: [[expect, visible, "#a"], [wait, "#b"], { row: [get, text, "#c"], expect: 'value == ""' }, [fill, "#d", x]] }]
`), e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(overlays).To(Equal([]int{0, 0, 0, 1}))
	})
})
