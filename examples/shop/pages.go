package main

import (
	"embed"
	"html/template"
	"net/http"
	"slices"
)

//go:embed html
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{"euro": euro}).ParseFS(files, "html/*.html"))

// view is what every page is rendered with.
type view struct {
	Title    string
	User     string
	Account  *account
	Count    int
	Faults   []string
	Error    string
	Form     map[string]string
	Visitor  *visitor
	Order    *order
	Orders   []*order
	Products []product
	Total    int
	Source   string // where in the code Total comes from, as development builds leave it
	Pay      string // where the card form comes from
}

// Fault tells whether the page was asked for with ?fault=NAME.
func (v view) Fault(name string) bool { return slices.Contains(v.Faults, name) }

// handler is the whole site.
func (s *shop) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", http.RedirectHandler("/shop", http.StatusSeeOther))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static())))
	mux.HandleFunc("GET /shop", s.page("shop", "Catalogue"))
	mux.HandleFunc("GET /guide", s.page("guide", "Tea guide"))
	mux.HandleFunc("GET /guide/{id}", s.page("guide", "Tea guide"))
	mux.HandleFunc("GET /reviews", s.page("reviews", "Reviews"))
	mux.HandleFunc("GET /login", s.page("login", "Log in"))
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	mux.HandleFunc("GET /account", s.members(s.page("account", "Your account")))
	mux.HandleFunc("GET /chat", s.members(s.page("chat", "Chat")))
	mux.HandleFunc("GET /admin", s.members(s.office))
	mux.HandleFunc("GET /returns", s.page("returns", "Send something back"))
	mux.HandleFunc("POST /returns", s.attach)
	mux.HandleFunc("GET /returns/{id}", s.fetch)
	mux.HandleFunc("GET /prices.csv", s.prices)
	mux.HandleFunc("GET /cart", s.page("cart", "Your cart"))
	mux.HandleFunc("GET /checkout", s.page("checkout", "Checkout"))
	mux.HandleFunc("POST /checkout", s.checkout)
	mux.HandleFunc("GET /pay/frame", s.frame)
	mux.HandleFunc("GET /thanks", s.order)
	mux.HandleFunc("GET /orders/{id}", s.order)
	s.api(mux)
	return slow(s.flaky(mux))
}

// visitor finds or makes what the shop remembers of the browser behind r. The lock must be held.
func (s *shop) visitor(w http.ResponseWriter, r *http.Request) *visitor {
	if c, err := r.Cookie("shop"); err == nil {
		if v := s.visitors[c.Value]; v != nil {
			return v
		}
	}
	id := token("v-")
	v := &visitor{}
	s.visitors[id] = v
	http.SetCookie(w, &http.Cookie{Name: "shop", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return v
}

// page renders a template that needs nothing but the visitor.
func (s *shop) page(name, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.render(w, r, http.StatusOK, name, view{Title: title}, s.visitor(w, r))
	}
}

func (s *shop) render(w http.ResponseWriter, r *http.Request, status int, name string, v view, who *visitor) {
	v.User, v.Account, v.Count, v.Visitor, v.Total = who.User, s.accounts[who.User], who.count(), who, who.total()
	v.Orders = s.ordersOf(who.User)
	v.Faults = faults(r.URL.Query())
	if v.Fault("total") {
		v.Total, v.Source = who.wrongTotal()
	}
	if v.Form == nil {
		v.Form = map[string]string{}
	}
	if r.URL.Query().Get("pay") == "elsewhere" {
		v.Pay = otherOrigin(r)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if err := pages.ExecuteTemplate(w, name+".html", v); err != nil {
		// The status is sent already; a cut page is what a broken template looks like.
		_, _ = w.Write([]byte("<!-- " + template.HTMLEscapeString(err.Error()) + " -->"))
	}
}
