package browser

import (
	"context"
	"fmt"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

// watch lets a waiting op end as soon as one of the row's overlays is visible. It costs nothing while the target is ready
// at once.
func (e *element) watch(r *row) {
	if len(r.o.Overlays) == 0 {
		return
	}
	e.over = make([]world.Query, len(r.o.Overlays))
	for i, t := range r.o.Overlays {
		q, ok := world.Compile(t)
		if !ok { // matches nothing, and is looked at by the driver's engines
			q, _ = world.Compile(never)
			e.foreign = true
		}
		e.over[i] = q
	}
	e.q = e.q.Under(e.over)
}

// never is a target that nothing matches.
var never = target.Target{Parts: []target.Part{{Engine: target.CSS, Value: ":not(*)"}}}

// lying looks whether an overlay lies over the page now; for refusals that came some other way than by waiting in the own
// world.
func (e *element) lying(ctx context.Context, r *row) (world.Answer, bool) {
	if len(e.over) == 0 {
		return world.Answer{}, false
	}
	if i, lies := e.w.Lying(ctx, e.q); lies {
		return world.Answer{Reason: world.Overlay, Index: i}, true
	}
	for i, t := range r.o.Overlays {
		if _, own := world.Compile(t); own {
			continue
		}
		o, err := e.s.elementAt(ctx, t, spot{top: true})
		if err != nil {
			continue
		}
		if a, err := o.try(ctx, world.Is(world.Visible)); err == nil && a.True {
			return world.Answer{Reason: world.Overlay, Index: i}, true
		}
	}
	return world.Answer{}, false
}

// clear fails if an overlay lies over the page, before the driver's own action waits for it to go.
func (e *element) clear(ctx context.Context, r *row) error {
	o, lies := e.lying(ctx, r)
	if !lies {
		return nil
	}
	r.unsent()
	return obstructed(r, o)
}

// obstructed is the failure of a row that was not sent because an overlay lies over the page. The runner dismisses it and
// sends the row again.
func obstructed(r *row, a world.Answer) error {
	src := ""
	if a.Index < len(r.o.Overlays) {
		src = r.o.Overlays[a.Index].Source
	}
	f := problem(steps.NotActionable, steps.Obstructed, fmt.Sprintf("the overlay %q is in the way", src))
	f.obs.Data = map[string]any{steps.OverlayKey: a.Index}
	return f
}

// refuseFor is refuse for an action: an overlay in the way goes before any other reason.
func (e *element) refuseFor(ctx context.Context, r *row, a world.Answer) error {
	if a.Reason != world.Overlay && !final(a.Reason) {
		if o, lies := e.lying(ctx, r); lies {
			a = o
		}
	}
	return e.refuse(ctx, r, a)
}
