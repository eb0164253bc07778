package steps

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// Generated makes a row that a kind compiles to; from says which part of the kind it stands for. A cell may hold ${{ }}.
// finish turns the cells, once they are rendered, into those of the row, as many as there are; nil: they are the same. What
// is wrong with a cell is told where its text stands.
func (d *Decoder) Generated(from string, at diag.Pos, cells []spec.Text, finish func([]string) []string) (Row, bool) {
	row := Row{Pos: at, From: from, Text: cells, Cells: finish}
	texts, dynamic := sources(cells)
	if finish != nil {
		texts = finish(texts)
	}
	list := newCells(texts, dynamic)
	for i := range list {
		if list[i].Pos = cells[i].Pos(); list[i].Pos.IsZero() {
			list[i].Pos = at
		}
	}
	before := d.Errs.Len()
	row.Call = argv.Parse(list, at, d.Errs)
	return row, row.Call != nil && d.Errs.Len() == before
}

// sources gives the texts as far as they are known, as written where they are not.
func sources(cells []spec.Text) (texts []string, dynamic []bool) {
	texts, dynamic = make([]string, len(cells)), make([]bool, len(cells))
	for i, c := range cells {
		text, static := c.Static()
		if !static {
			text = c.Source()
		}
		texts[i], dynamic[i] = text, !static
	}
	return texts, dynamic
}

func newCells(texts []string, dynamic []bool) []argv.Cell {
	out := make([]argv.Cell, len(texts))
	for i := range texts {
		out[i] = argv.Cell{Text: texts[i], Dynamic: dynamic[i]}
	}
	return out
}

// Cells are fixed texts as the cells of a generated row.
func Cells(at diag.Pos, texts ...string) []spec.Text {
	out := make([]spec.Text, len(texts))
	for i, t := range texts {
		out[i] = spec.Literal(t, at)
	}
	return out
}

// TextOf compiles a key that is one text and must not be empty; false if it cannot be used.
func (d *Decoder) TextOf(n spec.Node, key string) (spec.Text, bool) {
	before := d.Errs.Len()
	text := spec.WantText(n, key, d.Errs)
	if d.Errs.Len() == before && text == "" {
		d.Errs.Add(n.Pos(), `"`+key+`" is empty`, "leave it out, or write what is meant")
	}
	if d.Errs.Len() > before {
		return spec.Text{}, false
	}
	t := spec.CompileText(n, d.Scope, d.Errs)
	return t, d.Errs.Len() == before
}
