package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// maxForms is how many forms matrix and each together may give one test.
const maxForms = 10_000

// Param is one value that makes a form of a test its own, as its name shows it: an axis of a matrix, or the column that a row
// of each is called by. Name is "" for a row that is a single value.
type Param struct{ From, Name, Value string }

// variation is one thing that multiplies a test: a matrix, or the rows of an each. Its forms come in order.
type variation struct {
	each  bool
	axes  []string    // of a matrix
	typ   []spec.Type // of each axis, or the one of each
	forms []form
}

// form is one combination of a matrix, or one row.
type form struct {
	pos    diag.Pos
	row    Value        // of each
	values []Value      // of a matrix, one per axis
	nodes  []spec.Node  // where they are written
	labels []string     // one per axis
	data   spec.DataRow // of each, as it is written
}

// varied compiles what multiplies the tests of a suite, or one test, over the names that are known before services are up.
func (u *unit) varied(m *spec.Matrix, each spec.Node, sc *spec.Scope) data {
	var list []variation
	whole := true
	if m != nil {
		list = append(list, u.matrix(m, sc))
		whole = len(m.Combos) > 0
	}
	if !each.IsZero() {
		v, ok := u.each(each, sc)
		whole = whole && ok
		if list = append(list, v); m != nil && before(each.KeyPos(), m.Pos) {
			slices.Reverse(list) // the names of tests have their parts in written order
		}
	}
	return joinData(list, whole)
}

func before(a, b diag.Pos) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
}

// matrix compiles the values of a matrix. A value that stands in many combinations is compiled once.
func (u *unit) matrix(m *spec.Matrix, sc *spec.Scope) variation {
	v := variation{typ: make([]spec.Type, len(m.Axes))}
	made := make([]map[diag.Pos]Value, len(m.Axes))
	for i, a := range m.Axes {
		v.axes = append(v.axes, a.Name)
		made[i] = map[diag.Pos]Value{}
	}
	for _, c := range m.Combos {
		f := form{pos: c.Pos}
		for i, x := range c.Values {
			value, ok := made[i][x.Value.Pos()]
			if !ok {
				value = spec.CompileCompound(x.Value, sc, u.l)
				if len(made[i]) == 0 {
					v.typ[i] = value.Type()
				} else {
					v.typ[i] = spec.Unify(v.typ[i], value.Type())
				}
				made[i][x.Value.Pos()] = value
			}
			f.values, f.nodes, f.labels = append(f.values, value), append(f.nodes, x.Value), append(f.labels, x.Label)
		}
		v.forms = append(v.forms, f)
	}
	return v
}

// each compiles the rows of an each.
func (u *unit) each(n spec.Node, sc *spec.Scope) (variation, bool) {
	v := variation{each: true, typ: make([]spec.Type, 1)}
	if items, ok := n.Seq(); ok {
		return u.listed(items, sc)
	}
	if !u.mayRead(n) {
		return v, false
	}
	d := u.dataFile(n, u.l)
	if d == nil {
		return v, false
	}
	u.s.Sources[d.name] = d.src
	v.typ[0] = d.typ
	v.forms = make([]form, len(d.rows))
	for i, r := range d.rows {
		v.forms[i] = form{pos: r.Pos, row: spec.Constant(r.Value, d.typ), data: r}
	}
	return v, true
}

// listed compiles the rows of a list in the suite itself; ${{ }} may stand in them.
func (u *unit) listed(items []spec.Node, sc *spec.Scope) (variation, bool) {
	v := variation{each: true, typ: make([]spec.Type, 1)}
	rows := spec.RowsOf(items, u.l)
	before := u.l.Len()
	spec.CheckRows(rows, u.l)
	if u.l.Len() > before {
		return v, false
	}
	for i, item := range items {
		value := spec.CompileCompound(item, sc, u.l)
		if i == 0 {
			v.typ[0] = value.Type()
		} else {
			v.typ[0] = spec.Unify(v.typ[0], value.Type())
		}
		v.forms = append(v.forms, form{pos: item.Pos(), row: value, data: rows[i]})
	}
	return v, true
}

// data is what varies one test: its suite's and its own, and what the names matrix and each are for it.
type data struct {
	list  []variation
	shape map[string]spec.Type // of matrix and each, as far as there are any
	whole bool                 // nothing is wrong with it
}

