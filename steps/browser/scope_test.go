package browser_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/target"
)

// The pages of these specs join the others.
var _ = func() bool {
	bodies["/cards"] = `<h1>Cards</h1><ul><li class=card id=tea>Teapot <input aria-label=Quantity class=q value=1>
		<button onclick="log('tea')">Add</button><span class=note>in stock</span></li>
		<li class=card id=mug>Mug <input aria-label=Quantity class=q value=1><button onclick="log('mug')">Add</button>
		<span class=note>sold out</span></li><li class=card hidden>Teapot <button>Add</button></li></ul>
		<section id=x-late></section><button onclick="log('page')">Add</button>
		<pre id=log></pre><script>function log(s){document.getElementById('log').textContent+=s+' '}
		const later=()=>setTimeout(()=>{document.getElementById('x-late').innerHTML='<div class=box><p class=p>Here</p><button onclick="this.parentNode.outerHTML=\'<div class=box><p class=p>Again</p></div>\'">Turn</button></div>'},250)</script>`
	bodies["/framed"] = `<h1>Outer</h1><div id=left><iframe src=/inner></iframe></div>
		<div id=right><iframe src="http://localhost:PORT/inner"></iframe></div><input id=in>`
	bodies["/banner"] = `<input id=name><button id=go onclick="log('go')">Go</button><div id=row>row</div><input type=checkbox id=ok aria-label=Ok>
		<div id=ban style="display:none;position:fixed;inset:0;background:#ccc"><button id=no onclick="ban.style.display='none';log('no')">No</button></div>
		<pre id=log></pre><script>function log(s){document.getElementById('log').textContent+=s+' '}
		const q=new URLSearchParams(location.search);if(q.has('now'))ban.style.display='block';
		if(q.has('late')){go.disabled=true;setTimeout(()=>ban.style.display='block',200)}
		if(q.has('move'))addEventListener('mousemove',()=>{if(!log.done){log.done=1;ban.style.display='block'}})</script>`
	bodies["/slowframe"] = `<h1>Slow</h1><script>addEventListener('load',()=>{const f=document.createElement('iframe');
		f.src=(location.search.includes('other')?'http://localhost:PORT':'')+'/scripted';document.body.append(f)})</script>`
	bodies["/scripted"] = `<button id=go>Go</button><p id=said></p><script src=/slow.js></script>`
	bodies["/store"] = `<h1 id=who></h1><script>document.cookie='kept=yes; path=/';
		who.textContent=(localStorage.who||'nobody');</script>`
	return true
}()

// scopes parses targets as scopes; "frame:" before one makes it a frame.
func scopes(list ...string) []steps.ScopePart {
	GinkgoHelper()
	var out []steps.ScopePart
	for _, src := range list {
		p := steps.ScopePart{}
		if len(src) > 6 && src[:6] == "frame:" {
			src, p.Frame = src[6:], true
		}
		p.Target = targetOf(src)
		out = append(out, p)
	}
	return out
}

