package main

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// product is one thing on sale; Price and Cost are in cents.
type product struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Price int    `json:"price"`
	Stock int    `json:"stock"`
	Cost  int    `json:"-"`
	Text  string `json:"text"`
}

// Margin is what is earned on one piece, in cents.
func (p product) Margin() int { return p.Price - p.Cost }

// line is one product in a cart or an order.
type line struct {
	Product  product `json:"product"`
	Quantity int     `json:"quantity"`
}

// Sum is the price of a line in cents.
func (l line) Sum() int { return l.Product.Price * l.Quantity }

// visitor is what the shop remembers of one browser.
type visitor struct {
	User     string
	Nickname string
	Lines    []line
	Coupon   string
	Gift     bool
	Files    []*document
}

// total is what the cart costs in cents, coupon and gift wrap included.
func (v *visitor) total() int {
	return v.price(v.Lines)
}

// wrongTotal is the planted bug of ?fault=total: it forgets every line after the second. source is where it is made.
func (v *visitor) wrongTotal() (total int, source string) {
	_, file, line, _ := runtime.Caller(0)
	return v.price(v.Lines[:min(2, len(v.Lines))]), fmt.Sprintf("shop/%s:%d", filepath.Base(file), line+1)
}

func (v *visitor) price(lines []line) int {
	sum := 0
	for _, l := range lines {
		sum += l.Sum()
	}
	if v.Coupon == "TEA10" {
		sum -= sum / 10
	}
	if v.Gift {
		sum += 300
	}
	return sum
}

// count is the number of things in the cart.
func (v *visitor) count() int {
	n := 0
	for _, l := range v.Lines {
		n += l.Quantity
	}
	return n
}

// shop holds everything in memory behind one lock.
type shop struct {
	dispatch time.Duration // from paid to shipped, for an order that is to be delivered at once

	mu       sync.Mutex
	products []product
	accounts map[string]*account
	tokens   map[string]*account // of the API, by bearer token
	visitors map[string]*visitor
	orders   map[string]*order
	cards    map[string]string // last four digits by the token of a confirmed card
	rooms    map[string]*room
	failed   map[string]int // how often ?fail= has failed, by ?key=
}

// newShop makes a shop with its goods and accounts; adaPassword is the password of ada@example.test.
func newShop(adaPassword string, dispatch time.Duration) *shop {
	return &shop{
		dispatch: dispatch,
		products: []product{
			{"teapot", "Teapot", "pots", 4200, 12, 2100, "Stoneware, 1.2 litres, with a lid that stays on."},
			{"kettle", "Copper kettle", "pots", 6900, 3, 4400, "Whistles on every stove."},
			{"mug", "Mug", "cups", 900, 80, 310, "Holds more than it seems."},
			{"cup", "Espresso cup", "cups", 750, 40, 280, "For those who stray."},
			{"assam", "Assam, 250 g", "tea", 1250, 25, 520, "Malty and strong: 3 minutes at 95 °C."},
			{"sencha", "Sencha, 100 g", "tea", 1480, 0, 700, "Fresh as grass: 90 seconds at 70 °C."},
			{"darjeeling", "Darjeeling, 100 g", "tea", 1620, 18, 810, "First flush: 2 minutes at 90 °C."},
			{"tin", "Tea tin", "tea", 590, 7, 190, "Keeps the air out."},
		},
		accounts: accounts(adaPassword),
		tokens:   map[string]*account{},
		visitors: map[string]*visitor{},
		orders:   map[string]*order{},
		cards:    map[string]string{},
		rooms:    map[string]*room{},
		failed:   map[string]int{},
	}
}

// search finds products whose name holds q, in any case.
func (s *shop) search(q string) []product {
	q = strings.ToLower(strings.TrimSpace(q))
	return slices.DeleteFunc(slices.Clone(s.products), func(p product) bool {
		return !strings.Contains(strings.ToLower(p.Name), q)
	})
}

// product finds one product by its id; nil if there is none.
func (s *shop) product(id string) *product {
	if i := slices.IndexFunc(s.products, func(p product) bool { return p.ID == id }); i >= 0 {
		return &s.products[i]
	}
	return nil
}

// add puts n of a product in the cart.
func (v *visitor) add(p product, n int) error {
	if n < 1 || n > 99 {
		return fmt.Errorf("choose a quantity from 1 to 99")
	}
	if p.Stock < n {
		return fmt.Errorf("only %d of %q left", p.Stock, p.Name)
	}
	for i := range v.Lines {
		if v.Lines[i].Product.ID == p.ID {
			v.Lines[i].Quantity += n
			return nil
		}
	}
	v.Lines = append(v.Lines, line{p, n})
	return nil
}

// remove takes a product out of the cart.
func (v *visitor) remove(id string) {
	v.Lines = slices.DeleteFunc(v.Lines, func(l line) bool { return l.Product.ID == id })
}

// token is a name that nobody guesses.
func token(prefix string) string { return prefix + rand.Text()[:12] }

// euro prints cents as people read them: €42 or €7.50.
func euro(cents int) string {
	if cents%100 == 0 {
		return fmt.Sprintf("€%d", cents/100)
	}
	return fmt.Sprintf("€%d.%02d", cents/100, cents%100)
}
