package steps

import (
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// Row decodes one argv row in the decoder's scope; false if it cannot be run.
func (d *Decoder) Row(n spec.Node) (Row, bool) {
	items, ok := n.Seq()
	if !ok {
		hint := `write [click, "#buy"]`
		if text, isText := n.Text(); isText && argv.Known(cellsOf(text)) {
			hint = "write " + argv.Row(cellsOf(text))
		}
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("a row", "a list of cells", n.Sort()), hint)
		return Row{}, false
	}
	if len(items) > 0 && isRow(items[0]) {
		d.Errs.Add(n.Pos(), "this is a list of rows, and one row is wanted", `several rows as one step: rows: [[click, "#a"], [click, "#b"]]`)
		return Row{}, false
	}
	row := Row{Pos: n.Pos(), Text: make([]spec.Text, len(items))}
	cells := make([]argv.Cell, len(items))
	before := d.Errs.Len()
	for i, item := range items {
		row.Text[i], cells[i] = d.cell(item, i)
	}
	if d.Errs.Len() > before { // a cell that is no text would only be reported a second time
		return row, false
	}
	row.Call = argv.Parse(cells, row.Pos, d.Errs)
	checkDevice(row.Call, d.Errs)
	return row, row.Call != nil
}

// isRow tells a list whose first cell is a command.
func isRow(n spec.Node) bool {
	items, ok := n.Seq()
	if !ok || len(items) == 0 {
		return false
	}
	word, _ := items[0].Text()
	return argv.Known([]string{word})
}

func (d *Decoder) cell(n spec.Node, i int) (spec.Text, argv.Cell) {
	what := "cell " + strconv.Itoa(i+1)
	if n.Empty() {
		d.Errs.Add(n.Pos(), what+" is empty", `write "" for empty text`)
		return spec.Text{}, argv.Cell{}
	}
	if _, ok := n.Text(); !ok {
		hint := n.QuoteHint()
		if hint == "" {
			hint = "a cell is one scalar; quote text that YAML takes for something else"
		}
		d.Errs.Add(n.Pos(), diag.WantKind(what, "text", n.Sort()), hint)
		return spec.Text{}, argv.Cell{}
	}
	text := spec.CompileText(n, d.Scope, d.Errs)
	if t := text.Type(); t.Base == spec.List || t.Base == spec.Map || t.Base == spec.Struct {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind(what, "text", t.Words()), "choose one of its values, or join(…) them")
	}
	static, ok := text.Static()
	if !ok {
		static, _ = n.Text()
	}
	p := n.Pos()
	if n.Quoted() && p.Col > 0 {
		p.Col++ // positions inside the cell count from its first rune, which stands behind the quote
	}
	return text, argv.Cell{Text: static, Dynamic: !ok, Pos: p}
}

// Rows decodes a list of rows that run one after the other.
func (d *Decoder) Rows(n spec.Node) []Row {
	items, ok := n.Seq()
	if !ok || len(items) == 0 {
		got := n.Sort()
		if ok {
			got = "an empty list"
		}
		d.Errs.Add(n.Pos(), diag.WantKind("rows", "a list of rows", got), `write [[click, "#a"], [click, "#b"]]`)
		return nil
	}
	var out []Row
	for _, item := range items {
		if r, ok := d.Row(item); ok {
			out = append(out, r)
		}
	}
	return out
}
