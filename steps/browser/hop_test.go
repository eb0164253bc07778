package browser_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser"
)

// names answers every look-up of an IPv4 address with 127.0.0.1.
func names() *net.Resolver {
	GinkgoHelper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 512)
		for {
			n, from, err := c.ReadFrom(buf)
			if err != nil {
				return
			}
			end := 12
			for end < n && buf[end] != 0 {
				end += int(buf[end]) + 1
			}
			if end += 5; end > n { // the root, type and class
				continue
			}
			reply := append([]byte{buf[0], buf[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, buf[12:end]...)
			if buf[end-3] == 1 { // an A record
				reply[7] = 1
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
			}
			_, _ = c.WriteTo(reply, from)
		}
	}()
	DeferCleanup(func() {
		_ = c.Close()
		Eventually(done).Should(BeClosed())
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", c.LocalAddr().String())
	}}
}

var _ = Describe("a read row that may reach public addresses only", Label("browser"), func() {
	It("judges the address that a name below a listed domain has, at every hop", func(ctx SpecContext) {
		needBrowser()
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/away":
				http.Redirect(w, r, "http://intern.shop.test"+r.Host[strings.IndexByte(r.Host, ':'):]+"/secret", http.StatusFound)
			case "/odd":
				w.Header().Set("Location", r.URL.Query().Get("to"))
				w.WriteHeader(http.StatusFound)
			case "/set":
				http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: "/"})
				http.Redirect(w, r, "/here", http.StatusFound)
			default:
				_, _ = fmt.Fprintf(w, "%s %s %s", r.Host, r.Header.Get("Cookie"), r.Header.Get("X-Suite"))
			}
		}))
		DeferCleanup(srv.Close)
		port := srv.URL[strings.LastIndexByte(srv.URL, ':'):]
		e := browser.New(browser.Options{Driver: found.Driver, Executable: found.Browser.Path, Bare: bare, Other: other, Resolver: names()})
		DeferCleanup(func(ctx SpecContext) { Expect(e.Close(ctx)).To(Succeed()) })
		o := options()
		o.BaseURL, o.Hosts, o.Public, o.Headers = srv.URL, []string{"127.0.0.1", "*.shop.test"}, true, map[string]string{"X-Suite": "s"}
		t := openOn(ctx, e, o)
		for _, at := range []string{"http://intern.shop.test" + port + "/secret", "/away"} {
			Expect(t.fails(ctx, steps.PolicyDenied, "private-network", "read", at).Error).To(ContainSubstring(`the host "intern.shop.test" is 127.0.0.1`))
		}
		t.ok(ctx, "open", "/set")
		Expect(t.ok(ctx, "read", "/here").Value).To(Equal("127.0.0.1"+port+" seen=yes s"), "an address in the list means itself")
		t.ok(ctx, "cookies", "clear")
		Expect(t.ok(ctx, "read", "/set").Value).To(ContainSubstring("seen=yes"), "what an answer sets counts for the next")

		By("reaching it where private addresses are allowed, by the system's names")
		o.Public = false
		t = openOn(ctx, e, o)
		Expect(t.fails(ctx, steps.Navigation, "net", "read", "http://intern.shop.test"+port+"/").Error).To(ContainSubstring("cannot be read"))

		By("reading where a redirect leads as the driver does, not as this program's library does")
		for _, to := range []string{"http:localhost", "http:/localhost", "http:///localhost"} {
			Expect(t.fails(ctx, steps.PolicyDenied, "reach", "read", "/odd?to="+url.QueryEscape(to+port+"/x")).Error).To(
				ContainSubstring("localhost is not in allowed_domains"), to)
		}
	})
})
