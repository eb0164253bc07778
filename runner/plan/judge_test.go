package plan_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// judged compiles a suite under a policy and gives the plan and what was said, a line each.
func judged(policy string, files map[string]string) (*plan.Plan, []string) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		Expect(os.MkdirAll(filepath.Dir(at), 0o700)).To(Succeed())
		Expect(os.WriteFile(at, []byte(text), 0o700)).To(Succeed())
	}
	var l diag.List
	o := plan.Options{Kinds: standard.Kinds(), Dir: dir, LookupEnv: func(name string) (string, bool) {
		return os.Getenv("PATH"), name == "PATH"
	}}
	if policy != "" {
		o.Policy = spec.ParsePolicy("p.yaml", []byte(policy), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
	}
	p := plan.Load([]string{"s.yaml"}, o, &l)
	var out []string
	for _, e := range l.All() {
		if e.Severity == diag.Fatal {
			out = append(out, e.Error())
		}
	}
	return p, out
}

const asking = `suite: s
base_url: http://shop.test
secrets: [PASSWORD]
env: { NODE_OPTIONS: "--require ./x" }
browser: { args: [--renderer-cmd-prefix=./x] }
services: { api: { exec: [./serve] } }
tests:
  - name: "a ${{ each.n }}"
    each: rows.csv
    steps:
      - use: ./part.yaml
      - [open, "http://other.test/"]
      - [eval, "1"]
      - [wait, --fn, "1"]
      - [upload, "#f", ./scripts/up.txt]
      - { exec: [./x, "${{ env.BASE }}"], env: { TOKEN: "${{ secrets.PASSWORD }}" } }
      - { http: { url: "http://api.test/" } }
      - expect: js("1") == 1
`

var askingFiles = map[string]string{"s.yaml": asking, "x": "#!/bin/sh\n", "serve": "#!/bin/sh\n", "rows.csv": "n\n1\n", "scripts/up.txt": "x",
	"part.yaml": "fragment: part\nsteps:\n  - { exec: [sh, -c, 'true'] }\n  - [expect, visible, h1]\n"}

var _ = Describe("A suite under a policy", func() {
	It("may compare with baselines that it may read", func() {
		files := map[string]string{"s.yaml": "suite: s\ntests:\n  - name: a\n    steps:\n      - [expect, image, cart/sum]\n      - [expect, aria, a.yaml]\n"}
		_, got := judged("files: [s.baselines/**, a.yaml]\n", files)
		Expect(got).To(BeEmpty())
		_, got = judged("files: [a.yaml]\n", files)
		Expect(got).To(ConsistOf(ContainSubstring(`s.yaml:5:25: reading the file "s.baselines/cart/sum.png" is denied`)))
	})

	It("is denied what is not listed, where it stands", func() {
		_, got := judged("files: [rows.csv, part.yaml]\n", askingFiles)
		Expect(got).To(ContainElements(
			ContainSubstring("s.yaml:2:11: the host \"shop.test\" is denied"),
			ContainSubstring("s.yaml:4:8: a program may not be given NODE_OPTIONS"),
			ContainSubstring("the browser switch --renderer-cmd-prefix is denied"),
			ContainSubstring("s.yaml:6:13: the service \"api\" is denied"),
			ContainSubstring("serve\" is denied"),
			ContainSubstring("part.yaml:3:"),
			ContainSubstring("s.yaml:12:16: the host \"other.test\" is denied"),
			ContainSubstring("s.yaml:13:9: the row \"eval\" is denied by the policy \"p.yaml\" (rows: [\"eval\"] in it would allow it)"),
			ContainSubstring("the row \"wait --fn\" is denied"),
			ContainSubstring("s.yaml:15:24: reading the file \"scripts/up.txt\" is denied"),
			ContainSubstring("s.yaml:16:18: the program"), ContainSubstring("env.BASE is denied"),
			ContainSubstring("the variable TOKEN of a program is denied"), ContainSubstring("secrets.PASSWORD is denied"),
			ContainSubstring("s.yaml:17:24: the host \"api.test\" is denied"), ContainSubstring("s.yaml:18:17: js() is denied")))
	})

	It("is not even read where its files are denied", func() {
		_, got := judged("policy: tight\n", askingFiles)
		Expect(got).To(ContainElement(ContainSubstring("s.yaml:9:11: reading the file \"rows.csv\" is denied")))
		_, got = judged("files: [rows.csv]\n", askingFiles)
		Expect(got).To(ContainElement(ContainSubstring("s.yaml:11:14: reading the file \"part.yaml\" is denied")))
	})

	It("may do what is listed, and its plan says what it asks for", func() {
		files := map[string]string{}
		for k, v := range askingFiles {
			files[k] = strings.ReplaceAll(strings.ReplaceAll(v, `env: { NODE_OPTIONS: "--require ./x" }`, ""), "--renderer-cmd-prefix=./x", "--lang=de")
		}
		p, got := judged(`
rows: [eval, "wait --fn"]
js: true
env: [BASE, TOKEN]
secrets: [PASSWORD]
files: [part.yaml, "*.csv", "scripts/**"]
programs: [./x, ./serve, sh]
services: [api]
domains: ["*.test"]
browser_args: [--lang]
`, files)
		Expect(got).To(BeEmpty())
		Expect(p.Suites[0].Asks).To(ContainElements(
			And(HaveField("Name", "eval"), HaveField("Denied", false)), HaveField("Name", "other.test"), HaveField("Name", "PASSWORD"),
			HaveField("Name", "./x"), HaveField("Name", "js()"), HaveField("Name", "--lang=de")))
		Expect(p.Tests[0].Browser.Hosts).To(Equal([]string{"*.test"}))
		Expect(p.Tests[0].Browser.Public).To(BeTrue())
	})

	It("is narrowed by its project", func() {
		files := map[string]string{"s.yaml": "suite: s\ntests: [{ name: a, steps: [[open, 'http://a.test/'], [eval, '1'], [expect, visible, h1]] }]\n",
			"checkrow.yaml": "policy: { domains: [b.test] }\n"}
		_, got := judged("rows: [eval]\ndomains: [a.test]\n", files)
		Expect(got).To(ConsistOf(ContainSubstring("denied by the policy of checkrow.yaml")))
		_, got = judged("", files)
		Expect(got).To(ConsistOf(ContainSubstring("the host \"a.test\" is denied")), "eval is free: the project does not speak of rows")
	})
})

