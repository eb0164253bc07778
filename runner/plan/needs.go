package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Need is one entry of a test's needs.
type Need struct {
	Name  string  // as written: needs.NAME
	Tests []*Test // one, or all forms of a test with a matrix
	Many  bool    // needs.NAME is a list, in the order of Tests
	pos   diag.Pos
}

// Output is one entry of a test's outputs.
type Output struct {
	Name string
	Expr *spec.Expr
}

// testState is how far the compilation of one test of the file is.
type testState struct {
	begun bool
	out   []*Test // its forms: one for each combination of data
}

// compileTests compiles the tests: one that others need before them, for they read its outputs.
func (u *unit) compileTests() {
	u.compiled = make([]testState, len(u.s.Spec.Tests))
	for i := range u.compiled {
		u.ensure(i)
	}
	for i := range u.compiled {
		u.s.Tests = append(u.s.Tests, u.compiled[i].out...)
	}
	u.s.Serial = u.s.Spec.Serial
	u.s.Locks = names(u.s.Spec.Lock, nil)
	if u.s.Serial {
		u.checkSerial()
	}
}

// ensure compiles a test unless that was done or is being done.
func (u *unit) ensure(i int) {
	if u.compiled[i].begun {
		return
	}
	u.compiled[i].begun = true
	outer := u.needs
	u.needing = append(u.needing, i)
	u.compiled[i].out = u.test(&u.s.Spec.Tests[i], u.setup)
	u.needing = u.needing[:len(u.needing)-1]
	u.needs = outer
}

