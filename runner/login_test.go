package runner_test

import (
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/steps"
)

const ada = "sessions: { ada: { login: in.yaml, with: { user: ada, pw: sesame-1234 } } }\n"

// as is a test that sees who it is.
func as(name, session, user string) string {
	line := ""
	if session != "" {
		line = "\n\t  session: " + session
	}
	return "\t- name: " + name + line + "\n\t  steps: [[click, \"#x\"], { expect: 'text(\"#me\") == \"" + user + "\"', within: 0s }]\n"
}

var _ = Describe("A login", func() {
	It("runs once for many tests, and seeds a fresh context for each", func(ctx SpecContext) {
		e, secrets := &people{}, &taken{}
		body := ada + "tests:\n"
		for _, n := range strings.Fields("a b c d e f g h") {
			body += as(n, "ada", "ada")
		}
		o := play(ctx, loginSuite(body+as("stranger", "", "")), e.with(4), func(o *runner.Options, _ *plan.Options) { o.Secrets = secrets })
		Expect(o.err).NotTo(HaveOccurred())
		Expect(o.exit).To(Equal(0))
		Expect(e.logins).To(Equal([]string{"ada"}))
		Expect(secrets.list).To(ContainElement("sesame-1234"))
		Expect(e.all).To(HaveLen(10))
		for _, p := range e.all {
			Expect(p.closed).To(BeTrue())
			if p.seed != "" {
				Expect(filepath.Dir(p.seed)).NotTo(HavePrefix(o.run))
				Expect(p.rows).To(Equal([]string{" | click #x"}))
			}
		}
		Expect(loginsOf(o)).To(HaveLen(1))
		l := loginsOf(o)[0]
		Expect(l.Session).To(Equal("ada"))
		Expect(l.Done).To(BeTrue())
		var names []string
		for _, s := range l.Steps {
			Expect(s.Phase).To(Equal(journal.PhaseLogin))
			names = append(names, s.Path+" "+s.Name)
		}
		Expect(names).To(Equal([]string{"1.1 open", "1.2 fill", "1.3 fill", "1.4 click"}))
		for _, s := range o.last("a").Steps {
			Expect(s.Session).To(BeEmpty())
		}
	})

	It("holds no worker of tests that do not need it", func(ctx SpecContext) {
		free := make(chan struct{})
		e := &people{}
		e.answer = func(p *person, row []string, _ steps.RowOptions) (steps.Observation, bool) {
			switch row[len(row)-1] {
			case "#go": // the login waits for the last test that does not need it
				select {
				case <-free:
				case <-time.After(20 * time.Second):
					return steps.Fail(steps.Timeout, "", "nobody went on"), true
				}
			case "#free":
				close(free)
			}
			return steps.Observation{}, false
		}
		body := ada + "tests:\n" + as("one", "ada", "ada") + as("two", "ada", "ada") + as("three", "ada", "ada") + as("four", "", "") +
			"\t- name: five\n\t  steps: [[click, \"#free\"], { expect: 'true' }]\n"
		o := play(ctx, loginSuite(body), e.with(2))
		Expect(o.exit).To(Equal(0))
		Expect(e.count("ada")).To(Equal(1))
	})

	It("that fails is one block, and an error of each test that needs it; the others go on", func(ctx SpecContext) {
		e := &people{}
		e.answer = func(_ *person, row []string, _ steps.RowOptions) (steps.Observation, bool) {
			return steps.Fail(steps.NotFound, "not-found", "there is no door"), row[len(row)-1] == "#go"
		}
		o := play(ctx, loginSuite(ada+"retries: 2\ntests:\n"+as("one", "ada", "ada")+as("two", "ada", "ada")+as("three", "", "")), e.with(2))
		Expect(o.exit).To(Equal(1))
		Expect(e.count("ada")).To(Equal(1), "a login that failed is not tried again")
		Expect(loginsOf(o)).To(HaveLen(1))
		b := loginsOf(o)[0].Failure
		Expect(b).NotTo(BeNil())
		Expect(b.Category).To(Equal(steps.Setup))
		Expect(b.Sub).To(ContainSubstring("not-found"))
		Expect(b.Session).To(Equal("ada"))
		Expect(b.Message).To(Equal("there is no door"))
		Expect(b.Pos.File).To(HaveSuffix("in.yaml"))
		Expect(b.Excerpt).NotTo(BeEmpty())
		Expect(b.Artifacts).NotTo(BeEmpty())
		for _, name := range []string{"one", "two"} {
			Expect(o.test(name).Status).To(Equal(steps.Errored))
			Expect(o.test(name).Reason).To(Equal(`setup failed: login of "ada": there is no door`))
			Expect(o.test(name).Attempts).To(BeEmpty())
		}
		Expect(o.test("three").Status).To(Equal(steps.Passed))
	})

	It("is not run for a test that is skipped, nor for one that stays off the page", func(ctx SpecContext) {
		e := &people{}
		o := play(ctx, loginSuite(ada+`tests:
	- { name: one, session: ada, if: "1 > 2", steps: [[click, "#x"], { expect: "true" }] }
	- { name: two, session: ada, steps: [{ expect: "true" }] }
`), e.with(2))
		Expect(o.exit).To(Equal(0))
		Expect(e.all).To(BeEmpty())
		Expect(loginsOf(o)).To(BeEmpty())
		o = play(ctx, loginSuite(ada+`tests:
	- { name: one, session: ada, if: "1 > 2", steps: [[click, "#x"], { expect: "true" }] }
`+as("two", "ada", "ada")), e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(e.count("ada")).To(Equal(1))
	})

	Describe("with open and valid", func() {
		const checked = "sessions: { ada: { login: in.yaml, with: { user: ada }, open: /account, valid: 'visible(\"#out\")' } }\ntimeouts: { expect: 20ms }\n"

		It("opens its page in each fresh context", func(ctx SpecContext) {
			e := &people{read: func(_ *person, fn string, _ []any) any {
				if fn == "visible" {
					return true
				}
				return nil
			}}
			o := play(ctx, loginSuite("base_url: http://shop.test\n"+checked+"tests:\n"+as("one", "ada", "ada")+as("two", "ada", "ada")), e.with(2))
			Expect(o.exit).To(Equal(0))
			Expect(e.count("ada")).To(Equal(1))
			for _, p := range e.all {
				if p.seed != "" {
					Expect(p.rows).To(Equal([]string{" | open /account", " | click #x"}))
				}
			}
			Expect(o.last("one").Steps[0].Path).To(Equal("ada.open.1"))
		})

		It("logs in once more when it is not valid, for new contexts only", func(ctx SpecContext) {
			e := &people{}
			e.read = func(p *person, fn string, _ []any) any {
				if fn != "visible" {
					return nil
				}
				return e.count("ada") > 1
			}
			o := play(ctx, loginSuite(checked+"tests:\n"+as("one", "ada", "ada")+as("two", "ada", "ada")+as("three", "ada", "ada")), e.with(1))
			Expect(o.exit).To(Equal(0))
			Expect(e.count("ada")).To(Equal(2))
			Expect(loginsOf(o)).To(HaveLen(2))
			seeds := map[string]int{}
			for _, p := range e.all {
				if p.seed != "" {
					seeds[p.seed]++
				}
			}
			Expect(seeds).To(HaveLen(2))
			Expect(o.test("one").Attempts).To(HaveLen(1))
		})

		It("gives up when another login does not help", func(ctx SpecContext) {
			e := &people{}
			o := play(ctx, loginSuite(checked+"retries: 1\ntests:\n"+as("one", "ada", "ada")+as("two", "ada", "ada")+as("three", "", "")), e.with(1))
			Expect(o.exit).To(Equal(1))
			Expect(e.count("ada")).To(Equal(2))
			b := o.last("one").Failure
			Expect(b.Category).To(Equal(steps.Setup))
			Expect(b.Message).To(ContainSubstring(`session "ada" is not valid, also after another login: visible("#out") is false`))
			Expect(o.test("two").Status).To(Equal(steps.Errored))
			Expect(o.test("two").Reason).To(HavePrefix(`setup failed: login of "ada": session "ada" is not valid`))
			Expect(o.test("two").Attempts).To(BeEmpty())
			Expect(o.test("three").Status).To(Equal(steps.Passed))
		})
	})

	It("may be of the main session, and of setup", func(ctx SpecContext) {
		e := &people{}
		o := play(ctx, loginSuite(`sessions: { main: { login: in.yaml, with: { user: "${{ vars.who }}" } }, eve: { login: in.yaml, with: { user: eve } } }
vars: { who: bob }
setup: [{ row: [click, "#seed"], session: eve }]
tests:
`+as("one", "", "bob")), e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(e.logins).To(Equal([]string{"eve", "bob"}))
	})

	It("starts from browser.storage_state, as every context does", func(ctx SpecContext) {
		e := &people{}
		files := loginSuite("browser: { storage_state: state/guest.json }\n" + ada + "tests:\n" + as("one", "ada", "ada") + as("two", "", "guest"))
		files["state/guest.json"] = "guest"
		o := play(ctx, files, e.with(1))
		Expect(o.exit).To(Equal(0))
		Expect(e.all).To(HaveLen(3))
		Expect(e.all[0].seed).To(Equal(filepath.Join(o.dir, "state/guest.json")))
		Expect(e.all[1].seed).NotTo(HavePrefix(o.dir))
		Expect(e.all[2].seed).To(Equal(filepath.Join(o.dir, "state/guest.json")))
	})

	It("ends with the run", func(ctx SpecContext) {
		stop := make(chan runner.Signal, 1)
		e := &people{}
		e.answer = func(_ *person, row []string, _ steps.RowOptions) (steps.Observation, bool) {
			if row[len(row)-1] != "#go" {
				return steps.Observation{}, false
			}
			stop <- runner.Signal{Name: "SIGTERM", Exit: 143}
			time.Sleep(time.Second)
			return steps.Fail(steps.Timeout, "", "cut off"), true
		}
		o := play(ctx, loginSuite(ada+"tests:\n"+as("one", "ada", "ada")+as("two", "ada", "ada")), e.with(2),
			func(o *runner.Options, _ *plan.Options) { o.Signals = stop })
		Expect(o.exit).To(Equal(143))
		Expect(o.test("one").Status).To(BeElementOf(steps.NotRun, steps.StatusInterrupted))
		Expect(o.test("two").Status).To(Equal(steps.NotRun))
	})
})
