package browser_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("a find row resolved by a snapshot", Label("browser"), func() {
	It("acts on the one visible element with the role and exactly the name", func(ctx SpecContext) {
		t := at(ctx, "/pay")
		o := t.ok(ctx, "find", "role", "button", "click", "--name", "Pay", "--resolve", "snapshot")
		Expect(o.Data).To(And(HaveKeyWithValue("clicked", MatchRegexp(`^@e\d+$`)), HaveKeyWithValue("effective", HaveExactElements(BeEquivalentTo("click"), MatchRegexp(`^@e\d+$`)))))
		t.ok(ctx, "expect", "text", "#log", "pay")
		t.ok(ctx, "find", "role", "checkbox", "check", "--name", "Gift wrap", "--resolve", "snapshot")
		t.ok(ctx, "expect", "checked", "#gift")
		o = t.ok(ctx, "find", "role", "textbox", "fill", "hunter2", "--name", "Pin", "--resolve", "snapshot")
		Expect(o.Data["effective"]).To(HaveExactElements(BeEquivalentTo("fill"), MatchRegexp(`^@e\d+$`)))
		Expect(o.Data).To(HaveLen(2))
		Expect(o.Argv).NotTo(ContainElement("hunter2"))
		t.ok(ctx, "expect", "value", "#pin", "hunter2")
	})

	It("waits for what comes, and looks again for what was replaced", func(ctx SpecContext) {
		t := at(ctx, "/late")
		t.ok(ctx, "find", "role", "button", "click", "--name", "Late", "--resolve", "snapshot")
		t.ok(ctx, "expect", "text", "#l", "clicked")
	})

	DescribeTable("looks into the selected frame, and into scopes", func(ctx SpecContext, switches ...string) {
		o := options()
		o.Args = switches
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/frames")
		t.fails(ctx, steps.NotActionable, "ambiguous", "find", "role", "button", "click", "--name", "Inner button", "--resolve", "snapshot")
		t.ok(ctx, "frame", "#x")
		t.ok(ctx, "find", "role", "button", "click", "--name", "Inner button", "--resolve", "snapshot")
		t.ok(ctx, "expect", "text", "#ib", "done")
	}, Entry("of another origin"), Entry("in a process of its own", "--site-per-process"))

	It("fails before it acts when there is none or more than one, and sends nothing", func(ctx SpecContext) {
		t := at(ctx, "/pay")
		o := t.fails(ctx, steps.NotFound, "not-found", "find", "role", "button", "click", "--name", "pay", "--resolve", "snapshot")
		Expect(o.Error).To(HavePrefix(`no visible element is a button named "pay": waited`))
		Expect(o.Detail.Target.Near).To(ContainElement(`role=button "Pay"`))
		o = t.fails(ctx, steps.NotActionable, "ambiguous", "find", "role", "button", "click", "--name", "Same", "--resolve", "snapshot")
		Expect(o.Detail.Target.List).To(HaveLen(2))
		Expect(o.Sent).To(Equal(steps.NotSent))
		t.ok(ctx, "expect", "text", "#log", "")
	})
})

var _ = Describe("a row by words that fails", Label("browser"), func() {
	It("names what is visible under exactly that name, and never does it", func(ctx SpecContext) {
		t := at(ctx, "/pay")
		tries := func(o steps.Observation) []string { return rowsOf(o)["try-visible-ref-1"] }
		o := t.fails(ctx, steps.NotActionable, "ambiguous", "find", "role", "button", "click", "--name", "Pay")
		Expect(tries(o)).To(Equal([]string{"click", `role=button "Pay"`}))
		Expect(o.NextActions[0].Reason).To(MatchRegexp(`^a visible button has exactly this name: @e\d+$`))
		Expect(tries(t.fails(ctx, steps.NotFound, "not-found", "click", "text=Help"))).To(Equal([]string{"click", `role=link "Help"`}))
		o = t.fails(ctx, steps.NotFound, "not-found", "find", "placeholder", "Find tea", "fill", "secret leaves")
		Expect(tries(o)).To(Equal([]string{"focus", `role=searchbox "Find tea"`}))
		for _, n := range o.NextActions {
			Expect(n.Row).NotTo(ContainElement("secret leaves"))
		}
		Expect(tries(t.fails(ctx, steps.NotFound, "not-found", "click", "text=Hel p"))).To(BeNil())
		t.ok(ctx, "expect", "text", "#log", "")
	})

	It("says that what it means is in a frame", func(ctx SpecContext) {
		t := at(ctx, "/framed")
		o := t.fails(ctx, steps.NotFound, "not-found", "find", "role", "button", "click", "--name", "Inner button")
		Expect(o.NextActions[0].Reason).To(MatchRegexp(`: @f\d+e\d+, in a frame$`))
	})
})
