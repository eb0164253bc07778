package runner

import (
	"slices"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

// compiled tells what a step of generated rows came to; nil for one whose rows stand in the suite. gave are the outcomes of
// the rows that ran.
func compiled(b steps.Rows, gave []steps.Observation, checks []steps.Check) *steps.Compiled {
	if len(b.Rows) == 0 || b.Rows[0].From == "" {
		return nil
	}
	out := &steps.Compiled{Plan: make([]steps.PlanRow, len(b.Rows)), Reset: b.Reset}
	for i := range b.Rows {
		row := steps.PlanRow{Row: unsent(&b.Rows[i]), From: b.Rows[i].From, State: steps.RowNotRun}
		if i < len(gave) {
			row.State = steps.RowFailed
			if gave[i].Success {
				row.State = steps.RowCompleted
			}
			if len(gave[i].Argv) > 0 {
				row.Row = gave[i].Argv
			}
			row.Effective = effective(gave[i])
		}
		out.Plan[i] = row
	}
	for _, c := range checks {
		out.Checks = append(out.Checks, c.Name)
	}
	return out
}

// unsent gives a row as it was compiled. What a fill would have written is left out: nobody knows whether the field is a
// password.
func unsent(row *steps.Row) []string {
	cells := source(row)
	if verb := row.Call.Command.Words[0]; verb == "fill" && len(cells) > 2 || verb == "find" && slices.Contains(cells, "fill") {
		if i := row.Call.Operands[len(row.Call.Operands)-1]; i > 0 && cells[i] != "fill" {
			cells[i] = "•••"
		}
	}
	return cells
}

// effective is the row that a row was resolved to, from its data.
func effective(o steps.Observation) []string {
	list, ok := o.Data[argv.Effective].([]any)
	if !ok {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
