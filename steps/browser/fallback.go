package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/target"
)

// A row that names its element by words may fail though exactly what it means is there: under a name that only assistive
// technology knows, in a frame, or beside others whose names begin the same. Then the report says so (CONTRACT R66); the
// row is not sent there, for nobody said that it is meant.

// fallbackRoles are the roles that a row by words may mean: what its part looks for, and what the row does.
func fallbackRoles(p target.Part, verb string) (roles []string, name string) {
	switch {
	case p.Engine == target.Role && p.Named:
		return []string{p.Value}, p.Name
	case p.Engine == target.TextIs && verb == "click":
		return []string{"button", "link"}, p.Value
	case p.Engine == target.Label && verb == "fill":
		return []string{"textbox"}, p.Value
	case p.Engine == target.Placeholder && verb == "fill":
		return []string{"searchbox", "textbox"}, p.Value
	}
	return nil, ""
}

// fallback names what a row by words may mean, from a snapshot of the page: at most three, and the text of a fill is left
// out. "" is a snapshot that could not be had.
func fallback(r *row, t target.Target, tree string) []steps.NextAction {
	if len(t.Parts) != 1 || tree == "" {
		return nil
	}
	verb := r.verb()
	roles, name := fallbackRoles(t.Parts[0], verb)
	var out []steps.NextAction
	for _, f := range visible(tree, name, roles...) {
		if f.target() == t.Source || len(out) == 3 {
			continue
		}
		reason := fmt.Sprintf("a visible %s has exactly this name: @%s", f.role, f.ref)
		if strings.HasPrefix(f.ref, "f") {
			reason += ", in a frame"
		}
		out = append(out, next(fmt.Sprintf("try-visible-ref-%d", len(out)+1), reason, rowAt(r, t.Source, f.target())...))
	}
	return out
}

// around is a snapshot of the page that only words a failure; "" if it does not come soon, or if nothing of the target
// could be looked for in it.
func (s *session) around(ctx context.Context, e *element) string {
	if len(e.t.Parts) == 0 {
		return ""
	}
	switch e.t.Parts[0].Engine {
	case target.Role, target.Label, target.TextIs, target.Placeholder:
	default:
		return ""
	}
	got := make(chan string, 1)
	s.within(context.WithoutCancel(ctx), nearTime, func() {
		limit := float64(nearTime.Milliseconds())
		text, err := "", error(nil)
		if len(e.in) > 0 {
			text, err = (&element{in: e.in, way: way(e.in), frame: e.frame}).ariaIn(&limit)
		} else {
			text, err = s.ariaPage(&limit)
		}
		if err != nil {
			text = ""
		}
		got <- text
	})
	select {
	case text := <-got:
		return text
	default:
		return ""
	}
}

// verb is what a row does to its element: its command, or the action of a find row.
func (r *row) verb() string {
	if r.a.Command.Words[0] != "find" {
		return r.a.Command.Words[0]
	}
	_, verb, _ := r.a.Find()
	return verb
}

// rowAt is the row with another target. A row that writes only focuses it: what it writes is not repeated, and whoever
// follows the hint must not send it to something else unseen.
func rowAt(r *row, old, target string) []string {
	switch verb := r.verb(); {
	case verb == "fill" || verb == "type":
		return []string{"focus", target}
	case r.a.Command.Words[0] != "find":
		out := slices.Clone(r.a.Argv)
		if i := slices.Index(out, old); i >= 0 {
			out[i] = target
		}
		return out
	case verb == "text":
		return []string{"get", "text", target}
	default:
		return []string{verb, target}
	}
}