// dataOf joins what varies a test with what varies its whole suite.
func (u *unit) dataOf(t *spec.Test, uses *spec.EnvUses) data {
	if t.Matrix == nil && t.Each.IsZero() {
		return u.varies
	}
	sc := u.scope(u.early, u.early0)
	sc.Env = uses
	own := u.varied(t.Matrix, t.Each, sc)
	clash := false
	axes := map[string]bool{}
	for _, v := range u.varies.list {
		for _, a := range v.axes {
			axes[a] = true
		}
		if v.each && !t.Each.IsZero() {
			u.l.AddWide(t.Each.KeyPos(), len("each"), `the suite has an "each" already`,
				"it is at "+u.s.Spec.Each.KeyPos().String()+"; a test has one row at a time")
			clash = true
		}
	}
	for _, v := range own.list {
		for i, a := range v.axes {
			if axes[a] {
				u.l.AddWide(t.Matrix.Axes[i].Pos, len([]rune(a)), `the suite's matrix has the axis "`+a+`" already`, "")
				clash = true
			}
		}
	}
	list := append(u.varies.list[:len(u.varies.list):len(u.varies.list)], own.list...)
	return joinData(list, own.whole && u.varies.whole && !clash)
}

func joinData(list []variation, whole bool) data {
	d := data{list: list, shape: map[string]spec.Type{}, whole: whole}
	axes := map[string]spec.Type{}
	for _, v := range list {
		if v.each {
			d.shape["each"] = v.typ[0]
			continue
		}
		d.shape["matrix"] = spec.Type{} // of one that is broken nothing is known
		for i, a := range v.axes {
			axes[a] = v.typ[i]
		}
	}
	if len(axes) > 0 {
		d.shape["matrix"] = structOf(axes)
	}
	return d
}

// count multiplies; false if there are more forms than anybody wants to run.
func (u *unit) count(d data, at diag.Pos) (int, bool) {
	n, combos, factors := 1, 1, make([]string, len(d.list))
	for i, v := range d.list {
		n = min(n*len(v.forms), 1<<40)
		factors[i] = count(len(v.forms), "combination")
		if v.each {
			factors[i] = count(len(v.forms), "row")
		} else {
			combos = min(combos*len(v.forms), 1<<40)
		}
	}
	switch {
	case combos > spec.MaxCombinations:
		u.l.Add(at, "the matrices of suite and test make more than "+strconv.Itoa(spec.MaxCombinations)+" combinations", strings.Join(factors, " × "))
		return 0, false
	case n > maxForms:
		u.l.Add(at, "the test would run in more than "+strconv.Itoa(maxForms)+" forms", strings.Join(factors, " × "))
		return 0, false
	}
	return n, true
}

// product gives the forms of a test, one of each variation; the first changes slowest.
func (d data) product(n int) [][]*form {
	out := make([][]*form, 0, n)
	at := make([]int, len(d.list))
	for range n {
		row := make([]*form, len(at))
		for i, k := range at {
			row[i] = &d.list[i].forms[k]
		}
		out = append(out, row)
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < len(d.list[i].forms) {
				break
			}
			at[i] = 0
		}
	}
	return out
}

// values gives matrix and each of one form of a test.
func (d data) values(forms []*form) []Var {
	var out []Var
	var axes []string
	var values []Value
	for i, f := range forms {
		if d.list[i].each {
			out = append(out, Var{"each", f.row})
			continue
		}
		axes, values = append(axes, d.list[i].axes...), append(values, f.values...)
	}
	if len(axes) > 0 {
		out = append(out, Var{"matrix", spec.MapOf(axes, values)})
	}
	return out
}

// params gives the parts that the name of a form shows. named says that the name tells rows apart itself: then they have
// none. False if a row has nothing to be called by.
func (d data) params(forms []*form, named bool) (out []Param, ok bool) {
	for i, f := range forms {
		v := &d.list[i]
		for k, a := range v.axes {
			out = append(out, Param{"matrix", a, f.labels[k]})
		}
		if !v.each || named {
			continue
		}
		p, found := label(f.data)
		if !found {
			return nil, false
		}
		out = append(out, p)
	}
	return out, true
}

// label is what a row of each is called by if the name of the test does not say: its column name or id, or itself.
func label(r spec.DataRow) (Param, bool) {
	row, isMap := r.Value.(map[string]any)
	if !isMap {
		text, err := spec.FormatValue(r.Value)
		return Param{"each", "", text}, err == nil && plainLabel(text)
	}
	for _, column := range []string{"name", "id"} {
		if v, there := row[column]; there {
			text, err := spec.FormatValue(v)
			return Param{"each", column, text}, err == nil && plainLabel(text)
		}
	}
	return Param{}, false
}

// plainLabel tells that a text can be part of a name: it is there, and is known before the run.
func plainLabel(s string) bool { return strings.TrimSpace(s) != "" && !strings.Contains(s, "${{") }
