package browser

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/browser/world"
	"github.com/checkrow/checkrow/steps/target"
	"github.com/mxschmitt/playwright-go"
)

// shape is what the flags of a snapshot make of the tree. Refs are always given to the whole page.
type shape struct {
	interactive, compact, urls, viewport bool
	depth                                int // 0: all
	search                               string
	roles                                []string
	within                               target.Target // without parts: the whole page
}

func shapeOf(r *row) (shape, error) {
	sh := shape{interactive: r.a.Has("--interactive"), compact: r.a.Has("--compact"), urls: r.a.Has("--urls"), viewport: r.a.Has("--viewport")}
	if v, ok := r.a.Flag("--depth"); ok {
		n, err := strconv.Atoi(v)
		if err != nil {
			return sh, problem(steps.Validation, "depth", err.Error())
		}
		sh.depth = n
	}
	sh.search, _ = r.a.Flag("--search")
	if v, ok := r.a.Flag("--filter"); ok {
		sh.roles = strings.Split(strings.ToLower(strings.TrimPrefix(v, "role=")), ",")
	}
	if v, ok := r.a.Flag("--selector"); ok {
		t, err := parse(v)
		if err != nil {
			return sh, err
		}
		sh.within = t
	}
	return sh, nil
}

// plain tells that the tree stays as it is.
func (sh shape) plain() bool {
	return !sh.interactive && !sh.compact && !sh.urls && !sh.viewport && sh.depth == 0 && sh.search == "" && sh.roles == nil
}

// picks tells that lines are picked from all over the tree.
func (sh shape) picks() bool { return sh.interactive || sh.search != "" || sh.roles != nil }

// tree takes the snapshot of the page, and of the part that the shape asks for. The part comes first: the driver resolves
// only the refs of its last snapshot, and the same elements get the same refs again.
func (s *session) tree(ctx context.Context, r *row, sh shape) (whole, part string, err error) {
	if len(sh.within.Parts) > 0 {
		e, err := s.element(ctx, sh.within)
		if err != nil {
			return "", "", err
		}
		if err := e.present(ctx, r); err != nil {
			return "", "", err
		}
		part, err = e.any().AriaSnapshot(playwright.LocatorAriaSnapshotOptions{Mode: playwright.AriaSnapshotModeAi, Timeout: r.ms(),
			Boxes: &sh.viewport})
		if err != nil {
			return "", "", err
		}
	}
	if !sh.viewport || len(s.where().in) > 0 {
		whole, err = s.aria(ctx, r.ms())
	} else {
		whole, err = s.page().AriaSnapshot(playwright.PageAriaSnapshotOptions{Mode: playwright.AriaSnapshotModeAi, Timeout: r.ms(),
			Boxes: playwright.Bool(true)})
	}
	if len(sh.within.Parts) == 0 {
		part = whole
	}
	return whole, part, err
}

// present waits until the target has a match.
func (e *element) present(ctx context.Context, r *row) error {
	a, err := e.wait(ctx, r, world.Is(world.Attached), world.Until{Compare: "true"})
	if err != nil {
		return err
	}
	if a.Refused() || !a.True && !a.Met {
		if a.Reason == world.OK {
			a.Reason = world.Missing
		}
		return e.refuse(ctx, r, a)
	}
	return nil
}

// leaf is one line of a tree.
type leaf struct {
	indent     int
	text       string // without indentation and dash
	role, name string // "" for text and properties
	ref        bool
	framed     bool // its place is told in its frame, not in the page
	box        []float64
	url        string
	keep       bool
}

var (
	boxForm = regexp.MustCompile(` \[box=(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)\]`)
	urlForm = regexp.MustCompile(`^(?:'|")?/url(?:'|")?: (.*)$`)
)

// leaves reads the lines of a snapshot.
func leaves(text string) []leaf {
	var out []leaf
	for _, l := range strings.Split(text, "\n") {
		bare := strings.TrimLeft(l, " ")
		if bare == "" {
			continue
		}
		x := leaf{indent: (len(l) - len(bare)) / 2, text: strings.TrimPrefix(bare, "- ")}
		if m := boxForm.FindStringSubmatch(x.text); m != nil {
			for _, v := range m[1:] {
				f, err := strconv.ParseFloat(v, 64)
				if err != nil {
					f = 0
				}
				x.box = append(x.box, f)
			}
			x.text = boxForm.ReplaceAllString(x.text, "")
		}
		if m := nodeForm.FindStringSubmatch(l); m != nil && m[2] != "text" {
			x.role, x.name = m[2], unquote(m[3])
			ref := refForm.FindStringSubmatch(l)
			x.ref, x.framed = ref != nil, ref != nil && strings.HasPrefix(ref[1], "f")
		}
		out = append(out, x)
	}
	return out
}

