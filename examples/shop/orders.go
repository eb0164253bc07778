package main

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// order is a finished purchase.
type order struct {
	ID       string    `json:"id"`
	State    string    `json:"state"`
	Name     string    `json:"name"`
	Email    string    `json:"email"`
	Country  string    `json:"country"`
	Delivery string    `json:"delivery"`
	Speed    string    `json:"speed"`
	Payment  string    `json:"payment"`
	Gift     bool      `json:"gift"`
	Lines    []line    `json:"lines"`
	Total    int       `json:"total"`
	Placed   time.Time `json:"placed"`
	user     string
}

// place keeps a new order.
func (s *shop) place(o order) *order {
	o.ID, o.State, o.Placed = token("T-")[:10], "paid", time.Now()
	s.orders[o.ID] = &o
	return &o
}

// find looks an order up and lets the back office have worked on it meanwhile: what is to be delivered today or has no
// date is packed after half the dispatch time and shipped after the whole; a later date waits as paid.
func (s *shop) find(id string) *order {
	o := s.orders[id]
	if o == nil || o.State == "cancelled" || o.Delivery > time.Now().Format(time.DateOnly) {
		return o
	}
	switch waited := time.Since(o.Placed); {
	case waited >= s.dispatch:
		o.State = "shipped"
	case waited >= s.dispatch/2:
		o.State = "packed"
	}
	return o
}

// ordersOf are the orders of an account, the newest first.
func (s *shop) ordersOf(email string) []*order {
	out := slices.DeleteFunc(slices.Collect(maps.Values(s.orders)), func(o *order) bool { return email == "" || o.user != email })
	slices.SortFunc(out, func(a, b *order) int { return cmp.Or(b.Placed.Compare(a.Placed), strings.Compare(a.ID, b.ID)) })
	for _, o := range out {
		s.find(o.ID)
	}
	return out
}

// checkout is the form of the checkout page.
func (s *shop) checkout(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.visitor(w, r)
	form := map[string]string{}
	for _, k := range []string{"name", "email", "country", "delivery", "speed", "note", "terms", "payment", "card"} {
		form[k] = strings.TrimSpace(r.FormValue(k))
	}
	if problem := s.problem(who, form); problem != "" {
		s.render(w, r, http.StatusUnprocessableEntity, "checkout", view{Title: "Checkout", Error: problem, Form: form}, who)
		return
	}
	o := order{Name: form["name"], Email: form["email"], Country: form["country"], Delivery: form["delivery"], Speed: form["speed"],
		Payment: "invoice", Gift: who.Gift, Lines: who.Lines, Total: who.total(), user: who.User}
	if form["payment"] == "card" {
		o.Payment = "card ending in " + s.cards[form["card"]]
		delete(s.cards, form["card"])
	}
	who.Lines, who.Coupon, who.Gift = nil, "", false
	http.Redirect(w, r, "/thanks?order="+s.place(o).ID, http.StatusSeeOther)
}

// problem is what is wrong with a checkout form, in words; "" if nothing is.
func (s *shop) problem(who *visitor, form map[string]string) string {
	switch {
	case len(who.Lines) == 0:
		return "Your cart is empty."
	case form["name"] == "":
		return "Please tell us your name."
	case !strings.Contains(form["email"], "@"):
		return "Please give an e-mail address."
	case form["terms"] == "":
		return "Please accept the terms."
	case form["payment"] == "card" && s.cards[form["card"]] == "":
		return "Please confirm your card."
	}
	return ""
}

// order shows an order: the thanks page after the purchase, or its own page.
func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, name, title := r.PathValue("id"), "order", "Your order"
	if id == "" {
		id, name, title = r.URL.Query().Get("order"), "thanks", "Thank you"
	}
	o := s.find(id)
	if o == nil {
		s.render(w, r, http.StatusNotFound, "missing", view{Title: "Not found", Error: "There is no such order."}, s.visitor(w, r))
		return
	}
	s.render(w, r, http.StatusOK, name, view{Title: title, Order: o}, s.visitor(w, r))
}

// orderOf answers one order as JSON; whoever knows its id may read it.
func (s *shop) orderOf(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(r.PathValue("id"))
	if o == nil {
		refuse(w, http.StatusNotFound, "no such order")
		return
	}
	answer(w, http.StatusOK, o)
}

// createOrder places an order without a cart.
func (s *shop) createOrder(w http.ResponseWriter, r *http.Request, who *account) {
	var in struct {
		Name, Country, Delivery string
		Lines                   []struct {
			ID       string
			Quantity int
		}
	}
	if !decode(w, r, &in) {
		return
	}
	basket := &visitor{}
	for _, l := range in.Lines {
		p := s.product(l.ID)
		if p == nil {
			refuse(w, http.StatusUnprocessableEntity, "no product "+l.ID)
			return
		}
		if err := basket.add(*p, l.Quantity); err != nil {
			refuse(w, http.StatusConflict, err.Error())
			return
		}
	}
	if len(basket.Lines) == 0 {
		refuse(w, http.StatusUnprocessableEntity, "an order needs lines")
		return
	}
	o := s.place(order{Name: cmp.Or(in.Name, who.Name), Email: who.Email, Country: cmp.Or(in.Country, "de"), Delivery: in.Delivery,
		Speed: "standard", Payment: "invoice", Lines: basket.Lines, Total: basket.total(), user: who.Email})
	w.Header().Set("Location", "/orders/"+o.ID)
	answer(w, http.StatusCreated, o)
}

// cancelOrder is for whoever placed the order, and for the staff.
func (s *shop) cancelOrder(w http.ResponseWriter, r *http.Request, who *account) {
	o := s.find(r.PathValue("id"))
	switch {
	case o == nil || o.user != who.Email && !who.Staff():
		refuse(w, http.StatusNotFound, "no such order")
	case o.State == "shipped":
		refuse(w, http.StatusConflict, "it is on its way already")
	default:
		o.State = "cancelled"
		answer(w, http.StatusOK, o)
	}
}
