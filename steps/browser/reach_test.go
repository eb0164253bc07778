package browser_test

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
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
		Expect(err).To(MatchError(ContainSubstring("allowed_domains and the switch --host-resolver-rules exclude each other")))
		o = options()
		o.Schemes, o.Args = []string{"https"}, []string{"--proxy-server=127.0.0.1:1"}
		_, err = eng.Open(ctx, o)
		Expect(err).To(MatchError(ContainSubstring("allowed_schemes and the switch --proxy-server exclude each other")))
	})

	DescribeTable("lets nothing use another scheme, by whatever way, and says so",
		func(ctx SpecContext, allowed string, hosts []string) {
			var mu sync.Mutex
			reached := map[string][]string{}
			handler := func(scheme string) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					if r.URL.Path != "/" && r.URL.Path != "/go" && r.URL.Path != "/favicon.ico" {
						reached[scheme] = append(reached[scheme], r.URL.Path)
					}
					mu.Unlock()
					switch {
					case r.URL.Path == "/go":
						http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
					case r.Header.Get("Upgrade") != "":
						key := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
						c, b, err := http.NewResponseController(w).Hijack()
						if err == nil {
							_, _ = b.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
								base64.StdEncoding.EncodeToString(key[:]) + "\r\n\r\n")
							_ = b.Flush()
							DeferCleanup(c.Close)
						}
					default:
						html(w, "<h1>Here</h1>")
					}
				})
			}
			plain, secure := httptest.NewServer(handler("http")), httptest.NewUnstartedServer(handler("https"))
			secure.EnableHTTP2 = false
			secure.Config.ErrorLog = log.New(io.Discard, "", 0)
			secure.StartTLS()
			DeferCleanup(plain.Close)
			DeferCleanup(secure.Close)
			near, far := plain.URL, secure.URL
			if allowed == "https" {
				near, far = secure.URL, plain.URL
			}
			page := strings.ReplaceAll(straying, "FAR", far)
			page = strings.ReplaceAll(page, "'"+far+"/socket'.replace('http', 'ws')", "'"+strings.Replace(far, "http", "ws", 1)+"/socket'")
			o := options()
			o.BaseURL, o.Schemes, o.Hosts, o.IgnoreTLS = near, []string{allowed, "about", "blob"}, hosts, true
			t := openOn(ctx, eng, o)
			mark := t.Mark()
			t.ok(ctx, "open", "/")
			t.ok(ctx, "eval", "document.open(); document.write("+strconv.Quote(page)+"); document.close()")
			t.ok(ctx, "wait", "--text", "done")
			Expect(t.ok(ctx, "get", "text", "#out").Value).To(Equal("stopped stopped stopped stopped stopped done"))
			t.ok(ctx, "eval", "void window.open('"+far+"/popup')")
			t.ok(ctx, "tab", "t1")
			t.fails(ctx, steps.PolicyDenied, "reach", "open", "/go?to="+far+"/led")
			t.fails(ctx, steps.PolicyDenied, "reach", "read", "/go?to="+far+"/read")
			got, _ := t.Signals(ctx, mark)
			var denied []string
			for _, f := range got.Faults {
				if f.Category == steps.PolicyDenied {
					denied = append(denied, f.Text)
				}
			}
			for _, way := range []string{"/img", "/frame", "/fetch", "/redirected"} {
				Expect(denied).To(ContainElement(And(ContainSubstring(way), ContainSubstring("is not in allowed_schemes"))), way)
			}
			t.ok(ctx, "open", "/")
			Expect(t.ok(ctx, "eval", "fetch('/near').then(r => r.status)").Value).To(BeEquivalentTo(200))
			open := t.ok(ctx, "eval", "new Promise(ok => { const w = new WebSocket(location.origin.replace('http', 'ws') + '/near-socket'); w.onopen = () => ok('open'); w.onerror = () => ok('no') })")
			Expect(open.Value).To(Equal("open"), "a WebSocket of the scheme that is allowed")
			mu.Lock()
			defer mu.Unlock()
			Expect(reached).To(HaveLen(1))
			Expect(reached[allowed]).To(ContainElements("/near", "/near-socket"))
		},
		Entry("https only", "https", nil), Entry("http only", "http", nil), Entry("https only, of one host", "https", []string{"127.0.0.1"}),
	)

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
