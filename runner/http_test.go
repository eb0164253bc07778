package runner_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// shop answers like a service that needs some time: each path counts its own requests.
func shop(answers func(path string, n int32, w http.ResponseWriter)) (url string, counts map[string]*atomic.Int32) {
	counts = map[string]*atomic.Int32{}
	for _, p := range []string{"/a", "/b"} {
		counts[p] = &atomic.Int32{}
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers(r.URL.Path, counts[r.URL.Path].Add(1), w)
	}))
	DeferCleanup(srv.Close)
	return srv.URL, counts
}

func askShop(url, list string) map[string]string {
	files := one(list)
	files["a.yaml"] = strings.Replace(files["a.yaml"], "suite: a\n", "suite: a\nbase_url: "+url+"\n", 1)
	return files
}

func jsonTo(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprint(w, text)
}

var _ = Describe("An http step", func() {
	It("is read again until its expect holds, errors and all", func(ctx SpecContext) {
		url, counts := shop(func(_ string, n int32, w http.ResponseWriter) {
			switch n {
			case 1:
				w.WriteHeader(http.StatusBadGateway)
				_, _ = fmt.Fprint(w, "<h1>")
			case 2:
				jsonTo(w, 200, `{}`)
			case 3:
				jsonTo(w, 200, `{"order": {"state": "paid"}}`)
			default:
				jsonTo(w, 200, `{"order": {"state": "shipped"}}`)
			}
		})
		o := play(ctx, askShop(url, `
	    - { http: { url: /a }, expect: json.order.state == "shipped", every: 5ms }
	    - { http: { url: /b }, expect: json.order.state == "shipped", every: 5ms, within: 200ms, if: 1 == 2 }
`))
		Expect(o.test("one").Status).To(Equal(steps.Passed))
		Expect(counts["/a"].Load()).To(Equal(int32(4)))
		Expect(o.last("one").Warnings).To(BeEmpty())
	})

	It("fails at once on a status if nothing is expected", func(ctx SpecContext) {
		url, counts := shop(func(_ string, _ int32, w http.ResponseWriter) { jsonTo(w, 404, `{"error": "none"}`) })
		o := play(ctx, askShop(url, "\n\t    - http: { url: /a }\n"))
		f := o.last("one").Failure
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(f.Category).To(Equal(steps.HTTP))
		Expect(f.Sub).To(Equal("status-404"))
		Expect(f.Detail.Output).To(ContainSubstring(`{"error": "none"}`))
		Expect(counts["/a"].Load()).To(Equal(int32(1)))
	})

	It("that gives something else than is expected is a failure, not an error", func(ctx SpecContext) {
		url, _ := shop(func(_ string, _ int32, w http.ResponseWriter) { jsonTo(w, 200, `{"list": []}`) })
		o := play(ctx, askShop(url, "\n\t    - { http: { url: /a }, expect: [status == 201, json.user.name == 'x', 'json.list[0] == 1'], within: 20ms }\n"))
		f := o.last("one").Failure
		Expect(o.test("one").Status).To(Equal(steps.Failed))
		Expect(f.Category).To(Equal(steps.Assertion))
		Expect(f.Message).To(SatisfyAll(ContainSubstring("expected status == 201, but status is 200"),
			ContainSubstring(`expected json.user.name == 'x', but `), ContainSubstring("expected json.list[0] == 1, but ")))
		Expect(f.Detail.Output).To(ContainSubstring("→ 200 OK, application/json"))
	})

	It("is tried again only when the suite says so", func(ctx SpecContext) {
		url, counts := shop(func(path string, n int32, w http.ResponseWriter) {
			status := 503
			if path == "/b" {
				status = 500
			}
			if n > 2 {
				status = 200
			}
			jsonTo(w, status, `[1]`)
		})
		o := play(ctx, askShop(url, `
	    - { http: { method: POST, url: /a }, expect: [status == 200, len(json) == 1], retry: { times: 3, when: status == 503, unsafe: true } }
	    - { http: { method: POST, url: /b }, retry: { times: 3, when: status == 503, unsafe: true } }
`))
		Expect(counts["/a"].Load()).To(Equal(int32(3)))
		Expect(counts["/b"].Load()).To(Equal(int32(1)))
		Expect(o.last("one").Failure.Sub).To(Equal("status-500"))
	})

	It("gives expressions all of a large body, and the journal a part", func(ctx SpecContext) {
		url, _ := shop(func(path string, _ int32, w http.ResponseWriter) {
			if path == "/a" {
				jsonTo(w, 200, `["`+strings.Repeat("x", 200_000)+`", "end"]`)
				return
			}
			_, _ = fmt.Fprint(w, strings.Repeat("y", 200_000)+"end")
		})
		o := play(ctx, askShop(url, `
	    - { id: a, http: { url: /a }, save: "a.json", expect: 'json[1] == "end"' }
	    - { id: b, http: { url: /b }, expect: body endsWith "end" }
	    - expect: ['steps.a.value[1] == "end"', 'len(steps.b.value) == 200003', 'steps.b.headers["Content-Type"] startsWith "text/plain"', "steps.a.artifact endsWith 'a.json'"]
	    - { http: { url: /b }, expect: body endsWith "END", within: 0s }
`))
		Expect(o.last("one").Failure.Message).To(HavePrefix(`expected body endsWith "END", but body is "yyy`))
		text, err := os.ReadFile(filepath.Join(o.run, "journal.jsonl"))
		Expect(err).NotTo(HaveOccurred())
		Expect(len(text)).To(BeNumerically("<", 60_000))
		list := o.last("one").Artifacts
		Expect(list).To(HaveLen(1))
		saved, err := os.ReadFile(filepath.Join(o.run, filepath.FromSlash(list[0].Path)))
		Expect(err).NotTo(HaveOccurred())
		Expect(saved).To(HaveLen(200_000 + 11))
	})

	It("resolves files against the file that says it, and base_url in a fragment too", func(ctx SpecContext) {
		url, _ := shop(func(_ string, _ int32, w http.ResponseWriter) { jsonTo(w, 200, `1`) })
		files := askShop(url, "\n\t    - use: parts/send.yaml\n")
		files["parts/send.yaml"] = "fragment: send\nsteps:\n\t- { http: { url: /a, file: data.json }, expect: [status == 200, json == 1] }\n"
		files["parts/data.json"] = "{}"
		Expect(play(ctx, files).test("one").Status).To(Equal(steps.Passed))
	})

	It("says that this engine has no cookies to share", func(ctx SpecContext) {
		url, counts := shop(func(_ string, _ int32, w http.ResponseWriter) { jsonTo(w, 200, `1`) })
		o := play(ctx, askShop(url, "\n\t    - http: { url: /a, with_page_cookies: true }\n"))
		Expect(o.last("one").Failure.Message).To(ContainSubstring("no browser engine"))
		Expect(o.last("one").Failure.Category).To(Equal(steps.Environment))
		Expect(counts["/a"].Load()).To(BeZero())
	})
})
