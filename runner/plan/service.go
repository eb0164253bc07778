package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Service is one compiled service.
type Service struct {
	Spec   spec.Service
	If     *spec.Expr // nil: always
	Reuse  *spec.Text // a URL; nil: it is always started
	Argv   []spec.Text
	Env    []EnvVar
	HTTP   *spec.Text
	TCP    *spec.Text
	OwnTCP bool       // tcp: true
	Log    *spec.Text // a regular expression, rendered when the service starts
	Reads  []string   // services whose address it reads, sorted
}

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

// serviceTypes gives what services.NAME is: those of the project, over them those of the suite.
func (u *unit) serviceTypes() map[string]spec.Type {
	out := map[string]spec.Type{}
	if u.s.Project != nil {
		for _, s := range u.s.Project.Services {
			out[s.Spec.Name] = s.typ()
		}
	}
	for _, s := range u.s.Spec.Services {
		out[s.Name] = serviceType(s, conditional(s))
	}
	return out
}

// conditional gives a type that says when a service with an `if` is there; it is compiled again with its service.
func conditional(s spec.Service) spec.Type {
	if s.If.IsZero() {
		return spec.Type{}
	}
	var trial diag.List
	e := spec.CompileExpr(s.If, &spec.Scope{}, spec.Type{}, &trial)
	return spec.Type{Maybe: true, Unset: e.UnsetEnv()}
}

// serviceType is what services.NAME is, or self without a condition.
func serviceType(s spec.Service, when spec.Type) spec.Type {
	fields := map[string]spec.Type{"url": text, "host": text, "port": whole}
	if len(s.Ports) > 0 {
		ports := make(map[string]spec.Type, len(s.Ports))
		for _, p := range s.Ports {
			ports[p.Name] = whole
		}
		fields["ports"] = structOf(ports)
	}
	t := structOf(fields)
	t.Maybe, t.Unset = when.Maybe, when.Unset
	return t
}

func (s *Service) typ() spec.Type { return serviceType(s.Spec, conditional(s.Spec)) }

// services compiles the services and puts each behind those whose address it reads.
func (u *unit) services() {
	all := u.serviceTypes()
	list := make([]Service, 0, len(u.s.Spec.Services))
	for _, s := range u.s.Spec.Services {
		sc := u.scope(u.early, u.early0)
		others := cloneTypes(all)
		delete(others, s.Name)
		sc.Names["services"] = structOf(others)
		sc.Services = map[string]bool{}
		out := Service{Spec: s}
		if !s.If.IsZero() {
			out.If = spec.CompileExpr(s.If, sc, spec.Type{Base: spec.Bool}, u.l)
		}
		if !s.Reuse.IsZero() {
			t := spec.CompileText(s.Reuse, sc, u.l)
			out.Reuse = &t
		}
		sc = sc.Child()
		sc.Names["self"] = serviceType(s, spec.Type{})
		for _, n := range s.Exec {
			out.Argv = append(out.Argv, spec.CompileText(n, sc, u.l))
		}
		for _, e := range s.Env {
			out.Env = append(out.Env, EnvVar{e.Name, spec.CompileText(e.Value, sc, u.l)})
		}
		u.ready(&out, sc)
		for name := range sc.Services {
			out.Reads = append(out.Reads, name)
			if u.reads != nil {
				u.reads[name] = true
			}
		}
		slices.Sort(out.Reads)
		list = append(list, out)
	}
	u.s.Services = u.inOrder(list)
}

// inOrder puts each service behind those that it reads; else they stay in written order.
func (u *unit) inOrder(list []Service) []Service {
	place := make(map[string]int, len(list))
	for i, s := range list {
		place[s.Spec.Name] = i
	}
	out := make([]Service, 0, len(list))
	state := make([]uint8, len(list)) // 1: on the way, 2: done
	var path []int
	var put func(i int) bool
	put = func(i int) bool {
		switch state[i] {
		case 1:
			u.circle(list, append(path[slices.Index(path, i):len(path):len(path)], i))
			return false
		case 2:
			return true
		}
		state[i] = 1
		path = append(path, i)
		for _, name := range list[i].Reads {
			if at, own := place[name]; own && !put(at) {
				return false
			}
		}
		path = path[:len(path)-1]
		state[i] = 2
		out = append(out, list[i])
		return true
	}
	for i := range list {
		if !put(i) {
			return list
		}
	}
	return out
}

func (u *unit) circle(list []Service, circle []int) {
	words := make([]string, 0, len(circle)-1)
	for k := range circle[1:] {
		words = append(words, strconv.Quote(list[circle[k]].Spec.Name)+" reads "+strconv.Quote(list[circle[k+1]].Spec.Name))
	}
	at := list[circle[0]].Spec
	u.l.AddWide(at.Pos, len([]rune(at.Name)), "the services go in a circle: "+strings.Join(words, ", "), "one of them must start first")
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
