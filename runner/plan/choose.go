package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// choose selects tests by FILE:LINE, grep and tag, and checks what the selected ones need of the environment.
func (c *compiler) choose(p *Plan, results []*result, l *diag.List) {
	tags := allTags(results)
	byTag, strange := c.tagFilter(tags, l)
	projects := c.sharing(results)
	total := 0
	for _, r := range results {
		s := r.suite
		total += len(s.Tests)
		all := slices.Clone(s.Tests)
		picked := pickLines(s, r.src, l)
		picked = slices.DeleteFunc(picked, func(t *Test) bool {
			return !byTag(t.Tags) || (c.o.Grep != nil && !c.o.Grep.MatchString(s.File+" › "+s.Name+" › "+t.Key.Name))
		})
		picked = closure(all, picked)
		p.Partial = p.Partial || len(picked) < len(all)
		s.Tests = c.repeat(s, picked, l)
		if picked = s.Tests; len(picked) == 0 {
			continue
		}
		p.Suites = append(p.Suites, s)
		p.Tests = append(p.Tests, picked...)
		if run := cmp.Or(c.o.Timeouts.Run, s.Spec.Timeouts.Run); run > 0 && (p.Run == 0 || run < p.Run) {
			p.Run = run
		}
		c.checkEnv(p, s, l)
		projects.check(c, p, s, l)
	}
	if len(p.Tests) == 0 {
		if total > 0 && l.Len() == 0 {
			hint := ""
			if len(strange) > 0 {
				hint = tagHint(strange[0], tags)
			}
			l.Add(diag.Pos{}, "no test selected: "+c.filters()+" matches none of "+count(total, "test"), hint)
		}
		return
	}
	for _, n := range strange {
		l.Lint(diag.Pos{File: "--tag"}, `no test has the tag "`+n+`"`, tagHint(n, tags))
	}
}

// tagHint offers the tags that are near to a name that no test has, else all that there are.
func tagHint(name string, tags []string) string {
	return cmp.Or(nearHint(name, tags, func(s string) string { return s }), knownTags(tags))
}

// knownTags is the hint that says which tags there are.
func knownTags(tags []string) string {
	const most = 10
	switch n := len(tags); {
	case n == 0:
		return "no test has a tag"
	case n == 1:
		return "the only tag is " + tags[0]
	case n > most:
		return fmt.Sprintf("the tags are %s and %d more", strings.Join(tags[:most], ", "), n-most)
	default:
		return "the tags are " + strings.Join(tags, ", ")
	}
}

// filters names the filters that were given.
func (c *compiler) filters() string {
	var out []string
	if c.o.Grep != nil {
		out = append(out, "--grep "+strconv.Quote(c.o.Grep.String()))
	}
	if c.o.Tag != "" {
		out = append(out, "--tag "+strconv.Quote(c.o.Tag))
	}
	if len(out) == 0 {
		return "the path"
	}
	return strings.Join(out, " with ")
}

// tagFilter compiles --tag, and gives the names in it that no test has: alone such a name selects nothing, under "not" it
// excludes nothing.
func (c *compiler) tagFilter(tags []string, l *diag.List) (match tagExpr, strange []string) {
	if c.o.Tag == "" {
		return func([]string) bool { return true }, nil
	}
	match, names, bad := parseTags(c.o.Tag)
	if bad != nil {
		l.Add(diag.Pos{File: "--tag", Line: 1, Col: bad.col}, bad.msg, bad.hint)
		return func([]string) bool { return true }, nil
	}
	return match, slices.DeleteFunc(names, func(n string) bool { return slices.Contains(tags, n) })
}

// allTags gives every tag of a test, sorted.
func allTags(results []*result) []string {
	set := map[string]bool{}
	for _, r := range results {
		for _, tag := range r.suite.tags {
			set[tag] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// pickLines gives the tests at the lines of FILE:LINE: the test whose text holds the line, or the first one for a line
// above all tests.
func pickLines(s *Suite, src *source, l *diag.List) []*Test {
	if src == nil || len(src.lines) == 0 || len(s.Tests) == 0 {
		return s.Tests
	}
	lines := bytes.Count(s.Spec.Source, []byte("\n")) + 1
	var out []*Test
	for _, t := range s.Tests {
		for _, line := range src.lines {
			if testAt(s.Tests, line).Pos == t.Pos { // every form of the test
				out = append(out, t)
				break
			}
		}
	}
	for _, line := range src.lines {
		if line > lines {
			l.Add(diag.Pos{File: src.name}, "has no line "+strconv.Itoa(line)+": it ends at line "+strconv.Itoa(lines), "")
		}
	}
	return out
}

func testAt(tests []*Test, line int) *Test {
	at := tests[0]
	for _, t := range tests {
		if t.Pos.Line <= line && (t.Pos.Line > at.Pos.Line || at.Pos.Line > line) {
			at = t
		}
	}
	return at
}

// minSecret is the shortest secret that can be masked without hiding half of every report.
const minSecret = 6

// checkEnv reports what the selected tests of a suite need and the environment does not have.
func (c *compiler) checkEnv(p *Plan, s *Suite, l *diag.List) {
	uses := slices.Clone(s.uses)
	for _, t := range s.Tests {
		uses = append(uses, t.uses...)
	}
	p.EnvUses = append(p.EnvUses, uses...)
	report := l.Lint
	if c.o.NeedEnv {
		report = l.Add
	}
	secret := map[string]spec.Secret{}
	for _, x := range s.Spec.Secrets {
		secret[x.Name] = x
	}
	optional, needed := map[string]bool{}, map[string]bool{}
	for _, use := range uses {
		if _, set := c.lookup(use.Name); set {
			continue
		}
		if use.Optional {
			optional[use.Name] = true
			continue
		}
		needed[use.Name] = true
		if _, is := secret[use.Name]; is {
			continue
		}
		report(use.Pos, "env."+use.Name+" is not set", `set it, or say what stands for it: env.`+use.Name+` ?? "…"`)
	}
	for _, x := range s.Spec.Secrets {
		v, set := c.lookup(x.Name)
		switch {
		case !set && (needed[x.Name] || !optional[x.Name]):
			report(x.Pos, "the secret "+x.Name+" is not set in the environment", "")
		case set && utf8.RuneCountInString(strings.TrimSpace(v)) < minSecret:
			report(x.Pos, "the secret "+x.Name+" is shorter than "+strconv.Itoa(minSecret)+" characters",
				"so short a value cannot be masked without hiding ordinary text")
		}
	}
}

// checkVars reports a --var that no suite has.
func (c *compiler) checkVars(results []*result, l *diag.List) {
	if len(c.o.Vars) == 0 {
		return
	}
	known := map[string]bool{}
	for _, r := range results {
		if r.suite == nil {
			continue
		}
		for _, e := range r.suite.Spec.Vars {
			known[e.Name] = true
		}
		for _, t := range r.suite.Spec.Tests {
			for _, e := range t.Vars {
				known[e.Name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(known))
	for _, name := range slices.Sorted(maps.Keys(c.o.Vars)) {
		if known[name] {
			continue
		}
		hint := diag.Suggest(name, names)
		if hint == "" && len(names) == 0 {
			hint = "no suite has vars"
		}
		l.Add(diag.Pos{File: "--var"}, `no suite has vars.`+name, hint)
	}
}
