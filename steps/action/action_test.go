package action_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/action"
	"github.com/checkrow/checkrow/steps/argv"
)

// compiled gives the row of an action.
func compiled(keys string) steps.Row {
	GinkgoHelper()
	var l diag.List
	s := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - action: { "+keys+" }\n"), &l).Suite
	Expect(l.Err()).NotTo(HaveOccurred())
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{},
		Names: map[string]spec.Type{"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"who": {Base: spec.String}}}}}
	d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"action": action.Kind}}
	list := d.Steps(s.Tests[0].Steps, sc)
	Expect(l.Err()).NotTo(HaveOccurred())
	body, ok := list[0].Body.(steps.Rows)
	Expect(ok).To(BeTrue())
	Expect(body.Rows).To(HaveLen(1))
	Expect(body.Rows[0].From).To(Equal("action"))
	return body.Rows[0]
}

var _ = DescribeTable("an action compiles to one row",
	func(keys string, row string) {
		var cells []string
		for _, c := range compiled(keys).Call.Cells {
			cells = append(cells, c.Text)
		}
		Expect(argv.Row(cells)).To(Equal(row))
	},
	Entry("click on a selector", `action: click, selector: "#buy"`, `[click, "#buy"]`),
	Entry("fill of a selector", `action: fill, selector: "#who", text: ""`, `[fill, "#who", ""]`),
	Entry("a role with its name", "action: click, role: button, name: Pay", "[find, role, button, click, --name, Pay]"),
	Entry("a role that value repeats", "action: click, locator: role, value: button, role: button, name: Pay", "[find, role, button, click, --name, Pay]"),
	Entry("a role by value", "action: check, locator: role, value: checkbox, name: Gift", "[find, role, checkbox, check, --name, Gift]"),
	Entry("by a snapshot", "action: click, role: button, name: Pay, resolve: snapshot", "[find, role, button, click, --name, Pay, --resolve, snapshot]"),
	Entry("fill by a snapshot", "action: fill, locator: role, value: textbox, name: Pin, text: x, resolve: snapshot",
		"[find, role, textbox, fill, x, --name, Pin, --resolve, snapshot]"),
	Entry("a label", "action: fill, locator: label, value: E-mail, text: ada", "[find, label, E-mail, fill, ada]"),
	Entry("a test id", "action: click, locator: testid, value: cart", "[find, testid, cart, click]"),
	Entry("select of a selector", `action: select, selector: "#size", values: [L, XL]`, `[select, "#size", L, XL]`),
	Entry("select with one value", `action: select, selector: "#size", value: L`, `[select, "#size", L]`),
	Entry("select by role", "action: select, role: combobox, name: Size, values: [L]", "[select, role=combobox Size, L]"),
	Entry("select by role with one value", "action: select, role: listbox, name: Size, value: L", "[select, role=listbox Size, L]"),
	Entry("select by label", "action: select, locator: label, value: Size, values: [L]", "[select, label=Size, L]"),
	Entry("a name that would read as a target", `action: select, role: combobox, name: "A >> B", values: [L]`, `[select, "role=combobox \"A >> B\"", L]`),
)

var _ = Describe("an action", func() {
	It("takes names that only the run knows", func() {
		row := compiled(`action: select, role: combobox, name: "Size of ${{ vars.who }}", values: [L]`)
		Expect(row.Call.Cells[1].Dynamic).To(BeTrue())
		args, err := row.Call.Bind(row.Cells([]string{"select", `Size of "Ada"`, "L"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(args.Target(0).Parts[0].Name).To(Equal(`Size of "Ada"`))
	})
})

var _ = It("never repeats the text of a fill in what to try next", func() {
	var l diag.List
	s := spec.Parse("s.yaml", []byte("suite: s\ntests:\n  - name: t\n    steps:\n      - action: { action: fill, locator: label, value: Pin, text: hunter2 }\n"), &l).Suite
	sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{}}
	d := &steps.Decoder{Errs: &l, Scope: sc, Kinds: map[string]steps.Kind{"action": action.Kind}}
	body, ok := d.Steps(s.Tests[0].Steps, sc)[0].Body.(steps.Rows)
	Expect(ok).To(BeTrue())
	gave := steps.Fail(steps.NotFound, "", "nothing matches")
	gave.NextActions = []steps.NextAction{{Reason: "the nearest", Row: []string{"find", "label", "Pin 2", "fill", "hunter2"}},
		{Reason: "look", Row: []string{"snapshot", "-i"}}, {Reason: "open", Row: []string{"press", "Enter"}}}
	o := body.Verdict(context.Background(), steps.Env{}, []steps.Observation{gave})
	Expect(o.Error).To(Equal("nothing matches"))
	Expect(o.NextActions).To(HaveExactElements(gave.NextActions[1]))
	Expect(gave.NextActions).To(HaveLen(3))
})
