package httpcheck_test

import (
	"context"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps"
)

// chain redirects /N to /N-1 until /0, which echoes.
func chain(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if n == 0 {
			echo(w, r)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "at" + strconv.Itoa(n), Value: "1", Path: "/"})
		w.Header().Set("Location", "/"+strconv.Itoa(n-1))
		w.WriteHeader(status)
	}
}

var _ = Describe("redirects", func() {
	It("are followed and recorded, with the cookies they set", func(ctx SpecContext) {
		base := serve(chain(302))
		o := ok(ctx, base, `http: { url: /2, body: x, auth: { bearer: t0ken } }`)
		s := asked(o)
		Expect(s.Method).To(Equal("GET"))
		Expect(s.Header).To(HaveKeyWithValue("Authorization", []string{"Bearer t0ken"}))
		Expect(strings.Split(s.Header.Get("Cookie"), "; ")).To(ConsistOf("at1=1", "at2=1"))
		Expect(o.Full.Data["redirects"]).To(Equal([]any{
			map[string]any{"method": "POST", "url": base + "/2", "status": 302, "to": base + "/1"},
			map[string]any{"method": "GET", "url": base + "/1", "status": 302, "to": base + "/0"},
		}))
		Expect(o.Full.Data["url"]).To(Equal(base + "/0"))
		Expect(strings.Split(o.Detail.Output, "\n")[0]).To(Equal("POST " + base + "/2 → 302, to " + base + "/1"))
	}, SpecTimeout(time.Minute))

	It("keep method and body where HTTP says so", func(ctx SpecContext) {
		s := asked(ok(ctx, serve(chain(307)), `http: { url: /1, body: x }`))
		Expect(s.Method + s.Body).To(Equal("POSTx"))
	}, SpecTimeout(time.Minute))

	It("do not carry the token to another host", func(ctx SpecContext) {
		other := strings.Replace(serve(echo), "127.0.0.1", "localhost", 1)
		base := serve(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+"/", http.StatusFound) })
		Expect(asked(ok(ctx, base, `http: { url: /, auth: { bearer: t0ken } }`)).Header).NotTo(HaveKey("Authorization"))
	}, SpecTimeout(time.Minute))

	It("are not followed if the step says so", func(ctx SpecContext) {
		o := ok(ctx, serve(chain(302)), `http: { url: /1, redirects: false }`)
		Expect(o.Full.Data).To(HaveKeyWithValue("status", 302))
		Expect(o.Full.Data["headers"]).To(HaveKeyWithValue("location", "/0"))
	}, SpecTimeout(time.Minute))

	DescribeTable("are bounded", func(ctx SpecContext, yaml, message string, lines int) {
		o := run(ctx, serve(chain(302)), yaml)
		Expect(o.Category).To(Equal(steps.HTTP))
		Expect(o.Sub).To(Equal("redirects"))
		Expect(o.Error).To(ContainSubstring(message))
		Expect(strings.Split(o.Detail.Output, "\n")).To(HaveLen(lines))
	},
		Entry("to ten", `http: { url: /11 }`, "more than 10 redirects (the last one to http", 3),
		Entry("to what the step says", `http: { url: /3, redirects: 2 }`, "more than 2 redirects", 3),
	)
	It("are followed ten times", func(ctx SpecContext) { ok(ctx, serve(chain(301)), `http: { url: /10 }`) }, SpecTimeout(time.Minute))
})

// broken serves connections that are cut off without a byte, until the last of n; then it answers.
func broken(n int32) (base string, count *atomic.Int32) {
	count = &atomic.Int32{}
	return serve(func(w http.ResponseWriter, r *http.Request) {
		if count.Add(1) <= n {
			panic(http.ErrAbortHandler)
		}
		echo(w, r)
	}), count
}

