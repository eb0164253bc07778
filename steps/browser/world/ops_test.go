package world_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/world"
)

// shadowed is a page with two open shadow roots, one in the other.
const shadowed = `<x-card id=one><b slot=s>slotted</b></x-card><p class=k>light</p><script>
customElements.define('x-card', class extends HTMLElement { constructor() { super();
  this.attachShadow({mode:'open'}).innerHTML = '<div class=in><slot name=s></slot><p class=k>dark</p><x-leaf></x-leaf></div>' } });
customElements.define('x-leaf', class extends HTMLElement { constructor() { super();
  this.attachShadow({mode:'open'}).innerHTML = '<button class=deep>leaf</button>' } });
</script>`

const lists = `<ul id=a><li>Teapot <button>Buy</button></li><li class=sold>Cup <button>Buy</button></li></ul>
<ul id=b><li>Teapot <button hidden>Buy</button><label for=n>Number of cups</label><input id=n placeholder="How many" title=Amount data-testid=amount></li></ul>
<img alt="A teapot" id=pic>`

var _ = Describe("finding", Label("browser"), func() {
	DescribeTable("lists what a target matches, as the driver would", func(ctx SpecContext, html, src, driver string, n int) {
		t := open(html)
		a, err := t.Do(ctx, q(src), world.Describe())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Matches).To(Equal(n), "%v", a)
		l := t.page.Locator(driver)
		Expect(l.Count()).To(Equal(n))
		if n == 0 {
			return
		}
		first, err := l.First().Evaluate("e => e.outerHTML", nil)
		Expect(err).NotTo(HaveOccurred())
		own, err := t.Do(ctx, q(src), world.HTML(true))
		Expect(err).NotTo(HaveOccurred())
		Expect(own.Value).To(Equal(first))
	},
		Entry("css", lists, "#a li button", "#a li button", 2),
		Entry("css list", lists, "#n, #a", "#n, #a", 2),
		Entry("css, nothing", lists, "#a > button", "#a > button", 0),
		Entry("css pierces open shadow roots", shadowed, ".k", ".k", 2),
		Entry("css combinators cross shadow roots", shadowed, "#one .in button.deep", "#one .in button.deep", 1),
		Entry("child of a shadow host", shadowed, "x-leaf > button", "x-leaf > button", 1),
		Entry("sibling in a shadow root", shadowed, "p.k + x-leaf", "p.k + x-leaf", 1),
		Entry("later sibling", shadowed, "slot ~ x-leaf", "slot ~ x-leaf", 1),
		Entry("is() and not() with commas", shadowed, ":is(p, b):not([slot='s,'])", ":is(p, b):not([slot='s,'])", 3),
		Entry("brackets in attribute values", lists, `[alt="A teapot"]:not([id='>>'])`, `[alt="A teapot"]:not([id='>>'])`, 1),
		Entry("xpath", lists, "xpath=//li[contains(., 'Cup')]/button", "xpath=//li[contains(., 'Cup')]/button", 1),
		Entry("xpath inside", lists, "#b >> xpath=//li", "#b >> xpath=//li", 1),
		Entry("inside", lists, "#a >> button", "#a >> button", 2),
		Entry("nth", lists, "#a >> button >> nth=1", "#a >> button >> nth=1", 1),
		Entry("nth from the end", lists, "li >> nth=-1 >> input", "li >> nth=-1 >> input", 1),
		Entry("nth beyond", lists, "li >> nth=7", "li >> nth=7", 0),
		Entry("has-text", lists, `li:has-text("teapot")`, `li:has-text("teapot")`, 2),
		Entry("has-text and a compound", lists, `#a li:has-text("cup").sold > button`, `#a li:has-text("cup").sold > button`, 1),
		Entry("visible", lists, "#b button:visible", "#b button:visible", 0),
		Entry("scope in front of a child", lists, "#a >> > li", "#a >> > li", 2),
		Entry("the scope is no ancestor", lists, "#a >> ul button", "#a >> ul button", 0),
		Entry("nor is what lies beyond", lists, "#a li >> ul button", "#a li >> ul button", 0),
		Entry("unless it is named", lists, "#a >> :scope > li", "#a >> :scope > li", 2),
		Entry("label", lists, "label=number OF cups", `internal:label="number OF cups"i`, 1),
		Entry("label, exact", lists, `label="number of cups"`, `internal:label="number of cups"s`, 0),
		Entry("text", lists, "text=teapot", `internal:text="teapot"i`, 2),
		Entry("text in a shadow root", shadowed, "text=dark", `internal:text="dark"i`, 1),
		Entry("text, exact", lists, `text="Number of cups"`, `internal:text="Number of cups"s`, 1),
		Entry("placeholder", lists, "placeholder=how", `internal:attr=[placeholder="how"i]`, 1),
		Entry("title", lists, "title=amount", `internal:attr=[title="amount"i]`, 1),
		Entry("alt", lists, "alt=teapot", `internal:attr=[alt="teapot"i]`, 1),
		Entry("testid", lists, "testid=amount", `[data-testid=amount]`, 1),
		Entry("testid is exact", lists, "testid=amou", `[data-testid=amou]`, 0),
	)

	It("refuses a selector that no browser takes", func(ctx SpecContext) {
		t := open(shadowed)
		a, err := t.Do(ctx, q("p:nope(2)"), world.Text())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Reason).To(Equal(world.BadTarget))
		Expect(a.Detail).To(ContainSubstring("nope"))
	})

	It("looks into frames of the same origin", func(ctx SpecContext) {
		t := open(`<iframe id=f srcdoc="<iframe id=g srcdoc='<p id=x>inner</p>'></iframe>"></iframe>`)
		c, stop := context.WithTimeout(ctx, patience)
		defer stop()
		a, err := t.Wait(c, q("#x", "#f", "#g"), world.Text(), world.Until{})
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Value).To(Equal("inner"))
	})

	It("hands frames of other origins over", func(ctx SpecContext) {
		host := strings.Replace(start().server.URL, "127.0.0.1", "localhost", 1)
		t := open(`<iframe id=f src="` + host + `/inner"></iframe>`)
		Expect(t.page.FrameLocator("#f").Locator("#b").WaitFor()).To(Succeed())
		a, err := t.Do(ctx, q("#b", "#f"), world.Text())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Reason).To(Equal(world.InFrame))
		c, err := t.Click(ctx, t.via(t.page.FrameLocator("#f").Locator("#b")), world.ClickOptions{})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Fallback()).To(BeTrue(), "%+v", c)
	})
})

