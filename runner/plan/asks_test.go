package plan_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec/diag"
)

var _ = Describe("What rows ask of the browser", func() {
	const head = "suite: a\ntests:\n  - name: a\n" + row + "  - name: b\n    steps:\n"
	one := func(step string) *plan.Plan {
		GinkgoHelper()
		return loaded(files(map[string]string{"a.yaml": head + "      - " + step + "\n"}), plan.Options{})
	}
	It("is React's hook in all of a suite with a react row, however deep it stands", func() {
		p := one("{ group: g, do: [{ row: [react, suspense], expect: value == 0 }] }")
		for _, t := range p.Tests {
			Expect(t.Browser.React).To(BeTrue())
			Expect(t.Browser.Args).To(BeEmpty())
		}
		Expect(p.Suites[0].Browser.React).To(BeTrue())
	})
	It("is the switch for the page's tools in one with a webmcp row", func() {
		p := one("[webmcp, invoke, add]")
		Expect(p.Tests[0].Browser.Args).To(ConsistOf(ContainSubstring("WebMCP")))
		Expect(p.Tests[0].Browser.React).To(BeFalse())
	})
	It("is nothing otherwise", func() {
		p := one("[expect, visible, h1]")
		Expect(p.Tests[0].Browser.React).To(BeFalse())
		Expect(p.Tests[0].Browser.Args).To(BeEmpty())
	})
})

var _ = DescribeTable("A test whose last row changes the page", func(steps string, lint string) {
	var l diag.List
	plan.Load([]string{"a.yaml"}, plan.Options{Kinds: standard.Kinds(), Dir: files(map[string]string{
		"a.yaml": "suite: a\nbase_url: http://x.test\ntests:\n  - name: a\n    steps:\n      - [expect, visible, h1]\n" + steps})}, &l)
	var got []string
	for _, e := range l.All() {
		Expect(e.Severity).To(Equal(diag.Lint), e.Error())
		got = append(got, e.Msg)
	}
	if lint == "" {
		Expect(got).To(BeEmpty())
		return
	}
	Expect(got).To(ConsistOf(lint))
},
	Entry("and nothing looks", "      - [click, '#a']\n", "the test ends with click, whose effect nothing checks"),
	Entry("in a group", "      - { group: g, do: [[press, Enter]] }\n", "the test ends with press, whose effect nothing checks"),
	Entry("and reads it back", "      - [fill, '#a', x]\n", ""),
	Entry("and is judged by its step", "      - { row: [click, '#a'], expect: count('.b') == 1 }\n", ""),
	Entry("and a check follows", "      - [click, '#a']\n      - [expect, visible, '#b']\n", ""),
	Entry("and finally looks", "      - [click, '#a']\n    finally: [[expect, visible, '#b']]\n", ""),
)
