package spec

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// QuarantineKeys are the keys of quarantine.
var QuarantineKeys = []Key{
	{Name: "why", Type: "text", Required: true, Doc: "What is wrong with the test, for every report.", Aka: []string{"reason", "because", "note"}},
	{Name: "until", Type: "text", Required: true, Doc: "The last day on which the test does not count: 2031-05-04, in UTC.",
		Aka: []string{"date", "expires", "end", "till"}},
}

// KnownBug is the `known_bug:` of a test: it must fail until the bug is mended.
type KnownBug struct {
	ID  string // "" if the test has none
	Pos diag.Pos
}

// Quarantine is the `quarantine:` of a test.
type Quarantine struct {
	Why   string
	Until time.Time // the day, at 00:00 UTC; zero if the test is in none
	Pos   diag.Pos
}

func decodeKnownBug(n Node, l *diag.List) KnownBug {
	if n.IsZero() {
		return KnownBug{}
	}
	id := strings.TrimSpace(WantText(n, "known_bug", l))
	_, isBool := plainValue(id).(bool)
	switch {
	case id == "":
		if n.Quoted() {
			n.report(l, "the bug has no name", "write known_bug: SHOP-12")
		}
		return KnownBug{}
	case isBool && !n.Quoted():
		n.report(l, diag.WantKind("known_bug", "the bug's name", id), "write known_bug: SHOP-12")
		return KnownBug{}
	case noExpr(n, id, "known_bug", l):
		return KnownBug{}
	}
	return KnownBug{ID: id, Pos: n.KeyPos()}
}

var day = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

func decodeQuarantine(n Node, l *diag.List) Quarantine {
	if n.IsZero() {
		return Quarantine{}
	}
	if !n.IsMap() {
		n.report(l, diag.WantKind("quarantine", "a map", n.got()), `write quarantine: { why: "…", until: 2031-05-04 }`)
		return Quarantine{}
	}
	m, ok := n.Map(`"quarantine"`, QuarantineKeys, l)
	if !ok {
		return Quarantine{}
	}
	q := Quarantine{Why: strings.TrimSpace(WantText(m["why"], "why", l)), Pos: n.KeyPos()}
	if w := m["why"]; q.Why == "" && w.Quoted() {
		w.report(l, `"why" is empty`, "a quarantine without a reason is forgotten")
	} else if noExpr(w, q.Why, "why", l) {
		q.Why = ""
	}
	until, ok := m["until"]
	if !ok {
		return q
	}
	text := WantText(until, "until", l)
	if text == "" && !until.Quoted() {
		return q
	}
	date, err := time.Parse(time.DateOnly, text)
	switch {
	case err == nil:
		q.Until = date
	case day.MatchString(text):
		until.report(l, strconv.Quote(text)+" is no day of the calendar", "")
	default:
		until.report(l, diag.WantKind("until", "a date", until.got()), "write it as 2031-05-04")
	}
	return q
}

// noExpr reports ${{ }} in a text that is the same in every run.
func noExpr(n Node, text, key string, l *diag.List) bool {
	if !strings.Contains(text, "${{") {
		return false
	}
	n.report(l, "${{ }} cannot stand in "+strconv.Quote(key), "")
	return true
}
