package browser

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/target"
)

// nearTime is how long the search for what is near may take: it only words a failure. A busy machine needs some of it.
const nearTime = 3 * time.Second

// near names things that are on the page and resemble a target that nothing matches: names of the same role, or ids.
func (s *session) near(ctx context.Context, e *element) []string {
	return s.nearIn(ctx, e, s.around(ctx, e))
}

// nearIn is near for a snapshot that is there already.
func (s *session) nearIn(ctx context.Context, e *element, tree string) []string {
	switch {
	case len(e.t.Parts) == 0:
		return nil
	case e.t.Parts[0].Engine != target.CSS:
		return nearNames(tree, e.t.Parts[0])
	case len(e.in) > 0: // ids from outside the scope would mislead
		return nil
	}
	got := make(chan []string, 1)
	s.within(context.WithoutCancel(ctx), nearTime, func() { got <- s.nearIDs(context.WithoutCancel(ctx), e.t.Parts[0].Value) })
	select {
	case list := <-got:
		return list
	default:
		return nil
	}
}

// nearNames looks through a snapshot: names of the role, or of form fields for label=.
func nearNames(text string, p target.Part) []string {
	fields := map[string]bool{"textbox": true, "combobox": true, "checkbox": true, "radio": true, "spinbutton": true,
		"searchbox": true, "slider": true, "switch": true, "listbox": true}
	var names []string
	spelled := map[string]string{}
	for _, l := range strings.Split(text, "\n") {
		m := nodeForm.FindStringSubmatch(l)
		if m == nil || m[3] == "" {
			continue
		}
		name, ok := unquote(m[3]), false
		spell := p.Engine.String() + "=" + name
		switch p.Engine {
		case target.Role:
			ok, spell = m[2] == p.Value, "role="+p.Value+" "+name
		case target.Label, target.Placeholder:
			ok = fields[m[2]]
		default:
			ok = true
		}
		if ok && spelled[name] == "" {
			names = append(names, name)
			spelled[name] = spell
		}
	}
	want := p.Value
	if p.Engine == target.Role {
		want = p.Name
	}
	return best(want, names, func(n string) string { return spelled[n] })
}

// nearIDs looks for ids and test ids like the one in a CSS target.
func (s *session) nearIDs(ctx context.Context, css string) []string {
	i := strings.LastIndexAny(css, "#.")
	if i < 0 {
		return nil
	}
	end := strings.IndexFunc(css[i+1:], func(r rune) bool { return strings.ContainsRune(" >+~[:.#,", r) })
	name := css[i+1:]
	if end >= 0 {
		name = name[:end]
	}
	sign := css[i : i+1]
	js := `[...new Set([...document.querySelectorAll('[id]')].slice(0,2000).map(e=>e.id))].join('\n')`
	if sign == "." {
		js = `[...new Set([...document.querySelectorAll('[class]')].slice(0,2000).flatMap(e=>[...e.classList]))].join('\n')`
	}
	text, err := s.askPage(ctx, js)
	if err != nil {
		return nil
	}
	return best(name, strings.Split(text, "\n"), func(n string) string { return css[:i] + sign + n + css[i+1+len(name):] })
}

// best takes the nearest of names: those that differ by a typing slip, then those that share a word, then the first few.
func best(want string, names []string, spell func(string) string) []string {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	list := diag.Nearest(want, names)
	low := strings.ToLower(want)
	for _, n := range names {
		if len(list) < 3 && low != "" && !slices.Contains(list, n) {
			ln := strings.ToLower(n)
			if strings.Contains(ln, low) || strings.Contains(low, ln) || slices.ContainsFunc(strings.Fields(low), func(w string) bool {
				return len(w) > 2 && strings.Contains(ln, w)
			}) {
				list = append(list, n)
			}
		}
	}
	if len(list) == 0 && len(names) <= 5 && !strings.ContainsAny(spell("x"), "#.") {
		list = names
	}
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = spell(n)
	}
	return out
}
