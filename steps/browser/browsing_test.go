package browser_test

import (
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// put writes a file that a row reads.
func (t *tester) put(name, content string) {
	GinkgoHelper()
	Expect(os.WriteFile(filepath.Join(t.files.dir, name), []byte(content), 0o600)).To(Succeed())
}

var _ = Describe("what the browser keeps", Label("browser"), func() {
	It("reads, sets and clears cookies", func(ctx SpecContext) {
		t := openOn(ctx, eng, options())
		t.fails(ctx, steps.Validation, "no-site", "cookies", "set", "a", "1")
		t.ok(ctx, "open", "/cookie")
		Expect(t.ok(ctx, "cookies").Value).To(ConsistOf(And(HaveKeyWithValue("name", "sid"), HaveKeyWithValue("value", "s3"),
			HaveKeyWithValue("httpOnly", true), HaveKeyWithValue("session", true), HaveKeyWithValue("expires", -1), HaveKeyWithValue("size", 5))))
		o := t.ok(ctx, "cookies", "set", "a", "1")
		Expect(o.Argv).To(Equal([]string{"cookies", "set", "a", "•••"}))
		t.ok(ctx, "cookies", "set", "b", "2", "--path", "/x", "--http-only", "--same-site", "Strict", "--expires", "1999999999")
		t.ok(ctx, "cookies", "set", "other", "3", "--domain", "example.test")
		Expect(t.ok(ctx, "eval", "document.cookie").Value).To(Equal("a=1"))
		t.ok(ctx, "open", "/cookie?2")
		t.ok(ctx, "expect", "text", "#sent", "sid=s3; a=1")
		t.ok(ctx, "open", "/cookie")
		t.put("c.txt", "curl 'https://h/' \\\n  -H 'accept: */*' -b 'x=1; y=a=b'")
		Expect(t.ok(ctx, "cookies", "set", "--curl", "c.txt").Data).To(HaveKeyWithValue("count", 2))
		Expect(t.ok(ctx, "cookies", "get").Value).To(ContainElement(And(HaveKeyWithValue("name", "y"), HaveKeyWithValue("value", "a=b"))))
		Expect(t.fails(ctx, steps.Validation, "no-file", "cookies", "set", "--curl", "nope").Error).To(ContainSubstring(t.files.dir))
		t.ok(ctx, "cookies", "clear")
		Expect(t.ok(ctx, "cookies", "get").Value).To(BeEmpty())
	})

	DescribeTable("reads cookies of files", func(text string, want map[string]string) {
		Expect(browser.CurlCookies(text)).To(Equal(want))
	},
		Entry("pairs", "a=1; b=2\n", map[string]string{"a": "1", "b": "2"}),
		Entry("a header", "Cookie: a=1;b=\"q\"", map[string]string{"a": "1", "b": `"q"`}),
		Entry("a curl header", `curl "https://h" -H "Cookie: a=1; b=2" --compressed`, map[string]string{"a": "1", "b": "2"}),
		Entry("a jar", "# Netscape\n.h.test\tTRUE\t/\tFALSE\t0\ta\t1\n#HttpOnly_h.test\tFALSE\t/\tTRUE\t1999999999\tb\t2\n", map[string]string{"a": "1", "b": "2"}),
		Entry("a curl command without", "curl https://h", map[string]string{}), Entry("nothing", "  ", map[string]string{}))

	It("reads, sets and clears storage, in frames too", func(ctx SpecContext) {
		t := openOn(ctx, eng, options())
		t.fails(ctx, steps.NotActionable, "no-storage", "storage", "local")
		o := t.fails(ctx, steps.NotActionable, "no-storage", "storage", "local", "set", "k", "value-1")
		Expect(o.Argv).NotTo(ContainElement("value-1"), "hidden also where the row failed")
		t.ok(ctx, "open", "/frames")
		Expect(t.ok(ctx, "storage", "local").Data).To(Equal(map[string]any{"data": map[string]any{}}))
		Expect(t.ok(ctx, "storage", "local", "set", "k", `{"a":"ü"}`).Argv).To(Equal([]string{"storage", "local", "set", "k", "•••"}))
		t.ok(ctx, "storage", "session", "set", "s", "x")
		Expect(t.ok(ctx, "storage", "local", "k").Data).To(Equal(map[string]any{"key": "k", "value": `{"a":"ü"}`}))
		Expect(t.ok(ctx, "storage", "local", "get", "none").Value).To(BeNil())
		Expect(t.ok(ctx, "storage", "session").Value).To(Equal(map[string]any{"s": "x"}))
		t.ok(ctx, "frame", "#x")
		Expect(t.ok(ctx, "storage", "local").Value).To(BeEmpty())
		t.ok(ctx, "frame", "main")
		t.ok(ctx, "storage", "local", "clear")
		Expect(t.ok(ctx, "storage", "local", "get").Value).To(BeEmpty())
	})

	It("saves its state and loads it again", func(ctx SpecContext) {
		t := at(ctx, "/cookie")
		t.ok(ctx, "storage", "local", "set", "k", "v")
		o := t.ok(ctx, "state", "save", "s.json")
		Expect(o.Artifacts).To(ConsistOf(HaveField("Kind", "state")))
		info, err := os.Stat(filepath.Join(t.files.dir, "s.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		path, _ := o.Value.(string)
		show := t.ok(ctx, "state", "show", "s.json")
		Expect(show.Data).To(And(HaveKeyWithValue("filename", "s.json"), HaveKeyWithValue("encrypted", false)))
		Expect(show.Value).To(HaveKeyWithValue("cookies", ConsistOf(HaveKeyWithValue("value", "s3"))))
		fresh := openOn(ctx, eng, options())
		fresh.ok(ctx, "state", "load", path)
		fresh.ok(ctx, "open", "/cookie")
		fresh.ok(ctx, "expect", "text", "#sent", "sid=s3")
		Expect(fresh.ok(ctx, "storage", "local", "k").Value).To(Equal("v"))
		t.put("bad.json", "{}")
		t.fails(ctx, steps.Validation, "no-state", "state", "load", "bad.json")
		t.fails(ctx, steps.Validation, "no-file", "state", "show", "none.json")
	})
})

var _ = Describe("what the page sees of the browser", Label("browser"), func() {
	It("is set for this tab and for later ones", func(ctx SpecContext) {
		t := at(ctx, "/")
		Expect(t.ok(ctx, "set", "viewport", "800", "600").Data).To(Equal(map[string]any{"width": 800, "height": 600, "deviceScaleFactor": 1.0, "mobile": false}))
		Expect(t.ok(ctx, "eval", "[innerWidth, innerHeight, devicePixelRatio]").Value).To(Equal([]any{800, 600, 1}))
		t.ok(ctx, "set", "viewport", "800", "600", "2")
		Expect(t.ok(ctx, "eval", "[innerWidth, devicePixelRatio]").Value).To(Equal([]any{800, 2}))
		t.ok(ctx, "screenshot", "two.png")
		w, h := size(filepath.Join(t.files.dir, "two.png"))
		Expect([]int{w, h}).To(Equal([]int{1600, 1200}))
		t.ok(ctx, "set", "media", "dark", "reduced-motion")
		const media = "['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'].map(q => matchMedia(q).matches)"
		Expect(t.ok(ctx, "eval", media).Value).To(Equal([]any{true, true}))
		t.ok(ctx, "set", "media", "no-preference")
		Expect(t.ok(ctx, "eval", media).Value).To(Equal([]any{true, false}))
		t.ok(ctx, "tab", "new", "/two")
		Expect(t.ok(ctx, "eval", "[innerWidth, devicePixelRatio]").Value).To(Equal([]any{800, 2}))
		Expect(t.ok(ctx, "eval", media).Value).To(Equal([]any{true, false}))
		Expect(t.ok(ctx, "set", "device", "iPhone 15").Data).To(And(HaveKeyWithValue("mobile", true), HaveKeyWithValue("device", "iPhone 15")))
		t.ok(ctx, "reload")
		Expect(t.ok(ctx, "eval", "[devicePixelRatio, /iPhone/.test(navigator.userAgent), 'ontouchstart' in window, navigator.maxTouchPoints > 0]").Value).
			To(Equal([]any{3, true, true, true}))
		t.ok(ctx, "tap", "#home")
		t.ok(ctx, "expect", "text", "h1", "Home")
		t.ok(ctx, "click", "#b")
		t.fails(ctx, steps.Validation, "no-device", "set", "device", "Nope 1")
	})

	It("is cut off, sends headers, knows credentials and a place", func(ctx SpecContext) {
		t := at(ctx, "/api")
		t.ok(ctx, "set", "geo", "59.95", "-30.5")
		Expect(t.ok(ctx, "eval", "new Promise(f => navigator.geolocation.getCurrentPosition(p => f([p.coords.latitude, p.coords.longitude]), e => f(e.message)))").Value).
			To(Equal([]any{59.95, -30.5}))
		Expect(t.ok(ctx, "set", "headers", `{"X-Test": "1"}`).Argv).To(Equal([]string{"set", "headers", "•••"}))
		t.ok(ctx, "eval", "go('/echo')")
		t.ok(ctx, "expect", "text", "#out", `"X-Test":"1"`, "--contains")
		t.ok(ctx, "set", "headers", "{}")
		Expect(t.ok(ctx, "set", "offline").Value).To(BeTrue())
		Expect(t.fails(ctx, steps.Navigation, "net", "open", "/two").Error).To(ContainSubstring("ERR_INTERNET_DISCONNECTED"))
		t.ok(ctx, "set", "offline", "off")
		t.fails(ctx, steps.Navigation, "http-status", "open", "/auth")
		Expect(t.ok(ctx, "set", "credentials", "ada", "wrong").Argv).To(Equal([]string{"set", "credentials", "ada", "•••"}))
		t.fails(ctx, steps.Navigation, "http-status", "open", "/auth")
		t.ok(ctx, "set", "credentials", "ada", "secret")
		t.ok(ctx, "open", "/auth")
		t.ok(ctx, "expect", "text", "h1", "Authed")
		t.ok(ctx, "tab", "new", "/two")
		t.ok(ctx, "open", "/auth?2")
	})
})

var _ = Describe("network", Label("browser"), func() {
	It("answers and aborts what routes match", func(ctx SpecContext) {
		t := at(ctx, "/api")
		out := func(js, want string) {
			GinkgoHelper()
			t.ok(ctx, "eval", js)
			t.ok(ctx, "expect", "text", "#out", want, "--contains")
		}
		o := t.ok(ctx, "network", "route", "/echo", "--body", `{"mock":1}`, "--status", "201", "--headers", `{"X-Mock":"yes"}`)
		Expect(o.Argv).To(Equal([]string{"network", "route", "/echo", "--body", "•••", "--status", "201", "--headers", "•••"}))
		out("go('/echo?x=1')", `201 {"mock":1}`)
		Expect(t.ok(ctx, "eval", "fetch('/echo').then(r => [r.headers.get('content-type'), r.headers.get('x-mock')])").Value).
			To(Equal([]any{"application/json", "yes"}))
		t.ok(ctx, "network", "route", "/echo", "--abort")
		out("go('/echo')", "0 failed")
		t.ok(ctx, "network", "route", "**", "--status", "503", "--resource-type", "image,xhr")
		out("go('/data.json')", `200 {"ok":true}`)
		t.ok(ctx, "network", "unroute", "/echo")
		out("go('/echo')", `200 {"body"`)
		Expect(t.ok(ctx, "network", "unroute", "/zzz").Warnings).To(ContainElement(ContainSubstring("no route")))
		Expect(t.ok(ctx, "network", "unroute").Value).To(Equal("all"))
		t.ok(ctx, "network", "route", "http://localhost:*/**", "--body", "far", "--allow-origin", "*")
		out("go('http://localhost:9/x')", "200 far")
		t.ok(ctx, "network", "route", "/two", "--body", "<h1>Mocked</h1>", "--headers", `{"Content-Type":"text/html"}`)
		t.ok(ctx, "tab", "new", "/two")
		t.ok(ctx, "expect", "text", "h1", "Mocked")
	})

	It("tells of one request, and of those of the page", func(ctx SpecContext) {
		t := at(ctx, "/")
		t.ok(ctx, "open", "/api?q=1#frag")
		t.ok(ctx, "eval", "go('/echo', {method: 'POST', body: 'sent'})")
		t.ok(ctx, "eval", "go('/bytes')")
		id := func(filter string) string {
			list, _ := t.ok(ctx, "network", "requests", "--filter", filter).Value.([]any)
			Expect(list).NotTo(BeEmpty())
			e, _ := list[0].(map[string]any)
			s, _ := e["requestId"].(string)
			return s
		}
		o := t.ok(ctx, "network", "request", id("/echo"))
		Expect(o.Data).To(And(HaveKeyWithValue("postData", "sent"), HaveKeyWithValue("status", 200), HaveKeyWithValue("mimeType", "application/json")))
		Expect(o.Value).To(ContainSubstring(`"body":"sent"`))
		o = t.ok(ctx, "network", "request", id("/bytes"))
		Expect(o.Data).To(And(HaveKeyWithValue("responseBase64", "//4AAQ=="), HaveKeyWithValue("responseBody", "[base64, 8 chars]")))
		t.fails(ctx, steps.NotFound, "no-request", "network", "request", "r999")
		Expect(t.ok(ctx, "network", "requests", "--current-page").Value).To(HaveLen(3))
		Expect(t.ok(ctx, "network", "requests", "--current-url").Value).To(HaveLen(1))
		Expect(t.ok(ctx, "network", "requests", "--current-origin", "--type", "fetch").Value).To(HaveLen(2))
	})

	It("records HAR", func(ctx SpecContext) {
		t := at(ctx, "/")
		Expect(t.ok(ctx, "network", "har", "stop", "empty.har").Warnings).To(ContainElement(ContainSubstring("no HAR")))
		for content, want := range map[string][2]bool{"text": {true, false}, "none": {false, false}, "all": {true, true}} {
			t.ok(ctx, "network", "har", "start", "--content", content)
			t.ok(ctx, "open", "/api")
			t.ok(ctx, "eval", "go('/bytes')")
			t.ok(ctx, "expect", "text", "#out", "200", "--contains")
			o := t.ok(ctx, "network", "har", "stop", content+".har")
			Expect(o.Data["requestCount"]).To(BeNumerically(">=", 2))
			b, err := os.ReadFile(filepath.Join(t.files.dir, content+".har"))
			Expect(err).NotTo(HaveOccurred())
			var doc struct {
				Log struct {
					Version string
					Entries []struct {
						Request  struct{ URL string }
						Response struct{ Content struct{ Text string } }
					}
				}
			}
			Expect(json.Unmarshal(b, &doc)).To(Succeed())
			Expect(doc.Log.Version).To(Equal("1.2"))
			for _, e := range doc.Log.Entries {
				switch e.Request.URL {
				case srv.URL + "/api":
					Expect(e.Response.Content.Text != "").To(Equal(want[0]), "text with %s", content)
				case srv.URL + "/bytes":
					Expect(e.Response.Content.Text != "").To(Equal(want[1]), "bytes with %s", content)
				}
			}
		}
	})
})
