package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"strings"
)

// static is the folder of scripts and styles.
func static() fs.FS {
	sub, err := fs.Sub(files, "html/static")
	if err != nil {
		panic(err) // the folder is embedded: it is there or the program does not build
	}
	return sub
}

// api adds the JSON endpoints.
func (s *shop) api(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/products", s.listProducts)
	mux.HandleFunc("GET /api/products/{id}", s.showProduct)
	mux.HandleFunc("PUT /api/products/{id}/stock", s.called(s.changeStock, clerk, admin))
	mux.HandleFunc("PUT /api/products/{id}/price", s.called(s.changePrice, admin))
	mux.HandleFunc("GET /api/cart", s.cart(func(*visitor, map[string]any) (int, string) { return http.StatusOK, "" }))
	mux.HandleFunc("DELETE /api/cart", s.cart(func(v *visitor, _ map[string]any) (int, string) {
		v.Lines, v.Coupon, v.Gift = nil, "", false
		return http.StatusOK, ""
	}))
	mux.HandleFunc("POST /api/cart", s.cart(s.addToCart))
	mux.HandleFunc("POST /api/cart/remove", s.cart(func(v *visitor, in map[string]any) (int, string) {
		id, _ := in["id"].(string)
		v.remove(id)
		return http.StatusOK, ""
	}))
	mux.HandleFunc("POST /api/coupon", s.cart(func(v *visitor, in map[string]any) (int, string) {
		code, _ := in["code"].(string)
		if strings.ToUpper(code) != "TEA10" {
			return http.StatusUnprocessableEntity, "Unknown coupon"
		}
		v.Coupon = "TEA10"
		return http.StatusOK, ""
	}))
	mux.HandleFunc("POST /api/gift", s.cart(func(v *visitor, in map[string]any) (int, string) {
		v.Gift, _ = in["gift"].(bool)
		return http.StatusOK, ""
	}))
	mux.HandleFunc("POST /api/token", s.issue)
	mux.HandleFunc("GET /api/me", s.called(func(w http.ResponseWriter, _ *http.Request, who *account) { answer(w, http.StatusOK, who) }))
	mux.HandleFunc("PUT /api/nickname", s.rename)
	mux.HandleFunc("POST /api/orders", s.called(s.createOrder))
	mux.HandleFunc("GET /api/orders/{id}", s.orderOf)
	mux.HandleFunc("DELETE /api/orders/{id}", s.called(s.cancelOrder))
	mux.HandleFunc("POST /api/cards", s.confirmCard)
	mux.HandleFunc("POST /api/chat", s.called(s.say))
	mux.HandleFunc("GET /api/chat", s.members(s.listen))
}

func (s *shop) listProducts(w http.ResponseWriter, r *http.Request) {
	if faulty(r, "api500") {
		refuse(w, http.StatusInternalServerError, "the catalogue is on fire")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer(w, http.StatusOK, s.search(r.URL.Query().Get("q")))
}

func (s *shop) showProduct(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.product(r.PathValue("id"))
	if p == nil {
		refuse(w, http.StatusNotFound, "no such product")
		return
	}
	answer(w, http.StatusOK, p)
}

func (s *shop) addToCart(v *visitor, in map[string]any) (int, string) {
	id, _ := in["id"].(string)
	n, _ := in["quantity"].(float64)
	p := s.product(id)
	if p == nil {
		return http.StatusNotFound, "no such product"
	}
	if err := v.add(*p, int(n)); err != nil {
		return http.StatusConflict, err.Error()
	}
	return http.StatusOK, ""
}

// cart wraps a change of the cart: decode, lock, change, answer with the cart as it is then.
func (s *shop) cart(change func(v *visitor, in map[string]any) (status int, problem string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := map[string]any{}
		if r.Method == http.MethodPost && !decode(w, r, &in) {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		v := s.visitor(w, r)
		status, problem := change(v, in)
		if problem != "" {
			refuse(w, status, problem)
			return
		}
		answer(w, status, map[string]any{"lines": v.Lines, "count": v.count(), "total": euro(v.total())})
	}
}

// decode reads a JSON body; if it is none, the request is answered and decode says false.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, "the body is not the JSON that is wanted here")
		return false
	}
	return true
}

func refuse(w http.ResponseWriter, status int, problem string) {
	answer(w, status, map[string]any{"error": problem})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
