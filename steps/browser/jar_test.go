package browser_test

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

var _ = Describe("the cookies of a session", Label("browser"), func() {
	It("are shared with requests that do not come from the page", func(ctx SpecContext) {
		t := openOn(ctx, eng, options())
		jar := t.Session.(steps.Jar)
		read := func(at string) []string {
			GinkgoHelper()
			list, err := jar.Cookies(ctx, at)
			Expect(err).NotTo(HaveOccurred())
			var out []string
			for _, c := range list {
				out = append(out, c.Name+"="+c.Value)
			}
			return out
		}
		at := srv.URL + "/deep/page"
		Expect(read(at)).To(BeEmpty())

		Expect(jar.SetCookies(ctx, at, []*http.Cookie{
			{Name: "root", Value: "1", Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode},
			{Name: "folder", Value: "2"},
			{Name: "quoted", Value: "a b", Quoted: true, Path: "/"},
			{Name: "later", Value: "3", Path: "/", MaxAge: 3600},
			{Name: "gone", Value: "4", Path: "/", Expires: time.Now().Add(-time.Hour)},
			{Name: "foreign", Value: "5", Path: "/", Domain: "other.test"},
			{Name: "root", Value: "6", Path: "/"},
		})).To(Succeed())
		Expect(read(at)).To(ConsistOf("root=6", "folder=2", `quoted="a b"`, "later=3"))
		Expect(read(srv.URL + "/")).NotTo(ContainElement("folder=2"))
		Expect(read("http://other.test/")).To(BeEmpty())

		By("the page has them")
		t.ok(ctx, "open", "/")
		Expect(t.ok(ctx, "eval", "document.cookie").Value).To(ContainSubstring("later=3"))

		By("and what the page sets is there")
		t.ok(ctx, "eval", "document.cookie = 'mine=7'")
		Expect(read(srv.URL + "/")).To(ContainElement("mine=7"))

		By("and what has expired is removed")
		Expect(jar.SetCookies(ctx, at, []*http.Cookie{{Name: "later", Path: "/", MaxAge: -1}, {Name: "folder", Expires: time.Unix(1, 0)}})).To(Succeed())
		Expect(read(at)).To(ConsistOf("root=6", `quoted="a b"`, "mine=7"))
	}, SpecTimeout(60*time.Second))

	It("of a domain go to its hosts", func(ctx SpecContext) {
		t := openOn(ctx, eng, options())
		jar := t.Session.(steps.Jar)
		u, err := url.Parse(strings.Replace(srv.URL, "127.0.0.1", "a.localhost", 1))
		Expect(err).NotTo(HaveOccurred())
		Expect(jar.SetCookies(ctx, u.String(), []*http.Cookie{{Name: "d", Value: "1", Domain: "a.localhost", Path: "/"}, {Name: "h", Value: "2", Path: "/"}})).To(Succeed())
		list, err := jar.Cookies(ctx, "http://b.a.localhost/")
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveExactElements(HaveField("Name", "d")))
	}, SpecTimeout(60*time.Second))
})
