package httpcheck_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("a request", func() {
	DescribeTable("asks for a URL", func(ctx SpecContext, yaml, method, uri string) {
		s := asked(ok(ctx, serve(echo), yaml))
		Expect(s.Method + " " + s.URI).To(Equal(method + " " + uri))
		Expect(s.Header).To(HaveKeyWithValue("User-Agent", []string{"checkrow"}))
		Expect(s.Header).To(HaveKeyWithValue("Accept", []string{"*/*"}))
	},
		Entry("on base_url", `http: { url: /a/b }`, "GET", "/a/b"),
		Entry("of the root", `http: { url: / }`, "GET", "/"),
		Entry("that is relative", `http: { url: a?x=1 }`, "GET", "/a?x=1"),
		Entry("with only a query", `http: { url: "?q=a b" }`, "GET", "/?q=a%20b"),
		Entry("with a URL in its query", `http: { url: "/go?to=http://x.test/y" }`, "GET", "/go?to=http://x.test/y"),
		Entry("without its fragment", `http: { url: "/a#b" }`, "GET", "/a"),
		Entry("with a path that needs escapes", `http: { url: /ä b }`, "GET", "/%C3%A4%20b"),
		Entry("with a query that needs escapes", `http: { url: '/?q=ä"<' }`, "GET", "/?q=%C3%A4%22%3C"),
		Entry("with expressions", `http: { url: "/o/${{ vars.n }}" }`, "GET", "/o/3"),
		Entry("with a query", `http: { url: /s, query: { q: "a b&c", n: "${{ vars.n }}", l: [1, "2"] } }`, "GET", "/s?q=a+b%26c&n=3&l=1&l=2"),
		Entry("with a list in its query", `http: { url: "/s?x=1", query: { l: "${{ vars.list }}" } }`, "GET", "/s?x=1&l=a+b&l=2"),
		Entry("with a name that needs escapes", `http: { url: "/s?x", query: { "a b[]": 1 } }`, "GET", "/s?x&a+b%5B%5D=1"),
		Entry("by another method", `http: { method: DELETE, url: /a }`, "DELETE", "/a"),
		Entry("with a body, by POST", `http: { url: /a, body: x }`, "POST", "/a"),
		Entry("with a body, by PUT", `http: { method: PUT, url: /a, json: {} }`, "PUT", "/a"),
		Entry("with a body, by GET", `http: { method: GET, url: /a, json: {} }`, "GET", "/a"),
	)

	DescribeTable("carries a body", func(ctx SpecContext, yaml, kind, text string) {
		s := asked(ok(ctx, serve(echo), yaml))
		Expect(s.Body).To(Equal(text))
		Expect(s.Header.Get("Content-Type")).To(Equal(kind))
	},
		Entry("of JSON, in written order", `http: { url: /, json: { z: 1, a: [x, "2", null, true, 1.10, 12345678901234567890] } }`,
			"application/json", `{"z":1,"a":["x","2",null,true,1.10,12345678901234567890]}`),
		Entry("of JSON with expressions that keep their type", `http: { url: /, json: { n: "${{ vars.n }}", t: "n=${{ vars.n }}", m: "${{ vars.any }}", h: "<&>" } }`,
			"application/json", `{"n":3,"t":"n=3","m":{"k":1.5},"h":"<&>"}`),
		Entry("of JSON that is one expression", `http: { url: /, json: "${{ vars.list }}" }`, "application/json", `["a b",2]`),
		Entry("of JSON that is nothing", "http:\n  url: /\n  json:", "application/json", `null`),
		Entry("of a JSON text", `http: { url: /, json: yes }`, "application/json", `"yes"`),
		Entry("of an empty list and map", `http: { url: /, json: [[], {}] }`, "application/json", `[[],{}]`),
		Entry("of a form", `http: { url: /, form: { name: "${{ vars.name }}", x: [1, 2], e: "" } }`,
			"application/x-www-form-urlencoded", `name=%C3%84%26%3D%22&x=1&x=2&e=`),
		Entry("of text", `http: { url: /, body: "a ${{ vars.n }}\n" }`, "text/plain; charset=utf-8", "a 3\n"),
		Entry("of text with a type", `http: { url: /, body: "<a/>", headers: { content-type: application/xml } }`, "application/xml", "<a/>"),
		Entry("of no text", `http: { url: /, body: "" }`, "text/plain; charset=utf-8", ""),
	)

	It("carries a file beside the suite", func(ctx SpecContext) {
		dir := GinkgoT().TempDir()
		Expect(os.Mkdir(filepath.Join(dir, "data"), 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "data", "in.json"), []byte(`{"a":1}`), 0o600)).To(Succeed())
		e := env(serve(echo))
		e.Dir = dir
		s := asked(body(`http: { url: /, file: data/in.json }`).Run(ctx, e))
		Expect(s.Body).To(Equal(`{"a":1}`))
		Expect(s.Method).To(Equal("POST"))
		Expect(s.Header.Get("Content-Type")).To(Equal("application/json"))
		o := body(`http: { url: /, file: data/none.json }`).Run(ctx, e)
		Expect(o.Category).To(Equal(steps.Validation))
		Expect(o.Error).To(Equal(`reading "data/none.json": no such file or directory`))
	}, SpecTimeout(time.Minute))

	It("carries headers", func(ctx SpecContext) {
		s := asked(ok(ctx, serve(echo), `http: { url: /, headers: { x-n: "${{ vars.n }}", Accept: text/html, X-Two: [a, b], Host: shop.test } }`))
		Expect(s.Header).To(HaveKeyWithValue("X-N", []string{"3"}))
		Expect(s.Header).To(HaveKeyWithValue("Accept", []string{"text/html"}))
		Expect(s.Header).To(HaveKeyWithValue("X-Two", []string{"a", "b"}))
		Expect(s.Host).To(Equal("shop.test"))
	}, SpecTimeout(time.Minute))

	It("logs in", func(ctx SpecContext) {
		url := serve(echo)
		Expect(asked(ok(ctx, url, `http: { url: /, auth: { bearer: "t-${{ vars.n }}" } }`)).Header).To(HaveKeyWithValue("Authorization", []string{"Bearer t-3"}))
		want := "Basic " + base64.StdEncoding.EncodeToString([]byte("ada:pass:word"))
		Expect(asked(ok(ctx, url, `http: { url: /, auth: { basic: [ada, "${{ secrets.PW }}"] } }`)).Header).To(HaveKeyWithValue("Authorization", []string{want}))
	}, SpecTimeout(time.Minute))

	DescribeTable("that cannot be made is told", func(ctx SpecContext, base, yaml, sub, message string) {
		o := run(ctx, base, yaml)
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(steps.Validation))
		Expect(o.Sub).To(Equal(sub))
		Expect(o.Error).To(Equal(message))
	},
		Entry("a path without base_url", "", `http: { url: /a }`, "url", `"/a" is a path, and there is no base_url to resolve it against (write the whole URL)`),
		Entry("a base_url that is none", "shop", `http: { url: /a }`, "url", `base_url: "shop" names no host (write http://HOST/PATH or https://HOST/PATH)`),
		Entry("a host without a scheme", "http://h.test", `http: { url: "${{ vars.n }}.test/a" }`, "url",
			`"3.test/a" is neither a URL nor a path (write http://3.test/a, or /3.test/a for a path on base_url)`),
		Entry("an unknown scheme", "http://h.test", `http: { url: "ftp${{ vars.n }}://a" }`, "url", `"ftp3://a" is no URL of HTTP (it starts with http:// or https://)`),
		Entry("a line break in a header", "http://h.test", `http: { url: /, headers: { X-A: "${{ 'a\\nb' }}" } }`, "http",
			`header "X-A" of http holds a line break or another control character`),
		Entry("a map in a query", "http://h.test", `http: { url: /, query: { a: "${{ vars.any }}" } }`, "http", `rendering query.a of http: a map cannot stand in text`),
		Entry("a token that is empty", "http://h.test", `http: { url: /, auth: { bearer: "${{ '' }}" } }`, "http", `auth.bearer of http is empty, or holds a control character`),
		Entry("no page for cookies", "http://h.test", `http: { url: /, with_page_cookies: true }`, "http", `with_page_cookies: there is no page here`),
	)
})
