package spec

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec/diag"
)

// MaxCombinations is how many combinations a matrix may have, that of a suite times that of a test.
const MaxCombinations = 1_000

// Matrix is `matrix:` of a suite or test: axes with named values, and the combinations they make.
type Matrix struct {
	Pos    diag.Pos
	Axes   []Axis
	Combos []Combo // in order: the first axis changes slowest; without what exclude names, with what include adds
}

// Axis is one entry of a matrix: matrix.NAME.
type Axis struct {
	Name   string
	Pos    diag.Pos
	Values []AxisValue
}

// AxisValue is one value of an axis: a scalar, or a map whose `name` is its label.
type AxisValue struct {
	Label string
	Value Node
}

// Combo is one combination: a value for each axis, in the order of the axes.
type Combo struct {
	Pos    diag.Pos
	Values []AxisValue
}

// MatrixWords are the keys of a matrix that are no axes.
var MatrixWords = []string{"include", "exclude"}

// decodeMatrix reads a matrix; one that something is wrong with has neither axes nor combinations.
func decodeMatrix(n Node, l *diag.List) *Matrix {
	if n.IsZero() {
		return nil
	}
	if !n.IsMap() {
		n.report(l, diag.WantKind("matrix", "a map of lists", n.Sort()), "write matrix: { size: [small, large] }")
		return &Matrix{Pos: n.KeyPos()}
	}
	m := &Matrix{Pos: n.KeyPos()}
	before := l.Len()
	for _, e := range n.Entries(`"matrix"`, l) {
		if !slices.Contains(MatrixWords, e.Name) {
			m.axis(e, l)
		}
	}
	include := matrixRows(n.Get("include"), "include", l)
	if len(m.Axes) == 0 {
		m.axesOf(include)
	}
	if len(m.Axes) == 0 && l.Len() == before {
		l.AddWide(n.KeyPos(), len("matrix"), `"matrix" is empty`, "write an axis: size: [small, large]")
	}
	if l.Len() > before || !m.bounded(len(include), l) {
		return &Matrix{Pos: m.Pos}
	}
	m.product()
	m.exclude(matrixRows(n.Get("exclude"), "exclude", l), l)
	m.include(include, l)
	if len(m.Combos) == 0 && l.Len() == before {
		l.AddWide(n.KeyPos(), len("matrix"), `"exclude" leaves no combination`, "the test would never run")
	}
	if l.Len() > before {
		return &Matrix{Pos: m.Pos}
	}
	return m
}

// axis reads one axis.
func (m *Matrix) axis(e Entry, l *diag.List) {
	if near := diag.Nearest(e.Name, MatrixWords); len(near) > 0 {
		l.AddWide(e.KeyPos, utf8.RuneCountInString(e.Name), "unknown key "+strconv.Quote(e.Name)+" in the matrix", diag.DidYouMean(near))
		return
	}
	if !checkName(e.Name, e.KeyPos, "matrix", l) {
		return
	}
	items, ok := e.Value.Seq()
	if !ok {
		hint := ""
		if text, isText := e.Value.Text(); isText && !e.Value.Empty() {
			hint = "write [" + text + "]"
			if strings.Contains(text, "${{") {
				hint = "the values are written out: they are part of the names of tests"
			}
		}
		e.Value.report(l, diag.WantKind("matrix."+e.Name, "a list", e.Value.Sort()), hint)
		return
	}
	if len(items) == 0 {
		e.Value.report(l, "the axis "+strconv.Quote(e.Name)+" has no value", "")
		return
	}
	a := Axis{Name: e.Name, Pos: e.KeyPos}
	for i, item := range items {
		v, ok := axisValue(item, "item "+strconv.Itoa(i+1)+` of "`+e.Name+`"`, l)
		if !ok {
			continue
		}
		if j := a.find(v.Label); j >= 0 {
			msg, hint := diag.Duplicate("the value", v.Label, a.Values[j].Value.Pos())
			item.report(l, msg, hint)
			continue
		}
		a.Values = append(a.Values, v)
	}
	m.Axes = append(m.Axes, a)
}

// axisValue reads a value: its label is part of the names of tests, and so is known before the run.
func axisValue(n Node, what string, l *diag.List) (AxisValue, bool) {
	label := n
	if n.IsMap() {
		label = n.Get("name")
		n.Entries("a value of a matrix", l) // for keys that are there twice
		if label.IsZero() {
			n.report(l, "a map in a matrix needs "+strconv.Quote("name"), "it stands in the name of the test: { name: mobile, … }")
			return AxisValue{}, false
		}
		what = `the name of ` + what
	}
	text, ok := label.Text()
	switch {
	case !ok:
		label.report(l, diag.WantKind(what, "text or a map with a name", label.Sort()), "")
	case strings.TrimSpace(text) == "":
		label.report(l, diag.WantKind(what, "text", "nothing"), "")
	case strings.Contains(text, "${{"):
		label.report(l, what+" is part of the names of tests: it is written out", "write { name: …, value: "+strconv.Quote(text)+" }")
	default:
		return AxisValue{Label: strings.Join(strings.Fields(text), " "), Value: n}, true
	}
	return AxisValue{}, false
}

func (a *Axis) find(label string) int {
	return slices.IndexFunc(a.Values, func(v AxisValue) bool { return v.Label == label })
}

func (a *Axis) labels() []string {
	out := make([]string, len(a.Values))
	for i, v := range a.Values {
		out[i] = v.Label
	}
	return out
}

