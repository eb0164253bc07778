package browser_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// straying tries every way there is to another host; FAR is its address.
const straying = `<h1>Straying</h1><img src="/go?to=FAR/img"><iframe src="FAR/frame"></iframe><link rel=preload as=fetch href="FAR/preload" crossorigin>
<script src="FAR/script.js"></script><p id=out></p><script>
const note = t => document.getElementById('out').textContent += t + ' ';
const ways = [
  () => fetch('FAR/fetch', {mode: 'no-cors'}),
  () => fetch('/go?to=FAR/redirected', {mode: 'no-cors'}),
  () => new Promise((ok, no) => { const w = new WebSocket('FAR/socket'.replace('http', 'ws')); w.onopen = ok; w.onerror = no; }),
  () => new Promise((ok, no) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('FAR/worker',{mode:'no-cors'}).then(()=>postMessage(1),()=>postMessage(0))"])));
    w.onmessage = e => e.data ? ok() : no(); }),
  () => new Promise((ok, no) => { const e = new EventSource('FAR/events'); e.onopen = ok; e.onerror = no; }),
];
navigator.sendBeacon('FAR/beacon', 'x');
(async () => { for (const w of ways) { await w().then(() => note('reached'), () => note('stopped')); } note('done'); })();
</script>`

var _ = Describe("A browser with allowed_domains", Label("browser"), func() {
	It("reaches no other host, by whatever way, and says so", func(ctx SpecContext) {
		var mu sync.Mutex
		var reached []string
		far := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			reached = append(reached, r.URL.Path)
		}))
		if l, err := net.Listen("tcp", "127.0.0.2:0"); err == nil { // another host: an address that no name leads to
			far.Listener = l
		} else {
			Skip("there is no second loopback address")
		}
		far.Start()
		DeferCleanup(far.Close)
		near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/go" {
				http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
				return
			}
			html(w, strings.ReplaceAll(straying, "FAR", far.URL))
		}))
		DeferCleanup(near.Close)

		o := options()
		o.BaseURL, o.Hosts = near.URL, []string{"127.0.0.1"}
		t := openOn(ctx, eng, o)
		mark := t.Mark()
		t.ok(ctx, "open", "/")
		t.ok(ctx, "wait", "--text", "done")
		Expect(t.ok(ctx, "get", "text", "#out").Value).To(Equal("stopped stopped stopped stopped stopped done"))
		t.ok(ctx, "eval", "void window.open('"+far.URL+"/popup')")
		got, _ := t.Signals(ctx, mark)
		var denied []string
		for _, f := range got.Faults {
			if f.Category == steps.PolicyDenied {
				denied = append(denied, f.Text)
			}
		}
		for _, way := range []string{"/img", "/frame", "/script.js", "/fetch", "/redirected", "/socket"} {
			Expect(denied).To(ContainElement(And(ContainSubstring(far.URL[len("http://"):]+way), ContainSubstring("the host 127.0.0.2 is not in allowed_domains"))), way)
		}
		o2 := t.fails(ctx, steps.PolicyDenied, "reach", "open", far.URL+"/direct")
		Expect(o2.Error).To(ContainSubstring("the host 127.0.0.2 is not in allowed_domains"))
		t.fails(ctx, steps.PolicyDenied, "reach", "open", "/go?to="+far.URL+"/led")
		t.fails(ctx, steps.PolicyDenied, "reach", "read", "/go?to="+far.URL+"/read")
		t.fails(ctx, steps.PolicyDenied, "reach", "open", fmt.Sprintf("http://localhost:%s/", near.URL[strings.LastIndexByte(near.URL, ':')+1:]))
		mu.Lock()
		defer mu.Unlock()
		Expect(reached).To(BeEmpty())
	})

	It("has a browser of its own, and refuses switches that would undo it", func(ctx SpecContext) {
		o := options()
		o.Hosts, o.Args = []string{"127.0.0.1"}, []string{"--host-resolver-rules=MAP * 127.0.0.2"}
		_, err := eng.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("exclude each other")))
	})

	It("opens the schemes that are allowed", func(ctx SpecContext) {
		t := openOn(ctx, eng, options())
		Expect(t.fails(ctx, steps.PolicyDenied, "scheme", "open", "file:///etc/hostname").Error).To(ContainSubstring("allowed_schemes"))
		o := options()
		o.Schemes = []string{"https", "about"}
		t = openOn(ctx, eng, o)
		Expect(t.fails(ctx, steps.PolicyDenied, "reach", "open", "/").Error).To(ContainSubstring("http is not in allowed_schemes"))
		o.Schemes = []string{"file"}
		t = openOn(ctx, eng, o)
		t.ok(ctx, "open", "file:///etc")
	})
})
