package steps

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// CommonKeys are the keys that every step may have beside those of its kind.
var CommonKeys = []spec.Key{
	{Name: "id", Type: "text", Doc: "a name for the result: steps.ID.value, steps.ID.ok …"},
	{Name: "name", Type: "text", Doc: "what the step is called in reports"},
	{Name: "if", Type: "expr", Doc: "the step runs only if this holds"},
	{Name: "skip", Type: "text", Doc: "the reason why the step does not run; empty text runs it"},
	{Name: "timeout", Type: "duration", Doc: "how long the step may take"},
	{Name: "within", Type: "duration", Doc: "how long expect, or if, is read again until it holds; 0s reads once", Default: "timeouts.expect"},
	{Name: "every", Type: "duration", Doc: "the pause between two reads", Default: "50ms, rising to 500ms"},
	{Name: "retry", Type: "retry", Doc: "further tries if the step fails: a number, or {times, every, when, unsafe}"},
	{Name: "expect", Type: "expr", Doc: "what must hold of the result: one expression or a list"},
	{Name: "soft", Type: "bool", Doc: "a failure is recorded and the test goes on", Excludes: []string{"optional"}},
	{Name: "optional", Type: "bool", Doc: "a failure is a warning", Excludes: []string{"soft"}},
	{Name: "save", Type: "text", Doc: "a file for the result: a text as it is, anything else as JSON", Aka: []string{"output", "saveas", "file"}},
	{Name: "unredacted", Type: "bool", Default: "false",
		Doc: "save keeps what only looks like a credential, in this file alone; declared secrets are hidden in it as everywhere",
		Aka: []string{"raw", "unmasked", "noredact"}},
	{Name: "provokes", Type: "map", Keys: ProvokesKeys, Doc: "the error that the step must cause: {http, url}, {console}, {page_error}, {dialog} or {category}",
		Aka: []string{"expecterror", "fails", "throws", "raises", "causes"}},
	{Name: "session", Type: "text", Doc: "the session that the step runs in"},
}

// RetryKeys are the keys of the long form of retry.
var RetryKeys = []spec.Key{
	{Name: "times", Type: "int", Doc: "further tries", Required: true},
	{Name: "every", Type: "duration", Doc: "the pause before each"},
	{Name: "when", Type: "expr", Doc: "retry only if this holds of the failed try: category, sub, error, value, exit …", Aka: []string{"if"}},
	{Name: "unsafe", Type: "bool", Doc: "repeat what is not safe to repeat"},
}

// keysOf joins the keys of a kind with the common ones; a kind's own key hides a common one of the same name.
func keysOf(k Kind) []spec.Key {
	out := slices.Clone(k.Keys)
	for _, c := range CommonKeys {
		if !slices.ContainsFunc(k.Keys, func(own spec.Key) bool { return own.Name == c.Name }) {
			out = append(out, c)
		}
	}
	return out
}

// before decodes the common keys that do not need the body.
func (d *Decoder) before(s *Step, k Kind, m map[string]spec.Node) {
	s.ID = d.id(m["id"])
	d.title(s, m["name"])
	if n, ok := m["if"]; ok && !owns(k, "if") {
		s.If = spec.CompileExpr(n, d.Scope, spec.Type{Base: spec.Bool}, d.Errs)
	}
	if n, ok := m["skip"]; ok {
		if before := d.Errs.Len(); spec.WantText(n, "skip", d.Errs) != "" || d.Errs.Len() == before {
			s.Skip = spec.CompileText(n, d.Scope, d.Errs)
		}
	}
	s.Timeout = d.positive(m["timeout"], "timeout")
	s.Every = d.positive(m["every"], "every")
	if n, ok := m["within"]; ok {
		w := spec.WantDuration(n, "within", d.Errs)
		s.Within = &w
	}
	s.Soft = spec.WantBool(m["soft"], "soft", d.Errs)
	s.Optional = spec.WantBool(m["optional"], "optional", d.Errs)
	s.Retry = d.retry(m["retry"])
	if n, ok := m["session"]; ok {
		s.Session = d.SessionName(n)
	}
}

// owns tells that a kind handles a key itself.
func owns(k Kind, key string) bool {
	return slices.ContainsFunc(k.Keys, func(own spec.Key) bool { return own.Name == key })
}

func (d *Decoder) positive(n spec.Node, key string) time.Duration {
	if n.IsZero() {
		return 0
	}
	before := d.Errs.Len()
	v := spec.WantDuration(n, key, d.Errs)
	if v <= 0 && d.Errs.Len() == before {
		d.Errs.Add(n.Pos(), strconv.Quote(key)+" must be longer than nothing", "leave it out for the default")
	}
	return v
}

func (d *Decoder) retry(n spec.Node) Retry {
	if n.IsZero() {
		return Retry{}
	}
	if !n.IsMap() {
		return Retry{Times: spec.WantInt(n, "retry", 1, d.Errs)}
	}
	m, ok := n.Map(`"retry"`, RetryKeys, d.Errs)
	if !ok {
		return Retry{}
	}
	r := Retry{Every: d.positive(m["every"], "every"), Unsafe: spec.WantBool(m["unsafe"], "unsafe", d.Errs)}
	if t, ok := m["times"]; ok {
		r.Times = spec.WantInt(t, "times", 1, d.Errs)
	}
	return r
}

var (
	idForm   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	reserved = strings.Fields("and or not in let if else matches contains startsWith endsWith nil true false")
)

// id decodes an id and checks that it is new; "" if there is none or it cannot be used.
func (d *Decoder) id(n spec.Node) string {
	if n.IsZero() {
		return ""
	}
	id := spec.WantText(n, "id", d.Errs)
	switch {
	case id == "":
		return ""
	case !idForm.MatchString(id):
		hint := "letters, digits and _, a letter first"
		if fixed := strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(id); idForm.MatchString(fixed) {
			hint = "write " + fixed
		}
		d.Errs.AddWide(n.Pos(), n.Width(), strconv.Quote(id)+" cannot be an id", hint)
		return ""
	case slices.Contains(reserved, id):
		d.Errs.AddWide(n.Pos(), n.Width(), strconv.Quote(id)+" cannot be an id", "it is a word of the expression language")
		return ""
	}
	for s := d.Scope; s != nil; s = s.Up {
		if _, taken := s.Steps[id]; !taken {
			continue
		}
		hint := "ids are unique in a test"
		if first := d.ids[id]; first.Line > 0 {
			hint = "first at " + first.String() + "; " + hint
		}
		d.Errs.AddWide(n.Pos(), n.Width(), "the id "+strconv.Quote(id)+" is there twice", hint)
		return ""
	}
	if d.ids == nil {
		d.ids = map[string]diag.Pos{}
	}
	d.ids[id] = n.Pos()
	return id
}
