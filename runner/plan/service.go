package plan

import (
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// environment compiles the suite's env. What reads a service's address is left out of the services' own environment.
func (u *unit) environment() {
	for _, e := range u.s.Spec.Env {
		var trial diag.List
		sc := u.scope(u.early, u.early0)
		sc.Env = &spec.EnvUses{}
		t := spec.CompileText(e.Value, sc, &trial)
		if trial.Len() == 0 {
			u.s.Base = append(u.s.Base, EnvVar{e.Name, t})
		}
		u.s.Env = append(u.s.Env, EnvVar{e.Name, spec.CompileText(e.Value, u.scope(u.late, u.vars), u.l)})
	}
}

// services compiles the services in written order: one may read the address of those before it.
func (u *unit) services() {
	seen := map[string]spec.Type{}
	for _, s := range u.s.Spec.Services {
		sc := u.scope(u.early, u.early0)
		sc.Names["self"] = serviceType()
		sc.Names["services"] = structOf(cloneTypes(seen))
		out := Service{Spec: s}
		for _, n := range s.Exec {
			out.Argv = append(out.Argv, spec.CompileText(n, sc, u.l))
		}
		for _, e := range s.Env {
			out.Env = append(out.Env, EnvVar{e.Name, spec.CompileText(e.Value, sc, u.l)})
		}
		u.ready(&out, sc)
		u.s.Services = append(u.s.Services, out)
		seen[s.Name] = serviceType()
	}
}

// ready compiles how a service says that it is up.
func (u *unit) ready(out *Service, sc *spec.Scope) {
	r := out.Spec.Ready
	if !r.HTTP.IsZero() {
		t := spec.CompileText(r.HTTP, sc, u.l)
		out.HTTP = &t
	}
	if !r.TCP.IsZero() {
		if s, ok := r.TCP.Text(); ok && s == "true" && !r.TCP.Quoted() {
			out.OwnTCP = true
		} else {
			t := spec.CompileText(r.TCP, sc, u.l)
			out.TCP = &t
		}
	}
	if !r.Log.IsZero() {
		t := spec.CompileText(r.Log, sc, u.l)
		out.Log = &t
	}
}

func cloneTypes(m map[string]spec.Type) map[string]spec.Type {
	out := make(map[string]spec.Type, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
