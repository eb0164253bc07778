package browser_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// faulty is a site that does what a test wants: a path is answered with the page or the status in it.
func faulty() *httptest.Server {
	GinkgoHelper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/status/"):
			var n int
			_, _ = fmt.Sscanf(r.URL.Path, "/status/%d", &n)
			w.WriteHeader(n)
		case r.URL.Path == "/hang":
			select {
			case <-r.Context().Done():
			case <-time.After(20 * time.Second):
			}
		case r.URL.Path == "/boom.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte("\n\nthrow new TypeError('from a script');"))
		case r.URL.Path == "/favicon.ico":
			w.WriteHeader(404)
		default:
			html(w, r.URL.Query().Get("body"))
		}
	}))
	DeferCleanup(s.Close)
	return s
}

// visit opens a session whose base is a site, on a page with a body.
func visit(ctx SpecContext, site *httptest.Server, body string) *tester {
	GinkgoHelper()
	o := options()
	o.BaseURL = site.URL
	t := openOn(ctx, eng, o)
	t.ok(ctx, "open", page(body))
	return t
}

// page is the path of a page with a body.
func page(body string) string {
	return "/?body=" + url.QueryEscape(body)
}

// kinds counts faults by kind.
func kinds(list []steps.Fault) map[string]int {
	out := map[string]int{}
	for _, f := range list {
		out[f.Kind]++
	}
	return out
}

// only gives the faults of one kind.
func only(list []steps.Fault, kind string) []steps.Fault {
	var out []steps.Fault
	for _, f := range list {
		if f.Kind == kind {
			out = append(out, f)
		}
	}
	return out
}

