package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps/argv"
)

// difference is one thing in which a row of ours is not as the reference. Its form is short, so that a rule can name it:
// "-key" is missing, "+key" is more, "~key" is another value; list indices are left out: "~messages[].text". A row that
// fails on one side only is "ok ≠ not-actionable/covered" or "selector-not-found ≠ ok"; one that fails on both sides for
// another reason is "stale-ref ≠ not-found/no-match".
type difference struct {
	form      string
	want, got any
}

// String shows a difference with its values.
func (d difference) String() string {
	return fmt.Sprintf("%s  want %s  got %s", d.form, short(d.want), short(d.got))
}

func short(v any) string {
	text, _ := json.Marshal(v)
	if len(text) > 300 {
		text = append(text[:300], "…"...)
	}
	return string(text)
}

// compare lists the differences of a row.
func compare(o ours) []difference {
	a, mine := o.answer, string(o.obs.Category)
	if o.obs.Sub != "" {
		mine += "/" + o.obs.Sub
	}
	switch {
	case a.OK && !o.obs.Success:
		return []difference{{"ok ≠ " + mine, a.Data, o.obs.Error}}
	case !a.OK && o.obs.Success:
		return []difference{{reference(a) + " ≠ ok", a.Error, o.data}}
	case !a.OK:
		if theirs := reference(a); theirs != named(o.obs) {
			return []difference{{theirs + " ≠ " + mine, a.Error, o.obs.Error}}
		}
		return nil
	case a.Data == nil: // the text that was printed is not compared
		return nil
	}
	var out []difference
	theirs, mineData := normal(a.Row, a.Data), normal(a.Row, o.data)
	c := comparison{found: func(d difference) { out = append(out, d) }, seen: map[string]bool{}}
	c.values("", theirs, mineData)
	return out
}

// documented tells that a command has a key of data.
func documented(c *argv.Command, key string) bool {
	return c != nil && slices.ContainsFunc(c.Data, func(k argv.DataKey) bool { return k.Name == key })
}

type comparison struct {
	found func(difference)
	seen  map[string]bool
}

func (c *comparison) add(form string, want, got any) {
	if !c.seen[form] {
		c.seen[form] = true
		c.found(difference{form, want, got})
	}
}

// mask is what stands in a vector for a value that no two runs share.
var mask = regexp.MustCompile(`^<(env|ts|requestId|targetId|objectId|confirmationId)>$`)

func (c *comparison) values(path string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			c.add("~"+path, want, got)
			return
		}
		c.keys(path, w, g)
	case []any:
		g, ok := got.([]any)
		if !ok {
			c.add("~"+path, want, got)
			return
		}
		if by, ok := paired[path]; ok {
			w, g = c.pairs(path+"[]", by, w, g)
		} else if len(w) != len(g) {
			c.add("~#"+path, len(w), len(g))
		}
		for i := range min(len(w), len(g)) {
			c.values(path+"[]", w[i], g[i])
		}
	case string:
		if got != want && !mask.MatchString(w) {
			c.add("~"+path, want, got)
		}
	default:
		if got != want {
			c.add("~"+path, want, got)
		}
	}
}

// paired are the lists whose entries are told apart by what they say, not by where they stand: two things that happen at
// the same time come in either order.
var paired = map[string][]string{"requests": {"url", "method"}, "messages": {"type", "text"}, "errors": {"text"}, "cookies": {"name", "path"}}

// pairs gives the entries that both lists have, in the same order; what only one has is a difference.
func (c *comparison) pairs(path string, by []string, want, got []any) (w, g []any) {
	key := func(e any) string {
		m, _ := e.(map[string]any)
		var parts []string
		for _, k := range by {
			parts = append(parts, short(m[k]))
		}
		return strings.Join(parts, " ")
	}
	left := map[string][]any{}
	for _, e := range got {
		left[key(e)] = append(left[key(e)], e)
	}
	for _, e := range want {
		same := left[key(e)]
		if len(same) == 0 {
			c.add("-"+path, key(e), nil)
			continue
		}
		w, g = append(w, e), append(g, same[0])
		left[key(e)] = same[1:]
	}
	for _, k := range slices.Sorted(maps.Keys(left)) {
		if len(left[k]) > 0 {
			c.add("+"+path, nil, k)
		}
	}
	return w, g
}

func (c *comparison) keys(path string, want, got map[string]any) {
	join := func(k string) string { return strings.TrimPrefix(path+"."+k, ".") }
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if v, ok := got[k]; ok {
			c.values(join(k), want[k], v)
		} else {
			c.add("-"+join(k), want[k], nil)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[k]; !ok {
			c.add("+"+join(k), nil, got[k])
		}
	}
}