// bounded refuses a matrix that multiplies to more than anybody wants to run.
func (m *Matrix) bounded(included int, l *diag.List) bool {
	n, factors := 1, make([]string, len(m.Axes))
	for i, a := range m.Axes {
		factors[i] = strconv.Itoa(len(a.Values))
		n = min(n*max(1, len(a.Values)), 1<<30)
	}
	if n+included <= MaxCombinations {
		return true
	}
	l.AddWide(m.Pos, len("matrix"), "the matrix has more than "+strconv.Itoa(MaxCombinations)+" combinations",
		strings.Join(factors, " × ")+" of its axes")
	return false
}

// product makes every combination in written order.
func (m *Matrix) product() {
	if slices.ContainsFunc(m.Axes, func(a Axis) bool { return len(a.Values) == 0 }) {
		return // there is nothing but include
	}
	m.Combos = []Combo{{Pos: m.Pos}}
	for _, a := range m.Axes {
		next := make([]Combo, 0, len(m.Combos)*len(a.Values))
		for _, c := range m.Combos {
			for _, v := range a.Values {
				next = append(next, Combo{Pos: m.Pos, Values: append(c.Values[:len(c.Values):len(c.Values)], v)})
			}
		}
		m.Combos = next
	}
}

// matrixRow is one item of include or exclude.
type matrixRow struct {
	pos   diag.Pos
	cells []Entry
}

func matrixRows(n Node, key string, l *diag.List) []matrixRow {
	if n.IsZero() || n.Empty() {
		return nil
	}
	items, ok := n.Seq()
	if !ok {
		n.report(l, diag.WantKind(key, "a list of maps", n.Sort()), "write "+key+": [ { size: small, role: admin } ]")
		return nil
	}
	var out []matrixRow
	for i, item := range items {
		if !item.IsMap() {
			item.report(l, diag.WantKind("item "+strconv.Itoa(i+1)+` of "`+key+`"`, "a map", item.Sort()), "")
			continue
		}
		if cells := item.Entries("an item of "+strconv.Quote(key), l); len(cells) > 0 {
			out = append(out, matrixRow{item.Pos(), cells})
		} else {
			item.report(l, "an item of "+strconv.Quote(key)+" is empty", "")
		}
	}
	return out
}

// axesOf takes the axes of a matrix that is only an include: the keys of its first item.
func (m *Matrix) axesOf(rows []matrixRow) {
	if len(rows) == 0 {
		return
	}
	for _, c := range rows[0].cells {
		if IsName(c.Name) {
			m.Axes = append(m.Axes, Axis{Name: c.Name, Pos: c.KeyPos})
		}
	}
}

// axisOf finds the axis that a cell names.
func (m *Matrix) axisOf(c Entry, l *diag.List) int {
	i := slices.IndexFunc(m.Axes, func(a Axis) bool { return a.Name == c.Name })
	if i < 0 {
		names := make([]string, len(m.Axes))
		for j, a := range m.Axes {
			names[j] = a.Name
		}
		l.AddWide(c.KeyPos, utf8.RuneCountInString(c.Name), "the matrix has no axis "+strconv.Quote(c.Name), diag.Suggest(c.Name, names))
	}
	return i
}

// exclude takes the combinations out that have all the values of an item.
func (m *Matrix) exclude(rows []matrixRow, l *diag.List) {
	for _, r := range rows {
		want := map[int]string{}
		good := true
		for _, c := range r.cells {
			i := m.axisOf(c, l)
			if i < 0 {
				good = false
				continue
			}
			text, ok := c.Value.Text()
			if !ok {
				c.Value.report(l, diag.WantKind(c.Name, "the name of a value", c.Value.Sort()), diag.OneOf(m.Axes[i].labels()))
				good = false
				continue
			}
			if m.Axes[i].find(text) < 0 {
				msg, hint := diag.BadValue(c.Name, c.Value.got(), m.Axes[i].labels())
				c.Value.report(l, msg, hint)
				good = false
				continue
			}
			want[i] = text
		}
		if !good {
			continue
		}
		m.Combos = slices.DeleteFunc(m.Combos, func(c Combo) bool {
			for i, label := range want {
				if c.Values[i].Label != label {
					return false
				}
			}
			return true
		})
	}
}

// include adds one combination for each item: it gives every axis a value, one of the axis by its label or a new one.
func (m *Matrix) include(rows []matrixRow, l *diag.List) {
	for _, r := range rows {
		c := Combo{Pos: r.pos, Values: make([]AxisValue, len(m.Axes))}
		before := l.Len()
		for _, cell := range r.cells {
			i := m.axisOf(cell, l)
			if i < 0 {
				continue
			}
			text, _ := cell.Value.Text()
			if j := m.Axes[i].find(text); j >= 0 {
				c.Values[i] = m.Axes[i].Values[j]
			} else if v, ok := axisValue(cell.Value, strconv.Quote(cell.Name), l); ok {
				c.Values[i] = v
			}
		}
		for i, v := range c.Values {
			if v.Label == "" && l.Len() == before {
				l.Add(r.pos, "the included combination has no "+strconv.Quote(m.Axes[i].Name), "it gives every axis a value")
			}
		}
		if l.Len() > before {
			continue
		}
		if slices.ContainsFunc(m.Combos, func(have Combo) bool { return have.same(c) }) {
			l.Add(r.pos, "this combination is there already", "include adds one that the axes do not make")
			continue
		}
		m.Combos = append(m.Combos, c)
	}
}

func (c Combo) same(other Combo) bool {
	for i, v := range c.Values {
		if other.Values[i].Label != v.Label {
			return false
		}
	}
	return true
}
