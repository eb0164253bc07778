package browser_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("read rows", Label("browser"), func() {
	It("read the page, a URL, Markdown and the site's llms.txt", func(ctx SpecContext) {
		t := at(ctx, "/article")
		o := t.ok(ctx, "read")
		Expect(o.Data).To(And(HaveKeyWithValue("source", "active-tab-html"), HaveKeyWithValue("contentType", "text/html"), HaveKeyWithValue("status", 0),
			HaveKeyWithValue("finalUrl", srv.URL+"/article"), HaveKeyWithValue("truncated", false)))
		Expect(o.Value).To(Equal("# Tea\n\nintro\n\n## Pots\n\n- red\n- blue\n\n## Cups\n\nwhite, added"))
		Expect(t.ok(ctx, "read", "--outline").Value).To(HaveSuffix("\n\n- Tea\n  - Pots\n  - Cups"))
		o = t.ok(ctx, "read", "--filter", "BLUE")
		Expect(o.Value).To(Equal("## Pots\n\n- red\n- blue"))
		Expect(o.Data).To(HaveKeyWithValue("source", "active-tab-html-filtered"))
		Expect(t.ok(ctx, "read", "--filter", "nowhere").Warnings).To(ContainElement(ContainSubstring("no section")))

		o = t.ok(ctx, "read", "/article")
		Expect(o.Value).NotTo(ContainSubstring("added"), "no script has run")
		Expect(o.Data).To(And(HaveKeyWithValue("source", "html-fallback"), HaveKeyWithValue("status", 200)))
		Expect(o.Page.URL).To(Equal(srv.URL+"/article"), "no page was loaded")
		Expect(t.ok(ctx, "read", "/article", "--raw").Value).To(ContainSubstring("<h1>Tea</h1>"))
		o = t.ok(ctx, "read", "/article.md", "--require-md")
		Expect(o.Data).To(And(HaveKeyWithValue("source", "markdown"), HaveKeyWithValue("content", "# Raw *tea*\n")))
		Expect(t.ok(ctx, "read", "/data.json").Data).To(And(HaveKeyWithValue("source", "raw"), HaveKeyWithValue("content", `{"ok":true}`)))
		Expect(t.ok(ctx, "read", "--llms", "index").Data).To(And(HaveKeyWithValue("source", "llms"), HaveKeyWithValue("url", srv.URL+"/llms.txt")))

		t.fails(ctx, steps.HTTP, "not-markdown", "read", "/two", "--require-md")
		t.fails(ctx, steps.Navigation, "http-status", "read", "/nothing-here")
		t.fails(ctx, steps.Navigation, "http-status", "read", "/two", "--llms", "full")
		t.fails(ctx, steps.NotActionable, "not-text", "read", "/bytes")
		Expect(t.fails(ctx, steps.Navigation, "net", "read", "http://127.0.0.1:1/").Error).To(ContainSubstring("ECONNREFUSED"))
		t.fails(ctx, steps.Timeout, "read", "read", "/never", "--timeout", "300ms")
		t.fails(ctx, steps.Validation, "url", "read", "data:text/plain,x")
		t.ok(ctx, "cookies", "set", "sid", "abc")
		Expect(t.ok(ctx, "read", "/cookie").Value).To(ContainSubstring("sid=abc"))
	})
})

// reactApp shows two counters, a memo and a boundary that waits for a button.
const reactApp = `<div id=root></div><script src=/react/react.js></script><script src=/react/react-dom.js></script><script>
const h = React.createElement; let load, ready = false; const loaded = new Promise(f => load = () => { ready = true; f() });
function Counter({ label }) { const [n, set] = React.useState(3); const r = React.useRef('x');
	return h('button', { id: label, onClick: () => set(n + 1) }, label + ' ' + n) }
const Quiet = React.memo(function Quiet({ of }) { return h('i', null, of.name) });
class Old extends React.Component { state = { open: true }; render() { return h('p', null, 'old') } }
function Slow() { if (!ready) throw loaded; return h('b', null, 'slow') }
const cup = { name: 'cup', on: () => 1 };
function App() { return h('main', null, h(Counter, { label: 'a', key: 'k' }), h(Counter, { label: 'b' }), h(Quiet, { of: cup }), h(Old),
	h(React.Suspense, { fallback: h('u', null, 'wait') }, h(Slow))) }
ReactDOM.createRoot(document.getElementById('root')).render(h(App))</script>`

