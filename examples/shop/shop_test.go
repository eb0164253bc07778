package main

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// guest is a browser of sorts: it keeps cookies and does not follow redirects.
type guest struct {
	http.Client
	url, bearer string
}

// reply is what came back.
type reply struct {
	Status int
	Header http.Header
	Body   string
}

// JSON is one field of a JSON object.
func (r reply) JSON(key string) any {
	GinkgoHelper()
	m := map[string]any{}
	Expect(json.Unmarshal([]byte(r.Body), &m)).To(Succeed())
	return m[key]
}

func open(dispatch time.Duration) *httptest.Server {
	server := httptest.NewServer(newShop("teapot-42", dispatch).handler())
	DeferCleanup(server.Close)
	return server
}

func enter(server *httptest.Server) *guest {
	jar, err := cookiejar.New(nil)
	Expect(err).NotTo(HaveOccurred())
	return &guest{url: server.URL, Client: http.Client{Jar: jar, Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (g *guest) send(method, path, kind string, body io.Reader) reply {
	GinkgoHelper()
	r, err := http.NewRequest(method, g.url+path, body)
	Expect(err).NotTo(HaveOccurred())
	r.Header.Set("Content-Type", kind)
	if g.bearer != "" {
		r.Header.Set("Authorization", "Bearer "+g.bearer)
	}
	resp, err := g.Do(r)
	Expect(err).NotTo(HaveOccurred())
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	Expect(err).NotTo(HaveOccurred())
	return reply{resp.StatusCode, resp.Header, string(text)}
}

func (g *guest) get(path string) reply { GinkgoHelper(); return g.send("GET", path, "", nil) }

func (g *guest) json(method, path, body string) reply {
	GinkgoHelper()
	return g.send(method, path, "application/json", strings.NewReader(body))
}

func (g *guest) form(path string, fields ...string) reply {
	GinkgoHelper()
	v := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		v.Set(fields[i], fields[i+1])
	}
	return g.send("POST", path, "application/x-www-form-urlencoded", strings.NewReader(v.Encode()))
}

// login makes the guest one of the accounts.
func (g *guest) login(email, password string) *guest {
	GinkgoHelper()
	Expect(g.form("/login", "email", email, "password", password).Status).To(Equal(303))
	return g
}

var _ = Describe("pages", func() {
	DescribeTable("answer", func(email, password, path string, status int, holds string) {
		g := enter(open(time.Hour))
		if email != "" {
			g.login(email, password)
		}
		got := g.get(path)
		Expect(got.Status).To(Equal(status))
		Expect(got.Body).To(ContainSubstring(holds))
		Expect(got.Body).NotTo(ContainSubstring("<!-- template"), "a broken template")
	},
		Entry("the catalogue", "", "", "/shop", 200, "Catalogue"),
		Entry("the guide", "", "", "/guide/assam", 200, "Tea guide"),
		Entry("reviews", "", "", "/reviews", 200, "Honest Leaves"),
		Entry("the card form", "", "", "/pay/frame?parent=http://x", 200, `data-parent="http://x"`),
		Entry("an account without a login", "", "", "/account", 303, "/login"),
		Entry("an account", "ada@example.test", "teapot-42", "/account", 200, `id="logins">1<`),
		Entry("a chat", "ada@example.test", "teapot-42", "/chat", 200, `data-me="Ada"`),
		Entry("the back office for a customer", "ada@example.test", "teapot-42", "/admin", 403, "for the staff"),
		Entry("the back office for a clerk", "clerk@example.test", "strainer-23", "/admin", 200, "Count Teapot"),
		Entry("the back office for an admin", "admin@example.test", "samovar-31", "/admin", 200, "Reprice Teapot"),
		Entry("no such order", "", "", "/orders/T-NONE", 404, "no such order"),
		Entry("a card form from elsewhere", "", "", "/checkout?pay=elsewhere", 200, `data-from="http://localhost:`),
		Entry("a cookie banner that comes late", "", "", "/shop?fault=latecookie", 200, `<template id="late-banner">`),
		Entry("several faults", "", "", "/shop?fault=chat,alt", 200, `data-fault="chat alt "`),
	)

	It("refuse a wrong password", func() {
		Expect(enter(open(time.Hour)).form("/login", "email", "ada@example.test", "password", "x").Status).To(Equal(401))
	})

	It("hide margins from clerks", func() {
		Expect(enter(open(time.Hour)).login("clerk@example.test", "strainer-23").get("/admin").Body).NotTo(ContainSubstring("Margin"))
	})
})

var _ = Describe("a purchase", func() {
	buy := func(g *guest, more ...string) reply {
		g.json("POST", "/api/cart", `{"id":"teapot","quantity":2}`)
		return g.form("/checkout", append([]string{"name", "Ada", "email", "ada@example.test", "terms", "on"}, more...)...)
	}

	It("is shipped after the dispatch time, unless it is for a later day", func() {
		g := enter(open(40 * time.Millisecond))
		soon, later := buy(g).Header.Get("Location"), buy(g, "delivery", "2999-01-01").Header.Get("Location")
		Eventually(func() any { return g.get("/api/orders/" + strings.TrimPrefix(soon, "/thanks?order=")).JSON("state") }).Should(Equal("shipped"))
		Expect(g.get("/api/orders/" + strings.TrimPrefix(later, "/thanks?order=")).JSON("state")).To(Equal("paid"))
	})

	It("takes a confirmed card once", func() {
		g := enter(open(time.Hour))
		Expect(buy(g, "payment", "card").Status).To(Equal(422))
		Expect(g.json("POST", "/api/cards", `{"number":"4000 0000 0000 0002","expiry":"1","code":"123"}`).Status).To(Equal(402))
		card := g.json("POST", "/api/cards", `{"number":"4242 4242 4242 4242","expiry":"1","code":"123"}`)
		Expect(card.JSON("last")).To(Equal("4242"))
		Expect(buy(g, "payment", "card", "card", card.JSON("token").(string)).Status).To(Equal(303))
		Expect(buy(g, "payment", "card", "card", card.JSON("token").(string)).Status).To(Equal(422))
	})

	It("has a wrong total with three lines, if asked for", func() {
		g := enter(open(time.Hour))
		for _, id := range []string{"teapot", "mug", "tin"} {
			g.json("POST", "/api/cart", `{"id":"`+id+`","quantity":1}`)
		}
		Expect(g.get("/cart").Body).To(ContainSubstring(`id="total">€56.90<`))
		Expect(g.get("/cart?fault=total").Body).To(ContainSubstring(`id="total">€51<`))
	})
})

var _ = Describe("the API", func() {
	It("takes, shows and cancels an order", func() {
		g := enter(open(time.Hour))
		Expect(g.json("POST", "/api/orders", `{}`).Status).To(Equal(401))
		Expect(g.json("POST", "/api/token", `{"email":"ada@example.test","password":"x"}`).Status).To(Equal(401))
		g.bearer = g.json("POST", "/api/token", `{"email":"ada@example.test","password":"teapot-42"}`).JSON("token").(string)
		Expect(g.get("/api/me").JSON("role")).To(Equal("customer"))
		made := g.json("POST", "/api/orders", `{"lines":[{"id":"mug","quantity":3}]}`)
		Expect(made.Status).To(Equal(201))
		Expect(made.JSON("total")).To(BeEquivalentTo(2700))
		Expect(g.get(made.Header.Get("Location")).Body).To(ContainSubstring("3 × Mug"))
		Expect(g.json("DELETE", "/api"+made.Header.Get("Location"), "").JSON("state")).To(Equal("cancelled"))
	})

	DescribeTable("knows who may do what", func(email, password, what string, status int) {
		g := enter(open(time.Hour)).login(email, password)
		Expect(g.json("PUT", "/api/products/mug/"+what, `{"value":5}`).Status).To(Equal(status))
	},
		Entry(nil, "ada@example.test", "teapot-42", "stock", 403),
		Entry(nil, "clerk@example.test", "strainer-23", "stock", 200),
		Entry(nil, "clerk@example.test", "strainer-23", "price", 403),
		Entry(nil, "admin@example.test", "samovar-31", "price", 200),
	)

	It("fails as often as it is asked to, by key", func() {
		g := enter(open(time.Hour))
		for _, want := range []int{503, 503, 200, 200} {
			Expect(g.get("/api/products?fail=2&key=a").Status).To(Equal(want))
		}
		Expect(g.get("/api/products?fail=1&key=b").Status).To(Equal(503))
		Expect(g.get("/api/products?fault=api500").Status).To(Equal(500))
	})

	It("carries a message from one to the other", func(ctx SpecContext) {
		server := open(time.Hour)
		ada, grace := enter(server).login("ada@example.test", "teapot-42"), enter(server).login("grace@example.test", "kettle-17")
		r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/chat?room=tea", nil)
		Expect(err).NotTo(HaveOccurred())
		stream, err := ada.Do(r)
		Expect(err).NotTo(HaveOccurred())
		defer stream.Body.Close()
		Expect(grace.json("POST", "/api/chat", `{"room":"tea","text":"Hello"}`).Status).To(Equal(201))
		var heard strings.Builder
		for piece := make([]byte, 256); !strings.Contains(heard.String(), `{"from":"Grace","text":"Hello"}`); {
			n, err := stream.Body.Read(piece)
			Expect(err).NotTo(HaveOccurred())
			heard.Write(piece[:n])
		}
	}, SpecTimeout(time.Minute))
})

var _ = Describe("returns", func() {
	upload := func(g *guest, name, content string) reply {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile("file", name)
		Expect(err).NotTo(HaveOccurred())
		_, err = io.WriteString(part, content)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
		return g.send("POST", "/returns", w.FormDataContentType(), &body)
	}

	It("gives back what was attached, to nobody else", func() {
		server := open(time.Hour)
		ada, grace := enter(server), enter(server)
		Expect(upload(ada, "letter.txt", "Dear shop").Status).To(Equal(303))
		_, rest, _ := strings.Cut(ada.get("/returns").Body, `href="/returns/`)
		id, _, _ := strings.Cut(rest, `"`)
		got := ada.get("/returns/" + id)
		Expect(got.Body).To(Equal("Dear shop"))
		Expect(got.Header.Get("Content-Disposition")).To(Equal("attachment; filename=letter.txt"))
		Expect(grace.get("/returns/" + id).Status).To(Equal(404))
	})

	It("refuses an empty file and a large one", func() {
		g := enter(open(time.Hour))
		Expect(upload(g, "empty.txt", "").Status).To(Equal(422))
		Expect(upload(g, "large.bin", strings.Repeat("x", largest+1)).Status).To(Equal(422))
	})

	It("has a price list", func() {
		Expect(enter(open(time.Hour)).get("/prices.csv").Body).To(ContainSubstring("teapot,\"Teapot\",42.00\n"))
	})
})
