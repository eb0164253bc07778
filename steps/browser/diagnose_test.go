package browser_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// rowsOf gives the rows that an observation suggests, by id.
func rowsOf(o steps.Observation) map[string][]string {
	out := map[string][]string{}
	for _, n := range o.NextActions {
		out[n.ID] = n.Row
	}
	return out
}

var _ = Describe("what is said beside a result", Label("browser"), func() {
	It("of a text that one of several matches has", func(ctx SpecContext) {
		t := at(ctx, "/many")
		o := t.ok(ctx, "get", "text", ".v")
		Expect(o.Warnings).To(ConsistOf(ContainSubstring(`3 elements match ".v": the text is of the first, which is not visible though 2 others are`)))
		Expect(rowsOf(o)).To(HaveKeyWithValue("inspect-visible-text-candidates-2", []string{"get", "text", ".v >> nth=1"}))
		Expect(t.ok(ctx, "find", "text", "shown", "text").Warnings).To(ConsistOf(ContainSubstring("2 elements match")))
		for _, target := range []string{"#one", ".v >> nth=1", "h1"} {
			Expect(t.ok(ctx, "get", "text", target).Warnings).To(BeEmpty(), target)
		}
	})

	It("of a page that was opened, and one that was changed", func(ctx SpecContext) {
		t := at(ctx, "/over")
		look := []string{"snapshot", "-i"}
		Expect(rowsOf(t.ok(ctx, "open", "/over"))).To(Equal(map[string][]string{"inspect-opened-page": look}))
		Expect(rowsOf(t.ok(ctx, "click", "role=button No thanks"))).To(Equal(map[string][]string{"inspect-after-mutation": look}))
		for _, cells := range [][]string{{"get", "title"}, {"is", "visible", "h1"}, {"expect", "visible", "#buy"}, {"find", "text", "Buy", "text"}} {
			Expect(t.ok(ctx, cells...).NextActions).To(BeEmpty(), cells[0])
		}
	})

	It("of dialogs that lie over the page", func(ctx SpecContext) {
		t := at(ctx, "/over")
		o := t.ok(ctx, "snapshot")
		Expect(rowsOf(o)).To(Equal(map[string][]string{"try-overlay-blocker-candidate-1": {"click", "role=button No thanks"}}))
		o = t.fails(ctx, steps.NotActionable, "covered", "click", "#buy")
		Expect(rowsOf(o)).To(And(HaveKeyWithValue("inspect-overlay-state", []string{"snapshot", "-i"}),
			HaveKeyWithValue("try-overlay-blocker-candidate-1", []string{"click", "role=button No thanks"})))
		t.ok(ctx, "click", "role=button No thanks")
		t.ok(ctx, "click", "#buy")
		Expect(t.ok(ctx, "snapshot").NextActions).To(BeEmpty())
	})

	It("of a list that is not open, a scroll that does nothing and a field that keeps its value", func(ctx SpecContext) {
		t := at(ctx, "/over")
		t.ok(ctx, "click", "role=button No thanks")
		t.ok(ctx, "focus", "#combo")
		o := t.fails(ctx, steps.NotFound, "not-found", "click", "role=option Red")
		Expect(o.Warnings).To(ContainElement(ContainSubstring("list is not open")))
		Expect(rowsOf(o)).To(And(HaveKeyWithValue("try-open-combobox-with-arrow", []string{"press", "ArrowDown"}), HaveKey("refresh-interactive-refs")))
		o = t.fails(ctx, steps.NotActionable, "not-moved", "scroll", "up")
		Expect(o.Data).To(And(HaveKeyWithValue("scrolled", false), HaveKeyWithValue("noMovement", true)))
		Expect(rowsOf(o)).To(HaveKeyWithValue("verify-noop-scroll-visually", []string{"screenshot", "scroll.png"}))
		o = t.fails(ctx, steps.NotActionable, "value-mismatch", "fill", "#keeps", "new")
		Expect(rowsOf(o)).To(HaveKeyWithValue("verify-filled-value", []string{"get", "value", "#keeps"}))
		Expect(rowsOf(t.fails(ctx, steps.NotFound, "not-found", "fill", "label=Colour", "x"))).To(HaveKeyWithValue("focus-current-editable-ref", []string{"focus", "label=Color"}))
		Expect(rowsOf(t.fails(ctx, steps.NotFound, "not-found", "click", "role=button Byu"))).To(HaveKeyWithValue("try-button-name-candidate", []string{"click", "role=button Buy"}))
	})

	It("of a script that is only a function", func(ctx SpecContext) {
		t := at(ctx, "/")
		for _, js := range []string{"() => 1", "async x => x", "function f() { return 1 }", "(() => 1);"} {
			o := t.row(ctx, "eval", js)
			if js == "function f() { return 1 }" { // a declaration, which has no value
				continue
			}
			Expect(o.Success).To(BeTrue(), js)
			if js == "(() => 1);" {
				continue
			}
			Expect(o.Warnings).To(ConsistOf(ContainSubstring("a function that nothing calls")), js)
		}
		for _, js := range []string{"({})", "(() => ({}))()", "[1].map(x => x)"} {
			Expect(t.ok(ctx, "eval", js).Warnings).To(BeEmpty(), js)
		}
	})

	It("of requests that a route keeps from the page", func(ctx SpecContext) {
		t := at(ctx, "/api")
		t.ok(ctx, "network", "route", "http://localhost:*/echo", "--body", "{}", "--allow-origin", "http://shop.test")
		t.ok(ctx, "eval", "go('http://localhost:9/echo')")
		o := t.ok(ctx, "network", "requests", "--type", "fetch")
		Expect(o.Data["routeDiagnostics"]).To(ConsistOf(And(HaveKeyWithValue("reason", "cors-likely-routed-request"),
			HaveKeyWithValue("routePattern", "http://localhost:*/echo"))))
		Expect(rowsOf(o)).To(HaveKeyWithValue("start-network-har-capture-for-route-mock", []string{"network", "har", "start"}))
		t.ok(ctx, "network", "unroute")
		t.ok(ctx, "network", "requests", "--clear")
		t.ok(ctx, "eval", "go('/missing')")
		o = t.ok(ctx, "network", "requests", "--status", "404")
		Expect(o.Data).NotTo(HaveKey("routeDiagnostics"))
		Expect(rowsOf(o)).To(HaveKeyWithValue("inspect-network-request", HaveLen(3)))
	})

	It("of what a row has changed", func(ctx SpecContext) {
		t := at(ctx, "/")
		change := func(cells ...string) any {
			GinkgoHelper()
			if c := t.ok(ctx, cells...).Change; c != nil {
				return *c
			}
			return nil
		}
		Expect(change("click", "#b")).To(Equal(steps.Change{Type: steps.ChangeMutation}))
		Expect(change("fill", "#name", "x")).To(Equal(steps.Change{Type: steps.ChangeMutation, Observed: true}))
		Expect(change("get", "title")).To(BeNil())
		Expect(change("expect", "text", "h1", "Home")).To(BeNil())
		Expect(change("find", "text", "Home", "text")).To(BeNil())
		Expect(change("screenshot", "a.png")).To(Equal(steps.Change{Type: steps.ChangeArtifact, Observed: true}))
		Expect(change("pushstate", "/x")).To(Equal(steps.Change{Type: steps.ChangeNavigation, Observed: true}))
		Expect(change("open", "/two")).To(Equal(steps.Change{Type: steps.ChangeNavigation, Observed: true}))
		Expect(t.fails(ctx, steps.NotFound, "not-found", "click", "#nope").Change).To(BeNil())
	})
})
