package qa

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// A11y is the a11y step: an audit of the page by axe-core, and a verdict on what it found.
var A11y = steps.Kind{
	Name: "a11y",
	Doc: "Audits the page with axe-core and fails on what breaks a rule: the failing elements and a page on how to mend them are shown. " +
		"The row [a11y] gives the same as data, for an expect of your own.",
	Example: "- a11y: { tags: [wcag2a, wcag2aa], selector: main, impact: serious, allow: [color-contrast] }\n",
	Keys:    []spec.Key{{Name: "a11y", Type: "map", Doc: "what is audited and what fails; {} for everything", Required: true, Keys: a11yKeys}},
	Decode:  decodeA11y,
}

// a11yKeys are the keys of the map under a11y.
var a11yKeys = []spec.Key{
	{Name: "tags", Type: "texts", Doc: "only rules with one of these tags: wcag2a, wcag21aa, best-practice", Aka: []string{"tag", "standards", "rules"}},
	{Name: "selector", Type: "text", Doc: "only inside this target", Aka: []string{"target", "include", "scope"}},
	{Name: "impact", Type: "text", Doc: "the least impact that fails: minor, moderate, serious or critical", Default: "minor", Aka: []string{"level", "severity"}},
	{Name: "allow", Type: "texts", Doc: "rules that may be broken: color-contrast", Aka: []string{"ignore", "disable", "except", "exclude"}},
}

// impacts are the words of axe-core, least first. It gives none for a rule that it could not weigh, which then counts.
var impacts = []string{"minor", "moderate", "serious", "critical"}

var wordForm = regexp.MustCompile(`^[a-z][a-z0-9.-]*$`)

// audit is a compiled a11y step.
type audit struct {
	least int
	allow []string
}

func a11yResult() spec.Type {
	rules := spec.Type{Base: spec.List, Elem: &spec.Type{Base: spec.Any}, Doc: "the rules that are broken: {id, impact, help, helpUrl, nodes}"}
	return steps.Result(map[string]spec.Type{
		"value": rules,
		"data": {Base: spec.Struct, Fields: map[string]spec.Type{
			"passed": {Base: spec.Bool, Doc: "nothing was found that fails"}, "violations": rules,
			"allowed":       {Base: spec.Int, Doc: "how many broken rules were let pass, by allow or impact"},
			"summary":       {Base: spec.String, Doc: "the verdict in one sentence"},
			"framesSkipped": {Base: spec.List, Elem: &spec.Type{Base: spec.Any}, Doc: "the frames that were not looked into: {url, why}"},
		}},
	})
}

func decodeA11y(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	n, ok := m["a11y"]
	if !ok {
		return nil, a11yResult()
	}
	k, ok := n.Map(`"a11y"`, a11yKeys, d.Errs)
	if !ok {
		return nil, a11yResult()
	}
	before := d.Errs.Len()
	a := &audit{allow: words(d, k["allow"], "allow", "rule")}
	cells := steps.Cells(at.Pos(), "a11y")
	if tags := words(d, k["tags"], "tags", "tag"); len(tags) > 0 {
		cells = append(cells, steps.Cells(k["tags"].Pos(), "--tags", strings.Join(tags, ","))...)
	}
	if s, has := k["selector"]; has {
		if t, ok := d.TextOf(s, "selector"); ok {
			cells = append(append(cells, steps.Cells(at.Pos(), "--selector")...), t)
		}
	}
	if i, has := k["impact"]; has {
		a.least = slices.Index(impacts, spec.WantText(i, "impact", d.Errs))
		if text, is := i.Text(); is && !i.Empty() && a.least < 0 {
			msg, hint := diag.BadValue("impact", text, impacts)
			if hint == "" {
				hint = "one of " + strings.Join(impacts, ", ")
			}
			d.Errs.AddWide(i.Pos(), i.Width(), msg, hint)
		}
	}
	if d.Errs.Len() > before {
		return nil, a11yResult()
	}
	row, ok := d.Generated("a11y", at.Pos(), cells, nil)
	if !ok {
		return nil, a11yResult()
	}
	return steps.Rows{Rows: []steps.Row{row}, Checks: true, Verdict: func(ctx context.Context, e steps.Env, gave []steps.Observation) steps.Observation {
		return a.verdict(ctx, e, gave[len(gave)-1])
	}}, a11yResult()
}

// words decodes a list of plain words.
func words(d *steps.Decoder, n spec.Node, key, what string) []string {
	list := spec.WantTexts(n, key, d.Errs)
	items, _ := n.Seq()
	for i, w := range list {
		if w != "" && !wordForm.MatchString(w) {
			d.Errs.AddWide(items[i].Pos(), items[i].Width(), strconv.Quote(w)+" is no "+what+" of axe-core", map[string]string{
				"rule": "rules are image-alt, color-contrast …", "tag": "tags are wcag2a, wcag21aa, best-practice …"}[what])
		}
	}
	if items != nil && len(list) == 0 {
		d.Errs.Add(n.Pos(), strconv.Quote(key)+" is empty", "leave it out, or name a "+what)
	}
	return list
}

