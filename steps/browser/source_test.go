package browser_test

import (
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/qa"
)

var _ = Describe("what a page shows, and where it comes from", Label("browser"), func() {
	It("reads the tags around an element, and what sent a request", func(ctx SpecContext) {
		t := at(ctx, "/logs")
		t.ok(ctx, "wait", "--load", "networkidle")
		n, _ := t.ok(ctx, "network", "requests", "--type", "fetch").Value.([]any)
		Expect(n).NotTo(BeEmpty())
		Expect(n).To(HaveEach(HaveKeyWithValue("stack", ContainElement(And(HaveKeyWithValue("url", HaveSuffix("/logs")),
			HaveKeyWithValue("line", BeNumerically(">", 0)), HaveKeyWithValue("column", BeNumerically(">", 0)))))))
		sig, _ := t.Signals(ctx, steps.Mark{})
		Expect(sig.Faults).To(HaveEach(HaveField("Stack", Not(BeEmpty()))))

		t.ok(ctx, "open", "data:text/html,"+url.PathEscape(`<main data-source="a.ts:3"><p><b id=b>x</b></p></main>`))
		o := t.ok(ctx, "get", "html", "#b", "--outer", "--ancestors")
		Expect(o.Data).To(HaveKeyWithValue("html", `<b id="b">x</b>`))
		Expect(o.Data["ancestors"]).To(HaveExactElements("<p></p>", `<main data-source="a.ts:3"></main>`, "<body></body>", "<html></html>"))
		Expect(t.ok(ctx, "get", "html", "#b").Data).NotTo(HaveKey("ancestors"))

		t.ok(ctx, "open", "data:text/html,"+url.PathEscape(`<p>two <b>words</b>
			here</p><p style="display:none">gone</p><div style="opacity:0"><p>clear</p></div><div style="visibility:hidden">hid</div>
			<script>var script = 1</script><input value=typed><input type=password value=secret><input value=unseen hidden><p>one</p><p>two</p>
			<div style="display:contents"><span>through</span></div>`))
		for _, text := range []string{"two words here", " words\n here ", "typed", "through", "one"} {
			Expect(t.ok(ctx, "eval", qa.Shows(text)).Value).To(BeTrue(), text)
		}
		for _, text := range []string{"gone", "clear", "hid", "script", "secret", "unseen", "onetwo", "Two words", "one two"} {
			Expect(t.ok(ctx, "eval", qa.Shows(text)).Value).To(BeFalse(), text)
		}
	})
})
