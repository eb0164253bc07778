package runner

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// body runs a step's body once. first is false when it is read again: then no further event is journaled.
func (p *player) body(ctx context.Context, f *frame, c call, first bool) (steps.Observation, *failed) {
	switch b := c.step().Body.(type) {
	case steps.Rows:
		return p.rows(ctx, f, c, b, first)
	case steps.Opaque:
		return p.opaque(ctx, f, c, b, first)
	case steps.Branch:
		return p.branch(ctx, f, c, b)
	case steps.Loop:
		return p.loop(ctx, f, c, b)
	case steps.Group:
		return p.group(ctx, f, c, b)
	}
	o := steps.Fail(steps.Internal, "", fmt.Sprintf("a step of kind %q has no body", c.step().Kind))
	return o, p.fail(c, o)
}

// opaque runs a step that runs itself.
func (p *player) opaque(ctx context.Context, f *frame, c call, b steps.Opaque, first bool) (steps.Observation, *failed) {
	s := c.step()
	if first && !b.Person {
		if o := p.before(ctx, c, nil); o != nil {
			return *o, p.fail(c, *o)
		}
	}
	if first {
		need := journal.Kernel
		if b.Safe {
			need = journal.Buffered
		}
		p.event(c.path, s.Pos, journal.Intent{Name: s.Kind}, need)
		if p.err != nil {
			o := steps.Fail(steps.Internal, "", p.err.Error())
			return o, p.fail(c, o)
		}
	}
	start := time.Now()
	o := b.Run(ctx, steps.Env{
		Values: f.vals, Reader: p.reader(), Proc: spawner{p.run.procs}, Root: p.suite.plan.Root, Environ: p.environ,
		Files: p.folder.For(f.sub, c.path), Timeouts: p.limits, BaseURL: p.options.BaseURL, Dir: f.dir, Jar: jar{p},
		Policy: p.suite.plan.Policy, Pause: p.pausing(c), Self: p.run.o.Self, Row: p.innerRows(f, c), State: p.state, Checkpoint: p.keeping(f, c), Handoff: p.handingOff(c),
		Apps: p.launching(c),
	})
	stamp(&o, start)
	o = overrule(ctx, o)
	p.lost(o)
	for _, v := range o.Secret {
		p.hide(v)
	}
	if o.Pos.IsZero() {
		o.Pos = s.Pos
	}
	for k, v := range o.Set {
		f.vars[k] = v
	}
	for _, w := range o.Warnings {
		p.warn(o.Pos, w)
	}
	if !o.Success {
		return o, p.fail(c, o)
	}
	return o, nil
}

func stamp(o *steps.Observation, start time.Time) {
	if o.Started.IsZero() {
		o.Started = start
	}
	if o.Took == 0 {
		o.Took = time.Since(start)
	}
}

// ok is the observation of a step that is made of others.
func ok(start time.Time) steps.Observation {
	return steps.Observation{Success: true, Started: start, Took: time.Since(start)}
}

// branch runs the first arm whose condition holds.
func (p *player) branch(ctx context.Context, f *frame, c call, b steps.Branch) (steps.Observation, *failed) {
	s, start := c.step(), time.Now()
	poll := poller{every: s.Every, since: start}
	if s.Within != nil {
		poll.within = *s.Within
	}
	arm := -1
	for arm < 0 {
		for i := range b.Arms {
			if b.Arms[i].Cond == nil {
				continue
			}
			yes, o := p.holds(ctx, f, b.Arms[i].Cond, 0, 0)
			if o != nil {
				return *o, p.fail(c, *o)
			}
			if yes {
				arm = i
				break
			}
		}
		if arm < 0 && !poll.next(ctx) {
			break
		}
	}
	if o, over := ended(ctx); over {
		return o, p.fail(c, o)
	}
	if n := len(b.Arms); arm < 0 && n > 0 && b.Arms[n-1].Cond == nil {
		arm = n - 1
	}
	if arm < 0 {
		return ok(start), nil
	}
	if bad := p.list(ctx, f, b.Arms[arm].Do, c.path+"."+armName(b, arm)+"."); bad != nil {
		return bad.obs, bad
	}
	return ok(start), nil
}

