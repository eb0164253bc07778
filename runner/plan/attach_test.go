package plan_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// attaching compiles a suite of one test for a run and gives it with what was said.
func attaching(project, browser, more string, allow bool) (*plan.Plan, []string) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	Expect(os.WriteFile(filepath.Join(dir, "checkrow.yaml"), []byte(project), 0o600)).To(Succeed())
	suite := "suite: s\nbrowser: " + browser + "\ntests:\n  - name: t\n" + more + "    steps:\n      - [set, viewport, 300, 300]\n      - [expect, visible, h1]\n"
	Expect(os.WriteFile(filepath.Join(dir, "s.yaml"), []byte(suite), 0o600)).To(Succeed())
	var l diag.List
	p := plan.Load([]string{"s.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: dir, NeedEnv: true, AllowAttach: allow,
		LookupEnv: func(name string) (string, bool) { return "http://127.0.0.1:9222", name == "DESK" }}, &l)
	var out []string
	for _, e := range l.All() {
		if e.Severity == diag.Fatal {
			out = append(out, e.Error())
		}
	}
	return p, out
}

var _ = Describe("a browser that runs already", func() {
	const (
		desk  = "{ attach: { cdp: http://127.0.0.1:9222, adopt: /cart } }"
		grid  = "{ connect: ws://grid.test:3000/ }"
		yes   = "allow_attach: true\n"
		wide  = `s.yaml:6:9: "set viewport" sets up every tab: a session that is attached to a browser must not (run the test in a browser of its own)`
		asIt  = " cannot be set in a browser that is attached to: it is used as it is (leave it out, or attach in the tests that need it only)"
		noYes = `s.yaml:2:1: browser.attach uses somebody's own browser, and checkrow.yaml does not say allow_attach: true (say so there, and run with --allow-attach)`
	)
	DescribeTable("is refused unless", func(project, browser, more string, allow bool, says ...string) {
		_, errs := attaching(project, browser, more, allow)
		Expect(errs).To(Equal(says))
	},
		Entry("the project says so", "#\n", desk, "", true, noYes, wide),
		Entry("the project does not say no", "allow_attach: false\n", desk, "", true, noYes, wide),
		Entry("the run says so", yes, desk, "", false,
			"s.yaml:2:1: browser.attach uses somebody's own browser, and this run was not told that it may (run with --allow-attach)", wide),
		Entry("it is taken as it is", yes, desk, "    browser: { viewport: 300x300 }\n", true,
			"s.yaml:5:5: browser.viewport"+asIt, strings.Replace(wide, ":6:", ":7:", 1)),
		Entry("one map does not say both", yes, "{ attach: { cdp: http://127.0.0.1:9222 }, viewport: 300x300 }", "", true,
			`s.yaml:2:52: "viewport" and "attach" exclude each other`, wide),
		Entry("it is Chromium", yes, "{ name: firefox, attach: { cdp: http://127.0.0.1:9222 } }", "", true,
			`s.yaml:2:1: browser.attach is for Chromium, and browser.name is "firefox"`, wide),
		Entry("the address is known", yes, "{ attach: { cdp: 127.0.0.1:9222 } }", "", true,
			`s.yaml:2:27: "cdp" must be the address of a browser, got "127.0.0.1:9222" (as http://127.0.0.1:9222 or ws://grid.test:3000/)`),
		Entry("there is an address", yes, "{ attach: { adopt: /cart } }", "", true, `s.yaml:2:20: "attach" needs "cdp"`),
		Entry("the keys are known", yes, "{ atach: { cdp: http://127.0.0.1:9222 } }", "", true,
			`s.yaml:2:12: unknown key "atach" in "browser" (did you mean "attach"?)`),
		Entry("a part of the address is one", yes, `{ attach: { cdp: http://127.0.0.1:9222, adopt: "" } }`, "", true,
			`s.yaml:2:57: "adopt" is empty: it would be part of every URL (leave it out for a tab of its own)`, wide),
		Entry("it can be held to what it must", "#\n", grid, "    browser: { allowed_domains: [a.test] }\n", false,
			"s.yaml:5:5: allowed_domains can be enforced only in a browser that is started for the run, not in one that runs already (leave one of the two out)"),
		Entry("the policy lets it", "allow_attach: true\npolicy: { attach: false }\n", grid, "", true,
			`s.yaml:2:1: attaching to a browser is denied by the policy of checkrow.yaml (attach: true in it would allow it)`),
		Entry("the policy lets it where its address comes from the environment", "policy: { attach: false, env: [DESK] }\n", `{ connect: "${{ env.DESK }}" }`, "", true,
			`s.yaml:2:1: attaching to a browser is denied by the policy of checkrow.yaml (attach: true in it would allow it)`),
	)

	It("needs no leave where its contexts are the run's own", func() {
		p, errs := attaching("policy: { attach: true }\n", grid, "", false)
		Expect(errs).To(BeEmpty())
		Expect(p.Tests[0].Browser.Connect).To(Equal("ws://grid.test:3000/"))
		Expect(p.Suites[0].Asks).To(ContainElement(HaveField("Name", "grid.test:3000")))
	})

	It("is used by one test at a time where a tab is adopted", func() {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "checkrow.yaml"), []byte(yes), 0o600)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "s.yaml"), []byte("suite: s\nlock: [z]\nbrowser: "+desk+"\ntests:\n  - { name: a, steps: [[expect, visible, h1]] }\n"+
			"  - { name: b, browser: { connect: http://grid.test }, steps: [[expect, visible, h1]] }\n"), 0o600)).To(Succeed())
		var l diag.List
		p := plan.Load([]string{"s.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: dir, NeedEnv: true, AllowAttach: true}, &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(p.Tests[0].Locks).To(Equal([]string{`tab "/cart" at 127.0.0.1:9222`, "z"}))
		Expect(p.Tests[1].Locks).To(Equal([]string{"z"}))
		Expect(p.Tests[1].Browser.Attach).To(BeEmpty())
	})
})

var _ = Describe("browser keys that are made of values", func() {
	It("are judged as those that are written out", func() {
		_, said := judged("rows: []\nenv: [PATH]\n", map[string]string{"s.yaml": `suite: s
vars: { n: 1 }
matrix: { b: [{ name: m, args: [--renderer-cmd-prefix=./x], storage_state: ./state.json, allowed_domains: [a.test] }] }
browser: "${{ matrix.b }}"
tests:
  - { name: t, steps: [[expect, visible, h1]] }
  - { name: u, browser: { executable: "x${{ vars.n }}" }, steps: [[expect, visible, h1]] }
`})
		Expect(said).To(ContainElements(HavePrefix("s.yaml:4:1: the browser switch --renderer-cmd-prefix is denied"), HavePrefix("s.yaml:4:1: reading "),
			HavePrefix(`s.yaml:4:1: the host "a.test" is denied`), HavePrefix(`s.yaml:7:16: the program "x1" cannot be found`)))
	})
})
