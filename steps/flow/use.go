package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Use runs the steps of a fragment.
var Use = steps.Kind{
	Name:    "use",
	Doc:     "Runs the steps of a fragment with inputs; steps.ID.NAME is an output. The fragment sees neither vars nor secrets.",
	Example: "- use: ./login.yaml\n  with: { user: ada@example.test, password: \"${{ secrets.SHOP_PASSWORD }}\" }\n  id: login\n",
	Keys: []spec.Key{
		{Name: "use", Type: "text", Doc: "path of the fragment, relative to this file", Required: true},
		{Name: "with", Type: "map", Doc: "values of its inputs"},
	},
	Decode: decodeUse,
}

// shared are the names that a fragment sees of the suite that uses it: what belongs to the run, not to the author.
var shared = []string{"env", "services", "suite", "run", "test", "attempt"}

func decodeUse(d *steps.Decoder, m map[string]spec.Node, _ spec.Node) (steps.Body, spec.Type) {
	n, ok := m["use"]
	if !ok || d.Load == nil {
		return nil, anything
	}
	f := d.Load(n)
	if f == nil {
		return nil, anything
	}
	if slices.Contains(d.Using, f.File) {
		d.Errs.AddWide(n.Pos(), n.Width(), "a fragment uses itself", strings.Join(append(slices.Clone(d.Using), f.File), " uses "))
		return nil, anything
	}
	g := steps.Group{Name: f.Name, Isolated: true, In: map[string]spec.Text{}, Defaults: map[string]any{}, File: f.File, Made: map[string]spec.Compound{},
		Given: map[string]spec.Compound{}, Want: map[string]spec.Type{}}
	inputs(d, m["with"], n, f, &g)

	outer, using := d.Scope, d.Using
	inside := isolated(outer, f)
	d.Scope, d.Using = inside, append(slices.Clone(using), f.File)
	g.Do = d.Steps(f.Steps, inside)
	g.Out = map[string]*spec.Expr{}
	more := map[string]spec.Type{}
	for _, o := range f.Outputs {
		e := spec.CompileExpr(o.Value, inside, anything, d.Errs)
		g.Out[o.Name], more[o.Name] = e, e.Type()
	}
	d.Scope, d.Using = outer, using
	steps.Unused(g.Do, inside.Used, d.Errs)
	return g, steps.Result(more)
}

// isolated is the scope inside a fragment.
func isolated(outer *spec.Scope, f *spec.Fragment) *spec.Scope {
	fields := map[string]spec.Type{}
	for _, in := range f.Inputs {
		fields[in.Name] = spec.InputType(in.Type)
	}
	s := &spec.Scope{
		Names: map[string]spec.Type{"inputs": {Base: spec.Struct, Fields: fields}, "vars": {Base: spec.Struct, Fields: map[string]spec.Type{}}},
		Steps: map[string]spec.Type{}, Page: outer.Page, Env: outer.Env, Used: map[string]bool{}, CheckTarget: outer.CheckTarget,
		Services: outer.Services, Asked: outer.Asked,
	}
	for _, name := range shared {
		if t, ok := steps.Lookup(outer, name); ok {
			s.Names[name] = t
		}
	}
	return s
}

// inputs checks what `with` gives against what the fragment declares.
func inputs(d *steps.Decoder, with, use spec.Node, f *spec.Fragment, g *steps.Group) {
	given := map[string]bool{}
	for _, e := range with.Entries(`"with"`, d.Errs) {
		in, ok := declared(f, e.Name)
		if !ok {
			d.Errs.AddWide(e.KeyPos, len([]rune(e.Name)), "the fragment "+strconv.Quote(f.Name)+" has no input "+strconv.Quote(e.Name),
				diag.Suggest(e.Name, names(f)))
			continue
		}
		given[e.Name] = true
		input(d, in, e, g)
	}
	for _, in := range f.Inputs {
		if in.Secret {
			g.Secret = append(g.Secret, in.Name)
		}
		if given[in.Name] {
			continue
		}
		if in.Default.IsZero() {
			d.Errs.AddWide(use.Pos(), use.Width(), "the fragment "+strconv.Quote(f.Name)+" needs the input "+strconv.Quote(in.Name),
				"write with: { "+in.Name+": … }")
			continue
		}
		byDefault(d, in, f, g)
	}
}

func declared(f *spec.Fragment, name string) (spec.Input, bool) {
	for _, in := range f.Inputs {
		if in.Name == name {
			return in, true
		}
	}
	return spec.Input{}, false
}

func names(f *spec.Fragment) []string {
	out := make([]string, len(f.Inputs))
	for i, in := range f.Inputs {
		out[i] = in.Name
	}
	return out
}
