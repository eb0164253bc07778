package plan

import (
	"maps"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/target"
)

var (
	text  = spec.Type{Base: spec.String}
	whole = spec.Type{Base: spec.Int}
)

func structOf(fields map[string]spec.Type) spec.Type {
	return spec.Type{Base: spec.Struct, Fields: fields}
}

// scopes makes the names that every text of a suite may read.
func (u *unit) scopes() {
	secrets := map[string]spec.Type{}
	for _, s := range u.s.Spec.Secrets {
		secrets[s.Name] = text
		u.s.Secrets = append(u.s.Secrets, s.Name)
	}
	u.early = &spec.Scope{Env: u.uses, Asked: &u.wants, CheckTarget: checkTarget, Services: u.reads, Steps: map[string]spec.Type{}, Names: map[string]spec.Type{
		"env":     {Base: spec.Map, Elem: &text},
		"secrets": structOf(secrets),
		"suite":   structOf(map[string]spec.Type{"name": text, "file": text, "dir": text}),
		"run":     structOf(map[string]spec.Type{"id": text, "dir": text}),
	}}
	u.late = u.early.Child()
	u.late.Names["services"] = structOf(u.serviceTypes())
}

// checkTarget judges a constant target of a page function.
func checkTarget(src string, p diag.Pos, l *diag.List) { target.Parse(src, p, l) }

// scope is up with vars.
func (u *unit) scope(up *spec.Scope, vars map[string]spec.Type) *spec.Scope {
	sc := up.Child()
	sc.Names["vars"] = structOf(maps.Clone(vars))
	maps.Copy(sc.Names, u.given)
	return sc
}

// stepScope is the scope of setup and teardown; used collects the ids that are read in it.
func (u *unit) stepScope(vars map[string]spec.Type, setup spec.Type, used map[string]bool) *spec.Scope {
	sc := u.scope(u.late, vars)
	sc.Used = used
	if len(setup.Fields) > 0 {
		sc.Names["setup"] = setup
	}
	sc.Page = true
	return sc
}

// testScope is the scope of a test's own keys and of its hooks' parents.
func (u *unit) testScope(vars map[string]spec.Type, setup spec.Type, uses *spec.EnvUses) *spec.Scope {
	sc := u.scope(u.late, vars)
	sc.Env = uses
	sc.Names["setup"] = setup
	sc.Names["test"] = structOf(map[string]spec.Type{"name": text, "dir": text})
	sc.Names["attempt"] = whole
	return sc
}

// setupType is what setup.ID is: all of setup ran when a test runs, but not when teardown does.
func setupType(ids map[string]spec.Type, maybe bool) spec.Type {
	out := map[string]spec.Type{}
	for id, t := range ids {
		t.Maybe = t.Maybe || maybe
		out[id] = t
	}
	return structOf(out)
}

// addMaybe adds ids whose step may not have run.
func addMaybe(to, from map[string]spec.Type) {
	for id, t := range from {
		t.Maybe = true
		to[id] = t
	}
}

// addVars makes what set steps of from define known in to, where they may not have run.
func addVars(to, from *spec.Scope) {
	have, _ := steps.Lookup(to, "vars")
	set, _ := steps.Lookup(from, "vars")
	for name, t := range set.Fields {
		if _, known := have.Fields[name]; !known {
			t.Maybe = true
			steps.Define(to, name, t)
		}
	}
}

// suiteVars compiles the suite's vars in written order. What can be evaluated before services are up may be used by them
// and in test names.
func (u *unit) suiteVars() {
	u.vars, u.early0 = map[string]spec.Type{}, map[string]spec.Type{}
	for _, e := range u.s.Spec.Vars {
		v, early := u.variable(e, u.vars, u.early0, u.uses)
		u.s.Vars = append(u.s.Vars, v)
		u.vars[e.Name] = v.Value.Type()
		if early {
			u.early0[e.Name] = v.Value.Type()
		} else {
			delete(u.early0, e.Name)
		}
	}
}

// variable compiles one entry of vars; early tells that it needs nothing that starts with the run. A value given by
// --var replaces what the file says.
func (u *unit) variable(e spec.Entry, all, known map[string]spec.Type, uses *spec.EnvUses) (v Var, early bool) {
	var trial diag.List
	tries := &spec.EnvUses{}
	sc := u.scope(u.early, known)
	sc.Env = tries
	value := spec.CompileCompound(e.Value, sc, &trial)
	early = trial.Len() == 0
	if !early {
		tries = &spec.EnvUses{}
		sc = u.withNeeds(u.scope(u.late, all))
		sc.Env = tries
		value = spec.CompileCompound(e.Value, sc, u.l)
	} else {
		for _, lint := range trial.All() {
			u.l.Append(lint)
		}
	}
	if given, ok := u.o.Vars[e.Name]; ok {
		return Var{e.Name, u.override(e, given, value.Type())}, true
	}
	uses.Uses = append(uses.Uses, tries.Uses...)
	return Var{e.Name, value}, early
}

// testVars merges a test's vars over the suite's.
func (u *unit) testVars(t *spec.Test, out *Test, uses *spec.EnvUses) (all, known map[string]spec.Type) {
	if len(t.Vars) == 0 {
		return u.vars, u.early0
	}
	all, known = maps.Clone(u.vars), maps.Clone(u.early0)
	for _, e := range t.Vars {
		v, early := u.variable(e, all, known, uses)
		out.Vars = append(out.Vars, v)
		all[e.Name] = v.Value.Type()
		if early {
			known[e.Name] = v.Value.Type()
		} else {
			delete(known, e.Name)
		}
	}
	return all, known
}

// badName reports a name that does not compile. One that would once services run is told so: its vars are right, its place
// is not.
func (u *unit) badName(t *spec.Test, errs *diag.List, all map[string]spec.Type) {
	sc := u.scope(u.late, all)
	sc.Env = &spec.EnvUses{}
	var trial diag.List
	spec.CompileText(t.Name, sc, &trial)
	if trial.Len() == 0 {
		u.l.Add(t.Name.Pos(), "the name needs what is known only when services run", "a name is the identity of a test in every report")
		return
	}
	for _, e := range errs.All() {
		u.l.Append(e)
	}
}

func (u *unit) goodName(t *spec.Test, s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		u.l.Add(t.Name.Pos(), "the name is empty", "")
	}
	return s
}

// planValues are the values that are known before the run. A check that does not need the environment goes on with a
// stand-in for a name that is not set.
func (u *unit) planValues(uses *spec.EnvUses) spec.Values {
	env := map[string]any{}
	for _, list := range [][]spec.EnvUse{u.uses.Uses, uses.Uses} {
		for _, use := range list {
			if v, ok := u.lookup(use.Name); ok {
				env[use.Name] = v
			} else if !u.o.NeedEnv && !use.Optional {
				env[use.Name] = "$" + use.Name
			}
		}
	}
	return spec.Values{
		"env":     env,
		"secrets": map[string]any{},
		"suite":   map[string]any{"name": u.s.Name, "file": u.s.File, "dir": u.s.Dir},
		"run":     map[string]any{"id": "", "dir": ""},
	}
}

// lookup reads the environment; empty counts as unset.
func (c *compiler) lookup(name string) (string, bool) {
	if c.o.LookupEnv == nil {
		return "", false
	}
	v, ok := c.o.LookupEnv(name)
	return v, ok && v != ""
}
