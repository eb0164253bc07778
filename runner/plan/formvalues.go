package plan

import (
	"context"
	"maps"
	"regexp"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// bind makes the values of a form the current ones. A value that needs what only the run has is nil here; what is made of it
// says so itself.
func (f *former) bind(values []Var) {
	f.vars = false
	delete(f.vals, "vars")
	for _, v := range values {
		if !v.Value.Static() {
			f.vals["vars"] = f.suiteValues()
		}
		x, err := v.Value.Eval(context.Background(), f.vals, nil)
		if err != nil {
			x = nil
		}
		f.vals[v.Name] = x
	}
}

// suiteValues evaluates the vars of the suite that are known before the run.
func (f *former) suiteValues() map[string]any {
	if f.common == nil {
		f.common = map[string]any{}
		f.broken = f.evaluate(f.s.Vars, f.common, maps.Clone(f.vals))
	}
	return f.common
}

// evalVars evaluates the vars of a form that are known before the run, once.
func (f *former) evalVars() {
	if f.vars {
		return
	}
	f.vars = true
	vars := maps.Clone(f.suiteValues())
	f.vals["vars"] = vars
	f.failed = f.evaluate(f.base.Vars, vars, f.vals)
	for name, err := range f.broken {
		if _, own := vars[name]; !own && f.failed[name] == nil {
			f.failed[name] = err
		}
	}
}

// evaluate puts what can be evaluated into vars. What fails is an error only for a text that reads it.
func (f *former) evaluate(list []Var, vars map[string]any, vals spec.Values) map[string]error {
	vals["vars"] = vars
	failed := map[string]error{}
	for _, v := range list {
		if _, ok := f.known[v.Name]; !ok {
			continue
		}
		if x, err := v.Value.Eval(context.Background(), vals, nil); err != nil {
			failed[v.Name] = err
		} else {
			vars[v.Name] = x
		}
	}
	return failed
}

// ready evaluates what a text reads; false if it reads a var that fails, which is reported.
func (f *former) ready(t spec.Text, what string, at diag.Pos) bool {
	if !t.Uses("vars") {
		return true
	}
	f.evalVars()
	for name, err := range f.failed {
		if regexp.MustCompile(`\bvars\s*\??\.\s*` + name + `\b`).MatchString(t.Source()) {
			f.l.Append(&diag.Error{Pos: at, Msg: what + " needs vars." + name + ", which fails: " + err.Error(), Err: err})
			return false
		}
	}
	return true
}

// text renders a text of the plan.
func (f *former) text(t spec.Text, what string, at diag.Pos) (string, bool) {
	if !f.ready(t, what, at) {
		return "", false
	}
	s, err := t.String(context.Background(), f.vals, nil)
	if err != nil {
		f.l.Append(&diag.Error{Pos: at, Msg: what + " cannot be made: " + err.Error(), Err: err})
		return "", false
	}
	return s, true
}
