package world_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/world"
)

// accessible are pages whose roles and names the world must read as the driver does, or leave to it.
var accessible = map[string]string{
	"buttons": `<button>Sign <b>in</b></button><button aria-label="Close dialog">x</button><input type=submit><input type=reset value=" ">
<input type=button value="Sign me"><input type=image alt="Go"><input type=file><button><img alt="Save" src=x> all</button><div role=button>Sign div</div>
<span role="foo button">odd</span><a role=button href=x>Sign a</a><button hidden>Sign hidden</button><button title=Tip></button><button aria-hidden=true>Sign no</button>
<div aria-hidden=true><button>Sign in hidden</button></div><button style="visibility:hidden">Sign v</button><button><span style="display:none">none</span>Sign s</button>
<button><svg><title>Icon</title><path d=""/></svg></button><button><svg><text>S</text></svg>Sign svg</button><summary>Sum</summary><details><summary>Sign more</summary><button>Sign closed</button></details>
<button aria-labelledby="l1 l2">over</button><i id=l1>First</i><i id=l2 hidden>Second</i><button>two
   lines&nbsp;here</button><button><div>a</div><div>b</div></button><button>a<br>b</button><label>Lab <button>Inner</button></label>`,
	"links and headings": `<a href=x>Read  more</a><a>not a link</a><area href=y alt=Area><h1>Title <small>small</small></h1><h2><a href=z>In heading</a></h2><h3 aria-label=Over>Under</h3>
<div role=heading aria-level=2>Div heading</div><h4 hidden>gone</h4><a href=x><h5>block</h5>link</a><a href=i><img alt=""><img title=Tt alt="">pic</a>`,
	"fields": `<label for=u>User name</label><input id=u><label>Password <input type=password id=p></label><input placeholder="Your mail" type=email><input placeholder=pp title=tt>
<textarea aria-label=Notes></textarea><input type=search aria-labelledby=sl><b id=sl>Find <i>it</i></b><input type=number title=Amount><input type=range aria-label=Loud>
<label><input type=checkbox> I agree to <a href=t>terms</a></label><input type=checkbox id=c2><label for=c2>Second <input value=val></label><label><input type=radio name=r>One</label>
<select aria-label=Colour><option>Red<option selected>Blue</select><select multiple title=Many><option>x<option>y</select><input list=dl aria-label=Combo><datalist id=dl><option>q</datalist>
<input type=hidden><input type=date aria-label=Day><input type=color aria-label=Hue><label for=s2>Size <select id=s2><option>Small<option>Big</select> now</label><fieldset><legend>Group <b>it</b></legend><input disabled aria-label=Off></fieldset>
<div contenteditable role=textbox aria-label=Rich>text</div><div role=checkbox aria-checked=true>Fake box</div><label for=d1>Two</label><label for=d1>labels</label><input id=d1><div role=switch>Sw</div>`,
	"structure": `<ul><li>one <b>bold</b><li>two</ul><ol><li>three</ol><nav aria-label=Main><a href=x>Home</a></nav><main><header>h</header><article><footer>f</footer></article></main><footer>site</footer>
<section aria-label=Sec>s</section><section>plain</section><form aria-label=Frm></form><table><caption>Cap</caption><tr><td>cell <b>1</b><td>2<tr><th>h<td><button>Cell button</button></table>
<img alt=Logo src=x><img alt="" src=y><img src=z><svg><title>Graph</title></svg><dialog open aria-label=Dlg>d</dialog><div role=alert>Careful</div><div role=tablist><div role=tab>Tab one</div><div role=tab aria-label=Tab2></div></div>
<div role=menu><div role=menuitem>Cut<span>Ctrl+X</span></div></div><p>para</p><hr><progress value=.5 title=Pg></progress><meter aria-label=Mt></meter><output title=Out>o</output><figure><figcaption>Fig</figcaption></figure><aside>as</aside>
<blockquote>q</blockquote><strong>s</strong><em>e</em><code>c</code><div role="none">n</div><div role=dialog aria-labelledby=dt><h2 id=dt>Dialog title</h2></div><tr role=row><td>x</td></tr><div role=row><span>a</span> <span role=cell>b</span></div>`,
	"generated": `<style>.b::before{content:"Pre "}.a::after{content:"Post";display:block}.n::before{content:"no";display:none}.i::before{content:"\e900"}</style>
<button class=b>one</button><button class=a>two</button><button class=n>three</button><a href=x class="b a">four</a><button class=i></button>`,
	"left to the driver": `<style>.u::before{content:url(data:,) "x"}</style><button class=u>one</button><ul role=none><li>x</ul><button role=none>three</button><button aria-owns=o>four</button><i id=o>five</i>`,
	"shadow":             shadowed + `<x-b>Slotted name</x-b><script>customElements.define('x-b', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<button>Press <slot></slot>!</button><p>x</p>' } })</script><div style="display:contents"><button>Contents</button></div>`,
}

var roleNames = strings.Fields(`button link heading textbox searchbox checkbox radio combobox listbox option spinbutton slider img list listitem table row cell
rowgroup navigation main banner contentinfo region form article dialog alert tab tablist menu menuitem paragraph separator progressbar meter status figure
complementary blockquote strong emphasis code group switch presentation none term definition document`)

// ask lists what the driver finds, by index among all elements, and what it would call them.
const named = `(es) => es.map(e => { const all = [], walk = r => { for (const x of r.querySelectorAll('*')) { all.push(x); if (x.shadowRoot) walk(x.shadowRoot) } }; walk(document); return all.indexOf(e) + ':' + e.outerHTML.slice(0, 60) }).join('\n')`

var _ = Describe("roles", Label("browser"), func() {
	entries := []any{func(ctx SpecContext, page string) {
		t := open(accessible[page])
		names := []string{"", "sign", "in", "one", "x", "post", "sub", "e", "title", "labels", "small", "press slotted name!", "first second"}
		compared, left := 0, 0
		for _, role := range roleNames {
			for _, name := range names {
				src, driver := "role="+role, "internal:role="+role
				if name != "" {
					src, driver = src+" "+name, fmt.Sprintf("%s[name=%q%s]", driver, name, "i")
				}
				a, err := t.Do(ctx, q(src), world.Describe())
				Expect(err).NotTo(HaveOccurred())
				if a.Reason == world.InFrame {
					left++
					continue
				}
				Expect(a.Reason).To(Equal(world.OK), "%s: %v", src, a)
				n, err := t.page.Locator(driver).Count()
				Expect(err).NotTo(HaveOccurred())
				what, err := t.page.Locator(driver).EvaluateAll(named, nil)
				Expect(err).NotTo(HaveOccurred())
				Expect(a.Matches).To(Equal(n), "%s: own %v, driver %v", src, a.List, what)
				compared++
				if n == 0 && name == "" {
					break
				}
				for i := range min(n, 2) {
					own, err := t.Do(ctx, q(fmt.Sprintf("%s >> nth=%d", src, i)), world.HTML(true))
					Expect(err).NotTo(HaveOccurred())
					Expect(what).To(ContainSubstring(":"+own.Value[:min(20, len(own.Value))]), src)
				}
			}
		}
		if page == "left to the driver" {
			Expect(left).To(BeNumerically(">", 0))
			return
		}
		Expect(left).To(BeZero())
		Expect(compared).To(BeNumerically(">", len(roleNames)-1))
	}}
	for page := range accessible {
		entries = append(entries, Entry(page, page))
	}
	DescribeTable("are those of the driver, or left to it", entries...)
})