// names gives the locks of a test, sorted: its own and its suite's.
func names(list []spec.Named, more []string) []string {
	if len(list) == 0 {
		return more
	}
	out := slices.Clone(more)
	for _, n := range list {
		out = append(out, n.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// relations compiles what a test is to others: its locks, the tests it needs, and so what needs.NAME is for it.
func (u *unit) relations(t *spec.Test, out *Test) {
	out.Locks = names(t.Lock, names(u.s.Spec.Lock, nil))
	u.needs = spec.Type{}
	if len(t.Needs) == 0 {
		return
	}
	fields := map[string]spec.Type{}
	for _, n := range t.Needs {
		forms, many, ok := u.needed(n)
		if !ok {
			fields[n.Name] = spec.Type{} // its outputs are not known: nothing is said of them
			continue
		}
		need := Need{Name: n.Name, Tests: forms, Many: many, pos: n.Pos}
		out.Needs = append(out.Needs, need)
		fields[n.Name] = need.typ()
	}
	u.needs = structOf(fields)
}

// typ is what needs.NAME is.
func (n Need) typ() spec.Type {
	fields := map[string]spec.Type{}
	for _, o := range n.Tests[0].Outputs {
		fields[o.Name] = o.Expr.Type()
	}
	one := structOf(fields)
	if n.Many {
		return spec.Type{Base: spec.List, Elem: &one}
	}
	return one
}

// needed finds the tests that an entry of needs names: by the name as it is written, else by the one it has in reports.
// A test with a matrix or rows of its own is many; of forms that come from the suite each needs the one of its own form.
func (u *unit) needed(n spec.Named) (forms []*Test, many, ok bool) {
	if i := u.written(n.Name); i >= 0 {
		if !u.open(i, n) {
			return nil, false, false
		}
		u.ensure(i)
		if forms = u.compiled[i].out; len(forms) == 0 {
			return nil, false, false // it did not compile, which was told
		}
		return forms, forms[0].own, true
	}
	if t := u.named(n.Name); t != nil {
		return []*Test{t}, false, true
	}
	known := make([]string, 0, len(u.s.Spec.Tests))
	for i := range u.s.Spec.Tests {
		if name, ok := plainName(&u.s.Spec.Tests[i]); ok {
			known = append(known, name)
		}
	}
	hint := diag.Suggest(n.Name, known)
	if near := diag.Nearest(n.Name, known); len(near) == 0 {
		hint = "needs names tests of this suite as they are written"
	}
	u.l.AddWide(n.Pos, len([]rune(n.Name)), "no test is named "+strconv.Quote(n.Name), hint)
	return nil, false, false
}

// plainName gives the name of a test that is written without ${{ }}.
func plainName(t *spec.Test) (string, bool) {
	text, ok := t.Name.Text()
	if !ok || strings.Contains(text, "${{") {
		return "", false
	}
	return strings.Join(strings.Fields(text), " "), true
}

func (u *unit) written(name string) int {
	for i := range u.s.Spec.Tests {
		if have, ok := plainName(&u.s.Spec.Tests[i]); ok && have == name {
			return i
		}
	}
	return -1
}

// named finds a test by a name that is known only when it is compiled: ${{ }} in it, or the values of its matrix. Those
// that need nothing are looked at first, so that no circle is seen where there is none.
func (u *unit) named(name string) *Test {
	for _, all := range []bool{false, true} {
		for i := range u.s.Spec.Tests {
			if all || len(u.s.Spec.Tests[i].Needs) == 0 {
				u.ensure(i)
			}
			for _, t := range u.compiled[i].out {
				if t.Key.Name == name {
					return t
				}
			}
		}
	}
	return nil
}

// open reports a need that leads back to the test that is being compiled.
func (u *unit) open(i int, n spec.Named) bool {
	at := slices.Index(u.needing, i)
	if at < 0 {
		return true
	}
	circle := append(u.needing[at:len(u.needing):len(u.needing)], i)
	if len(circle) == 2 {
		u.l.AddWide(n.Pos, len([]rune(n.Name)), "the test needs itself", "")
		return false
	}
	words := make([]string, 0, len(circle)-1)
	for k := range circle[1:] {
		from, _ := plainName(&u.s.Spec.Tests[circle[k]])
		to, _ := plainName(&u.s.Spec.Tests[circle[k+1]])
		words = append(words, strconv.Quote(from)+" needs "+strconv.Quote(to))
	}
	u.l.AddWide(n.Pos, len([]rune(n.Name)), "the needs go in a circle: "+strings.Join(words, ", "), "one of them must run first")
	return false
}

// outputs compiles what a test hands to those that need it, over what its steps know.
func (u *unit) outputs(t *spec.Test, out *Test, sc *spec.Scope) {
	for _, e := range t.Outputs {
		out.Outputs = append(out.Outputs, Output{e.Name, spec.CompileExpr(e.Value, sc, spec.Type{}, u.l)})
	}
}

// withNeeds is sc with needs.NAME, for a test that needs others. Hooks do not see it: they are the same for all tests.
func (u *unit) withNeeds(sc *spec.Scope) *spec.Scope {
	if len(u.needs.Fields) == 0 {
		return sc
	}
	in := sc.Child()
	in.Names["needs"] = u.needs
	return in
}

// checkSerial reports a need that file order cannot meet.
func (u *unit) checkSerial() {
	place := make(map[*Test]int, len(u.s.Tests))
	for i, t := range u.s.Tests {
		place[t] = i
	}
	for i, t := range u.s.Tests {
		for _, n := range t.Needs {
			for _, other := range n.Tests {
				if place[other] > i {
					u.l.AddWide(n.pos, len([]rune(n.Name)), "the suite is serial, and "+strconv.Quote(n.Name)+" comes later", "move it up")
					break
				}
			}
		}
	}
}

// closure adds the tests that the picked ones need, in file order, and notes which tests others wait for.
func closure(all, picked []*Test) []*Test {
	if !slices.ContainsFunc(picked, func(t *Test) bool { return len(t.Needs) > 0 }) {
		return picked
	}
	want := make(map[*Test]bool, len(picked))
	var add func(t *Test)
	add = func(t *Test) {
		if want[t] {
			return
		}
		want[t] = true
		for _, n := range t.Needs {
			for _, other := range n.Tests {
				other.Needed = true
				add(other)
			}
		}
	}
	for _, t := range picked {
		add(t)
	}
	out := make([]*Test, 0, len(want))
	for _, t := range all {
		if want[t] {
			out = append(out, t)
		}
	}
	return out
}

// needNames gives the full names of the tests that a test needs.
func (t *Test) needNames() []string {
	var out []string
	for _, n := range t.Needs {
		for _, other := range n.Tests {
			out = append(out, other.Key.Name)
		}
	}
	return out
}
