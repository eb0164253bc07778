package runner

import (
	"context"
	"fmt"

	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

// maxDismissals is how often one overlay is taken away in an attempt: one that always comes back is a fault of the page.
const maxDismissals = 3

// overlays are the entries of dismiss that a row may run into, with their rendered targets.
type overlays struct {
	entries []int
	targets []target.Target
}

// overlay gives the player the entries of dismiss, which see the names of f.
func (p *player) overlay(f *frame, list []steps.Dismissal) {
	p.root, p.dismiss, p.dismissed = f, list, nil
	if len(list) > 0 {
		p.dismissed = make([]int, len(list))
	}
}

// overlaysFor gives what may lie over the target of a row: nothing for rows that change nothing, such as expect rows, and
// nothing that was taken away too often.
func (p *player) overlaysFor(ctx context.Context, row *steps.Row) (overlays, *steps.Observation) {
	var out overlays
	if len(p.dismiss) == 0 || !row.Call.Mutates() || row.Call.Command.Traits.Has(argv.Asserts) {
		return out, nil
	}
	for i := range p.dismiss {
		d := &p.dismiss[i]
		if p.dismissed[i] >= maxDismissals {
			continue
		}
		src, err := d.Overlay.String(ctx, p.root.vals, p.reader())
		if err != nil {
			o := p.trouble(ctx, err)
			o.Pos = d.Pos
			return out, &o
		}
		t, err := parseTarget(src, d.Pos)
		if err != nil {
			o := steps.Fail(steps.Validation, "bad-target", "overlay: "+err.Error())
			o.Pos = d.Pos
			return out, &o
		}
		out.entries, out.targets = append(out.entries, i), append(out.targets, t)
	}
	return out, nil
}

// without takes out the overlays that were taken away too often.
func (o overlays) without(p *player) overlays {
	var left overlays
	for i, e := range o.entries {
		if p.dismissed[e] < maxDismissals {
			left.entries, left.targets = append(left.entries, e), append(left.targets, o.targets[i])
		}
	}
	return left
}

// obstacle gives the overlay that kept a row from being sent; false if it was something else.
func (o overlays) obstacle(obs steps.Observation) (int, bool) {
	if obs.Success || obs.Sub != steps.Obstructed {
		return 0, false
	}
	i, ok := obs.Data[steps.OverlayKey].(int)
	return i, ok && i >= 0 && i < len(o.entries)
}

// send sends a row; if an overlay is in its way, that is taken away and the row is sent again.
func (p *player) send(ctx context.Context, s steps.Session, args argv.Args, o steps.RowOptions, over overlays, path string) steps.Observation {
	var notes []string
	for {
		o.Overlays = over.targets
		obs := s.Do(ctx, args, o)
		i, is := over.obstacle(obs)
		if !is {
			obs.Warnings = append(obs.Warnings, notes...)
			return obs
		}
		entry, src := over.entries[i], over.targets[i].Source
		p.dismissed[entry]++
		if why := p.takeAway(ctx, s, entry, path); why != "" {
			notes = append(notes, fmt.Sprintf("the overlay %q was in the way and could not be dismissed: %s", src, why))
			p.dismissed[entry] = maxDismissals
		} else {
			notes = append(notes, fmt.Sprintf("the overlay %q was in the way and was dismissed (%s in this attempt)", src, times(p.dismissed[entry])))
		}
		over = over.without(p)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return plural(n, "time", "times")
}

// takeAway runs the rows of an entry of dismiss on the whole page, journaled below the row that they make way for. It
// gives why that failed, or "".
func (p *player) takeAway(ctx context.Context, s steps.Session, entry int, path string) string {
	d := &p.dismiss[entry]
	for i := range d.Rows {
		row := &d.Rows[i]
		args, bad := p.render(ctx, p.root, row)
		if bad != nil {
			return bad.Error
		}
		at := fmt.Sprintf("%s.dismiss%d-%d.%d", path, entry+1, p.dismissed[entry], i+1)
		name := row.Call.Command.Name()
		p.event(at, row.Pos, journal.Intent{Name: name, Row: i}, journal.Kernel)
		if p.err != nil {
			return p.err.Error()
		}
		step := steps.Step{Pos: row.Pos, Kind: "row"}
		limit, own := p.rowLimit(&step, row)
		rctx, cancel := context.WithTimeoutCause(ctx, limit, &Limit{"row", limit})
		o := s.Do(rctx, args, steps.RowOptions{Files: p.folder.For(p.root.sub, at), Dir: p.root.dir, Timeout: own, Top: true})
		o = p.outlast(ctx, rctx, o)
		cancel()
		p.lost(o)
		if len(o.Argv) == 0 {
			o.Argv = args.Argv
		}
		p.watching(s).note(row, p.phase)
		p.done[row] = o.Argv
		o.Pos = row.Pos
		p.event(at, row.Pos, journal.Done{Name: name, Obs: o}, journal.Buffered)
		if !o.Success {
			return o.Error
		}
	}
	return ""
}
