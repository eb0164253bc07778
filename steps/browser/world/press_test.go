package world_test

import (
	"strings"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/world"
)

const buttons = `<button id=a class="x y" onclick="L('a')">Buy</button><button id=b class=x onclick="L('b')" ondblclick="L('bb')">Buy</button>
<button id=hid class=h style="display:none">x</button><label><input id=c type=checkbox onclick="L('c')">I agree</label>
<input id=r type=radio><div id=rc role=checkbox aria-checked=false onclick="setTimeout(() => this.setAttribute('aria-checked', 'true'), 30)">x</div>
<button id=dis disabled>x</button><p id=p>p</p><div style="position:relative"><button id=cov onclick="L('cov')">covered</button><i id=lid class=lid style="position:absolute;inset:0">lid</i></div>
<style>@keyframes go { from { margin-left: 0 } to { margin-left: 300px } }</style><button id=mov style="animation:go 250ms linear" onclick="L('mov')">moves</button>
<button id=slow style="animation:go 20s linear">moves on</button>
<button id=off style="position:fixed;left:-500px">off</button>`

var _ = Describe("clicking", Label("browser"), func() {
	It("takes two driver calls, in both ways", func(ctx SpecContext) {
		t := open(buttons)
		for _, query := range []world.Query{q("#a"), q("role=button Buy >> nth=0"), t.via(t.page.Locator("#a"))} {
			t.calls.Store(0)
			c, err := t.Click(ctx, query, world.ClickOptions{Wait: patience})
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Verdict).To(Equal(world.Hit))
			Expect(c.Answer.Element).To(Equal(`button#a.x.y "Buy"`))
			Expect(t.calls.Load()).To(BeEquivalentTo(2))
		}
		Expect(t.log()).To(Equal("a a a"))
	})

	DescribeTable("says why it does not press", func(ctx SpecContext, sel string, want world.Reason, detail string, fallback bool) {
		t := open(buttons)
		for _, query := range []world.Query{q(sel), t.via(t.page.Locator(sel))} {
			c, err := t.Click(ctx, query, world.ClickOptions{})
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Verdict).To(Equal(world.NotSent))
			Expect(c.Answer.Reason).To(Equal(want), "%+v", c)
			Expect(c.Answer.Detail + strings.Join(c.Answer.List, ", ")).To(Equal(detail))
			Expect(c.Fallback()).To(Equal(fallback))
		}
		Expect(t.log()).To(BeEmpty())
	},
		Entry("missing", "#nope", world.Missing, "", false),
		Entry("several", ".x", world.Multiple, `button#a.x.y "Buy", button#b.x "Buy"`, false),
		Entry("not visible", ".h", world.Invisible, `button#hid.h "x" (not visible)`, false),
		Entry("disabled", "#dis", world.Disabled, "", false),
		Entry("covered", "#cov", world.Covered, `i#lid.lid "lid"`, false),
		Entry("moving", "#slow", world.Moving, "", true),
		Entry("out of reach", "#off", world.Offscreen, "", true),
	)

	It("takes the first of several if it may", func(ctx SpecContext) {
		t := open(buttons)
		c, err := t.Click(ctx, q(".x"), world.ClickOptions{First: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Hit))
		Expect(c.Answer.Visible).To(Equal(2))
		Expect(t.log()).To(Equal("a"))
	})

	It("clicks twice", func(ctx SpecContext) {
		t := open(buttons)
		c, err := t.Click(ctx, q("#b"), world.ClickOptions{Count: 2})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Hit))
		Expect(t.log()).To(Equal("b b bb"))
	})

	It("waits for what moves, and for what lies over it, in one call", func(ctx SpecContext) {
		t := open(buttons + `<script>setTimeout(() => lid.remove(), 200)</script>`)
		for _, sel := range []string{"#mov", "#cov"} {
			t.calls.Store(0)
			c, err := t.Click(ctx, q(sel), world.ClickOptions{Wait: patience})
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Verdict).To(Equal(world.Hit), "%+v", c)
			Expect(t.calls.Load()).To(BeEquivalentTo(2))
		}
		Expect(t.log()).To(Equal("mov cov"))
	})

	It("clicks what an endless animation does not move", func(ctx SpecContext) {
		t := open(`<style>@keyframes spin { to { transform: rotate(0deg) } }</style><button style="animation:spin 1s infinite" onclick="L('x')">x</button>`)
		c, err := t.Click(ctx, q("button"), world.ClickOptions{Wait: patience})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Hit))
	})

	DescribeTable("checks and unchecks", func(ctx SpecContext, sel string, want bool, reason world.Reason, log string) {
		t := open(buttons)
		for _, query := range []world.Query{q(sel), t.via(t.page.Locator(sel))} {
			t.goTo(buttons)
			c, err := t.Click(ctx, query, world.ClickOptions{Want: &want})
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Answer.Reason).To(Equal(reason), "%+v", c)
			if reason != world.NotThis {
				Expect(c.Answer.Checked).To(Equal(want))
			}
			Expect(t.log()).To(Equal(log))
			Expect(t.calls.Load()).To(BeNumerically("<=", 3)) // two, unless the box told its state late
		}
	},
		Entry("a checkbox", "#c", true, world.OK, "c"),
		Entry("by its label", "label", true, world.OK, "c"),
		Entry("as it is already", "#c", false, world.Already, ""),
		Entry("a radio", "#r", true, world.OK, ""),
		Entry("no checkbox", "#p", true, world.NotThis, ""),
	)

	It("leaves nothing behind that swallows the next click", func(ctx SpecContext) {
		t := open(`<button id=b onclick="L('b')">x</button><div id=ov hidden style="position:fixed;inset:0" onclick="L('over')"></div><script>let n = 0; addEventListener('mousemove', () => { ov.hidden = n++ > 0 })</script>`)
		c, err := t.Click(ctx, q("#b"), world.ClickOptions{})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Missed))
		Expect(c.Answer.Detail).To(Equal("div#ov"))
		Expect(t.page.Mouse().Click(300, 300)).To(Succeed())
		Expect(t.page.Mouse().Click(20, 20)).To(Succeed())
		Expect(t.log()).To(Equal("b"))
	})

	It("returns while a dialog is held, with what the press did", func(ctx SpecContext) {
		t := fresh(`<button onclick="L('ask'); L(confirm('sure?'))">x</button>`, playwright.BrowserNewContextOptions{})
		held, answer := make(chan struct{}), make(chan struct{})
		t.page.OnDialog(func(d playwright.Dialog) {
			close(held)
			go func() {
				defer GinkgoRecover()
				<-answer
				Expect(d.Accept()).To(Succeed())
			}()
		})
		c, err := t.Click(ctx, q("button"), world.ClickOptions{Held: held})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Held).To(BeTrue())
		Expect(c.Verdict).To(Equal(world.Hit))
		Expect(t.Drained()).NotTo(BeClosed())
		close(answer)
		Eventually(t.Drained()).Should(BeClosed())
		Eventually(t.log).Should(Equal("ask true"))
	})

	It("gives the point for other gestures", func(ctx SpecContext) {
		t := open(buttons)
		a, err := t.Do(ctx, q("#a"), world.Point())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.X).To(BeNumerically(">", 8))
		Expect(t.page.Mouse().Click(a.X, a.Y)).To(Succeed())
		Expect(t.log()).To(Equal("a"))
	})

	It("lets go of what the console holds", func(ctx SpecContext) {
		t := open(`<button onclick="for (let i = 0; i < 1200; i++) console.log({i})">x</button>`)
		c, err := t.Click(ctx, q("button"), world.ClickOptions{})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Hit))
		Eventually(t.calls.Load).Should(BeEquivalentTo(4)) // two for the click, two to let go
	})

	It("survives navigation by the click, and goes on in the next page", func(ctx SpecContext) {
		t := open(`<a href=/two>x</a>`)
		c, err := t.Click(ctx, q("a"), world.ClickOptions{})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Hit))
		a := later(ctx, t, q("h1"), world.Text(), world.Until{}, patience)
		Expect(a.Value).To(Equal("two"))
	})
})