var _ = Describe("faults", Label("browser"), func() {
	It("say whose they are, what they are and in which row's window they came", func(ctx SpecContext) {
		site, other := faulty(), faulty()
		elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
		t := visit(ctx, site, `<script>throw new Error("inline")</script><script src=/boom.js></script><script src="`+elsewhere+`/boom.js"></script>
			<button id=b onclick="console.error('said'); fetch('/status/422', {method: 'POST'})">go</button>`)
		t.ok(ctx, "click", "#b")
		Eventually(func() uint64 { return t.Mark().Faults }).WithContext(ctx).Should(Equal(uint64(6)))
		t.ok(ctx, "wait", "--load", "networkidle")
		sig, mark := t.Signals(ctx, steps.Mark{})
		Expect(kinds(sig.Faults)).To(Equal(map[string]int{"page_error": 3, "console": 2, "http": 1}))
		Expect(sig.Dropped).To(BeZero())
		errs := only(sig.Faults, steps.FaultPageError)
		Expect(errs[0]).To(And(HaveField("Text", "Error: inline"), HaveField("Site", steps.SameSite), HaveField("Row", uint64(1))))
		Expect(errs[1]).To(And(HaveField("URL", site.URL+"/boom.js"), HaveField("Line", 3), HaveField("Site", steps.SameSite)))
		Expect(errs[2]).To(And(HaveField("URL", elsewhere+"/boom.js"), HaveField("Site", steps.OtherSite)))
		answered := only(sig.Faults, steps.FaultHTTP)[0]
		Expect(answered).To(And(HaveField("Method", "POST"), HaveField("Type", "fetch"), HaveField("Status", 422), HaveField("Site", steps.SameSite),
			HaveField("Row", uint64(2)), HaveField("Request", BeNumerically(">", 0)), HaveField("Initiator", ContainSubstring("script"))))
		Expect(mark).To(And(HaveField("Row", uint64(3)), HaveField("Faults", uint64(6))))
		for i, f := range sig.Faults {
			Expect(f.Seq).To(Equal(uint64(i + 1)))
		}
		Expect(t.Seen(mark).Faults).To(BeEmpty())
	})

	It("are cut off where a removed frame or a download ended them, and not where the page gave up", func(ctx SpecContext) {
		t := visit(ctx, faulty(), `<iframe id=f srcdoc="<script>fetch('/hang?frame')</script>"></iframe><script>
			const c = new AbortController(); fetch('/hang?gave-up', { signal: c.signal }).catch(() => 0); setTimeout(() => c.abort(), 50);
			setTimeout(() => document.getElementById('f').remove(), 150);</script>`)
		Eventually(func() map[string]bool {
			out := map[string]bool{}
			for _, f := range only(t.Seen(steps.Mark{}).Faults, steps.FaultRequest) {
				_, name, _ := strings.Cut(f.URL, "?")
				out[name] = f.Cut
			}
			return out
		}).WithContext(ctx).Should(Equal(map[string]bool{"gave-up": false, "frame": true}))
	})

	It("are not what a navigation left behind, and nobody waits for it", func(ctx SpecContext) {
		t := visit(ctx, faulty(), `<a id=a href="/?body=next">next</a><script>fetch('/hang?left').catch(e => console.error(String(e)))</script>`)
		t.ok(ctx, "click", "#a")
		t.ok(ctx, "wait", "--load", "networkidle")
		t.ok(ctx, "open", page("<script>fetch('/hang?open')</script>"))
		t.ok(ctx, "open", page("<script>fetch('/hang?once-more')</script>"))
		t.ok(ctx, "reload")
		sig, _ := t.Signals(ctx, steps.Mark{})
		for _, f := range sig.Faults {
			Expect(f.Cut).To(BeTrue(), f.Text)
		}
	})

	It("hold what got no response, but not what is still under way", func(ctx SpecContext) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		nobody := l.Addr().String()
		Expect(l.Close()).To(Succeed())
		t := visit(ctx, faulty(), `<script>fetch('http://`+nobody+`/api').catch(() => 0); fetch('/hang?open').catch(() => 0)</script>`)
		Eventually(func() []steps.Fault { return only(t.Seen(steps.Mark{}).Faults, steps.FaultRequest) }).WithContext(ctx).
			Should(HaveExactElements(And(HaveField("URL", "http://"+nobody+"/api"), HaveField("Text", ContainSubstring("ERR_CONNECTION_REFUSED")), HaveField("Cut", false))))
	})

	It("are kept apart from what a page merely says, and counted when they fall out", func(ctx SpecContext) {
		t := visit(ctx, faulty(), `<script>
			for (let i = 0; i < 520; i++) console.error('e' + i);
			for (let i = 0; i < 3000; i++) console.log(i);
			setTimeout(() => { throw new Error('late') });</script>`)
		sig, _ := t.Signals(ctx, steps.Mark{})
		Expect(sig.Lost).To(Equal(steps.Lost{Console: 20}))
		Expect(sig.Dropped).To(Equal(20))
		Expect(kinds(sig.Faults)).To(Equal(map[string]int{"console": 500, "page_error": 1}))
		sig = t.Seen(steps.Mark{Faults: 100})
		Expect(sig.Lost).To(BeZero(), "what fell out lies before the mark")

		t = visit(ctx, faulty(), `<script>
			for (let i = 0; i < 520; i++) { console.error('e' + i); if (i == 19) for (let n = 0; n < 30; n++) reportError(new Error('n' + n)); }</script>`)
		sig, _ = t.Signals(ctx, steps.Mark{})
		Expect(sig.Lost).To(Equal(steps.Lost{Console: 20}))
		Expect(sig.Faults[0].Seq).To(BeEquivalentTo(21))
		Expect(t.Seen(steps.Mark{Faults: 25}).Lost).To(BeZero(), "what fell out is 1 to 20")
		Expect(t.Seen(steps.Mark{Faults: 19}).Lost).NotTo(BeZero())
	})

	It("tell the dialogs, answered or held", func(ctx SpecContext) {
		t := visit(ctx, faulty(), `<button id=a onclick="alert('hi')">a</button><button id=c onclick="confirm('sure?')">c</button>`)
		t.ok(ctx, "click", "#a")
		mark := t.Mark()
		t.ok(ctx, "click", "#c")
		Expect(t.Seen(steps.Mark{}).Dialogs).To(HaveExactElements(
			steps.Dialog{Kind: "alert", Text: "hi", Seq: 1}, steps.Dialog{Kind: "confirm", Text: "sure?", Seq: 2, Held: true}))
		Expect(t.Seen(mark).Dialogs).To(HaveLen(1))
		t.ok(ctx, "dialog", "dismiss")
		Expect(t.Seen(mark).Dialogs).To(HaveExactElements(HaveField("Held", false)))
	})

	It("are all there at the verdict, however the click that caused them returned", func(ctx SpecContext) {
		t := visit(ctx, faulty(), `<button id=b onclick="setTimeout(() => { throw new Error('task') }); Promise.reject(new Error('rejected'));
			requestAnimationFrame(() => { throw new Error('frame') }); throw new Error('handler')">b</button>`)
		for range 10 {
			mark := t.Mark()
			t.ok(ctx, "click", "#b")
			sig, _ := t.Signals(ctx, mark)
			Expect(kinds(sig.Faults)).To(Equal(map[string]int{"page_error": 4}))
		}
	})
})

var _ = Describe("sites", func() {
	DescribeTable("are those of one owner", func(home, raw string, want steps.Site) {
		Expect(browser.SiteOf(home, raw)).To(Equal(want))
	},
		Entry(nil, "shop.test", "https://shop.test/a.js", steps.SameSite),
		Entry(nil, "shop.test", "http://shop.test:8080/a.js", steps.SameSite),
		Entry(nil, "www.shop.test", "https://api.shop.test/a.js", steps.SameSite),
		Entry(nil, "shop.test", "https://shop.example/a.js", steps.OtherSite),
		Entry(nil, "notshop.test", "https://shop.test/a.js", steps.OtherSite),
		Entry(nil, "a.co.uk", "https://b.co.uk/a.js", steps.OtherSite),
		Entry(nil, "www.a.co.uk", "https://cdn.a.co.uk/a.js", steps.SameSite),
		Entry(nil, "127.0.0.1", "http://127.0.0.1:3000/a.js", steps.SameSite),
		Entry(nil, "127.0.0.1", "http://10.0.0.1/a.js", steps.OtherSite),
		Entry(nil, "10.0.0.1", "http://10.1.0.1/a.js", steps.OtherSite),
		Entry(nil, "localhost", "http://LOCALHOST:1/a.js", steps.SameSite),
		Entry(nil, "", "http://shop.test/a.js", steps.OtherSite),
		Entry(nil, "shop.test", "", steps.Inline),
		Entry(nil, "shop.test", "about:blank", steps.Inline),
		Entry(nil, "shop.test", "blob:https://x/1", steps.Inline))
})
