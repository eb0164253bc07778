package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// files writes a project and gives its folder.
func files(list map[string]string) string {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	for name, text := range list {
		path := filepath.Join(dir, name)
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	}
	return dir
}

// loaded compiles and expects no error.
func loaded(dir string, o plan.Options, paths ...string) *plan.Plan {
	GinkgoHelper()
	var l diag.List
	o.Kinds, o.Dir = standard.Kinds(), dir
	if len(paths) == 0 {
		paths = []string{"."}
	}
	p := plan.Load(paths, o, &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return p
}

func testNames(p *plan.Plan) []string {
	var out []string
	for _, t := range p.Tests {
		out = append(out, t.Key.Name)
	}
	return out
}

const row = "    steps: [ [open, /], [expect, title, x] ]\n"

var _ = Describe("The digest of a plan", func() {
	suite := "suite: a\ntests:\n  - name: a\n    each: u.csv\n" + row
	hash := func(list map[string]string, o plan.Options) string { return loaded(files(list), o).Hash }
	It("covers data and the project file", func() {
		list := map[string]string{"a.yaml": suite, "u.csv": "id\nx\n", "checkrow.yaml": "retries: 1\n"}
		first := hash(list, plan.Options{})
		Expect(hash(list, plan.Options{})).To(Equal(first))
		list["u.csv"] = "id\ny\n"
		second := hash(list, plan.Options{})
		Expect(second).NotTo(Equal(first))
		list["checkrow.yaml"] = "retries: 2\n"
		Expect(hash(list, plan.Options{})).NotTo(Equal(second))
	})
})

var _ = Describe("A form of a test", func() {
	It("has the browser that its matrix says, device included", func() {
		p := loaded(files(map[string]string{"a.yaml": `suite: a
browser: { locale: en-GB, user_agent: mine }
tests:
  - name: a
    matrix: { size: [ { name: phone, device: Pixel 7 }, { name: tall, device: iPhone 15, viewport: 300x900, user_agent: x }, { name: wide, viewport: 1600x900 } ] }
    browser: "${{ matrix.size }}"
` + row}), plan.Options{})
		Expect(p.Tests).To(HaveLen(3))
		phone, tall, wide := p.Tests[0].Browser, p.Tests[1].Browser, p.Tests[2].Browser
		Expect(phone.Viewport).To(Equal([2]int{412, 839}))
		Expect(phone.Scale).To(Equal(2.625))
		Expect([]bool{phone.Mobile, phone.Touch}).To(HaveExactElements(true, true))
		Expect(phone.UserAgent).To(ContainSubstring("Pixel 7"))
		Expect(phone.Locale).To(Equal("en-GB"))
		Expect(tall.Viewport).To(Equal([2]int{300, 900}))
		Expect(tall.UserAgent).To(Equal("x"))
		Expect(tall.Mobile).To(BeTrue())
		Expect(wide.Viewport).To(Equal([2]int{1600, 900}))
		Expect(wide.Mobile).To(BeFalse())
		Expect(wide.UserAgent).To(Equal("mine"))
	})
	It("leaves setup and teardown what is the same for all", func() {
		p := loaded(files(map[string]string{"a.yaml": `suite: a
matrix: { lang: [de, en] }
vars: { zone: Europe/Berlin }
browser: { locale: "${{ matrix.lang }}", timezone: "${{ vars.zone }}", viewport: 500x500 }
tests:
  - name: a
` + row}), plan.Options{})
		Expect(p.Suites[0].Browser).To(And(HaveField("Locale", ""), HaveField("Timezone", "Europe/Berlin"), HaveField("Viewport", [2]int{500, 500})))
		Expect(p.Tests[1].Browser).To(And(HaveField("Locale", "en"), HaveField("Timezone", "Europe/Berlin")))
	})
	It("shares the compiled steps of the others", func() {
		p := loaded(files(map[string]string{"a.yaml": "suite: a\ntests:\n  - name: a\n    each: [x, y]\n" + row}), plan.Options{})
		Expect(&p.Tests[0].Steps[0]).To(BeIdenticalTo(&p.Tests[1].Steps[0]))
	})
	It("is selected with all others by FILE:LINE and -g, and by its own name", func() {
		dir := files(map[string]string{"a.yaml": "suite: a\ntests:\n  - name: a\n    matrix: { n: [1, 2], m: [x] }\n" + row +
			"  - name: b\n" + row})
		Expect(testNames(loaded(dir, plan.Options{}, "a.yaml:5"))).To(HaveExactElements("a [n=1, m=x]", "a [n=2, m=x]"))
		_, o := options(`options: grep=› a \[`)
		Expect(testNames(loaded(dir, o))).To(HaveExactElements("a [n=1, m=x]", "a [n=2, m=x]"))
		_, o = options(`options: grep=› a \[n=2, m=x\]$`)
		Expect(testNames(loaded(dir, o))).To(HaveExactElements("a [n=2, m=x]"))
	})
	It("is one of ten thousand within a second or two", func() {
		var b strings.Builder
		b.WriteString("id,mail\n")
		for i := range 10_000 {
			fmt.Fprintf(&b, "u%d,u%d@example.test\n", i, i)
		}
		start := time.Now()
		p := loaded(files(map[string]string{"u.csv": b.String(), "a.yaml": "suite: a\nbrowser: { locale: \"${{ each.id }}\" }\ntests:\n  - name: a ${{ each.mail }}\n    each: u.csv\n" + row}),
			plan.Options{})
		Expect(p.Tests).To(HaveLen(10_000))
		Expect(p.Tests[9_999].Key.Name).To(Equal("a u9999@example.test"))
		Expect(time.Since(start)).To(BeNumerically("<", 10*time.Second))
	})
	It("is not one of more than ten thousand", func() {
		var b strings.Builder
		b.WriteString("id\n")
		for i := range 6_000 {
			fmt.Fprintf(&b, "u%d\n", i)
		}
		var l diag.List
		dir := files(map[string]string{"u.csv": b.String(), "a.yaml": "suite: a\ntests:\n  - name: a\n    each: u.csv\n    matrix: { n: [1, 2] }\n" + row})
		plan.Load([]string{"."}, plan.Options{Kinds: standard.Kinds(), Dir: dir}, &l)
		Expect(l.Err()).To(MatchError("a.yaml:3:5: the test would run in more than 10000 forms (6000 rows × 2 combinations)"))
	})
	It("is not one of more than a thousand combinations of suite and test", func() {
		values := make([]string, 40)
		for i := range values {
			values[i] = fmt.Sprint("v", i)
		}
		list := "[" + strings.Join(values, ", ") + "]"
		var l diag.List
		dir := files(map[string]string{"a.yaml": "suite: a\nmatrix: { a: " + list + " }\ntests:\n  - name: a\n    matrix: { b: " + list + " }\n" + row})
		plan.Load([]string{"."}, plan.Options{Kinds: standard.Kinds(), Dir: dir}, &l)
		Expect(l.Err()).To(MatchError("a.yaml:4:5: the matrices of suite and test make more than 1000 combinations (40 combinations × 40 combinations)"))
	})
})

var _ = Describe("Repeating", func() {
	It("runs all tests again under names of their own, what they need with them", func() {
		dir := files(map[string]string{"a.yaml": "suite: a\ntests:\n  - name: a\n" + row + "  - name: b\n    needs: [a]\n" + row})
		p := loaded(dir, plan.Options{Repeat: 3})
		Expect(testNames(p)).To(HaveExactElements("a", "b", "a #2", "b #2", "a #3", "b #3"))
		Expect(p.Tests[5].Needs[0].Tests).To(HaveExactElements(BeIdenticalTo(p.Tests[4])))
		Expect(p.Tests[1].Needs[0].Tests).To(HaveExactElements(BeIdenticalTo(p.Tests[0])))
	})
})

var _ = Describe("Limits of the environment", func() {
	It("stand over steps, tests and suites, and cut what is further in", func() {
		var t spec.Timeouts
		t.Set("test", 20*time.Second, diag.Pos{File: "CHECKROW_TIMEOUTS_TEST"})
		t.Set("row", 7*time.Second, diag.Pos{File: "CHECKROW_TIMEOUTS_ROW"})
		t.Set("run", time.Minute, diag.Pos{File: "CHECKROW_TIMEOUTS_RUN"})
		dir := files(map[string]string{"a.yaml": `suite: a
timeouts: { test: 3m, wait: 30s, run: 1h }
tests:
  - name: a
    timeouts: { row: 40s, action: 3s }
    steps:
      - { row: [open, /], timeout: 20s }
      - { exec: ["true"], timeout: 15s }
      - [expect, title, x]
`})
		p := loaded(dir, plan.Options{Timeouts: t})
		Expect(p.Tests[0].Limits).To(Equal(steps.Limits{Action: 3 * time.Second, Expect: 5 * time.Second, Wait: 7 * time.Second,
			Open: 7 * time.Second, Row: 7 * time.Second, Test: 20 * time.Second, Cleanup: 15 * time.Second}))
		Expect(p.Tests[0].Browser.Limits).To(Equal(p.Tests[0].Limits))
		Expect(p.Tests[0].Steps[0].Timeout).To(BeZero())
		Expect(p.Tests[0].Steps[1].Timeout).To(Equal(15 * time.Second))
		Expect(p.Run).To(Equal(time.Minute))
	})
})

var _ = Describe("The project file", func() {
	It("is that of the first path", func() {
		dir := files(map[string]string{"checkrow.yaml": "workers: 3\n", "sub/a.yaml": "suite: a\n", "other/checkrow.yaml": "# root\n", "other/b.yaml": ""})
		Expect(plan.FindProject([]string{"sub/a.yaml:7"}, dir).Workers).To(Equal(3))
		Expect(plan.FindProject([]string{"sub"}, dir).Workers).To(Equal(3))
		Expect(plan.FindProject([]string{"missing"}, dir).Workers).To(Equal(3))
		Expect(plan.FindProject([]string{"other"}, dir).Workers).To(BeZero())
	})
})