var _ = Describe("a request that is not delivered", func() {
	It("is sent again if it changes nothing", func(ctx SpecContext) {
		for _, method := range []string{"GET", "HEAD"} {
			base, count := broken(2)
			o := ok(ctx, base, `http: { method: `+method+`, url: / }`)
			Expect(count.Load()).To(Equal(int32(3)))
			Expect(o.Warnings).To(ConsistOf(MatchRegexp(method + ` http://\S+ was answered at try 3, before that: the server closed the connection without a whole answer`)))
		}
	}, SpecTimeout(time.Minute))

	It("fails after three tries", func(ctx SpecContext) {
		base, count := broken(100)
		o := run(ctx, base, `http: { url: / }`)
		Expect(count.Load()).To(Equal(int32(3)))
		Expect(o.Category).To(Equal(steps.HTTP))
		Expect(o.Sub).To(Equal("transport"))
		Expect(o.Error).To(Equal("GET " + base + "/: the server closed the connection without a whole answer (3 tries)"))
	}, SpecTimeout(time.Minute))

	It("is sent once if it changes something", func(ctx SpecContext) {
		base, count := broken(1)
		for _, yaml := range []string{`http: { url: /, body: x }`, `http: { method: DELETE, url: / }`, `http: { method: OPTIONS, url: / }`} {
			count.Store(0)
			Expect(run(ctx, base, yaml).Sub).To(Equal("transport"))
			Expect(count.Load()).To(Equal(int32(1)))
		}
	}, SpecTimeout(time.Minute))

	It("is not sent again once an answer has begun", func(ctx SpecContext) {
		var count atomic.Int32
		base := serve(func(w http.ResponseWriter, _ *http.Request) {
			count.Add(1)
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("begin"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		o := run(ctx, base, `http: { url: / }`)
		Expect(count.Load()).To(Equal(int32(1)))
		Expect(o.Sub).To(Equal("transport"))
		Expect(o.Error).To(ContainSubstring("the answer broke off after 5 bytes of its body"))
	}, SpecTimeout(time.Minute))

	It("says what refused it", func(ctx SpecContext) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		at := l.Addr().String()
		Expect(l.Close()).To(Succeed())
		o := run(ctx, "http://"+at, `http: { url: / }`)
		Expect(o.Category).To(Equal(steps.HTTP))
		Expect(o.Sub).To(Equal("transport"))
		Expect(o.Error).To(Equal("GET http://" + at + "/: the connection was refused by " + at + " (3 tries)"))
	}, SpecTimeout(time.Minute))

	It("says that there is no such host", func(ctx SpecContext) {
		o := run(ctx, "http://no-such-host.invalid", `http: { url: /, timeout: 5s }`)
		Expect(o.Sub).To(BeElementOf("transport", "http"))
		Expect(o.Error).To(ContainSubstring("no-such-host.invalid"))
	}, SpecTimeout(time.Minute))

	It("ends with its own time", func(ctx SpecContext) {
		release := make(chan struct{})
		base := serve(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		})
		defer close(release)
		o := run(ctx, base, `http: { url: /, timeout: 50ms }`)
		Expect(o.Category).To(Equal(steps.Timeout))
		Expect(o.Error).To(Equal("GET " + base + "/: no complete answer within 50ms"))
		Expect(body(`http: { url: /, timeout: 50ms }`).Limit).To(Equal(50 * time.Millisecond))

		short, cancel := context.WithTimeoutCause(ctx, 50*time.Millisecond, errors.New("the step has passed its limit"))
		defer cancel()
		o = body("http: { url: / }\ntimeout: 50ms").Run(short, env(base))
		Expect(o.Category).To(Equal(steps.Timeout))
		Expect(o.Error).To(ContainSubstring("the step has passed its limit"))
	}, SpecTimeout(time.Minute))
})

var _ = Describe("TLS", func() {
	var srv *httptest.Server
	BeforeEach(func() {
		srv = httptest.NewTLSServer(http.HandlerFunc(echo))
		DeferCleanup(srv.Close)
	})

	It("wants a certificate that is trusted", func(ctx SpecContext) {
		o := run(ctx, srv.URL, `http: { url: / }`)
		Expect(o.Category).To(Equal(steps.HTTP))
		Expect(o.Sub).To(Equal("transport"))
		Expect(o.Error).To(SatisfyAll(ContainSubstring("the certificate is not trusted"), Not(ContainSubstring("tries"))))
	}, SpecTimeout(time.Minute))

	It("takes any if the step says so", func(ctx SpecContext) {
		ok(ctx, srv.URL, `http: { url: /, tls: { insecure: true } }`)
	}, SpecTimeout(time.Minute))

	It("takes one that the step names", func(ctx SpecContext) {
		e := env(srv.URL)
		e.Dir = GinkgoT().TempDir()
		block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})
		Expect(os.WriteFile(filepath.Join(e.Dir, "ca.pem"), block, 0o600)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(e.Dir, "no.pem"), []byte("x"), 0o600)).To(Succeed())
		Expect(body(`http: { url: /, tls: { ca: ca.pem } }`).Run(ctx, e).Success).To(BeTrue())
		Expect(body(`http: { url: /, tls: { ca: no.pem } }`).Run(ctx, e).Error).To(Equal(`reading "no.pem": it holds no certificate in PEM form`))
		Expect(body(`http: { url: /, tls: { ca: ca2.pem } }`).Run(ctx, e).Category).To(Equal(steps.Validation))
	}, SpecTimeout(time.Minute))

	It("is told from none", func(ctx SpecContext) {
		plain := serve(echo)
		o := run(ctx, strings.Replace(plain, "http:", "https:", 1), `http: { url: / }`)
		Expect(o.Error).To(ContainSubstring("the server does not speak TLS; write http:// instead of https://"))
	}, SpecTimeout(time.Minute))
})