func targetOf(src string) target.Target {
	GinkgoHelper()
	var l diag.List
	t := target.Parse(src, diag.Pos{}, &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return t
}

// in executes a row inside scopes.
func (t *tester) in(ctx context.Context, in []steps.ScopePart, cells ...string) steps.Observation {
	GinkgoHelper()
	return t.Do(ctx, args(cells...), steps.RowOptions{Files: t.files, Dir: t.files.dir, Scope: in})
}

func (t *tester) okIn(ctx context.Context, in []steps.ScopePart, cells ...string) steps.Observation {
	GinkgoHelper()
	o := t.Do(ctx, args(cells...), steps.RowOptions{Files: t.files, Dir: t.files.dir, Scope: in, Timeout: patience})
	Expect(o.Success).To(BeTrue(), "%v: %s %s: %s", cells, o.Category, o.Sub, o.Error)
	return o
}

// readIn answers a page function inside scopes.
func (t *tester) readIn(ctx context.Context, in []steps.ScopePart, fn string, list ...any) (any, error) {
	return t.Session.(steps.ScopedReader).ReadIn(ctx, in, fn, list)
}

var _ = Describe("scopes", Label("browser"), func() {
	tea := func() []steps.ScopePart { return scopes(`li:has-text("Teapot")`) }

	It("holds for every kind of row, and for the one match that is visible", func(ctx SpecContext) {
		t := at(ctx, "/cards")
		t.okIn(ctx, tea(), "click", "role=button Add")
		t.okIn(ctx, tea(), "fill", "label=Quantity", "3")
		t.okIn(ctx, tea(), "expect", "value", ".q", "3")
		t.okIn(ctx, tea(), "expect", "count", "button", "1")
		t.okIn(ctx, tea(), "find", "role", "button", "click", "--name", "Add")
		t.okIn(ctx, tea(), "wait", "--text", "in stock")
		Expect(t.okIn(ctx, tea(), "get", "text", ".note").Value).To(Equal("in stock"))
		Expect(t.okIn(ctx, tea(), "get", "count", ".q").Value).To(Equal(1))
		Expect(t.okIn(ctx, tea(), "is", "visible", ".note").Value).To(BeTrue())
		Expect(t.okIn(ctx, tea(), "eval", "scope.id + ' ' + document.title").Value).To(Equal("tea Test"))
		Expect(t.okIn(ctx, tea(), "snapshot").Value).To(And(ContainSubstring("in stock"), Not(ContainSubstring("Mug"))))
		t.ok(ctx, "expect", "text", "#log", "tea tea")
		t.ok(ctx, "click", "button >> nth=-1") // the scope is left
		t.ok(ctx, "expect", "text", "#log", "tea tea page")
	})

	It("gives refs in a scope that rows can use", func(ctx SpecContext) {
		t := at(ctx, "/cards")
		ref := refOf(t.okIn(ctx, scopes("#mug"), "snapshot", "-i"), "button", "Add")
		t.ok(ctx, "click", ref)
		t.ok(ctx, "expect", "text", "#log", "mug")
	})

	It("nests, and answers page functions", func(ctx SpecContext) {
		t := at(ctx, "/cards")
		Expect(t.readIn(ctx, scopes("ul", "#mug"), "text", ".note")).To(Equal("sold out"))
		Expect(t.readIn(ctx, scopes("ul", "#mug"), "count", "button")).To(Equal(1))
		Expect(t.readIn(ctx, scopes("#mug"), "visible", "#tea")).To(BeFalse())
		Expect(t.readIn(ctx, scopes("#mug"), "js", "scope.className")).To(Equal("card"))
		Expect(t.Read(ctx, "count", []any{"button"})).To(Equal(4))
	})

	It("waits for the scope, also where the row itself does not wait", func(ctx SpecContext) {
		late := func() *tester { // the box comes 250 ms behind this
			t := at(ctx, "/cards")
			t.ok(ctx, "eval", "later()")
			return t
		}
		t := late()
		Expect(t.readIn(ctx, scopes(".box"), "text", ".p")).To(Equal("Here"))
		t = late()
		Expect(t.okIn(ctx, scopes(".box"), "is", "visible", ".p").Value).To(BeTrue())
		t = late()
		t.okIn(ctx, scopes(".box"), "expect", "hidden", ".nope")
		t = late()
		t.okIn(ctx, scopes(".box"), "click", "button")
		t.okIn(ctx, scopes(".box"), "expect", "text", ".p", "Again") // resolved anew
	})

	DescribeTable("fails when a scope is not one element", func(ctx SpecContext, in []string, c steps.Category, sub, part string, row ...string) {
		t := at(ctx, "/cards")
		start := time.Now()
		o := t.in(ctx, scopes(in...), row...)
		Expect(o.Success).To(BeFalse())
		Expect([]string{string(o.Category), o.Sub}).To(Equal([]string{string(c), sub}), o.Error)
		Expect(o.Error).To(ContainSubstring(part))
		Expect(o.Sent).To(Equal(steps.NotSent))
		Expect(o.Detail.Target).NotTo(BeNil())
		if c == steps.NotActionable {
			Expect(o.Detail.Target.List).To(HaveLen(3))
			Expect(o.Detail.Target.List[0]).To(ContainSubstring("tea"))
		}
		Expect(time.Since(start)).To(BeNumerically("<", 6*time.Second))
	},
		Entry("several, click", []string{".card"}, steps.NotActionable, "scope-ambiguous", `3 elements match the scope ".card"`, "click", "button"),
		Entry("several, expect", []string{".card"}, steps.NotActionable, "scope-ambiguous", "one is needed", "expect", "visible", "button"),
		Entry("several, an expect that would hold", []string{".card"}, steps.NotActionable, "scope-ambiguous", "one is needed", "expect", "count", ".x", "0"),
		Entry("several, get", []string{"ul", "li"}, steps.NotActionable, "scope-ambiguous", "one is needed", "get", "text", "button"),
		Entry("several, snapshot", []string{".card"}, steps.NotActionable, "scope-ambiguous", "one is needed", "snapshot"),
		Entry("missing, click", []string{"#nope"}, steps.NotFound, "scope-not-found", `nothing matches the scope "#nope": waited 700ms`, "click", "button"),
		Entry("missing, hidden is not met", []string{"#nope"}, steps.NotFound, "scope-not-found", "nothing matches", "expect", "hidden", "button"),
		Entry("missing, wait", []string{"#nope"}, steps.NotFound, "scope-not-found", "nothing matches", "wait", ".x", "--state", "hidden"),
		Entry("missing, wait for text", []string{"#nope"}, steps.NotFound, "scope-not-found", "nothing matches", "wait", "--text", "Teapot", "--timeout", "300"),
		Entry("missing, by role", []string{"role=list", "role=listitem Nope"}, steps.NotFound, "scope-not-found", "nothing matches", "get", "count", "button"),
		Entry("missing, eval", []string{"#nope"}, steps.NotFound, "scope-not-found", "nothing matches", "eval", "1"))

	It("says so in page functions too, instead of false", func(ctx SpecContext) {
		t := at(ctx, "/cards")
		_, err := t.readIn(ctx, scopes("#nope"), "exists", "button")
		Expect(err).To(MatchError(ContainSubstring(`nothing matches the scope "#nope"`)))
		_, err = t.readIn(ctx, scopes(".card"), "count", "button")
		Expect(err).To(MatchError(ContainSubstring("one is needed")))
	})

	DescribeTable("goes into frames", func(ctx SpecContext, side string, switches ...string) {
		o := options()
		o.Args = switches
		o.Limits.Action, o.Limits.Expect = 5*time.Second, 5*time.Second
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/framed")
		in := scopes(side, "frame:iframe")
		t.okIn(ctx, in, "expect", "text", "h2", "Inner")
		t.okIn(ctx, in, "click", "role=button Inner button")
		t.okIn(ctx, in, "expect", "text", "#ib", "done")
		t.okIn(ctx, in, "fill", "#in", "x")
		t.okIn(ctx, in, "expect", "value", "#in", "x")
		t.okIn(ctx, in, "wait", "--text", "Inner")
		Expect(t.okIn(ctx, in, "eval", "who").Value).To(Equal("inner"))
		Expect(t.readIn(ctx, in, "count", "button")).To(Equal(1))
		Expect(t.okIn(ctx, in, "snapshot").Value).To(And(ContainSubstring("Inner"), Not(ContainSubstring("Outer"))))
		t.ok(ctx, "expect", "value", "#in", "")
		o2 := t.Do(ctx, args("get", "text", "h2"), steps.RowOptions{Files: t.files, Scope: scopes("frame:iframe"), Timeout: 400 * time.Millisecond})
		Expect(o2.Sub).To(Equal("scope-ambiguous"), o2.Error)
		o2 = t.in(ctx, scopes("frame:h1"), "get", "text", "h2")
		Expect(o2.Success).To(BeFalse())
		Expect(o2.Error).To(ContainSubstring("no frame"))
	},
		Entry("of the same origin", "#left"),
		Entry("of another origin", "#right"),
		Entry("of another origin in a process of its own", "#right", "--site-per-process"))

	DescribeTable("waits until a frame is parsed, so that its scripts have run", func(ctx SpecContext, host string) {
		o := options()
		o.Limits.Action = 5 * time.Second
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/slowframe?host="+host)
		in := scopes("frame:iframe")
		t.okIn(ctx, in, "click", "#go")
		t.okIn(ctx, in, "expect", "text", "#said", "clicked")
		o.Limits.Action = 300 * time.Millisecond
		t = openOn(ctx, eng, o)
		t.ok(ctx, "open", "/slowframe?host="+host)
		x := t.in(ctx, in, "click", "#go")
		Expect(x.Sub).To(Equal("scope-not-found"), x.Error)
		Expect(x.Error).To(ContainSubstring("still loading"))
	}, Entry("of the same origin", ""), Entry("of another origin", "other"))

	It("starts from the selected frame", func(ctx SpecContext) {
		t := at(ctx, "/framed")
		t.ok(ctx, "frame", "#left iframe")
		t.okIn(ctx, scopes("body"), "expect", "text", "h2", "Inner")
		o := t.Do(ctx, args("get", "text", "h1"), steps.RowOptions{Top: true})
		Expect(o.Value).To(Equal("Outer"))
	})
})

var _ = Describe("scopes and trips", Label("browser", "trips"), Serial, func() {
	It("cost no round trip", func(ctx SpecContext) {
		needBrowser()
		c := count()
		t := at(ctx, "/cards")
		for _, row := range [][]string{{"fill", ".q", "2"}, {"get", "text", ".note"}, {"expect", "text", "role=button Add", "Add"}, {"click", "button"}} {
			least := 99
			for range 3 {
				c.since()
				t.okIn(ctx, scopes("ul", `li:has-text("Mug")`), row...)
				least = min(least, len(c.since()))
			}
			Expect(least).To(Equal(args(row...).Command.Trips), fmt.Sprint(row))
		}
		c.since()
		Expect(t.readIn(ctx, scopes("#mug"), "text", ".note")).To(Equal("sold out"))
		Expect(c.since()).To(HaveLen(1))
	})
})

var _ = Describe("overlays", Label("browser"), func() {
	ban := func(ctx context.Context, t *tester, over string, cells ...string) steps.Observation {
		GinkgoHelper()
		return t.Do(ctx, args(cells...), steps.RowOptions{Overlays: []target.Target{targetOf("#never"), targetOf(over)}})
	}
	DescribeTable("end a row that they obstruct, unsent and at once", func(ctx SpecContext, page, over string, cells ...string) {
		o := options()
		o.Limits.Action = 2 * patience
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", page)
		start := time.Now()
		x := ban(ctx, t, over, cells...)
		Expect(x.Sub).To(Equal(steps.Obstructed), "%s: %s", x.Category, x.Error)
		Expect(x.Data).To(HaveKeyWithValue(steps.OverlayKey, 1))
		Expect(x.Sent).To(Equal(steps.NotSent))
		Expect(time.Since(start)).To(BeNumerically("<", 4*time.Second))
		t.ok(ctx, "expect", "text", "#log", "")
	},
		Entry("a click", "/banner?now", "#ban", "click", "#go"),
		Entry("a click by role", "/banner?now", "#ban", "click", "role=button Go"),
		Entry("a check", "/banner?now", "#ban", "check", "#ok"),
		Entry("a hover", "/banner?now", "#ban", "hover", "#row"),
		Entry("an overlay by role", "/banner?now", "role=button No", "click", "#go"),
		Entry("one that comes while the row waits", "/banner?late", "#ban", "click", "#go"),
		Entry("one that comes with the mouse", "/banner?move", "#ban", "click", "#go"),
		Entry("a target that is missing", "/banner?now", "#ban", "fill", "#nope", "x"))

	It("do not matter to rows that reach their target", func(ctx SpecContext) {
		t := at(ctx, "/banner?now")
		Expect(ban(ctx, t, "#ban", "fill", "#name", "x").Success).To(BeTrue())
		Expect(ban(ctx, t, "#ban", "click", "#no").Success).To(BeTrue())
		Expect(ban(ctx, t, "#ban", "click", "#go").Success).To(BeTrue())
		t.ok(ctx, "expect", "text", "#log", "no go")
	})

	It("do not matter to expect rows", func(ctx SpecContext) {
		t := at(ctx, "/banner?now")
		o := ban(ctx, t, "#ban", "expect", "text", "#row", "other")
		Expect(o.Category).To(Equal(steps.Assertion))
	})
})

var _ = Describe("the state of a session", Label("browser"), func() {
	It("goes out and into another session", func(ctx SpecContext) {
		t := at(ctx, "/store")
		t.ok(ctx, "eval", "localStorage.who='ada'")
		state, err := t.Session.(steps.Stored).StorageState(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(state)).To(And(ContainSubstring(`"kept"`), ContainSubstring(`"ada"`)))
		file := filepath.Join(GinkgoT().TempDir(), "state.json")
		Expect(os.WriteFile(file, state, 0o600)).To(Succeed())
		o := options()
		o.StorageState = file
		other := openOn(ctx, eng, o)
		other.ok(ctx, "open", "/store")
		other.ok(ctx, "expect", "text", "#who", "ada")
		Expect(other.ok(ctx, "tab", "list").Value).To(HaveLen(1))
		Expect(at(ctx, "/store").ok(ctx, "get", "text", "#who").Value).To(Equal("nobody"))
	})

	It("cannot be taken from a file that is not there", func(ctx SpecContext) {
		needBrowser()
		o := options()
		o.StorageState = filepath.Join(GinkgoT().TempDir(), "none.json")
		_, err := eng.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("none.json")))
	})
})
