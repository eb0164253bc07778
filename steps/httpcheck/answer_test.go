package httpcheck_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("an answer", func() {
	// answer serves one answer.
	answer := func(status int, kind, text string) string {
		return serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Add("X-Two", "a")
			w.Header().Add("X-Two", "b")
			w.Header().Add("Set-Cookie", "sid=abcdefgh; Path=/; HttpOnly")
			w.Header().Add("Set-Cookie", "b=2")
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, text)
		})
	}

	It("gives status, headers, body, json and value", func(ctx SpecContext) {
		url := answer(201, "application/json; charset=utf-8", `{"n": 3, "f": 1.5, "big": 12345678901, "l": [1]}`)
		o := ok(ctx, url, `http: { url: /x }`)
		want := map[string]any{"n": 3, "f": 1.5, "big": 12345678901, "l": []any{1}}
		Expect(o.Full.Value).To(Equal(want))
		Expect(o.Full.Data).To(HaveKeyWithValue("json", want))
		Expect(o.Full.Data).To(HaveKeyWithValue("status", 201))
		Expect(o.Full.Data).To(HaveKeyWithValue("url", url+"/x"))
		Expect(o.Full.Data).To(HaveKeyWithValue("redirects", BeEmpty()))
		Expect(o.Full.Data["body"]).To(HavePrefix(`{"n": 3`))
		headers := o.Full.Data["headers"].(map[string]any)
		Expect(headers).To(HaveKeyWithValue("x-two", "a, b"))
		Expect(headers).To(HaveKeyWithValue("set-cookie", "sid=abcdefgh; Path=/; HttpOnly\nb=2"))
		Expect(o.Took).To(BeNumerically(">", 0))
		Expect(o.Summary).To(HavePrefix("201 Created in "))
		Expect(o.Argv).To(Equal([]string{"GET", url + "/x"}))

		By("and journals JSON once, and cookies without their values")
		Expect(o.Value).To(Equal(want))
		Expect(o.Data).NotTo(HaveKey("body"))
		Expect(o.Data).NotTo(HaveKey("json"))
		Expect(o.Data["headers"]).To(HaveKeyWithValue("set-cookie", "sid=…; Path=/; HttpOnly\nb=…"))
	}, SpecTimeout(time.Minute))

	DescribeTable("is JSON if it says so or looks so", func(ctx SpecContext, kind, text string, want any, warned bool) {
		o := ok(ctx, answer(200, kind, text), `http: { url: / }`)
		Expect(o.Full.Value).To(Equal(want))
		Expect(len(o.Warnings) > 0).To(Equal(warned))
	},
		Entry("a problem", "application/problem+json", `{"a":1}`, map[string]any{"a": 1}, false),
		Entry("behind a byte order mark", "application/json", "\ufeff[1]", []any{1}, false),
		Entry("a number", "application/json", "7", 7, false),
		Entry("called text", "text/plain", ` {"a": 1} `, map[string]any{"a": 1}, false),
		Entry("text that looks like it", "text/plain", `{a}`, "{a}", false),
		Entry("HTML", "text/html", `[1]`, "[1]", false),
		Entry("called JSON and none", "application/json", `<p>`, "<p>", true),
		Entry("empty", "application/json", ``, "", false),
	)

	It("fails on a status of 400 and more", func(ctx SpecContext) {
		url := answer(404, "application/json", `{"error": "no such order"}`)
		o := run(ctx, url, `http: { method: DELETE, url: /orders/7 }`)
		Expect(o.Success).To(BeFalse())
		Expect(o.Category).To(Equal(steps.HTTP))
		Expect(o.Sub).To(Equal("status-404"))
		Expect(o.Error).To(Equal("DELETE " + url + "/orders/7 answered 404 Not Found, expected less than 400"))
		Expect(o.Detail.Want).To(Equal("a status below 400"))
		Expect(o.Detail.Got).To(Equal("404 Not Found"))
		Expect(o.Detail.Output).To(MatchRegexp(`^DELETE http://\S+ → 404 Not Found, application/json, 26 bytes, \d+m?s\n\{"error": "no such order"\}$`))
		Expect(o.Full.Data).To(HaveKeyWithValue("status", 404))
	}, SpecTimeout(time.Minute))

	DescribeTable("leaves the status to an expect that reads it", func(ctx SpecContext, expect string, success bool) {
		url := answer(404, "text/plain", "none")
		Expect(run(ctx, url, "http: { url: / }\nexpect: "+expect).Success).To(Equal(success))
	},
		Entry("alone", "status == 404", true),
		Entry("in a list", `[body != "", "status in [404, 410]"]`, true),
		Entry("in data", `data.status == 404`, true),
		Entry("not at all", `body == "none"`, false),
	)

	It("keeps ten megabytes, and says so", func(ctx SpecContext) {
		url := serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			for range 11 << 4 {
				_, _ = w.Write([]byte(strings.Repeat("x", 1<<16)))
			}
		})
		o := ok(ctx, url, `http: { url: / }`)
		Expect(o.Warnings).To(ConsistOf(ContainSubstring("larger than 10 MB: the rest was dropped"), ContainSubstring("only the first 4 MB")))
		Expect(o.Full.Raw).To(HaveLen(10 << 20))
		Expect(o.Full.Data["body"]).To(HaveLen(4 << 20))
		Expect(o.Data["body"]).To(SatisfyAll(HaveSuffix("x… (10 MB)"), WithTransform(func(s string) int { return len(s) }, BeNumerically("<", 5000))))
	}, SpecTimeout(time.Minute))

	It("shows what is no text by type and size", func(ctx SpecContext) {
		o := ok(ctx, answer(200, "image/png", "\x89PNG\r\n\x1a\n\x00\x00"), `http: { url: / }`)
		Expect(o.Data["body"]).To(Equal("(image/png, 10 bytes)"))
		Expect(o.Detail.Output).NotTo(ContainSubstring("\n"))
		Expect(o.Full.Raw).To(Equal([]byte("\x89PNG\r\n\x1a\n\x00\x00")))
		Expect(ok(ctx, answer(200, "application/pdf", "%PDF-1.7\x00\xff"), `http: { url: / }`).Data["body"]).To(Equal("(application/pdf, 10 bytes)"))
	}, SpecTimeout(time.Minute))

	It("shows the first lines of a long one", func(ctx SpecContext) {
		o := run(ctx, answer(500, "text/html", strings.Repeat("<p>\x1b[31m a line\r\n", 300)), `http: { url: / }`)
		lines := strings.Split(o.Detail.Output, "\n")
		Expect(lines).To(HaveLen(9))
		Expect(lines[8]).To(HaveSuffix("a line …"))
		Expect(o.Detail.Output).NotTo(ContainSubstring("\x1b"))
	}, SpecTimeout(time.Minute))

	It("is unpacked", func(ctx SpecContext) {
		o := ok(ctx, answer(204, "text/plain", ""), `http: { method: HEAD, url: / }`)
		Expect(o.Full.Data).To(HaveKeyWithValue("body", ""))
		Expect(o.Full.Value).To(Equal(""))
	}, SpecTimeout(time.Minute))
})
