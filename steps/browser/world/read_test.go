package world_test

import (
	"context"
	"time"

	"github.com/mxschmitt/playwright-go"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/world"
)

const things = `<h1 id=h style="color:rgb(1, 2, 3)">Hello<span style="display:none"> you</span></h1><p id=none style="visibility:hidden">x</p>
<input id=u value=v disabled data-x=""><input id=f autofocus readonly><input id=c type=checkbox checked><div id=a role=checkbox aria-checked=true>x</div>
<div id=box style="position:absolute;left:10px;top:200px;width:30px;height:40px"></div><p id=hc><span style="display:none">x</span></p><svg><text>S</text></svg><p class=k>1</p><p class=k>2</p>
<div aria-disabled=true><button id=ad>x</button><p id=pd>y</p></div>`

var _ = Describe("reading", Label("browser"), func() {
	DescribeTable("takes one call and the first match", func(ctx SpecContext, sel string, op world.Op, want world.Answer) {
		t := open(things)
		for _, query := range []world.Query{q(sel), t.via(t.page.Locator(sel))} {
			t.calls.Store(0)
			a, err := t.Do(ctx, query, op)
			Expect(err).NotTo(HaveOccurred())
			Expect(t.calls.Load()).To(BeEquivalentTo(1))
			if a.Reason == world.OK {
				Expect(a.Hidden).To(Equal(a.Visible == 0 && op.Name != "count"), "there is one match of each")
			}
			a.Detail, a.Visible, a.Hidden = "", 0, false
			Expect(a).To(Equal(want))
		}
	},
		Entry("text", "#h", world.Text(), world.Answer{Matches: 1, Value: "Hello"}),
		Entry("text of what is not shown", "#none", world.Text(), world.Answer{Matches: 1, Value: "x"}),
		Entry("text of hidden children only", "#hc", world.Text(), world.Answer{Matches: 1}),
		Entry("text in svg", "text", world.Text(), world.Answer{Matches: 1, Value: "S"}),
		Entry("the first of several", ".k", world.Text(), world.Answer{Matches: 2, Value: "1"}),
		Entry("missing", "#nope", world.Text(), world.Answer{Reason: world.Missing}),
		Entry("value", "#u", world.Value(), world.Answer{Matches: 1, Value: "v", Field: "text"}),
		Entry("no value", "#h", world.Value(), world.Answer{Reason: world.NotThis}),
		Entry("attribute", "#u", world.Attr("data-x"), world.Answer{Matches: 1}),
		Entry("no attribute", "#u", world.Attr("nope"), world.Answer{Matches: 1, Null: true}),
		Entry("html", "#none", world.HTML(false), world.Answer{Matches: 1, Value: "x"}),
		Entry("count", ".k", world.Count(), world.Answer{Matches: 2}),
		Entry("count of nothing", "#nope", world.Count(), world.Answer{}),
		Entry("box", "#box", world.BoxOf(), world.Answer{Matches: 1, Box: &world.Box{X: 10, Y: 200, Width: 30, Height: 40}}),
		Entry("styles", "#h", world.Styles("color"), world.Answer{Matches: 1, Styles: map[string]string{"color": "rgb(1, 2, 3)"}}),
		Entry("visible", "#h", world.Is(world.Visible), world.Answer{Matches: 1, True: true}),
		Entry("not visible", "#none", world.Is(world.Visible), world.Answer{Matches: 1}),
		Entry("hidden when missing", "#nope", world.Is(world.Hidden), world.Answer{Reason: world.Missing, True: true}),
		Entry("enabled", "#u", world.Is(world.Enabled), world.Answer{Matches: 1}),
		Entry("a button in an aria-disabled box", "#ad", world.Is(world.IsDisabled), world.Answer{Matches: 1, True: true}),
		Entry("a paragraph in an aria-disabled box", "#pd", world.Is(world.IsDisabled), world.Answer{Matches: 1}),
		Entry("checked", "#c", world.Is(world.Checked), world.Answer{Matches: 1, True: true}),
		Entry("aria-checked", "#a", world.Is(world.Checked), world.Answer{Matches: 1, True: true}),
		Entry("no checkbox", "#h", world.Is(world.Checked), world.Answer{Reason: world.NotThis}),
		Entry("editable", "#f", world.Is(world.Editable), world.Answer{Matches: 1}),
		Entry("focused", "#u", world.Is(world.Focused), world.Answer{Matches: 1}),
	)
})

