package browser

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
)

// point is a place in the viewport.
type point struct{ x, y float64 }

// curve leads from one point to another as a hand does: on a bow, quick in the middle, slow at the end.
func curve(from, to point, seed uint64) []point {
	way := math.Hypot(to.x-from.x, to.y-from.y)
	n := min(max(int(way/25), 4), 30)
	rnd := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // it needs no secrets
	bow := (rnd.Float64() - 0.5) * 0.4 * way
	var across point
	if way > 0 {
		across = point{-(to.y - from.y) / way, (to.x - from.x) / way}
	}
	out := make([]point, n)
	for i := range out {
		u := float64(i+1) / float64(n)
		u = u * u * (3 - 2*u)
		off := bow * math.Sin(math.Pi*u)
		out[i] = point{from.x + (to.x-from.x)*u + across.x*off, from.y + (to.y-from.y)*u + across.y*off}
	}
	out[n-1] = to
	return out
}

// moveAlong moves the mouse through points within a time.
func (s *session) moveAlong(ctx context.Context, points []point, took time.Duration) error {
	pause := took / time.Duration(len(points))
	began := time.Now()
	for i, p := range points {
		s.moved(p)
		if err := s.page().Mouse().Move(p.x, p.y); err != nil {
			return err
		}
		s.extra.mouse = p
		if wait := time.Until(began.Add(pause * time.Duration(i+1))); wait > 0 && !sleep(ctx, wait) {
			return context.Cause(ctx)
		}
	}
	return nil
}

// sleep waits d; false if ctx ended before.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// approach moves the mouse to the middle of a target as a hand does, once the target is ready.
func (s *session) approach(ctx context.Context, r *row, t target.Target) error {
	e, err := s.ready(ctx, r, t, world.Point())
	if err != nil {
		return err
	}
	a, err := e.try(ctx, world.Point().First())
	if err != nil {
		return err
	}
	to := point{a.X, a.Y}
	if a.Refused() || to == (point{}) {
		if to.x, to.y, err = e.middle(r); err != nil {
			return e.whyNot(ctx, r, err)
		}
	}
	points := curve(s.extra.mouse, to, r.seed())
	return s.moveAlong(ctx, points, time.Duration(len(points))*8*time.Millisecond)
}

// seed is the number that a curve is drawn from: the row's own, or another each time.
func (r *row) seed() uint64 {
	if v, ok := r.a.Flag("--seed"); ok {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return uint64(n)
		}
	}
	return rand.Uint64() //nolint:gosec // it needs no secrets
}

// travel moves the mouse as the flags of a mouse move row want it.
func (s *session) travel(ctx context.Context, r *row, to point, data map[string]any) (steps.Observation, error) {
	took := r.a.Duration("--duration", 0)
	var points []point
	if r.a.Has("--human") {
		points = curve(s.extra.mouse, to, r.seed())
		took = r.a.Duration("--duration", time.Duration(len(points))*8*time.Millisecond)
	} else {
		n := max(int(took/(16*time.Millisecond)), 1)
		if v, ok := r.a.Flag("--steps"); ok {
			if k, err := strconv.Atoi(v); err == nil {
				n = k
			}
		}
		from := s.extra.mouse
		for i := range n {
			u := float64(i+1) / float64(n)
			points = append(points, point{from.x + (to.x-from.x)*u, from.y + (to.y-from.y)*u})
		}
	}
	r.sending(data)
	return steps.OK(data, "moved"), s.moveAlong(ctx, points, took)
}

// dragByHand presses on the source, moves to the destination and lets go.
func (s *session) dragByHand(ctx context.Context, r *row, from, to *element) (steps.Observation, error) {
	if err := s.approach(ctx, r, from.t); err != nil {
		return steps.Observation{}, err
	}
	data := map[string]any{"dragged": true, "source": from.t.Source, "target": to.t.Source}
	r.sending(data)
	s.presses(true)
	if err := s.page().Mouse().Down(); err != nil {
		return steps.Observation{}, err
	}
	box, err := to.try(ctx, world.BoxOf())
	if err == nil && box.Box != nil {
		b := *box.Box
		points := curve(s.extra.mouse, point{b.X + b.Width/2, b.Y + b.Height/2}, r.seed())
		err = s.moveAlong(ctx, points, time.Duration(len(points))*8*time.Millisecond)
	}
	s.presses(false)
	if up := s.page().Mouse().Up(); err == nil {
		err = up
	}
	return steps.OK(data, ""), err
}
