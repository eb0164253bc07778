package browser_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser"
)

var _ = DescribeTable("URL patterns", func(pattern, url string, want bool) {
	got, err := browser.MatchURL(pattern, url)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(want))
},
	Entry("path", "/thanks", "http://h/thanks", true), Entry("query is ignored", "/thanks", "http://h/thanks?x=1#y", true),
	Entry("whole path", "/thanks", "http://h/a/thanks", false), Entry("longer path", "/thanks", "http://h/thanks/2", false),
	Entry("star", "/order/*", "http://h/order/12", true), Entry("star is one segment", "/order/*", "http://h/order/1/2", false),
	Entry("two stars", "/order/**", "http://h/order/1/2", true), Entry("query counts with ?", "/s?q=a", "http://h/s?q=b", false),
	Entry("star in a query", "/s?q=*&p=1", "http://h/s?q=abc&p=1", true), Entry("needs the query", "/s?q=*", "http://h/s", false),
	Entry("end", "**/thanks", "http://h/a/b/thanks", true), Entry("end at the root", "**/thanks", "http://h/thanks", true),
	Entry("end is a segment", "**/thanks", "http://h/nothanks", false), Entry("end without slash", "**thanks", "http://h/nothanks", true),
	Entry("whole", "http://h/a", "http://h/a#x", true), Entry("whole with query", "http://h/a", "http://h/a?x", false),
	Entry("whole root", "http://h", "http://h/", true), Entry("host glob", "https://*.example.test/**", "https://a.example.test/x/y", true),
	Entry("dots are dots", "/a.b", "http://h/axb", false), Entry("escaped", "/a b", "http://h/a%20b", true),
	Entry("root", "/", "http://h/", true), Entry("blank", "/", "about:blank", false))

var _ = DescribeTable("patterns that are none", func(pattern string) {
	_, err := browser.MatchURL(pattern, "http://h/")
	Expect(err).To(MatchError(ContainSubstring("/" + pattern)))
}, Entry("a word", "thanks"), Entry("a star", "*thanks"))

var _ = DescribeTable("what open means", func(base, raw, want string) {
	Expect(browser.Resolve(base, raw)).To(Equal(want))
},
	Entry("path", "http://h/app/", "/x", "http://h/x"), Entry("relative", "http://h/app/", "./x", "http://h/app/x"),
	Entry("word", "http://h/app/", "x", "http://h/app/x"), Entry("query", "http://h/a", "?q=1", "http://h/a?q=1"),
	Entry("whole", "http://h", "https://o/x", "https://o/x"), Entry("blank", "", "about:blank", "about:blank"),
	Entry("host", "http://h", "example.test/x", "https://example.test/x"))

var _ = It("refuses a path without base_url", func() {
	_, err := browser.Resolve("", "/x")
	Expect(err).To(MatchError(ContainSubstring("base_url")))
})

var _ = DescribeTable("rings", func(n int, since uint64, first, length, dropped int) {
	list, lost := browser.RingOf(10, n, since)
	Expect(list).To(HaveLen(length))
	Expect(lost).To(Equal(dropped))
	if length > 0 {
		Expect(list[0]).To(Equal(first))
	}
},
	Entry("few", 3, uint64(0), 1, 3, 0), Entry("since", 5, uint64(3), 4, 2, 0), Entry("nothing new", 5, uint64(5), 0, 0, 0),
	Entry("full", 25, uint64(0), 16, 10, 15), Entry("since kept", 25, uint64(20), 21, 5, 0), Entry("since dropped", 25, uint64(10), 16, 10, 5))

const tree = `- generic [ref=e1]:
  - banner [ref=e2]:
    - link "Home \"x\"" [ref=e3] [cursor=pointer]:
      - /url: /
      - button "In" [ref=e4]
  - text: plain
  - iframe [ref=e5]:
    - textbox "Mail" [active] [ref=f1e2]: a@b`

var _ = It("reads snapshots", func() {
	Expect(browser.Refs(tree)).To(Equal(map[string]string{"e1": "generic ", "e2": "banner ", "e3": `link Home "x"`, "e4": "button In",
		"e5": "iframe ", "f1e2": "textbox Mail"}))
	Expect(browser.OnlyInteractive(tree)).To(Equal(`- link "Home \"x\"" [ref=e3] [cursor=pointer]
  - button "In" [ref=e4]
- iframe [ref=e5]
  - textbox "Mail" [active] [ref=f1e2]: a@b`))
})

func FuzzMatchURL(f *testing.F) {
	f.Add("/a/*", "http://h/a/b")
	f.Add("**/x?y=*", "about:blank")
	f.Add("http://*", "%zz")
	f.Fuzz(func(t *testing.T, pattern, url string) {
		if _, err := browser.MatchURL(pattern, url); err == nil && pattern == "" {
			t.Fatal("the empty pattern was accepted")
		}
	})
}

func FuzzSnapshot(f *testing.F) {
	f.Add(tree)
	f.Fuzz(func(t *testing.T, text string) {
		browser.Refs(text)
		if len(browser.OnlyInteractive(text)) > 3*len(text)+10 {
			t.Fatal("more came out than went in")
		}
	})
}

var _ = It("What a browser says of a request that failed is cut to 220 characters", func() {
	Expect(browser.Reason("net::ERR_FAILED")).To(Equal("net::ERR_FAILED"))
	Expect(browser.Reason(strings.Repeat("é", 221))).To(Equal(strings.Repeat("é", 220) + "…"))
})
