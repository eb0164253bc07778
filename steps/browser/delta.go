package browser

import (
	"maps"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// deltaBase is what a snapshot --delta compares with: what the last one answered.
type deltaBase struct {
	tab      *tab
	revision int
	lines    []string
	refs     map[string]refEntry
}

// delta answers a snapshot as the difference from the last one of its sort: the whole tree the first time, in another tab
// and with --full; after a navigation nearly every line has changed.
func (s *session) delta(r *row, tree string, now *refBook) steps.Observation {
	old := s.extra.delta
	base := &deltaBase{tab: s.active(), revision: 1, lines: strings.Split(tree, "\n"), refs: now.refs}
	if old != nil {
		base.revision = old.revision + 1
	}
	s.extra.delta = base
	answer := map[string]any{"revision": base.revision}
	switch {
	case old == nil || old.tab != base.tab || r.a.Has("--full"):
		refs := make(map[string]any, len(now.refs))
		for ref, e := range now.refs {
			refs[ref] = map[string]any{"role": e.role, "name": e.name}
		}
		answer["kind"], answer["tree"], answer["refs"] = "full", tree, refs
	case slices.Equal(old.lines, base.lines) && maps.Equal(old.refs, base.refs):
		answer["kind"], answer["baseRevision"] = "unchanged", old.revision
	default:
		answer["kind"], answer["baseRevision"] = "delta", old.revision
		answer["changes"], answer["treeChange"] = refChanges(old.refs, base.refs), treeChange(old.lines, base.lines)
	}
	return steps.OK(map[string]any{"origin": s.page().URL(), "snapshot": answer}, "snapshot")
}

// refChanges lists refs that came, went, or name something else, in their order.
func refChanges(old, now map[string]refEntry) []any {
	all := maps.Clone(old)
	maps.Copy(all, now)
	out := []any{}
	for _, ref := range slices.SortedFunc(maps.Keys(all), byNumber) {
		was, had := old[ref]
		is, has := now[ref]
		change := ""
		switch {
		case !had:
			change = "added"
		case !has:
			change = "removed"
		case was.role != is.role || was.name != is.name:
			change = "changed"
		}
		if change != "" {
			e := all[ref]
			out = append(out, map[string]any{"ref": "@" + ref, "change": change, "role": e.role, "name": e.name})
		}
	}
	return out
}

// byNumber orders e2 before e10.
func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// treeChange is the one piece in which two trees differ: from line startLine, counted from 0, deleteCount lines of the old
// one give way to lines.
func treeChange(old, now []string) map[string]any {
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		start++
	}
	a, b := len(old), len(now)
	for a > start && b > start && old[a-1] == now[b-1] {
		a, b = a-1, b-1
	}
	lines := make([]any, 0, b-start)
	for _, l := range now[start:b] {
		lines = append(lines, l)
	}
	return map[string]any{"startLine": start, "deleteCount": a - start, "lines": lines}
}
