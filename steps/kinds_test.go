package steps_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// inSuite puts steps into a suite with one test.
func inSuite(list string) []byte {
	body := "      " + strings.ReplaceAll(strings.TrimRight(list, "\n"), "\n", "\n      ") + "\n"
	return []byte("suite: s\nvars: { users: [ada, bob], user: ada }\ntests:\n  - name: t\n    steps:\n" + body)
}

var login = map[string][]byte{"login.yaml": []byte(`fragment: login
inputs: { user: string, password: { type: string, secret: true }, tries: { type: int, default: 3 } }
steps:
  - [fill, label=User, "${{ inputs.user }}"]
  - { row: [get, text, "#token"], id: token }
outputs: { token: steps.token.value }
`)}

func good(list string) []steps.Step {
	GinkgoHelper()
	d := decode("suite.yaml", inSuite(list), login)
	Expect(d.errs.Err()).NotTo(HaveOccurred())
	return d.steps
}

var _ = Describe("every kind", func() {
	for name, k := range kinds {
		Describe(name, func() {
			It("is told in full", func() {
				Expect(k.Name).To(Equal(name))
				Expect(k.Doc).To(HaveSuffix("."))
				for _, key := range k.Keys {
					Expect(key.Doc).NotTo(BeEmpty())
					Expect(key.Type).To(BeElementOf("text", "expr", "bool", "int", "duration", "list", "map", "map of text", "map of texts", "map of expr", "set", "steps", "row", "rows", "texts", "any"))
				}
			})
			It("has an example that decodes to it", func() {
				list := good(k.Example)
				Expect(list[0].Kind).To(Equal(name))
				Expect(list[0].Body).NotTo(BeNil())
			})
			It("tells a misspelt key", func() {
				for _, key := range k.Keys {
					if len(key.Name) < 3 {
						continue
					}
					wrong := strings.Replace(k.Example, key.Name+":", key.Name[:len(key.Name)-1]+"q:", 1)
					if wrong == k.Example {
						continue
					}
					Expect(decode("suite.yaml", inSuite(wrong), login).errs.Len()).To(BeNumerically(">", 0), wrong)
				}
			})
		})
	}
})

var _ = Describe("steps", func() {
	It("keep what they say", func() {
		list := good(`- { row: [get, text, "#a"], id: a, name: reads, timeout: 3s, within: 2s, every: 100ms, expect: [value == "x", ok], soft: true, retry: { times: 2, every: 1s } }`)
		s := list[0]
		Expect(s.ID).To(Equal("a"))
		Expect(s.Name).To(Equal("reads"))
		Expect(s.Timeout.String()).To(Equal("3s"))
		Expect(s.Within.String()).To(Equal("2s"))
		Expect(s.Every.String()).To(Equal("100ms"))
		Expect(s.Expect).To(HaveLen(2))
		Expect(s.Soft).To(BeTrue())
		Expect(s.Retry).To(Equal(steps.Retry{Times: 2, Every: 1e9}))
		Expect(s.Pos).To(Equal(diag.Pos{File: "suite.yaml", Line: 6, Col: 9}))
	})

	It("decode flow to the bodies of the runner", func() {
		list := good(`- if: visible("#a")
  then: [[reload]]
  elif: [{ if: visible("#b"), then: [[back]] }]
  else: [[forward]]
- for: u in vars.users
  do: [[fill, "#a", "${{ u }}"]]
- group: g
  do: [[reload]]
- use: login.yaml
  with: { user: "${{ vars.user }}", password: "007" }`)
		branch := list[0].Body.(steps.Branch)
		Expect(branch.Arms).To(HaveLen(3))
		Expect(branch.Arms[2].Cond).To(BeNil())
		loop := list[1].Body.(steps.Loop)
		Expect(loop.Var).To(Equal("u"))
		Expect(loop.Over.Source()).To(Equal("vars.users"))
		Expect(loop.Max).To(Equal(10_000))
		Expect(list[2].Body.(steps.Group).Isolated).To(BeFalse())
		use := list[3].Body.(steps.Group)
		Expect(use.Isolated).To(BeTrue())
		Expect(use.In).To(HaveKey("user"))
		Expect(use.Defaults).To(Equal(map[string]any{"password": "007", "tries": 3}))
		Expect(use.Secret).To(Equal([]string{"password"}))
		Expect(use.Out).To(HaveKey("token"))
		Expect(use.Do[0].Pos.File).To(Equal("login.yaml"))
	})

	It("are walked in written order", func() {
		list := good(`- [reload]
- if: visible("#a")
  then: [[back]]
  else:
    - group: g
      do: [[forward]]
- rows: [[snapshot], [reload]]`)
		var kindsSeen, rows []string
		steps.Walk(list, func(s *steps.Step) bool {
			kindsSeen = append(kindsSeen, s.Kind)
			return true
		})
		Expect(kindsSeen).To(Equal([]string{"row", "if", "row", "group", "row", "rows"}))
		steps.EachRow(list, func(_ *steps.Step, r *steps.Row) { rows = append(rows, r.Call.Command.Name()) })
		Expect(rows).To(Equal([]string{"reload", "back", "forward", "snapshot", "reload"}))
	})

	DescribeTable("assert something or nothing", func(list string, want bool) {
		Expect(steps.Asserts(good(list))).To(Equal(want))
	},
		Entry(nil, `- [reload]`, false),
		Entry(nil, `- [wait, "#a"]`, false),
		Entry(nil, `- [expect, visible, "#a"]`, true),
		Entry(nil, `- expect: visible("#a")`, true),
		Entry(nil, `- { row: [click, "#a"], expect: ok }`, true),
		Entry(nil, `- exec: ["true"]`, true),
		Entry(nil, "- if: visible(\"#a\")\n  then: [[expect, hidden, \"#b\"]]", true),
		Entry(nil, `- set: { a: 1 }`, false))

	DescribeTable("are safe to repeat or not", func(list string, repeats, rereads bool) {
		body := good(list)[0].Body
		Expect(steps.Repeats(body)).To(Equal(repeats))
		Expect(steps.Rereads(body)).To(Equal(rereads))
	},
		Entry(nil, `- [reload]`, true, false),
		Entry(nil, `- [click, "#a"]`, false, false),
		Entry(nil, `- { row: [get, url], expect: value != "" }`, true, true),
		Entry(nil, `- { row: [find, role, button, text], expect: value != "" }`, true, true),
		Entry(nil, `- exec: ["true"]`, false, false),
		Entry(nil, `- expect: visible("#a")`, true, true),
		Entry(nil, `- { group: g, do: [[reload], [hover, "#a"]] }`, true, false),
		Entry(nil, `- { group: g, do: [[reload], [press, a]] }`, false, false),
		Entry(nil, `- { for: u in vars.users, do: [[fill, "#a", "${{ u }}"]] }`, false, false))

	It("has common keys that are told and not hidden twice", func() {
		names := map[string]bool{}
		for _, k := range steps.CommonKeys {
			Expect(k.Doc).NotTo(BeEmpty())
			Expect(names).NotTo(HaveKey(k.Name))
			names[k.Name] = true
		}
	})
})
