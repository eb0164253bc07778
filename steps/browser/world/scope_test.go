package world_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

// inside compiles a target in scopes; "" is the innermost scope itself, and "frame:" before a scope makes it a frame.
func inside(src string, scopes ...string) world.Query {
	GinkgoHelper()
	var in []world.Level
	for _, s := range scopes {
		l := world.Level{}
		if len(s) > 6 && s[:6] == "frame:" {
			s, l.Frame = s[6:], true
		}
		l.Target = parse(s)
		in = append(in, l)
	}
	var t target.Target
	if src != "" {
		t = parse(src)
	}
	query, ok := world.CompileIn(t, nil, in)
	Expect(ok).To(BeTrue())
	return query
}

var _ = Describe("Scopes", Label("browser"), func() {
	const cards = `<ul><li id=a>Tea <b>1</b></li><li id=b>Mug <b>2</b><b hidden>3</b></li><li id=c hidden>Tea <b>4</b></li></ul>
		<iframe id=f srcdoc="<p>in <b>5</b></p>"></iframe>`

	It("hold a target in one call, each with the one match that is visible", func(ctx SpecContext) {
		t := open(cards)
		a, err := t.Do(ctx, inside("b", "ul", `li:has-text("Tea")`), world.Text())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Value).To(Equal("1"))
		a, err = t.Do(ctx, inside("", "#b"), world.Text())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Value).To(Equal("Mug 2"))
		a, err = t.Do(ctx, inside("b", "#b"), world.Count())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Matches).To(Equal(2))
		Expect(t.calls.Load()).To(Equal(int32(3)))
	})

	It("go into frames once they are parsed", func(ctx SpecContext) {
		t := open(cards)
		a, err := t.Wait(ctx, inside("b", "frame:#f", "p"), world.Text(), world.Until{Compare: "equals", Want: "5"})
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Met).To(BeTrue())
	})

	It("that are not there say so, whatever the op, and meet nothing", func(ctx SpecContext) {
		t := open(cards)
		for _, op := range []world.Op{world.Text(), world.Count(), world.Is(world.Hidden), world.Fill("x"), world.Describe()} {
			a, err := t.Do(ctx, inside("b", "ul", "#nope"), op)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Outside()).To(BeTrue(), op.Name)
			Expect(a.Reason).To(Equal(world.NoScope))
			Expect(a.Index).To(Equal(1))
			a, err = t.Do(ctx, inside("b", "li"), op)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Reason).To(Equal(world.ManyScopes))
			Expect(a.List).To(HaveLen(3))
		}
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		a, err := t.Wait(short, inside("b", "#nope"), world.Count(), world.Until{Compare: "count", Want: "!= 7"})
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Met).To(BeFalse())
	})

	It("are waited for", func(ctx SpecContext) {
		t := open(`<div id=r></div><script>setTimeout(() => r.innerHTML = '<p id=p><b>now</b></p>', 150)</script>`)
		a, err := t.Wait(ctx, inside("i", "#p"), world.Is(world.Visible), world.Until{Compare: "scope"})
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Met).To(BeTrue())
		Expect(a.True).To(BeFalse())
	})
})

var _ = Describe("Overlays", Label("browser"), func() {
	const page = `<button id=b disabled onclick="L('b')">x</button><div id=ov style="display:none;position:fixed;inset:0">over</div>
		<script>setTimeout(() => ov.style.display = 'block', 150)</script>`

	It("end an op that waits as soon as one is visible", func(ctx SpecContext) {
		t := open(page)
		c, err := t.Click(ctx, q("#b").Under([]world.Query{q("#never"), q("#ov")}), world.ClickOptions{Wait: patience})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.NotSent))
		Expect(c.Answer.Reason).To(Equal(world.Overlay))
		Expect(c.Answer.Index).To(Equal(1))
		Expect(c.Fallback()).To(BeFalse())
		i, lies := t.Lying(ctx, q("#b").Under([]world.Query{q("#ov")}))
		Expect(lies).To(BeTrue())
		Expect(i).To(Equal(0))
		Expect(t.log()).To(BeEmpty())
	})

	It("end one through the driver's engines too", func(ctx SpecContext) {
		t := open(page)
		a, err := t.Wait(ctx, t.via(t.page.Locator("#b")).Under([]world.Query{q("#ov")}), world.Point(), world.Until{})
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Reason).To(Equal(world.Overlay))
	})

	It("are nothing to an op that is possible", func(ctx SpecContext) {
		t := open(`<button id=b onclick="L('b')">x</button><div id=ov>over</div>`)
		c, err := t.Click(ctx, q("#b").Under([]world.Query{q("#ov")}), world.ClickOptions{Wait: patience})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Verdict).To(Equal(world.Hit))
		Expect(t.calls.Load()).To(Equal(int32(2)))
	})
})
