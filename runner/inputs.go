package runner

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// inputs evaluates what a fragment is given, and has the secret ones masked before anything can show them.
func (p *player) inputs(ctx context.Context, f *frame, c call, b steps.Group) (map[string]any, *steps.Observation) {
	out := make(map[string]any, len(b.In)+len(b.Made)+len(b.Given)+len(b.Defaults))
	for name, v := range b.Defaults {
		out[name] = v
	}
	take := func(name string, at diag.Pos, v any, err error) *steps.Observation {
		if err != nil {
			o := p.trouble(ctx, err)
			o.Pos = at
			return &o
		}
		out[name] = v
		return wrongInput(b, name, v, at)
	}
	for name, t := range b.In {
		v, err := t.Value(ctx, f.vals, p.reader())
		if o := take(name, t.Pos(), v, err); o != nil {
			return nil, o
		}
	}
	for name, made := range b.Made {
		v, err := made.Eval(ctx, f.vals, p.reader())
		if o := take(name, c.step().Pos, v, err); o != nil {
			return nil, o
		}
	}
	for _, name := range b.Secret {
		p.secrets(out[name])
	}
	return out, nil
}

// byDefault evaluates the defaults with ${{ }} in the names of the fragment, frame in, and puts them to its inputs.
func (p *player) byDefault(ctx context.Context, in *frame, inputs map[string]any, c call, b steps.Group) *steps.Observation {
	for name, given := range b.Given {
		v, err := given.Eval(ctx, in.vals, nil)
		if err != nil {
			o := p.trouble(ctx, err)
			o.Pos = c.step().Pos
			return &o
		}
		if o := wrongInput(b, name, v, c.step().Pos); o != nil {
			return o
		}
		if inputs[name] = v; slices.Contains(b.Secret, name) {
			p.secrets(v)
		}
	}
	return nil
}

// wrongInput judges a value whose type nobody knew before the run.
func wrongInput(b steps.Group, name string, v any, at diag.Pos) *steps.Observation {
	want, judged := b.Want[name]
	if !judged || v != nil && want.Accepts(v) {
		return nil
	}
	got := "nothing"
	if v != nil {
		got = spec.TypeOf(v).Words()
	}
	o := steps.Fail(steps.Validation, "input", "the input "+strconv.Quote(name)+" of the fragment "+strconv.Quote(b.Name)+" must be "+
		want.Words()+", got "+got)
	o.Pos = at
	return &o
}

// secrets has every text in a value masked from now on.
func (p *player) secrets(v any) {
	switch v := v.(type) {
	case nil:
	case []any:
		for _, item := range v {
			p.secrets(item)
		}
	case map[string]any:
		for _, item := range v {
			p.secrets(item)
		}
	default:
		p.run.secret(fmt.Sprint(v))
	}
}
