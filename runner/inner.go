package runner

import (
	"context"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// innerRows lets a step that runs itself run rows: each is checked against the row grammar, limited and journaled as if
// it stood in the suite, as "5.1", "5.2" below the step.
func (p *player) innerRows(f *frame, c call) func(context.Context, steps.InnerRow) steps.Observation {
	n := 0
	return func(ctx context.Context, in steps.InnerRow) steps.Observation {
		n++
		at := in.Pos
		if at.IsZero() {
			at = c.step().Pos
		}
		row, bad := parseInner(in.Cells, at)
		if bad != nil {
			return *bad
		}
		// The step around it lends the row nothing but its place: neither its limit nor its expect.
		inner := call{list: []steps.Step{{Kind: "row", Pos: at, Timeout: in.Limit, Body: steps.Rows{Rows: []steps.Row{*row}}}}}
		inner.path = c.path + "." + strconv.Itoa(n)
		o := p.row(ctx, f, inner, row, inner.path, 0, true)
		if !p.refused && p.err == nil {
			p.event(inner.path, at, inner.done(row.Call.Command.Name(), o), journal.Buffered)
		}
		return o
	}
}

// parseInner checks the cells of a row that was made while a step ran.
func parseInner(cells []string, at diag.Pos) (*steps.Row, *steps.Observation) {
	row := &steps.Row{Pos: at, Text: make([]spec.Text, len(cells))}
	list := make([]argv.Cell, len(cells))
	for i, text := range cells {
		row.Text[i], list[i] = spec.Literal(text, at), argv.Cell{Text: text, Pos: at}
	}
	var l diag.List
	row.Call = argv.Parse(list, at, &l)
	var wrong []string
	for _, e := range l.All() {
		if e.Severity == diag.Lint {
			continue
		}
		says := e.Msg
		if e.Hint != "" {
			says += " (" + e.Hint + ")"
		}
		wrong = append(wrong, says)
	}
	if len(wrong) == 0 && row.Call != nil {
		return row, nil
	}
	if len(wrong) == 0 {
		wrong = []string{"a row without a command"}
	}
	o := steps.Fail(steps.Validation, "row", strings.Join(wrong, "; "))
	o.Argv, o.Pos = cells, at
	return nil, &o
}

// state gives what steps keep in the player's session.
func (p *player) state() map[string]string {
	if p.notes == nil {
		p.seat.notes = map[string]string{}
	}
	return p.notes
}
