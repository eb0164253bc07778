package spec

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// DefaultTimeouts are the limits of LANGUAGE §9. A suite has none unless it says so.
func DefaultTimeouts() Timeouts {
	return Timeouts{
		Action: 5 * time.Second, Expect: 5 * time.Second, Wait: 15 * time.Second, Open: 30 * time.Second,
		Row: 35 * time.Second, Test: 2 * time.Minute, Cleanup: 15 * time.Second, Run: 55 * time.Minute,
	}
}

// field gives the limit with a name of the timeouts table.
func (t *Timeouts) field(name string) *time.Duration {
	switch name {
	case "action":
		return &t.Action
	case "expect":
		return &t.Expect
	case "wait":
		return &t.Wait
	case "open":
		return &t.Open
	case "row":
		return &t.Row
	case "test":
		return &t.Test
	case "cleanup":
		return &t.Cleanup
	case "suite":
		return &t.Suite
	}
	return &t.Run
}

// Over gives t with what it leaves open taken from base.
func (t Timeouts) Over(base Timeouts) Timeouts {
	out := base
	out.Pos = maps.Clone(base.Pos)
	for _, k := range TimeoutKeys {
		if v := *t.field(k.Name); v != 0 {
			*out.field(k.Name) = v
		}
	}
	for name, p := range t.Pos {
		if out.Pos == nil {
			out.Pos = map[string]diag.Pos{}
		}
		out.Pos[name] = p
	}
	return out
}

// Set sets the limit with a name of the timeouts table; p says where.
func (t *Timeouts) Set(name string, d time.Duration, p diag.Pos) {
	if t.Pos == nil {
		t.Pos = map[string]diag.Pos{}
	}
	*t.field(name), t.Pos[name] = d, p
}

// over is Over for limits that may not be there.
func (t Timeouts) over(base *Timeouts) Timeouts {
	if base == nil {
		return t
	}
	return t.Over(*base)
}

// outer says which limits a limit must fit into, the next one first.
var outer = map[string][]string{
	"action": {"row", "test", "suite", "run"}, "expect": {"row", "test", "suite", "run"}, "wait": {"row", "test", "suite", "run"},
	"open": {"row", "test", "suite", "run"}, "row": {"test", "suite", "run"}, "test": {"suite", "run"},
	"cleanup": {"suite", "run"}, "suite": {"run"},
}

// decodeTimeouts reads `timeouts:` of a project, suite or test; base holds what is set further out.
func decodeTimeouts(n Node, base *Timeouts, ofTest bool, l *diag.List) Timeouts {
	var t Timeouts
	if n.IsZero() || n.Empty() {
		return t
	}
	m, ok := n.Map(`"timeouts"`, TimeoutKeys, l)
	if !ok {
		return t
	}
	t.Pos = make(map[string]diag.Pos, len(m))
	for _, k := range TimeoutKeys {
		v, ok := m[k.Name]
		if !ok {
			continue
		}
		if ofTest && (k.Name == "run" || k.Name == "suite") {
			l.AddWide(v.KeyPos(), len(k.Name), strconv.Quote(k.Name)+" cannot be limited by a test", "set it in the suite's timeouts")
			continue
		}
		before := l.Len()
		d := WantDuration(v, k.Name, l)
		if d == 0 && l.Len() == before {
			v.report(l, diag.WantKind(k.Name, "more than 0", v.got()), "")
		}
		*t.field(k.Name) = d
		t.Pos[k.Name] = v.KeyPos()
	}
	t.check(base, l)
	return t
}

// decodeTimeout reads a test's `timeout:`, which is short for timeouts.test.
func decodeTimeout(n Node, t *Test, outer Timeouts, l *diag.List) {
	d := WantDuration(n, "timeout", l)
	if d == 0 {
		return
	}
	t.Timeout = &d
	if !t.Timeouts.Pos["test"].IsZero() {
		l.AddWide(n.KeyPos(), len("timeout"), diag.Conflict("timeout", "timeouts.test"), "keep one of them")
		return
	}
	own := Timeouts{Test: d, Pos: map[string]diag.Pos{"test": n.KeyPos()}}
	base := t.Timeouts.Over(outer)
	own.check(&base, l)
}

// check reports limits that do not fit into their outer ones. Only what somebody wrote is judged: a default that is
// longer than an outer limit is simply cut short by it. base holds what is set further out.
func (t Timeouts) check(base *Timeouts, l *diag.List) {
	set := t
	if base != nil {
		set = t.Over(*base)
	}
	defaults := DefaultTimeouts()
	for _, k := range TimeoutKeys {
		inner := *set.field(k.Name)
		if inner == 0 {
			continue
		}
		for _, name := range outer[k.Name] {
			limit, own := *set.field(name), true
			if limit == 0 {
				limit, own = *defaults.field(name), false
			}
			if limit == 0 || inner <= limit {
				continue
			}
			// What the suite alone got wrong was reported there; here at least one of the two must be the test's.
			p := t.Pos[k.Name]
			if p.IsZero() && t.Pos[name].IsZero() {
				break
			}
			if p.IsZero() {
				p = t.Pos[name]
			}
			l.AddWide(p, len(k.Name), tooLong(k.Name, name, inner, limit, own), set.otherSide(p, k.Name, name, inner))
			break
		}
	}
}

func tooLong(inner, outer string, is, limit time.Duration, set bool) string {
	msg := "the limit of " + strconv.Quote(inner) + ", " + short(is) + ", is longer than that of " + strconv.Quote(outer) + ", " + short(limit)
	if !set {
		msg += ", its default"
	}
	return msg
}

// otherSide says where the limit is set that does not stand at p.
func (t Timeouts) otherSide(p diag.Pos, inner, outer string, is time.Duration) string {
	for _, name := range []string{outer, inner} {
		if at := t.Pos[name]; at.Line > 0 && at != p {
			if at.File != p.File {
				return strconv.Quote(name) + " is set at " + diag.Pos{File: at.File, Line: at.Line}.String()
			}
			return strconv.Quote(name) + " is set at line " + strconv.Itoa(at.Line)
		}
	}
	return "set " + outer + " to at least " + short(is) + " as well"
}

// short prints a duration without its zero parts: 2m, not 2m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