var _ = Describe("the page", Label("browser"), func() {
	It("is read through the world", func(ctx SpecContext) {
		t := open("<title>T</title><p>text")
		for _, c := range []struct {
			op   world.Op
			want string
		}{{world.PageTitle(), "T"}, {world.PageURL(), t.page.URL()}, {world.PageState(), "complete"}, {world.PageText(), "text"}} {
			a, err := t.Do(ctx, world.Query{}, c.op)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Value).To(Equal(c.want))
		}
		a := later(ctx, t, world.Query{}, world.PageTitle(), world.Until{Compare: "equals", Want: "T"}, patience)
		Expect(a.Met).To(BeTrue())
	})

	It("scrolls, and an element in it", func(ctx SpecContext) {
		t := open(`<div id=s style="height:100px;overflow:auto"><p style="height:900px">x</p><b>y</b></div><p style="height:9000px">z</p><i id=end>end</i>`)
		a, err := t.Do(ctx, q("#s"), world.ScrollBy(0, 50))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Value).To(Equal("0 50"))
		a, err = t.Do(ctx, world.Query{}, world.ScrollBy(0, 70))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Value).To(Equal("0 70"))
		a, err = t.Do(ctx, q("#end"), world.ScrollIntoView())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Reason).To(Equal(world.OK))
		box, err := t.Do(ctx, q("#end"), world.BoxOf())
		Expect(err).NotTo(HaveOccurred())
		Expect(box.Box.Y).To(BeNumerically("<", 720))
	})
})

// later runs an op with a deadline.
func later(ctx SpecContext, t *tab, query world.Query, op world.Op, u world.Until, d time.Duration) world.Answer {
	GinkgoHelper()
	c, stop := context.WithTimeout(ctx, d)
	defer stop()
	a, err := t.Wait(c, query, op, u)
	Expect(err).NotTo(HaveOccurred())
	return a
}