var _ = Describe("a proxy", func() {
	It("is taken from the environment of the run", func(ctx SpecContext) {
		var got atomic.Value
		proxy := serve(func(w http.ResponseWriter, r *http.Request) {
			got.Store(r.RequestURI)
			echo(w, r)
		})
		e := env("http://shop.test:81")
		for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
			got.Store("")
			e.Environ = []string{"PATH=/bin", name + "=" + proxy}
			Expect(body(`http: { url: /a }`).Run(ctx, e).Success).To(BeTrue())
			Expect(got.Load()).To(Equal("http://shop.test:81/a"))
		}
		e.Environ = []string{"HTTP_PROXY=" + proxy, "NO_PROXY=other.test,127.0.0.2,.test"}
		got.Store("")
		e.BaseURL = "http://shop.test:81"
		o := body(`http: { url: /a, timeout: 2s }`).Run(ctx, e)
		Expect(o.Success).To(BeFalse())
		Expect(got.Load()).To(Equal(""))
	}, SpecTimeout(time.Minute))
})

// page is a jar as a session has it.
type page struct {
	list  map[string]string
	asked []string
	err   error
}

func (p *page) Cookies(_ context.Context, at string) ([]*http.Cookie, error) {
	p.asked = append(p.asked, at)
	var out []*http.Cookie
	for k, v := range p.list {
		out = append(out, &http.Cookie{Name: k, Value: v})
	}
	return out, p.err
}

func (p *page) SetCookies(_ context.Context, at string, list []*http.Cookie) error {
	if _, err := url.Parse(at); err != nil {
		return err
	}
	for _, c := range list {
		p.list[c.Name] = c.Value
	}
	return nil
}

var _ = Describe("the cookies of the page", func() {
	It("go both ways, at each redirect", func(ctx SpecContext) {
		p := &page{list: map[string]string{"sid": "7"}}
		e := env(serve(chain(302)))
		e.Jar = p
		s := asked(body(`http: { url: /1, with_page_cookies: true }`).Run(ctx, e))
		Expect(strings.Split(s.Header.Get("Cookie"), "; ")).To(ConsistOf("sid=7", "at1=1"))
		Expect(p.list).To(Equal(map[string]string{"sid": "7", "at1": "1"}))
		Expect(p.asked).To(HaveLen(2))
	}, SpecTimeout(time.Minute))

	It("stay with the page unless the step says so", func(ctx SpecContext) {
		p := &page{list: map[string]string{"sid": "7"}}
		e := env(serve(echo))
		e.Jar = p
		Expect(asked(body(`http: { url: / }`).Run(ctx, e)).Header).NotTo(HaveKey("Cookie"))
		Expect(p.asked).To(BeEmpty())
		Expect(body(`http: { url: / }`).Page).To(BeFalse())
		Expect(body(`http: { url: /, with_page_cookies: true }`).Page).To(BeTrue())
	}, SpecTimeout(time.Minute))

	It("are asked for before anything is sent", func(ctx SpecContext) {
		var count atomic.Int32
		e := env(serve(func(http.ResponseWriter, *http.Request) { count.Add(1) }))
		e.Jar = &page{err: errors.New("the page is gone")}
		o := body(`http: { url: /, with_page_cookies: true }`).Run(ctx, e)
		Expect(o.Error).To(Equal("reading the cookies of the page: the page is gone"))
		Expect(count.Load()).To(BeZero())
	}, SpecTimeout(time.Minute))
})
