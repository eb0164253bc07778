package runner_test

import (
	"context"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// illEngine is a fakeEngine whose pages have faults: say gives those of a row.
type illEngine struct {
	fakeEngine
	say     func(row []string) []steps.Fault
	ask     func(row []string) string // the dialog that a row opens, or ""
	late    func() []steps.Fault      // what is there after a while
	lost    steps.Lost
	settled atomic.Int32
}

func (e *illEngine) Open(ctx context.Context, o steps.SessionOptions) (steps.Session, error) {
	_, err := e.fakeEngine.Open(ctx, o)
	return &illSession{fakeSession: fakeSession{&e.fakeEngine}, ill: e}, err
}

type illSession struct {
	fakeSession
	ill     *illEngine
	rows    uint64
	faults  []steps.Fault
	dialogs []steps.Dialog
}

func (s *illSession) Do(ctx context.Context, a argv.Args, o steps.RowOptions) steps.Observation {
	s.rows++
	for _, f := range s.ill.say(a.Argv) {
		f.Seq, f.Row = uint64(len(s.faults)+1), s.rows
		if f.Kind == steps.FaultHTTP || f.Kind == steps.FaultRequest {
			f.Request = f.Seq
		}
		s.faults = append(s.faults, f)
	}
	if s.ill.ask != nil {
		if text := s.ill.ask(a.Argv); text != "" {
			s.dialogs = append(s.dialogs, steps.Dialog{Kind: "alert", Text: text, Seq: uint64(len(s.dialogs) + 1)})
		}
	}
	return s.fakeSession.Do(ctx, a, o)
}

func (s *illSession) Mark() steps.Mark {
	n := uint64(len(s.faults))
	return steps.Mark{Faults: n, Network: n, Dialogs: uint64(len(s.dialogs)), Row: s.rows}
}

func (s *illSession) Seen(since steps.Mark) steps.Signals {
	lost := s.ill.lost
	if s.ill.late != nil && len(s.faults) == 0 {
		for _, f := range s.ill.late() {
			f.Seq, f.Row = uint64(len(s.faults)+1), s.rows
			s.faults = append(s.faults, f)
		}
	}
	return steps.Signals{Faults: s.faults[since.Faults:], Dialogs: s.dialogs[since.Dialogs:], Lost: lost,
		Dropped: lost.Console + lost.Errors + lost.Network}
}

func (s *illSession) Signals(_ context.Context, since steps.Mark) (steps.Signals, steps.Mark) {
	s.ill.settled.Add(1)
	return s.Seen(since), s.Mark()
}

var (
	pageError = steps.Fault{Kind: steps.FaultPageError, Text: "TypeError: x is not a function", URL: "http://shop:3000/app.js", Line: 7, Site: steps.SameSite}
	inline    = steps.Fault{Kind: steps.FaultPageError, Text: "Error: it's 12 o'clock", Site: steps.Inline}
	foreign   = steps.Fault{Kind: steps.FaultPageError, Text: "Error: no team", URL: "http://chat.test/w.js", Site: steps.OtherSite}
	said      = steps.Fault{Kind: steps.FaultConsole, Text: "no merchant id", URL: "http://shop:3000/pay", Site: steps.SameSite}
	refused   = steps.Fault{Kind: steps.FaultRequest, Method: "GET", URL: "http://cdn.test/a.png", Type: "image", Site: steps.OtherSite,
		Text: "GET http://cdn.test/a.png: net::ERR_CONNECTION_REFUSED"}
	api = steps.Fault{Kind: steps.FaultHTTP, Method: "POST", URL: "http://shop:3000/api/coupon?x=1", Type: "fetch", Status: 422, Site: steps.SameSite,
		Text: "POST http://shop:3000/api/coupon?x=1 answered 422 (fetch)"}
	apiLine = steps.Fault{Kind: steps.FaultConsole, URL: api.URL, Site: steps.SameSite,
		Text: "Failed to load resource: the server responded with a status of 422 ()"}
)

func changed(f steps.Fault, change func(*steps.Fault)) steps.Fault {
	change(&f)
	return f
}

// on gives faults to the rows of one command.
func on(command string, list ...steps.Fault) func([]string) []steps.Fault {
	return func(row []string) []steps.Fault {
		if row[0] == command {
			return list
		}
		return nil
	}
}

// ill runs one test of an open and a click row on pages with faults.
func ill(ctx context.Context, health string, e *illEngine) outcome {
	GinkgoHelper()
	e.answer = func([]string) steps.Observation { return good() }
	o := play(ctx, suite(health+`
tests:
	- name: one
	  steps:
	    - [open, http://x/]
	    - [click, "#buy"]
	    - [expect, title, X]
`), withIll(e))
	return o
}

func withIll(e *illEngine) setting {
	return func(o *runner.Options, _ *plan.Options) { o.Engine = e }
}

var _ = DescribeTable("Health", func(ctx SpecContext, health string, faults []steps.Fault, sub, message string, warnings ...string) {
	e := &illEngine{say: on("click", faults...)}
	o := ill(ctx, health, e)
	a := o.last("one")
	if sub == "" {
		Expect(a.Failure).To(BeNil())
		Expect(o.test("one").Status).To(Equal(steps.Passed))
	} else {
		Expect(a.Failure).NotTo(BeNil())
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect([]string{string(a.Failure.Category), a.Failure.Sub}).To(Equal([]string{"health", sub}))
		Expect(a.Failure.Message).To(ContainSubstring(message))
	}
	Expect(a.Warnings).To(HaveLen(len(warnings)), strings.Join(a.Warnings, "\n"))
	for i, w := range warnings {
		Expect(a.Warnings[i]).To(ContainSubstring(w))
	}
	Expect(e.settled.Load()).To(Equal(int32(1)), "an attempt asks its page once")
},
	Entry("is well", "", nil, "", ""),
	Entry("fails for an uncaught error of the same site", "", []steps.Fault{pageError}, "page_errors",
		"uncaught error: TypeError: x is not a function (http://shop:3000/app.js:7), during [click, \"#buy\"]"),
	Entry("fails for one of the page itself", "", []steps.Fault{inline}, "page_errors", "it's 12 o'clock"),
	Entry("counts the same fault once", "", []steps.Fault{pageError, pageError, inline}, "page_errors", "app.js:7), 2 times, during [click, \"#buy\"], and 1 more fault"),
	Entry("warns of one of another site", "", []steps.Fault{foreign}, "", "", "a.yaml:8: health: uncaught error: Error: no team (http://chat.test/w.js), during [click, \"#buy\"]"),
	Entry("fails for that too if it is to", "health: { page_errors: fail }", []steps.Fault{foreign}, "page_errors", "no team"),
	Entry("warns of console errors, requests and responses", "", []steps.Fault{said, refused, api}, "", "",
		"console error: no merchant id", "no response: GET http://cdn.test/a.png: net::ERR_CONNECTION_REFUSED", "POST http://shop:3000/api/coupon?x=1 answered 422"),
	Entry("fails for what is to fail", "health: { console_errors: fail, page_errors: off }", []steps.Fault{said, pageError}, "console_errors", "no merchant id"),
	Entry("allows by text and by URL", `health: { page_errors: { allow: ['not a func'] }, http_errors: { level: fail, allow: ['/api/coupon'] } }`,
		[]steps.Fault{pageError, api, apiLine}, "", ""),
	Entry("does not allow what only looks like it", `health: { page_errors: { allow: ['is a function'] } }`, []steps.Fault{pageError}, "page_errors", ""),
	Entry("says a response once, not again by the browser's line", "", []steps.Fault{api, apiLine}, "", "", "answered 422"),
	Entry("says the line where that counts for more", "health: { console_errors: fail }", []steps.Fault{api, apiLine}, "console_errors",
		"Failed to load resource", "answered 422"),
	Entry("judges responses of this site to scripts, fetches and styles alone", "health: { http_errors: fail }", []steps.Fault{
		changed(api, func(f *steps.Fault) { f.Site = steps.OtherSite }),
		changed(api, func(f *steps.Fault) { f.Type = "image" }),
		changed(api, func(f *steps.Fault) { f.Type = "document" })}, "", ""),
	Entry("knows what is no fault", "health: { page_errors: fail, console_errors: fail, failed_requests: fail, http_errors: fail }", []steps.Fault{
		{Kind: steps.FaultPageError, Text: "ResizeObserver loop completed with undelivered notifications."},
		{Kind: steps.FaultPageError, Text: "Script error."},
		changed(refused, func(f *steps.Fault) { f.Cut = true }),
		changed(refused, func(f *steps.Fault) { f.URL = "http://x/favicon.ico" }),
		changed(refused, func(f *steps.Fault) { f.URL = "data:image/png;base64,AA" }),
		changed(api, func(f *steps.Fault) { f.URL, f.Type, f.Status = "http://x/apple-touch-icon-120.png?v=2", "other", 404 }),
		changed(apiLine, func(f *steps.Fault) {
			f.URL, f.Text = "http://x/favicon.ico", "Failed to load resource: the server responded with a status of 404 (Not Found)"
		}),
	}, "", ""),
	Entry("does not take a broken server for a missing icon", "health: { failed_requests: fail, console_errors: fail }", []steps.Fault{
		changed(apiLine, func(f *steps.Fault) {
			f.URL, f.Text = "http://x/favicon.ico", "Failed to load resource: the server responded with a status of 500 ()"
		}),
	}, "console_errors", "500"),
)

var _ = Describe("Health", func() {
	It("names the row, points at it and prints the line that allows it", func(ctx SpecContext) {
		o := ill(ctx, "", &illEngine{say: on("click", pageError, inline, pageError)})
		b := o.last("one").Failure
		Expect(b.Pos.String()).To(HavePrefix("a.yaml:8:"))
		Expect(b.Row).To(Equal([]string{"click", "#buy"}))
		Expect(b.Excerpt).NotTo(BeEmpty())
		Expect(b.Health).To(HaveLen(2))
		Expect(b.Rerun).To(Equal("checkrow run a.yaml:5"))
		Expect(b.Paste).To(Equal([]string{`health: { page_errors: { allow: ['TypeError: x is not a function', 'Error: it''s \d+ o''clock'] } }`}))
		// The line does what it says.
		again := ill(ctx, b.Paste[0], &illEngine{say: on("click", pageError, inline)})
		Expect(again.test("one").Status).To(Equal(steps.Passed))
	})

	DescribeTable("prints lines that allow the same fault on another host and with other numbers", func(ctx SpecContext, key string, f steps.Fault, swap ...string) {
		level := "health: { page_errors: fail, console_errors: fail, failed_requests: fail, http_errors: fail }"
		o := ill(ctx, level, &illEngine{say: on("click", f)})
		b := o.last("one").Failure
		Expect(b).NotTo(BeNil())
		Expect(b.Paste).To(HaveLen(1))
		r := strings.NewReplacer(swap...)
		f.Text, f.URL = r.Replace(f.Text), r.Replace(f.URL)
		Expect(b.Paste[0]).To(HavePrefix("health: { " + key + ": { level: fail, allow: ["))
		again := ill(ctx, b.Paste[0], &illEngine{say: on("click", f)})
		Expect(again.last("one").Failure).To(BeNil(), b.Paste[0])
	},
		Entry("a response", "http_errors", api, "shop:3000", "shop:4111", "x=1", "x=2"),
		Entry("a request", "failed_requests", refused, "cdn.test", "cdn2.test:80"),
		Entry("an error", "page_errors", changed(pageError, func(f *steps.Fault) { f.Text = "Error 12 (a+b) at http://shop:3000/x" }), "12", "7", "3000", "4111"),
		Entry("a message", "console_errors", changed(said, func(f *steps.Fault) { f.Text = "a 'b' \\ 3 [x]" }), " 3 ", " 44 "))

	It("came after the row that changed the page last, where a row that only reads sees it", func(ctx SpecContext) {
		o := ill(ctx, "", &illEngine{say: on("expect", pageError)})
		b := o.last("one").Failure
		Expect(b.Message).To(HaveSuffix(`, after [click, "#buy"]`))
		Expect(b.Row).To(Equal([]string{"click", "#buy"}))
	})

	It("stands beside another failure as a block of its own", func(ctx SpecContext) {
		e := &illEngine{say: on("click", pageError)}
		e.answer = func(row []string) steps.Observation {
			if row[0] == "expect" {
				return steps.Fail(steps.Assertion, "", "title: wanted X")
			}
			return good()
		}
		o := play(ctx, suite("tests:\n\t- { name: one, steps: [[open, http://x/], [click, \"#a\"], [expect, title, X]] }\n"), withIll(e))
		a := o.last("one")
		Expect(a.Failure.Category).To(Equal(steps.Assertion))
		Expect(a.Failure.Health).To(HaveExactElements(HaveField("Text", pageError.Text)))
		Expect(a.More).To(HaveExactElements(HaveField("Category", steps.Health)))
		Expect(e.settled.Load()).To(Equal(int32(1)))
	})

	It("is unverified where faults were lost", func(ctx SpecContext) {
		e := &illEngine{say: on(""), lost: steps.Lost{Errors: 3, Console: 1}}
		o := ill(ctx, "", e)
		a := o.last("one")
		Expect([]string{string(a.Failure.Category), a.Failure.Sub}).To(Equal([]string{"health", "unverified"}))
		Expect(a.Failure.Message).To(Equal("page_errors could not be verified: 3 faults were dropped before anybody read them"))
		Expect(a.Warnings).To(HaveExactElements("health: console_errors could not be verified: 1 fault was dropped before anybody read them"))
		o = ill(ctx, "health: { page_errors: warn, console_errors: off }", e)
		Expect(o.test("one").Status).To(Equal(steps.Passed))
	})

	It("of a test goes over its suite's, which stays allowed", func(ctx SpecContext) {
		e := &illEngine{say: on("click", pageError, said, foreign)}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite(`
health: { page_errors: { allow: [not a function] }, console_errors: fail }
tests:
	- name: one
	  health: { page_errors: { level: fail, allow: [no team] }, console_errors: off }
	  steps: [[open, http://x/], [click, "#a"], [expect, title, X]]
`), withIll(e))
		Expect(o.last("one").Failure).To(BeNil())
	})

	It("of a project is that of its suites", func(ctx SpecContext) {
		e := &illEngine{say: on("click", pageError)}
		e.answer = func([]string) steps.Observation { return good() }
		files := suite("tests:\n\t- { name: one, steps: [[open, http://x/], [click, \"#a\"], [expect, title, X]] }\n")
		files["checkrow.yaml"] = "health: { page_errors: warn }\n"
		o := play(ctx, files, withIll(e))
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		Expect(o.last("one").Warnings).To(HaveLen(1))
	})

	It("costs nothing where no page was opened, or nothing is judged", func(ctx SpecContext) {
		e := &illEngine{say: on("click", pageError)}
		e.answer = func([]string) steps.Observation { return good() }
		o := play(ctx, suite(`
health: { page_errors: off, console_errors: off, failed_requests: off, http_errors: off }
tests:
	- { name: one, steps: [[open, http://x/], [click, "#a"], [expect, title, X]] }
	- { name: two, steps: [{ exec: ["true"] }] }
`), withIll(e))
		Expect(o.exit).To(Equal(0))
		Expect(e.settled.Load()).To(BeZero())
	})

	It("of tries that a retry repaired is a warning", func(ctx SpecContext) {
		n := 0
		e := &illEngine{say: on("click", pageError)}
		e.answer = func(row []string) steps.Observation {
			if row[0] == "click" {
				if n++; n == 1 {
					e.say = on("")
					return steps.Fail(steps.NotFound, "not-found", "no #a")
				}
			}
			return good()
		}
		o := play(ctx, suite(`
tests:
	- name: one
	  steps:
	    - [open, http://x/]
	    - { row: [click, "#a"], retry: { times: 2, unsafe: true } }
	    - [expect, title, X]
`), withIll(e))
		a := o.last("one")
		Expect(a.Failure).To(BeNil())
		Expect(a.Warnings).To(HaveExactElements(ContainSubstring("unstable: passed at try 2"), ContainSubstring("uncaught error: TypeError")))
		Expect(a.Steps[2]).To(And(HaveField("Tries", 2), HaveField("State", steps.RowCompleted)))
	})
})