// groups are the roles that say nothing by themselves.
var groups = map[string]bool{"generic": true, "none": true, "presentation": true, "group": true, "list": true, "rowgroup": true, "paragraph": true}

// apply keeps the lines of a shape and indents them by their kept ancestors. w and h are the viewport.
func (sh shape) apply(text string, w, h int) string {
	list := leaves(text)
	chain := []int{} // the ancestors of the line, by index
	for i := range list {
		x := &list[i]
		for len(chain) > 0 && list[chain[len(chain)-1]].indent >= x.indent {
			chain = chain[:len(chain)-1]
		}
		parent := (*leaf)(nil)
		if len(chain) > 0 {
			parent = &list[chain[len(chain)-1]]
		}
		if m := urlForm.FindStringSubmatch(x.text); m != nil && parent != nil {
			parent.url = m[1]
		}
		x.keep = sh.keeps(x, parent, w, h)
		chain = append(chain, i)
	}
	return sh.render(list)
}

// keeps tells whether a line stays.
func (sh shape) keeps(x, parent *leaf, w, h int) bool {
	property := strings.HasPrefix(strings.TrimLeft(x.text, `'"`), "/")
	up := parent == nil || parent.keep
	switch {
	case property && (sh.urls || sh.picks()):
		return false
	case property:
		return up
	case sh.viewport && x.box != nil && !x.framed:
		b := x.box
		if b[0]+b[2] <= 0 || b[1]+b[3] <= 0 || b[0] >= float64(w) || b[1] >= float64(h) {
			return false
		}
	case sh.viewport && !up:
		return false
	}
	pointer := strings.Contains(x.text, "[cursor=pointer]")
	if sh.interactive && (!x.ref || !interactive[x.role] && !pointer) {
		return false
	}
	if sh.roles != nil && !has(sh.roles, x.role) {
		return false
	}
	if sh.search != "" && !strings.Contains(strings.ToLower(withoutRefs(x.text)), strings.ToLower(sh.search)) {
		return false
	}
	if sh.compact && groups[x.role] && x.name == "" && !pointer && strings.HasSuffix(x.text, ":") {
		return false
	}
	return true
}

func has(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) && s != "" {
			return true
		}
	}
	return false
}

// render writes the kept lines.
func (sh shape) render(list []leaf) string {
	var out []string
	var depths, kept []int // of the lines in out; the indentation of the kept ancestors
	for i := range list {
		x := &list[i]
		for len(kept) > 0 && kept[len(kept)-1] >= x.indent {
			kept = kept[:len(kept)-1]
		}
		if !x.keep {
			continue
		}
		if sh.depth == 0 || len(kept) < sh.depth {
			text := x.text
			if sh.urls && x.url != "" {
				text = withURL(text, x.url)
			}
			out, depths = append(out, text), append(depths, len(kept))
		}
		kept = append(kept, x.indent)
	}
	for i := range out {
		if sh.picks() || i+1 == len(out) || depths[i+1] <= depths[i] { // what stands below it is not what it holds
			out[i] = strings.TrimSuffix(out[i], ":")
		}
		out[i] = strings.Repeat("  ", depths[i]) + "- " + out[i]
	}
	return strings.Join(out, "\n")
}

// withURL puts the URL of a link behind its attributes.
func withURL(text, url string) string {
	head, tail := text, ""
	if i := strings.LastIndex(text, "]"); i >= 0 {
		head, tail = text[:i+1], text[i+1:]
	} else if t, ok := strings.CutSuffix(text, ":"); ok {
		head, tail = t, ":"
	}
	return head + " [url=" + url + "]" + tail
}

// shaped gives the part of a tree as its shape wants it.
func (s *session) shaped(part string, sh shape) string {
	if !sh.plain() {
		w, h := s.size()
		part = sh.apply(part, w, h)
	}
	switch {
	case strings.TrimSpace(part) != "":
	case sh.interactive:
		return "(no interactive elements)"
	case !sh.plain() || len(sh.within.Parts) > 0:
		return "(nothing matches)"
	default:
		return "(empty page)"
	}
	return part
}
