package spec

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// wantNamed gives a list of names, each there once. They are plain text: what tests are to each other is known before
// anything runs. sort is what a name stands for, with its article.
func wantNamed(n Node, key, sort string, l *diag.List) []Named {
	texts := WantTexts(n, key, l)
	if len(texts) == 0 {
		if items, ok := n.Seq(); ok && len(items) == 0 {
			n.report(l, strconv.Quote(key)+" is empty", "name at least one, or leave the key out")
		}
		return nil
	}
	items, _ := n.Seq()
	first := map[string]diag.Pos{}
	out := make([]Named, 0, len(texts))
	for i, text := range texts {
		item := items[i]
		name := strings.Join(strings.Fields(text), " ")
		switch at, twice := first[name]; {
		case name == "" && item.scalarText():
			item.report(l, "the name is empty", "")
		case name == "":
		case strings.Contains(name, "${{"):
			item.report(l, strconv.Quote(key)+" takes names as they are, without ${{ }}", "")
		case twice:
			msg, hint := diag.Duplicate(sort, name, at)
			item.report(l, msg, hint)
		default:
			first[name] = item.Pos()
			out = append(out, Named{name, item.Pos()})
		}
	}
	return out
}

// scalarText tells a scalar that something was written for; what is no text was reported already.
func (n Node) scalarText() bool {
	_, ok := n.Text()
	return ok && !n.Empty()
}

// wantOutputs gives the named expressions of a test.
func wantOutputs(n Node, l *diag.List) []Entry {
	entries := wantNames(n, "outputs", l)
	for _, e := range entries {
		wantScalar(e.Value, "outputs."+e.Name, l)
	}
	return entries
}

// wantPorts gives the names of a service's further ports.
func wantPorts(n Node, l *diag.List) []Named {
	list := wantNamed(n, "ports", "the port", l)
	for _, p := range list {
		checkName(p.Name, p.Pos, "ports", l)
	}
	return list
}

// wantReuse checks the URL of a service that may run already, as far as it is written out.
func wantReuse(n Node, l *diag.List) Node {
	n = wantScalar(n, "reuse", l)
	text, ok := n.Text()
	if !ok || n.Empty() || strings.Contains(text, "${{") {
		return n
	}
	if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		n.report(l, diag.WantKind("reuse", "a URL", n.got()), "write it as http://localhost:8080")
		return Node{}
	}
	return n
}

// elsewhere says where a key belongs that stands at the wrong level.
func elsewhere(what, name string) string {
	own := func(keys []Key) bool {
		k, ok := findKey(keys, name)
		return ok && k.Name == name
	}
	switch {
	case what == "a test" && own(SuiteKeys):
		return "it is a key of the suite"
	case what == "a suite" && own(TestKeys) && name != "name": // that is the key "suite"
		return "it is a key of a test"
	}
	return ""
}

var unsetEnv = lazy(`^\s*(?:env\.(\w+)\s*==\s*nil|nil\s*==\s*env\.(\w+))\s*$`)

// UnsetEnv gives NAME if the expression is `env.NAME == nil`, else "". What is there only then is there on the right side
// of `env.NAME ?? …`.
func (e *Expr) UnsetEnv() string {
	m := unsetEnv.match(e.src)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}
