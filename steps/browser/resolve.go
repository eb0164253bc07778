package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
	"github.com/checkrow/checkrow/steps/target"
)

// resolveEvery is the pause between two snapshots of a row that looks for its element in them.
const resolveEvery = 100 * time.Millisecond

// found is a node of a snapshot that can be acted on.
type found struct{ ref, role, name, line string }

// target names the node so that it lasts longer than its ref: by role and the whole name.
func (f found) target() string {
	return target.Part{Engine: target.Role, Value: f.role, Name: f.name, Named: true, Exact: true}.String()
}

// visible lists the nodes of a snapshot that have one of the roles and exactly this name. A snapshot gives refs to what is
// visible only. White space counts as one space.
func visible(tree, name string, roles ...string) []found {
	var out []found
	want := squash(name)
	for ref, e := range readRefs(tree).refs {
		if slices.Contains(roles, e.role) && squash(e.name) == want {
			out = append(out, found{ref: ref, role: e.role, name: e.name, line: e.line})
		}
	}
	slices.SortFunc(out, func(a, b found) int {
		return strings.Index(tree, "[ref="+a.ref+"]") - strings.Index(tree, "[ref="+b.ref+"]")
	})
	return out
}

// resolveRef gives the ref of the one visible element with the role and exactly the name of a find row, as a snapshot of where
// the row looks shows it. It waits for it as long as the row may.
func (s *session) resolveRef(ctx context.Context, r *row, t target.Target) (target.Target, error) {
	p := t.Parts[0]
	for {
		tree, err := s.aroundRow(ctx, r)
		if err != nil {
			return t, err
		}
		list := visible(tree, p.Name, p.Value)
		if len(list) == 1 {
			return parse("@" + list[0].ref)
		}
		if !r.pause(ctx, resolveEvery) {
			if ctx.Err() != nil {
				return t, context.Cause(ctx)
			}
			return t, noSuchRef(r, t, tree, list)
		}
	}
}

// findRef performs a find row on what a snapshot shows. An element that was replaced before anything was sent to it is
// looked for again.
func (s *session) findRef(ctx context.Context, r *row, t target.Target, action, text string) (steps.Observation, error) {
	for {
		ref, err := s.resolveRef(ctx, r, t)
		if err != nil {
			return steps.Observation{}, err
		}
		o, err := s.findAt(ctx, r, ref, action, text)
		var f *failed
		if mark, _ := r.state(); asFailed(err, &f) && f.obs.Category == steps.StaleRef && mark == steps.NotSent && r.pause(ctx, resolveEvery) {
			continue
		}
		if o.Data != nil {
			o.Data[argv.Effective] = effective(action, ref)
		}
		return o, err
	}
}

// aroundRow takes the snapshot of where the row looks: its scopes, the selected frame, or the page. The refs in it are from
// now on those of the tab.
func (s *session) aroundRow(ctx context.Context, r *row) (string, error) {
	tab := s.active()
	tree, err := "", error(nil)
	if at := s.where(); len(at.in) == 0 && !at.top && s.scope(tab) != nil {
		f, ferr := s.base(ctx, tab)
		if ferr != nil {
			return "", ferr
		}
		tree, err = (&element{t: target.Target{Parts: []target.Part{{Engine: target.CSS, Value: ":root"}}}, frame: f}).ariaIn(r.ms())
	} else {
		tree, err = s.aria(ctx, r.ms())
	}
	if err != nil {
		return "", err
	}
	now := readRefs(tree)
	if old := s.book(tab); old != nil {
		now.parts = old.parts
	}
	s.setBook(tab, now)
	return tree, nil
}

// noSuchRef is the failure of a find row whose element no snapshot told: nothing was sent.
func noSuchRef(r *row, t target.Target, tree string, list []found) error {
	p := t.Parts[0]
	info := &steps.TargetInfo{Source: t.Source, Matches: len(list), Visible: len(list)}
	look := next("refresh-interactive-refs", "see what is on the page", "snapshot", "-i")
	if len(list) > 1 {
		for _, f := range list[:min(len(list), 10)] {
			info.List = append(info.List, f.line)
		}
		f := problem(steps.NotActionable, "ambiguous", fmt.Sprintf("%d visible elements are a %s named %s, one is needed: waited %s",
			len(list), p.Value, quoted(p.Name), r.waited()), look)
		f.obs.Detail = &steps.Detail{Target: info}
		return f
	}
	var names []string
	for _, e := range readRefs(tree).refs {
		if e.role == p.Value && !slices.Contains(names, e.name) {
			names = append(names, e.name)
		}
	}
	slices.Sort(names)
	info.Near = best(p.Name, names, func(n string) string { return found{role: p.Value, name: n}.target() })
	f := problem(steps.NotFound, "not-found", fmt.Sprintf("no visible element is a %s named %s: waited %s", p.Value, quoted(p.Name), r.waited()), look)
	f.obs.Detail = &steps.Detail{Target: info}
	return f
}

// effective is the row that a find row came to, for its data. It does not repeat the text of a fill (CONTRACT R65).
func effective(action string, t target.Target) []any { return []any{action, t.Source} }
