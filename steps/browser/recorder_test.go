package browser_test

import (
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("names that last", Label("browser"), func() {
	It("prefers role and name, then label, test id and CSS, and fits one element", func(ctx SpecContext) {
		t := at(ctx, "/")
		namer := t.Session.(steps.Namer)
		t.ok(ctx, "eval", `document.body.innerHTML = '`+strings.ReplaceAll(`<button class=a>Buy</button><button class=b>Buy now</button><button class=c>Sell</button>
<label>Word <input class=d type=password></label><p class=e data-testid=box>x</p><div id=f123><i class=f>y</i></div>
<ul><li><button class=g>Take</button><li>Two <b>of it</b><button class=h>Take</button></ul><button class=i>say "hi" >> now</button>
<section aria-label=Left><a class=j href=/x>Go</a></section><section aria-label=Right><a class=k href=/x>Go</a></section>
<button class=l style="display:none">Sell</button><select class=m id=kind><option>1</select>`, "\n", "")+"'")
		for class, want := range map[string]string{
			"a": `role=button "Buy"`, "b": "role=button Buy now", "c": "role=button Sell", "d": "role=textbox Word", "e": "testid=box",
			"f": "body > div > i", "g": "body > ul > li:nth-of-type(1) > button", "h": `li:has-text("of it") >> role=button Take`,
			"i": `role=button "say \"hi\" >> now"`, "j": `role=region "Left" >> role=link Go`, "k": `role=region "Right" >> role=link Go`, "m": "#kind",
		} {
			got, err := namer.Lasting(ctx, "."+class)
			Expect(err).NotTo(HaveOccurred(), class)
			Expect(got).To(Equal(want), class)
			Expect(t.ok(ctx, "get", "attr", got, "class").Value).To(Equal(class))
		}
		_, err := namer.Lasting(ctx, "role=")
		Expect(err).To(MatchError(ContainSubstring("names no role")))
		_, err = namer.Lasting(ctx, "@f1e2")
		Expect(err).To(MatchError(ContainSubstring("in a frame")))
	}, SpecTimeout(60*time.Second))
})

var _ = Describe("a recording", Label("browser"), func() {
	It("tells what a person does, not what the page does, and the page does not see it", func(ctx SpecContext) {
		t := at(ctx, "/")
		var mu sync.Mutex
		var got []steps.Deed
		deeds := func() []string {
			mu.Lock()
			defer mu.Unlock()
			var out []string
			for _, d := range got {
				if d.Kind != "seen" {
					out = append(out, strings.Join(append([]string{d.Kind + " " + d.Target + d.URL}, d.Frames...), " in "))
				}
			}
			return out
		}
		Expect(t.Session.(steps.Watcher).Record(ctx, func(d steps.Deed) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, d)
		})).To(Succeed())
		t.ok(ctx, "eval", "document.querySelector('button').click()")
		t.ok(ctx, "click", "role=button Press me")
		Eventually(deeds).Should(Equal([]string{"click role=button Press me"}))
		Expect(t.ok(ctx, "eval", "Object.getOwnPropertyNames(window).filter(n => n.includes('crrec')).length + typeof window.__crrecord").Value).To(Equal("0undefined"))
		t.ok(ctx, "open", "/frames")
		Eventually(deeds).Should(ContainElement("url " + srv.URL + "/frames"))
		t.ok(ctx, "frame", "#f")
		t.ok(ctx, "click", "#ib")
		Eventually(deeds).Should(ContainElement("click role=button Inner button in #f"))
		t.ok(ctx, "frame", "main")
		t.ok(ctx, "frame", "#x")
		t.ok(ctx, "click", "#ib")
		Eventually(deeds).Should(ContainElement("frame "), "a frame of another site")
		t.Close()
		Eventually(deeds).Should(ContainElement("end "))
	}, SpecTimeout(60*time.Second))
})
