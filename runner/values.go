package runner

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
)

// frame is what names mean while a list of steps runs. A fragment has a frame of its own; a loop shares all but its
// variable.
type frame struct {
	vals   spec.Values
	steps  map[string]any
	vars   map[string]any // nil in a fragment
	sub    string         // subfolder for files
	dir    string         // folder of the file that says the steps
	scoped bool           // a fragment: what set defines stays inside
}

// newFrame makes the frame of an attempt or hook over the values base.
func newFrame(base spec.Values, vars map[string]any, dir string) *frame {
	f := &frame{vals: maps.Clone(base), steps: map[string]any{}, vars: vars, dir: dir}
	f.vals["steps"], f.vals["vars"] = f.steps, vars
	return f
}

// loop gives the frame of one iteration.
func (f *frame) loop(name string, item any, sub string) *frame {
	in := *f
	in.vals = maps.Clone(f.vals)
	in.vals[name] = item
	in.sub = sub
	return &in
}

// use gives the frame of a fragment: its inputs, and of the caller's names those that belong to the run and not to the
// suite's author.
func (f *frame) use(inputs map[string]any, dir, sub string) *frame {
	in := &frame{vals: spec.Values{"inputs": inputs}, steps: map[string]any{}, vars: map[string]any{}, dir: dir, sub: sub, scoped: true}
	for _, name := range []string{"env", "suite", "run", "test", "attempt", "services", spec.MaskName} {
		if v, ok := f.vals[name]; ok {
			in.vals[name] = v
		}
	}
	in.vals["steps"], in.vals["vars"] = in.steps, in.vars
	return in
}

// environMap gives env.NAME; empty counts as unset.
func environMap(environ []string) map[string]any {
	out := make(map[string]any, len(environ))
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok {
			if value == "" {
				delete(out, name)
			} else {
				out[name] = value
			}
		}
	}
	return out
}

// evalVars evaluates vars in written order. Those that cannot be evaluated yet are left out if skip says so: before its
// services are up a suite knows only a part of them.
func evalVars(ctx context.Context, vals spec.Values, lists [][]plan.Var, skip bool) (map[string]any, error) {
	out := map[string]any{}
	in := maps.Clone(vals)
	in["vars"] = out
	for _, list := range lists {
		for _, v := range list {
			x, err := v.Value.Eval(ctx, in, nil)
			if err != nil && skip {
				continue
			}
			if err != nil {
				return out, fmt.Errorf("evaluating vars.%s: %w", v.Name, err)
			}
			out[v.Name] = x
		}
	}
	return out, nil
}

// evalEnv gives the environment of children: what every child gets, with the declared entries over it.
func evalEnv(ctx context.Context, vals spec.Values, r *run, list []plan.EnvVar) ([]string, error) {
	if len(list) == 0 {
		return r.children, nil
	}
	declared := make([]string, 0, len(list))
	for _, e := range list {
		s, err := e.Text.String(ctx, vals, nil)
		if err != nil {
			return nil, fmt.Errorf("rendering env.%s: %w", e.Name, err)
		}
		declared = append(declared, e.Name+"="+s)
	}
	return r.childEnv(declared), nil
}

// result is what steps.ID is after a step. The keys of data stand beside the common ones: exit, stdout, status …
func result(o steps.Observation) map[string]any {
	data, value := o.Data, o.Value
	if o.Full != nil {
		data, value = o.Full.Data, o.Full.Value
	}
	out := make(map[string]any, len(data)+8)
	maps.Copy(out, data)
	out["value"] = value
	out["data"] = data
	if data == nil {
		out["data"] = map[string]any{}
	}
	out["ok"] = o.Success
	out["error"] = o.Error
	out["took"] = o.Took.Milliseconds()
	out["page"] = map[string]any{"url": o.Page.URL, "title": o.Page.Title}
	if len(o.Artifacts) > 0 {
		out["artifact"] = o.Artifacts[0].Path
	}
	return out
}

// overlay adds the result of the own step to the names, for its expect.
func (f *frame) overlay(res map[string]any) spec.Values {
	out := make(spec.Values, len(f.vals)+len(res))
	maps.Copy(out, f.vals)
	maps.Copy(out, res)
	return out
}