var _ = Describe("waiting", Label("browser"), func() {
	const growing = `<p id=n>0</p><div id=w></div><script>let i = 0; const id = setInterval(() => { n.textContent = ++i; if (i == 3) { clearInterval(id); w.innerHTML = '<button class=b disabled>x</button>'; setTimeout(() => w.firstChild.disabled = false, 80) } }, 60)</script>`

	It("waits inside the page, in one call, and tells what it saw", func(ctx SpecContext) {
		t := open(`<p id=n>0</p><script>let i = 0; const more = () => { n.textContent = ++i; if (i < 3) setTimeout(more, 250) }; setTimeout(more, 1000)</script>`)
		a := later(ctx, t, q("#n"), world.Text(), world.Until{Compare: "equals", Want: " 3 "}, patience)
		Expect(a.Met).To(BeTrue())
		Expect(a.Value).To(Equal("3"))
		Expect(t.calls.Load()).To(BeEquivalentTo(1))
		var values []string
		for _, s := range a.Seen {
			values = append(values, s.Value)
		}
		Expect(values).To(HaveExactElements("=0", "=1", "=2", "=3"))
	})

	It("ends at the deadline with what was there last", func(ctx SpecContext) {
		t := open(growing)
		begin := time.Now()
		a := later(ctx, t, q("#n"), world.Text(), world.Until{Compare: "contains", Want: "nine"}, 2*time.Second)
		Expect(time.Since(begin)).To(And(BeNumerically(">", 1900*time.Millisecond), BeNumerically("<", 20*time.Second)))
		Expect(a.Met).To(BeFalse())
		Expect(a.Value).To(Equal("3"))
	})

	It("returns each change for a caller who judges himself", func(ctx SpecContext) {
		t := open(growing)
		a := later(ctx, t, q("#n"), world.Text(), world.Until{Compare: "changed"}, patience)
		Expect(a.Met).To(BeTrue())
		for a.Value != "3" {
			a = later(ctx, t, q("#n"), world.Text(), world.Until{Compare: "changed", Want: a.Key(world.Text())}, patience)
			Expect(a.Met).To(BeTrue())
		}
	})

	DescribeTable("knows counts, states and negations", func(ctx SpecContext, sel string, op world.Op, u world.Until, want bool) {
		t := open(growing)
		limit := 500*time.Millisecond + 2*time.Duration(u.Hold)*time.Millisecond
		if want {
			limit = patience
		}
		own := later(ctx, t, q(sel), op, u, limit)
		Expect(own.Met).To(Equal(want), "%+v", own)
		via := later(ctx, t, t.via(t.page.Locator(sel)), op, u, limit)
		Expect(via.Met).To(Equal(want), "%+v", via)
	},
		Entry("count", ".b", world.Count(), world.Until{Compare: "count", Want: "== 1"}, true),
		Entry("count of none", ".nope", world.Count(), world.Until{Compare: "count", Want: "0"}, true),
		Entry("count, never", ".b", world.Count(), world.Until{Compare: "count", Want: "> 1"}, false),
		Entry("enabled", ".b", world.Is(world.Enabled), world.Until{Compare: "true"}, true),
		Entry("not enabled when missing", ".nope", world.Is(world.Enabled), world.Until{Compare: "true", Not: true}, false),
		Entry("hidden when missing", ".nope", world.Is(world.Hidden), world.Until{Compare: "true"}, true),
		Entry("not equal", "#n", world.Text(), world.Until{Compare: "equals", Want: "3", Not: true, Hold: 1500}, false),
		Entry("holds", "#n", world.Text(), world.Until{Compare: "contains", Want: "3", Hold: 100}, true),
		Entry("is there", ".b", world.Text(), world.Until{}, true),
	)

	It("goes on in the next document", func(ctx SpecContext) {
		t := open(`<p id=n>0</p><script>setTimeout(() => location.href = '/two', 150)</script>`)
		a := later(ctx, t, q("h1"), world.Text(), world.Until{Compare: "equals", Want: "two"}, patience)
		Expect(a.Met).To(BeTrue())
	})

	It("fills and clicks what is not ready yet", func(ctx SpecContext) {
		t := open(`<div id=w></div><script>setTimeout(() => w.innerHTML = '<input id=u disabled>', 100); setTimeout(() => u.disabled = false, 200)</script>`)
		a := later(ctx, t, q("#u"), world.Fill("x"), world.Until{}, patience)
		Expect(a.Reason).To(Equal(world.OK))
		Expect(a.Value).To(Equal("x"))
		Expect(t.calls.Load()).To(BeEquivalentTo(1))
	})

	It("works in a document that was there before the world", func(ctx SpecContext) {
		t := fresh("", playwright.BrowserNewContextOptions{})
		a, err := t.Do(ctx, q("body"), world.Count())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Matches).To(Equal(1))
		t.goTo(growing)
		t.World.Close()
		t.attach()
		a, err = t.Do(ctx, q("#n"), world.Is(world.Visible))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.True).To(BeTrue())
	})

	It("ends when the world is closed", func(ctx SpecContext) {
		t := fresh("", playwright.BrowserNewContextOptions{})
		t.World.Close()
		_, err := t.Do(ctx, q("#n"), world.Text())
		Expect(err).To(MatchError(world.ErrClosed))
	})
})