var _ = DescribeTable("A page_script under the policy of the project", func(policy, want string) {
	_, got := judged("", map[string]string{"checkrow.yaml": "policy: " + policy + "\n",
		"s.yaml": "suite: s\ntests: [{ name: a, steps: [[open, 'http://a.test/'], { page_script: 'return 1', id: x, expect: value == 1 }] }]\n"})
	if want == "" {
		Expect(got).To(BeEmpty())
		return
	}
	Expect(got).To(ConsistOf(ContainSubstring(want)))
},
	Entry("that denies js", "{ js: false }", `the step "page_script" is denied by the policy of checkrow.yaml`),
	Entry("that lists other steps", "{ steps: [code] }", `the step "page_script" is denied by the policy of checkrow.yaml`),
	Entry("that denies js and lists it", "{ js: false, steps: [page_script] }", ""),
	Entry("that speaks of neither", "{ rows: [eval] }", ""))

var _ = DescribeTable("A read_only suite (R185)", func(key, row, want string) {
	_, got := judged("", map[string]string{"s.yaml": "suite: s\n" + key + "\ntests:\n  - name: a\n    steps:\n      - [open, 'http://a.test/']\n      - " +
		row + "\n      - [expect, visible, h1]\n"})
	if want == "" {
		Expect(got).To(BeEmpty())
		return
	}
	Expect(got).To(ConsistOf(ContainSubstring(want)))
},
	Entry("may go to pages", "read_only: true", "[reload]", ""),
	Entry("may set how a page is shown", "read_only: true", "[set, viewport, 800, 600]", ""),
	Entry("may read what it finds", "read_only: true", "{ row: [find, role, heading, text], id: x, expect: value != '' }", ""),
	Entry("may not click", "read_only: true", "[click, '#a']", `s.yaml:7:9: the row "click" changes the page, and the test is read_only`),
	Entry("may not run script", "read_only: true", "{ row: [eval, '1'], id: x, expect: value == 1 }", `the row "eval" changes the page`),
	Entry("may not ask js() either", "read_only: true", "{ expect: js('1') == 1 }", "js() can change the page"),
	Entry("may not run page_script", "read_only: true", "{ page_script: 'return 1', id: x, expect: value == 1 }",
		"s.yaml:7:9: page_script can change the page, and the suite is read_only"),
	Entry("may not set cookies", "read_only: true", "[cookies, set, a, b]", `the row "cookies set" changes the page`),
	Entry("may act if it is not", "read_only: false", "[click, '#a']", ""))