const form = `<form><label for=u>User</label><input id=u value=old><input id=p type=password><textarea id=t>one</textarea>
<input id=d type=date><input id=c type=color><input id=r type=range><input id=n type=number><input id=x type=checkbox>
<input id=ro readonly><fieldset disabled><input id=dis></fieldset><div id=ed contenteditable>hey <b>you</b></div>
<select id=s><option value=1>One<option value=2>Two  words<option disabled>Off</select><select id=m multiple><option>a<option>b<option>c</select>
<p id=plain>text</p><input id=hid style="display:none"><input id=thief onfocus="document.querySelector('#u').focus()"></form>
<script>for (const t of ['beforeinput','input','change']) addEventListener(t, e => L(e.target.id + ':' + t), true)</script>`

var _ = Describe("changing", Label("browser"), func() {
	DescribeTable("fills with the events of the driver", func(ctx SpecContext, sel, text, held, field string) {
		t := open(form)
		Expect(t.page.Fill(sel, text)).To(Succeed())
		log := t.log()
		Expect(log).To(ContainSubstring(":input"))
		t.goTo(form)
		a, err := t.Do(ctx, q(sel), world.Fill(text))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Reason).To(Equal(world.OK), "%v", a)
		Expect(a.Value).To(Equal(held))
		Expect(a.Field).To(Equal(field))
		Expect(t.calls.Load()).To(BeNumerically("<=", 2))
		Expect(t.log()).To(Equal(log))
	},
		Entry("text", "#u", "ada", "ada", "text"),
		Entry("empty", "#u", "", "", "text"),
		Entry("by its label", "label[for=u]", "ada", "ada", "text"),
		Entry("password", "#p", "sec ret\"'<", "sec ret\"'<", "password"),
		Entry("textarea", "#t", "a\nb", "a\nb", "textarea"),
		Entry("number", "#n", " 1.5 ", "1.5", "number"),
		Entry("date", "#d", "2026-02-03", "2026-02-03", "date"),
		Entry("colour", "#c", "#FF0000", "#ff0000", "color"),
		Entry("range", "#r", "20", "20", "range"),
		Entry("contenteditable", "#ed", "new", "new", "contenteditable"),
	)

	DescribeTable("says why it does not", func(ctx SpecContext, sel string, op world.Op, want world.Reason, detail string) {
		t := open(form)
		a, err := t.Do(ctx, q(sel), op)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Reason).To(Equal(want), "%v", a)
		Expect(a.Detail + strings.Join(a.List, ", ")).To(ContainSubstring(detail))
		Expect(t.log()).To(BeEmpty())
	},
		Entry("missing", "#nope", world.Fill("x"), world.Missing, ""),
		Entry("several", "input[type=checkbox], #u", world.Fill("x"), world.Multiple, "input#u"),
		Entry("not visible", "#hid", world.Fill("x"), world.Invisible, "input#hid"),
		Entry("disabled", "#dis", world.Fill("x"), world.Disabled, ""),
		Entry("readonly", "#ro", world.Fill("x"), world.ReadOnly, ""),
		Entry("no field", "#plain", world.Fill("x"), world.NotThis, `p#plain "text"`),
		Entry("a checkbox", "#x", world.Fill("x"), world.NotThis, "checkbox"),
		Entry("no number", "#n", world.Fill("many"), world.Malformed, "many"),
		Entry("no date", "#d", world.Fill("3.2.2026"), world.Malformed, "date"),
		Entry("focus goes elsewhere", "#thief", world.Fill("x"), world.Unfocused, "input#u"),
		Entry("no such option", "#s", world.Select("Three"), world.NoOption, "Two words = 2"),
		Entry("disabled option", "#s", world.Select("Off"), world.Disabled, "Off"),
		Entry("no select", "#u", world.Select("1"), world.NotThis, "input#u"),
	)

	DescribeTable("selects options", func(ctx SpecContext, sel string, values []string, want ...string) {
		t := open(form)
		a, err := t.Do(ctx, q(sel), world.Select(values...))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Values).To(Equal(want))
		Expect(t.log()).To(MatchRegexp("^.:input .:change$"))
	},
		Entry("by value", "#s", []string{"2"}, "2"),
		Entry("by label", "#s", []string{"Two words"}, "2"),
		Entry("several", "#m", []string{"c", "a"}, "a", "c"),
	)

	It("lets an editor that prevents beforeinput do the insertion", func(ctx SpecContext) {
		t := open(`<input id=u><script>u.addEventListener('beforeinput', e => { e.preventDefault(); u.value = '<' + e.data + '>' })</script>`)
		a, err := t.Do(ctx, q("#u"), world.Fill("x"))
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Value).To(Equal("<x>"))
	})

	It("focuses, and sends change when the field is left", func(ctx SpecContext) {
		t := open(form)
		for _, op := range []struct {
			sel string
			op  world.Op
		}{{"#u", world.Fill("x")}, {"#p", world.Focus()}} {
			a, err := t.Do(ctx, q(op.sel), op.op)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Reason).To(Equal(world.OK))
		}
		Expect(t.log()).To(Equal("u:beforeinput u:input u:change"))
	})
})