var _ = Describe("react rows", Label("browser"), func() {
	It("read components, renders and boundaries of a real React", func(ctx SpecContext) {
		needBrowser()
		reactDir.Store(reactFiles(react18))
		o := options()
		o.React = true
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/react")
		t.ok(ctx, "expect", "text", "#a", "a 3")

		tree := t.ok(ctx, "react", "tree")
		Expect(tree.Data["tree"]).To(MatchRegexp(`^App #1\n  Counter key="k" #\d+\n  Counter #\d+\n  Quiet #\d+\n  Old #\d+\n  Suspense #\d+`))
		id := func(name string) string {
			GinkgoHelper()
			for _, n := range t.ok(ctx, "react", "tree").Value.([]any) {
				if m := n.(map[string]any); m["name"] == name {
					return jsonText(m["id"])
				}
			}
			Fail("no component " + name)
			return ""
		}
		counter := t.ok(ctx, "react", "inspect", id("Counter"))
		Expect(counter.Value).To(Equal(map[string]any{"label": "a"}))
		Expect(counter.Data).To(And(HaveKeyWithValue("key", "k"), HaveKeyWithValue("type", "function"), HaveKeyWithValue("owner", "App"),
			HaveKeyWithValue("state", []any{3, map[string]any{"ref": "x"}}), HaveKeyWithValue("source", BeNil())))
		Expect(t.ok(ctx, "react", "inspect", id("Quiet")).Value).To(Equal(map[string]any{"of": map[string]any{"name": "cup", "on": "[function on]"}}))
		Expect(t.ok(ctx, "react", "inspect", id("Old")).Data).To(HaveKeyWithValue("state", map[string]any{"open": true}))

		t.ok(ctx, "react", "renders", "start")
		t.ok(ctx, "click", "#a")
		t.ok(ctx, "click", "#a")
		t.ok(ctx, "expect", "text", "#a", "a 5")
		renders := t.ok(ctx, "react", "renders", "stop")
		Expect(renders.Data).To(HaveKeyWithValue("commits", 2))
		Expect(renders.Value).To(ConsistOf(And(HaveKeyWithValue("name", "Counter"), HaveKeyWithValue("renders", 2), HaveKeyWithValue("mounts", 0))))
		Expect(id("Counter")).To(Equal(jsonText(counter.Data["id"])), "a component keeps its id")

		Expect(t.ok(ctx, "react", "suspense").Value).To(Equal(1))
		t.ok(ctx, "eval", "load()")
		t.ok(ctx, "wait", "--text", "slow")
		Expect(t.ok(ctx, "react", "suspense").Data["boundaries"]).To(ConsistOf(And(HaveKeyWithValue("status", "resolved"), HaveKeyWithValue("owner", "App"))))

		t.fails(ctx, steps.NotFound, "no-component", "react", "inspect", "9999")
		t.fails(ctx, steps.Validation, "no-renders", "react", "renders", "stop")
		t.ok(ctx, "open", "/")
		t.fails(ctx, steps.NotFound, "no-react", "react", "tree")
		t.fails(ctx, steps.NotFound, "no-react", "react", "renders", "start")
	})

	It("say that a session without the hook has none", func(ctx SpecContext) {
		t := at(ctx, "/")
		t.fails(ctx, steps.Environment, "no-react-hook", "react", "tree")
		Expect(t.ok(ctx, "eval", "'__REACT_DEVTOOLS_GLOBAL_HOOK__' in window").Value).To(BeFalse())
	})
})

var _ = Describe("webmcp rows", Label("browser"), func() {
	It("list, call and cancel the tools of a page", func(ctx SpecContext) {
		o := options()
		o.Args = []string{"--enable-blink-features=WebMCP"}
		t := openOn(ctx, eng, o)
		t.ok(ctx, "open", "/tools")
		if t.ok(ctx, "eval", "!!(document.modelContext || navigator.modelContext)").Value != true {
			Skip("this browser has no WebMCP for pages")
		}
		tools := t.ok(ctx, "webmcp", "list").Value.([]any)
		Expect(tools).To(HaveLen(3))
		Expect(tools[0]).To(And(HaveKeyWithValue("name", "add"), HaveKeyWithValue("description", "Adds two numbers"), HaveKey("inputSchema")))
		sum := t.ok(ctx, "webmcp", "invoke", "add", `{"a": 2, "b": 3}`)
		Expect(sum.Data).To(HaveKeyWithValue("status", "completed"))
		Expect(jsonText(sum.Value)).To(ContainSubstring("5"))
		Expect(t.fails(ctx, steps.Assertion, "tool-failed", "webmcp", "invoke", "broken").Error).To(ContainSubstring("out of tea"))
		Expect(t.fails(ctx, steps.NotFound, "no-tool", "webmcp", "invoke", "nope").Error).To(ContainSubstring("it offers add, broken, slow"))
		id := jsonText(t.ok(ctx, "webmcp", "invoke", "slow", "--no-wait").Value)
		t.ok(ctx, "webmcp", "cancel", strings.Trim(id, `"`))
		done := t.timed(ctx, patience, "webmcp", "result", strings.Trim(id, `"`))
		Expect(done.Success).To(BeFalse())
		Expect(done.Error).To(ContainSubstring("canceled"))
		t.fails(ctx, steps.Validation, "no-call", "webmcp", "result", "nope")
		t.ok(ctx, "open", "/two")
		Expect(t.ok(ctx, "webmcp", "list").Value).To(BeEmpty())
	})
})
