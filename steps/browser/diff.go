package browser

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
	"github.com/rogpeppe/go-internal/diff"
)

// difference is what two texts differ in, line by line.
type difference struct {
	text                           string
	additions, removals, unchanged int
}

func (d difference) changed() bool { return d.additions+d.removals > 0 }

// compareTrees makes a unified diff of two trees.
func compareTrees(before, after string) difference {
	a, b := lines(before), lines(after)
	d := difference{text: string(diff.Diff("before", []byte(a), "after", []byte(b)))}
	if i := strings.Index(d.text, "--- before\n"); i >= 0 { // the heading repeats the names
		d.text = d.text[i:]
	}
	for l := range strings.Lines(d.text) {
		switch {
		case strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "--- "):
		case l[0] == '+':
			d.additions++
		case l[0] == '-':
			d.removals++
		}
	}
	d.unchanged = strings.Count(b, "\n") - d.additions
	return d
}

// lines ends a text with a line feed, so that its last line is one.
func lines(s string) string {
	if s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n"); s == "" {
		return ""
	}
	return s + "\n"
}

// diffSnapshot compares the tree with that of the last snapshot row, or with a saved one. What it reads does not become
// what later rows compare with, so that the row can be read again until its expect holds.
func diffSnapshot(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	sh, err := shapeOf(r)
	if err != nil {
		return steps.Observation{}, err
	}
	before := ""
	if name, ok := r.a.Flag("--baseline"); ok {
		if before, err = readText(r.input(name), name); err != nil {
			return steps.Observation{}, err
		}
	} else if before, err = s.earlier(r); err != nil {
		return steps.Observation{}, err
	}
	_, part, err := s.tree(ctx, r, sh)
	if err != nil {
		return steps.Observation{}, err
	}
	w, h := s.size()
	if !sh.plain() {
		part = sh.apply(part, w, h)
		sh.urls = false
		before = sh.apply(before, w, h)
	}
	d := compareTrees(withoutRefs(before), withoutRefs(part))
	return steps.OK(map[string]any{"changed": d.changed(), "diff": d.text, "additions": d.additions, "removals": d.removals,
		"unchanged": d.unchanged}, "changed"), nil
}

// earlier gives the tree of the last snapshot row that looked at the same part of the page.
func (s *session) earlier(r *row) (string, error) {
	within, _ := r.a.Flag("--selector")
	if b := s.book(s.active()); b != nil {
		if text, ok := b.parts[s.partKey(within)]; ok {
			return text, nil
		}
	}
	row := []string{"snapshot"}
	text := "there is no snapshot to compare with"
	if within != "" {
		row = append(row, "--selector", within)
		text += ": none was taken of " + quoted(within)
	}
	return "", problem(steps.Validation, "no-baseline", text, next("take-baseline-snapshot", "take one before the change", row...))
}

// partKey names a part of the page for what later rows compare with.
func (s *session) partKey(within string) string { return way(s.where().in) + within }

// diffURL loads two pages and compares their trees.
func diffURL(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	sh, err := shapeOf(r)
	if err != nil {
		return steps.Observation{}, err
	}
	var urls, trees [2]string
	var shots [2][]byte
	for i := range 2 {
		to, err := s.resolve(r.op(i))
		if err != nil {
			return steps.Observation{}, err
		}
		r.extend(r.limit) // each page has its own time
		if err := s.visit(r, to); err != nil {
			return steps.Observation{}, err
		}
		_, part, err := s.tree(ctx, r, sh)
		if err != nil {
			return steps.Observation{}, err
		}
		urls[i], trees[i] = s.page().URL(), s.shaped(part, sh)
		if r.a.Has("--screenshot") {
			if shots[i], err = s.shoot(ctx, "png", r.a.Has("--full"), nil); err != nil {
				return steps.Observation{}, err
			}
		}
	}
	d := compareTrees(withoutRefs(trees[0]), withoutRefs(trees[1]))
	data := map[string]any{"url1": urls[0], "url2": urls[1], "snapshot1": trees[0], "snapshot2": trees[1],
		"diff": map[string]any{"changed": d.changed(), "identical": !d.changed(), "additions": d.additions, "removals": d.removals,
			"deletions": d.removals, "unchanged": d.unchanged, "text": d.text}}
	if shots[1] != nil {
		p, err := comparePictures(shots[0], shots[1], defaultThreshold, false)
		if err != nil {
			return steps.Observation{}, err
		}
		data["screenshot"] = p.data()
	}
	return steps.OK(data, "diff"), nil
}

// visit opens a page on the way of a row that does more.
func (s *session) visit(r *row, to string) error {
	o := playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateLoad, Timeout: r.ms()}
	if w, ok := r.a.Flag("--wait-until"); ok {
		o.WaitUntil = (*playwright.WaitUntilState)(&w)
	}
	r.sent()
	s.leave()
	resp, err := s.page().Goto(to, o)
	switch {
	case err != nil && isTimeout(err) && s.fate(nil) == nil:
		return problem(steps.Timeout, "open", fmt.Sprintf("%s did not load: waited %s", to, r.waited()))
	case err != nil:
		return err
	case resp != nil && resp.Status() >= 400:
		return problem(steps.Navigation, "http-status", fmt.Sprintf("%s answered %d", to, resp.Status()))
	}
	return nil
}

// since tells what became of the refs of the snapshot before.
func (b *refBook) since(old *refBook) map[string]any {
	added, changed, same := []any{}, []any{}, 0
	gone := removed(old, b)
	for _, ref := range slices.Sorted(maps.Keys(b.refs)) {
		was, known := refEntry{}, false
		if old != nil {
			was, known = old.refs[ref]
		}
		switch {
		case !known:
			added = append(added, "@"+ref)
		case was.line != b.refs[ref].line:
			changed = append(changed, "@"+ref)
		default:
			same++
		}
	}
	return map[string]any{"addedRefs": added, "changedRefs": changed, "unchangedRefs": same,
		"summary": fmt.Sprintf("%d added, %d removed, %d changed, %d unchanged", len(added), len(gone), len(changed), same)}
}
