package runner

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
)

// evalData evaluates what the names of a test start from: the vars of its suite, then matrix and each, which may be made of
// these and are put into vals, then the test's own vars.
func evalData(ctx context.Context, vals spec.Values, suite []plan.Var, t *plan.Test) (map[string]any, error) {
	vars, err := evalVars(ctx, vals, [][]plan.Var{suite}, false)
	if err != nil || len(t.Data)+len(t.Vars) == 0 {
		return vars, err
	}
	in := maps.Clone(vals)
	in["vars"] = vars
	for _, d := range t.Data {
		v, err := d.Value.Eval(ctx, in, nil)
		if err != nil {
			return vars, fmt.Errorf("evaluating %s: %w", d.Name, err)
		}
		vals[d.Name], in[d.Name] = v, v
	}
	for _, d := range t.Vars {
		v, err := d.Value.Eval(ctx, in, nil)
		if err != nil {
			return vars, fmt.Errorf("evaluating vars.%s: %w", d.Name, err)
		}
		vars[d.Name] = v
	}
	return vars, nil
}

// params are the parts of a test's name for the journal.
func params(t *plan.Test) []journal.Param {
	var out []journal.Param
	for _, p := range t.Params {
		out = append(out, journal.Param{From: p.From, Name: p.Name, Value: p.Value})
	}
	return out
}

// rerunTest is the command that runs just a test again: one form of it if it has several.
func rerunTest(t *plan.Test) string {
	cmd := rerun(t.Pos)
	if len(t.Data) == 0 {
		return cmd
	}
	name := t.Key.Name
	if t.Round > 1 {
		name = strings.TrimSuffix(name, " #"+strconv.Itoa(t.Round))
	}
	return cmd + " -g '" + strings.ReplaceAll("› "+regexp.QuoteMeta(name)+"$", "'", `'\''`) + "'"
}