func armName(b steps.Branch, i int) string {
	switch {
	case i == 0:
		return "then"
	case b.Arms[i].Cond == nil:
		return "else"
	}
	return "elif" + strconv.Itoa(i)
}

// maxItems bounds a loop that does not say max.
const maxItems = 10_000

// loop runs its steps for each item of a list.
func (p *player) loop(ctx context.Context, f *frame, c call, b steps.Loop) (steps.Observation, *failed) {
	if b.While != nil {
		return p.while(ctx, f, c, b)
	}
	start := time.Now()
	invalid := func(format string, args ...any) (steps.Observation, *failed) {
		o := steps.Fail(steps.Validation, "", fmt.Sprintf(format, args...))
		o.Pos = b.Over.Pos()
		return o, p.fail(c, o)
	}
	v, _, err := b.Over.Eval(ctx, f.vals, p.reader())
	if err != nil {
		o := p.trouble(ctx, err)
		return o, p.fail(c, o)
	}
	items, isList := toList(v)
	if !isList {
		return invalid("%s is no list but %s", b.Over.Source(), show(v))
	}
	most := b.Max
	if most <= 0 {
		most = maxItems
	}
	if len(items) > most {
		return invalid("%s has %d items, more than max (%d)", b.Over.Source(), len(items), most)
	}
	for i, item := range items {
		in := f.loop(b.Var, item, path.Join(f.sub, folderName(c.path)+"-"+strconv.Itoa(i+1)))
		if bad := p.list(ctx, in, b.Do, fmt.Sprintf("%s[%d].", c.path, i+1)); bad != nil {
			return bad.obs, bad
		}
	}
	return ok(start), nil
}

// folderName makes a step's path a name of a folder.
func folderName(path string) string {
	out := []byte("step-" + path)
	for i, c := range out {
		if c == '[' || c == ']' || c == '.' {
			out[i] = '-'
		}
	}
	return string(out)
}

// group runs a group in the caller's names, or a fragment in its own.
func (p *player) group(ctx context.Context, f *frame, c call, b steps.Group) (steps.Observation, *failed) {
	start := time.Now()
	if b.Scope != nil {
		leave, bad := p.enter(ctx, f, b.Scope)
		if bad != nil {
			return *bad, p.fail(c, *bad)
		}
		defer leave()
	}
	in := f
	if b.Isolated || b.In != nil {
		inputs, o := p.inputs(ctx, f, c, b)
		if o != nil {
			return *o, p.fail(c, *o)
		}
		dir := f.dir
		if b.File != "" {
			dir = p.run.abs(filepath.Dir(b.File))
		}
		in = f.use(inputs, dir, path.Join(f.sub, folderName(c.path)))
		if o := p.byDefault(ctx, in, inputs, c, b); o != nil {
			return *o, p.fail(c, *o)
		}
	}
	if bad := p.list(ctx, in, b.Do, c.path+"."); bad != nil {
		return bad.obs, bad
	}
	o := ok(start)
	if len(b.Out) == 0 {
		return o, nil
	}
	o.Data = map[string]any{}
	for name, e := range b.Out {
		v, _, err := e.Eval(ctx, in.vals, p.reader())
		if err != nil {
			bad := p.trouble(ctx, err)
			bad.Error = "output " + name + ": " + bad.Error
			bad.Pos = e.Pos()
			return bad, p.fail(c, bad)
		}
		o.Data[name] = v
	}
	return o, nil
}

// toList takes any Go slice that an expression can give.
func toList(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []string:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out, true
	case []int:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out, true
	}
	return nil, false
}
