package browser

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/mxschmitt/playwright-go"
)

// refBook is what the last snapshot gave refs to.
type refBook struct {
	refs  map[string]refEntry
	parts map[string]string // the trees that snapshot rows read, by partKey
}

type refEntry struct{ role, name, line string }

// line is one node of an aria snapshot: role, name, attributes in brackets.
var (
	nodeForm = regexp.MustCompile(`^(\s*)- (?:'|")?([a-zA-Z]+)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)`)
	refForm  = regexp.MustCompile(` \[ref=((?:f\d+)?e\d+)\]`)
)

// interactive are the roles that -i keeps, beside whatever shows a pointer.
var interactive = map[string]bool{"button": true, "link": true, "textbox": true, "checkbox": true, "radio": true,
	"combobox": true, "listbox": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "option": true,
	"searchbox": true, "slider": true, "spinbutton": true, "switch": true, "tab": true, "treeitem": true, "iframe": true}

func snapshot(ctx context.Context, s *session, r *row) (steps.Observation, error) {
	sh, err := shapeOf(r)
	if err != nil {
		return steps.Observation{}, err
	}
	tab, tree := s.active(), s.tree
	if s.o.Window != "" && s.book(tab) == nil {
		tree = s.firstTree
	}
	text, part, err := tree(ctx, r, sh)
	if err != nil {
		return steps.Observation{}, err
	}
	old, now := s.book(tab), readRefs(text)
	if old != nil {
		maps.Copy(now.parts, old.parts)
	}
	now.parts[s.partKey("")], now.parts[s.partKey(sh.within.Source)] = boxForm.ReplaceAllString(text, ""), boxForm.ReplaceAllString(part, "")
	s.setBook(tab, now)
	if r.a.Has("--delta") {
		return s.delta(r, s.shaped(part, sh), now), nil
	}
	refs := make(map[string]any, len(now.refs))
	for ref, e := range now.refs {
		refs[ref] = map[string]any{"role": e.role, "name": e.name}
	}
	data := map[string]any{"origin": s.page().URL(), "refs": refs, "removedRefs": removed(old, now)}
	if r.a.Has("--diff") {
		maps.Copy(data, now.since(old))
	}
	data["snapshot"] = s.shaped(part, sh)
	o := steps.OK(data, "snapshot")
	o.NextActions = overlayIn(part)
	return o, nil
}

// aria is the one way to a snapshot: any call drops the refs of the one before, and only this mode gives the same refs
// to the same elements again.
func (s *session) aria(ctx context.Context, limit *float64) (string, error) {
	if len(s.where().in) > 0 {
		e, err := s.innermost(ctx)
		if err != nil {
			return "", err
		}
		return e.ariaIn(limit)
	}
	return s.ariaPage(limit)
}

func (s *session) ariaPage(limit *float64) (string, error) {
	return s.page().AriaSnapshot(playwright.PageAriaSnapshotOptions{Mode: playwright.AriaSnapshotModeAi, Timeout: limit})
}

// readRefs lists the refs of a snapshot.
func readRefs(text string) *refBook {
	b := &refBook{refs: map[string]refEntry{}, parts: map[string]string{}}
	for _, l := range strings.Split(text, "\n") {
		m := nodeForm.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if ref := refForm.FindStringSubmatch(l); ref != nil {
			b.refs[ref[1]] = refEntry{role: m[2], name: unquote(m[3]), line: boxForm.ReplaceAllString(strings.TrimSpace(l), "")}
		}
	}
	return b
}

// removed lists the refs that the page has not any more.
func removed(old, now *refBook) []any {
	out := []any{}
	if old == nil {
		return out
	}
	for _, ref := range slices.Sorted(maps.Keys(old.refs)) {
		if _, ok := now.refs[ref]; !ok {
			out = append(out, "@"+ref)
		}
	}
	return out
}

// onlyInteractive keeps the lines that can be acted on, indented by those of their ancestors that are kept.
func onlyInteractive(text string) string { return shape{interactive: true}.apply(text, 0, 0) }

// withoutRefs drops refs and pointers, for reading and comparing.
func withoutRefs(text string) string {
	text = refForm.ReplaceAllString(text, "")
	return strings.ReplaceAll(strings.ReplaceAll(text, " [cursor=pointer]", ""), " [active]", "")
}

func unquote(s string) string {
	if len(s) < 2 {
		return ""
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[1 : len(s)-1])
}
