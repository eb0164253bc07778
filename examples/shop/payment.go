package main

import (
	"net/http"
	"strings"
)

// declined is the card number that the bank refuses.
const declined = "4000000000000002"

// frame is the card form. It stands in an iframe of the checkout page, from the same host or, with
// /checkout?pay=elsewhere, from the shop's other name, which makes it a page of another site.
func (s *shop) frame(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := pages.ExecuteTemplate(w, "payframe.html", map[string]string{"Parent": r.URL.Query().Get("parent")}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// confirmCard answers a token for a card; the checkout form takes it once.
func (s *shop) confirmCard(w http.ResponseWriter, r *http.Request) {
	var in struct{ Number, Expiry, Code string }
	if !decode(w, r, &in) {
		return
	}
	number := strings.ReplaceAll(in.Number, " ", "")
	switch {
	case len(number) != 16 || strings.Trim(number, "0123456789") != "":
		refuse(w, http.StatusUnprocessableEntity, "A card number has 16 digits.")
	case in.Expiry == "" || len(in.Code) != 3:
		refuse(w, http.StatusUnprocessableEntity, "Please fill in expiry and code.")
	case number == declined:
		refuse(w, http.StatusPaymentRequired, "The bank declined this card.")
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		t, last := token("card_"), number[12:]
		s.cards[t] = last
		answer(w, http.StatusCreated, map[string]any{"token": t, "last": last})
	}
}

// otherOrigin is the shop under its other name: the same server, for a browser another site.
func otherOrigin(r *http.Request) string {
	host := r.Host
	if rest, ok := strings.CutPrefix(host, "localhost"); ok {
		return "http://127.0.0.1" + rest
	}
	if rest, ok := strings.CutPrefix(host, "127.0.0.1"); ok {
		return "http://localhost" + rest
	}
	return "http://" + host
}
