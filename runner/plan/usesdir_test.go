package plan_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

// load compiles the text of a suite, beside a fragment that names the folder of a test.
func load(text string) *plan.Plan {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	for name, text := range map[string]string{"s.yaml": "suite: s\n" + text,
		"f.yaml": "fragment: f\nsteps:\n  - exec: [touch, \"${{ test.dir }}/x\"]\n"} {
		Expect(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)).To(Succeed())
	}
	var l diag.List
	p := plan.Load([]string{"s.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: dir}, &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return p
}

var _ = DescribeTable("The folder of a test is made for the tests that name it",
	func(text string, want ...string) {
		var got []string
		for _, t := range load(text).Tests {
			if t.UsesDir {
				got = append(got, t.Key.Name)
			}
		}
		Expect(got).To(HaveExactElements(want))
	},
	Entry("one of them", `
tests:
  - name: a
    steps: [{ exec: ["true"] }]
  - name: b
    steps:
      - exec: [touch, "${{ test.dir }}/x"]
  - name: c
    steps: [{ exec: ["true"] }]
`, "b"),
	Entry("none", "tests:\n- { name: a, steps: [{ exec: [\"true\"] }] }\n"),
	Entry("each, where a hook before them does", `
before_each: [{ exec: [touch, "${{ test.dir }}/x"] }]
tests:
  - { name: a, steps: [{ exec: ["true"] }] }
  - { name: b, steps: [{ exec: ["true"] }] }
`, "a", "b"),
	Entry("each, where a hook behind them does", `
tests:
- { name: a, steps: [{ exec: ["true"] }] }
- { name: b, steps: [{ exec: ["true"] }] }
# of each
after_each:
  - exec: [touch, "${{ test.dir }}/x"]
`, "a", "b"),
	Entry("each, where a fragment does", `
tests:
  - { name: a, steps: [{ use: ./f.yaml }] }
  - { name: b, steps: [{ exec: ["true"] }] }
`, "a", "b"),
	Entry("each, where one may use the text of another", `
tests:
  - { name: a, steps: [&x { exec: [touch, "${{ test.dir }}/x"] }] }
  - { name: b, steps: [*x] }
`, "a", "b"),
	Entry("each, where they share a line", `
tests: [{ name: a, steps: [{ exec: ["true"] }] }, { name: b, steps: [{ exec: [touch, "${{ test.dir }}/x"] }] }]
`, "a", "b"),
)

var _ = DescribeTable("A test needs no browser of this machine if all that it does with pages it does in the app that it launches",
	func(steps string, want bool) {
		p := load("sessions: { other: {} }\ntests:\n  - name: t\n    steps:\n" + steps)
		Expect(p.Tests[0].App).To(Equal(want))
	},
	Entry("all of it", "      - exec: [\"true\"]\n      - electron: { launch: { app_path: a } }\n      - [reload]\n", true),
	Entry("in a group too", "      - electron: { launch: { app_path: a } }\n      - { group: g, do: [[reload]] }\n", true),
	Entry("a row comes before", "      - [reload]\n      - electron: { launch: { app_path: a } }\n", false),
	Entry("a condition asks a page before", "      - { if: visible(\"#a\"), then: [exec: [\"true\"]] }\n      - electron: { launch: { app_path: a } }\n", false),
	Entry("a loop goes by a page before", "      - { for: 'i in [count(\"#a\")]', do: [exec: [\"true\"]] }\n      - electron: { launch: { app_path: a } }\n", false),
	Entry("it may not be launched", "      - { if: 1 == 2, electron: { launch: { app_path: a } } }\n      - [reload]\n", false),
	Entry("it is launched in another session", "      - { session: other, electron: { launch: { app_path: a } } }\n      - [reload]\n", false),
	Entry("a row goes to another session", "      - electron: { launch: { app_path: a } }\n      - { row: [reload], session: other }\n", false),
	Entry("a scope does", "      - electron: { launch: { app_path: a } }\n      - { scope: { session: other }, do: [[reload]] }\n", false),
	Entry("no app is launched", "      - [reload]\n", false),
)
