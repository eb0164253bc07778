package main

import (
	"net/http"
	"slices"
	"strings"
)

// The roles of accounts: customers buy, clerks count the stock, admins set prices too.
const (
	customer = "customer"
	clerk    = "clerk"
	admin    = "admin"
)

// account is somebody who can log in.
type account struct {
	Email    string `json:"email"`
	Name     string `json:"name"`
	Role     string `json:"role"`
	Logins   int    `json:"logins"` // since the shop opened
	password string
}

// Staff tells whether the account may see the back office.
func (a *account) Staff() bool { return a != nil && a.Role != customer }

// May tells whether the account may change prices.
func (a *account) May() bool { return a != nil && a.Role == admin }

func accounts(adaPassword string) map[string]*account {
	out := map[string]*account{}
	for _, a := range []account{
		{Email: "ada@example.test", Name: "Ada", Role: customer, password: adaPassword},
		{Email: "grace@example.test", Name: "Grace", Role: customer, password: "kettle-17"},
		{Email: "clerk@example.test", Name: "Cleo", Role: clerk, password: "strainer-23"},
		{Email: "admin@example.test", Name: "Alan", Role: admin, password: "samovar-31"},
	} {
		out[a.Email] = &a
	}
	return out
}

// enter checks a password and counts the login; nil if it is wrong.
func (s *shop) enter(email, password string) *account {
	a := s.accounts[strings.TrimSpace(email)]
	if a == nil || a.password != password {
		return nil
	}
	a.Logins++
	return a
}

// caller finds the account behind a request of the API: that of the bearer token, else that of the browser's login.
func (s *shop) caller(w http.ResponseWriter, r *http.Request) *account {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.tokens[bearer]
	}
	return s.accounts[s.visitor(w, r).User]
}

// called wraps an endpoint that needs an account of one of the roles (none given: any): 401 without one, 403 with
// another. It runs under the lock.
func (s *shop) called(next func(w http.ResponseWriter, r *http.Request, who *account), roles ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		who := s.caller(w, r)
		switch {
		case who == nil:
			w.Header().Set("WWW-Authenticate", `Bearer realm="shop"`)
			refuse(w, http.StatusUnauthorized, "log in first")
		case len(roles) > 0 && !slices.Contains(roles, who.Role):
			refuse(w, http.StatusForbidden, "a "+who.Role+" may not do this")
		default:
			next(w, r, who)
		}
	}
}

// issue answers a bearer token for an e-mail and a password.
func (s *shop) issue(w http.ResponseWriter, r *http.Request) {
	var in struct{ Email, Password string }
	if !decode(w, r, &in) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.enter(in.Email, in.Password)
	if a == nil {
		refuse(w, http.StatusUnauthorized, "wrong e-mail or password")
		return
	}
	t := token("tea_")
	s.tokens[t] = a
	answer(w, http.StatusCreated, map[string]any{"token": t, "name": a.Name, "role": a.Role})
}

// rename sets what the visitor is called on the account page.
func (s *shop) rename(w http.ResponseWriter, r *http.Request) {
	var in struct{ Nickname string }
	if !decode(w, r, &in) {
		return
	}
	in.Nickname = strings.TrimSpace(in.Nickname)
	if in.Nickname == "" || len(in.Nickname) > 40 {
		refuse(w, http.StatusUnprocessableEntity, "A nickname has 1 to 40 letters.")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visitor(w, r).Nickname = in.Nickname
	answer(w, http.StatusOK, map[string]any{"nickname": in.Nickname})
}

// members lets only logged-in visitors through.
func (s *shop) members(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		user := s.visitor(w, r).User
		s.mu.Unlock()
		if user == "" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		next(w, r)
	}
}

// login is the form of the login page.
func (s *shop) login(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.visitor(w, r)
	email := strings.TrimSpace(r.FormValue("email"))
	if s.enter(email, r.FormValue("password")) == nil {
		s.render(w, r, http.StatusUnauthorized, "login",
			view{Title: "Log in", Error: "Wrong e-mail or password.", Form: map[string]string{"email": email}}, who)
		return
	}
	who.User = email
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}

func (s *shop) logout(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visitor(w, r).User = ""
	http.Redirect(w, r, "/shop", http.StatusSeeOther)
}
