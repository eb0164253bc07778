package main

import (
	"fmt"
	"net/http"
)

// office is the back office: the stock as a table, for the staff only.
func (s *shop) office(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.visitor(w, r)
	if !s.accounts[who.User].Staff() {
		s.render(w, r, http.StatusForbidden, "missing", view{Title: "Not for you", Error: "The back office is for the staff."}, who)
		return
	}
	s.render(w, r, http.StatusOK, "office", view{Title: "Back office", Products: s.products}, who)
}

// changeStock sets how many of a product there are.
func (s *shop) changeStock(w http.ResponseWriter, r *http.Request, _ *account) {
	s.change(w, r, 0, 999, func(p *product, n int) { p.Stock = n })
}

// changePrice sets the price of a product in cents.
func (s *shop) changePrice(w http.ResponseWriter, r *http.Request, _ *account) {
	s.change(w, r, 1, 100_000, func(p *product, n int) { p.Price = n })
}

func (s *shop) change(w http.ResponseWriter, r *http.Request, least, most int, set func(p *product, n int)) {
	var in struct{ Value int }
	if !decode(w, r, &in) {
		return
	}
	p := s.product(r.PathValue("id"))
	switch {
	case p == nil:
		refuse(w, http.StatusNotFound, "no such product")
	case in.Value < least || in.Value > most:
		refuse(w, http.StatusUnprocessableEntity, fmt.Sprintf("wanted a number from %d to %d", least, most))
	default:
		set(p, in.Value)
		answer(w, http.StatusOK, p)
	}
}
