package runner

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// while runs its steps as long as its condition holds. A condition that still holds at the bound is a failure.
func (p *player) while(ctx context.Context, f *frame, c call, b steps.Loop) (steps.Observation, *failed) {
	start := time.Now()
	most := b.Max
	if most <= 0 {
		most = maxItems
	}
	for n := 0; ; n++ {
		if o, over := ended(ctx); over {
			return o, p.fail(c, o)
		}
		yes, bad := p.holds(ctx, f, b.While, 0, 0)
		if bad != nil {
			bad.Pos = b.While.Pos()
			return *bad, p.fail(c, *bad)
		}
		if !yes {
			return ok(start), nil
		}
		over := b.Within > 0 && time.Since(start) >= b.Within
		if n >= most || over {
			o := p.endless(b, n, over)
			return o, p.fail(c, o)
		}
		in := *f
		in.sub = path.Join(f.sub, folderName(c.path)+"-"+strconv.Itoa(n+1))
		if bad := p.list(ctx, &in, b.Do, fmt.Sprintf("%s[%d].", c.path, n+1)); bad != nil {
			return bad.obs, bad
		}
		wait := b.Every
		if b.Within > 0 { // the last look is at the bound itself
			wait = min(wait, max(b.Within-time.Since(start), 0))
		}
		pause(ctx, wait)
	}
}

// endless is the failure of a while whose condition still holds at its bound.
func (p *player) endless(b steps.Loop, rounds int, over bool) steps.Observation {
	sub, bound := "while-max", plural(rounds, "round", "rounds")
	if over {
		sub, bound = "while-within", short(b.Within)+" and "+bound
	}
	o := steps.Fail(steps.Timeout, sub, fmt.Sprintf("%s still holds after %s", oneLine(b.While.Source()), bound))
	o.Pos = b.While.Pos()
	return o
}