// verdict fails on the rules that are broken, but for those that are allowed or weigh less than what fails.
func (a *audit) verdict(ctx context.Context, e steps.Env, gave steps.Observation) steps.Observation {
	if !gave.Success {
		return gave
	}
	var bad []any
	var lines, ids []string
	nodes, allowed := 0, 0
	for _, x := range list(gave, "violations") {
		v, _ := x.(map[string]any)
		weight := slices.Index(impacts, text(v["impact"]))
		if slices.Contains(a.allow, text(v["id"])) || weight >= 0 && weight < a.least {
			allowed++
			continue
		}
		bad = append(bad, x)
		ids = append(ids, text(v["id"]))
		nodes += number(v["nodeCount"])
		lines = append(lines, ruleLines(ctx, e, v)...)
	}
	o := steps.Observation{Success: len(bad) == 0}
	o.Summary = "no accessibility rule is broken"
	state := steps.CheckPassed
	if !o.Success {
		what, where := "accessibility rules are broken", "elements"
		if len(bad) == 1 {
			what = "accessibility rule is broken"
		}
		if nodes == 1 {
			where = "element"
		}
		o.Summary = fmt.Sprintf("%d %s at %d %s: %s", len(bad), what, nodes, where, strings.Join(ids, ", "))
		o.Category, o.Sub, o.Error, state = steps.Assertion, "a11y", o.Summary, steps.CheckFailed
		o.Detail = &steps.Detail{Found: lines}
	}
	o.Checks = []steps.Check{{Name: "rules", State: state, Text: o.Error}}
	skipped := list(gave, "framesSkipped")
	for _, x := range skipped {
		f, _ := x.(map[string]any)
		o.Warnings = append(o.Warnings, "the frame "+text(f["url"])+" was not looked into: "+text(f["why"]))
	}
	o.Data = map[string]any{"passed": o.Success, "violations": bad, "allowed": allowed, "summary": o.Summary, "framesSkipped": skipped}
	o.Value = bad
	return o
}

// maxNodes is how many failing elements of one rule are shown.
const maxNodes = 3

// ruleLines say a broken rule, the page that explains it, and the elements that break it.
func ruleLines(ctx context.Context, e steps.Env, v map[string]any) []string {
	impact := text(v["impact"])
	if impact != "" {
		impact += ", "
	}
	out := []string{fmt.Sprintf("%s (%s%s): %s", text(v["id"]), impact, text(v["help"]), text(v["helpUrl"]))}
	nodes, _ := v["nodes"].([]any)
	for i, x := range nodes {
		if i == maxNodes {
			out = append(out, fmt.Sprintf("  … and %d more", number(v["nodeCount"])-i))
			break
		}
		n, _ := x.(map[string]any)
		html := strings.Join(strings.Fields(text(n["html"])), " ")
		if r := []rune(html); len(r) > 120 {
			html = string(r[:120]) + "…"
		}
		var path []string
		targets, _ := n["target"].([]any)
		for _, t := range targets {
			path = append(path, text(t))
		}
		line := "  " + strings.Join(path, " >> ") + " " + html
		if e.Locate != nil {
			line += arrow(e.Locate(ctx, marks(text(n["html"])), ""))
		}
		out = append(out, line)
	}
	return out
}

var (
	fileMark   = regexp.MustCompile(`\bdata-(?:source-file|file|component-file|source)="([^"]+)"`)
	lineMark   = regexp.MustCompile(`\bdata-(?:source-|file-|component-)?line="(\d+)"`)
	tailMark   = regexp.MustCompile(`^(.*?):(\d+)(?::(\d+))?$`)
	columnMark = regexp.MustCompile(`\bdata-(?:source-|file-|component-)?column="(\d+)"`)
)

// marks reads the attributes that development builds leave on an element: the file and line it comes from.
func marks(html string) []steps.Place {
	tag, _, _ := strings.Cut(html, ">")
	m := fileMark.FindStringSubmatch(tag)
	if m == nil {
		return nil
	}
	p := steps.Place{URL: m[1]}
	if t := tailMark.FindStringSubmatch(p.URL); t != nil {
		p.URL = t[1]
		p.Line, _ = strconv.Atoi(t[2]) // digits by the pattern; too many of them are no line
		p.Column, _ = strconv.Atoi(t[3])
	}
	if n := lineMark.FindStringSubmatch(tag); n != nil {
		p.Line, _ = strconv.Atoi(n[1])
	}
	if n := columnMark.FindStringSubmatch(tag); n != nil {
		p.Column, _ = strconv.Atoi(n[1])
	}
	return []steps.Place{p}
}
