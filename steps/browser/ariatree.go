package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ariaNode is one line of an accessibility tree in the driver's YAML: a role with its name and states, or a text. In a
// template, what is left out matches anything and texts may be regular expressions.
type ariaNode struct {
	line    int    // 1-based
	source  string // the line without its indentation
	text    *ariaText
	role    string
	name    *ariaText         // nil: none, or any
	states  map[string]string // checked, level …
	props   map[string]*ariaText
	mode    string // how the children are compared: "", contain, equal, deep-equal
	kids    []*ariaNode
	indent  int
	wrapper bool // it stands for the list that a template is
}

// ariaText is a text as it is compared.
type ariaText struct {
	raw, plain string
	re         *regexp.Regexp
}

// meets tells that a text is as a template has it; a missing one is nil.
func (t *ariaText) meets(have *ariaText) bool {
	switch {
	case t == nil || t.plain == "":
		return true
	case have == nil || have.plain == "":
		return false
	}
	return have.plain == t.plain || have.plain == t.raw || t.re != nil && t.re.MatchString(have.plain)
}

// ariaError is what is wrong with a line of a template.
type ariaError struct {
	line, col int
	text      string
}

// Error gives LINE:COL and the sentence.
func (e *ariaError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.col, e.text) }

// ariaStates are the states that a template may ask for, with their values.
var ariaStates = map[string][]string{"checked": {"true", "false", "mixed"}, "disabled": {"true", "false"}, "expanded": {"true", "false"},
	"invalid": {"true", "false", "grammar", "spelling"}, "level": nil, "pressed": {"true", "false", "mixed"}, "selected": {"true", "false"}}

// ariaNoise are brackets of a snapshot that say nothing about the tree; a template may have been copied from one.
var ariaNoise = map[string]bool{"ref": true, "cursor": true, "active": true, "box": true}

// parseAria reads a tree. In a template /…/ is a regular expression.
func parseAria(text string, template bool) (*ariaNode, error) {
	root := &ariaNode{indent: -1, wrapper: true}
	chain := []*ariaNode{root}
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimRight(l, " \r")
		bare := strings.TrimLeft(l, " ")
		if bare == "" || bare[0] == '#' || bare == "---" && i == 0 {
			continue
		}
		p := &ariaLine{line: i + 1, at: len(l) - len(bare), whole: l, template: template}
		if bare[0] == '\t' {
			return nil, p.wrong("a tab cannot indent: use spaces")
		}
		if bare != "-" && !strings.HasPrefix(bare, "- ") {
			return nil, p.wrong(`each line of an accessibility tree begins with "- "`)
		}
		indent := p.at
		for len(chain) > 1 && chain[len(chain)-1].indent >= indent {
			chain = chain[:len(chain)-1]
		}
		parent := chain[len(chain)-1]
		if len(parent.kids) > 0 && parent.kids[0].indent != indent {
			return nil, p.wrong("the indentation is that of no line above")
		}
		p.at++
		p.space()
		n, err := p.node(parent)
		if err != nil {
			return nil, err
		}
		if n == nil {
			continue // it said something of its parent
		}
		if parent.text != nil {
			return nil, p.wrong("a text has nothing below it")
		}
		n.indent, n.source = indent, bare
		parent.kids = append(parent.kids, n)
		chain = append(chain, n)
	}
	if template && len(root.kids) == 0 {
		return nil, &ariaError{1, 1, "it holds no tree"}
	}
	return root, nil
}

// matches tells that a node is as the template asks; deep makes the same of everything below it.
func (t *ariaNode) matches(n *ariaNode, deep bool) bool {
	if t.text != nil || n.text != nil {
		return t.text != nil && n.text != nil && t.text.meets(n.text)
	}
	if !t.alike(n) {
		return false
	}
	switch mode := t.mode; {
	case mode == "contain", mode == "" && !deep:
		return contained(t.kids, n.kids)
	default:
		return slices.EqualFunc(t.kids, n.kids, func(a, b *ariaNode) bool { return a.matches(b, mode != "equal") })
	}
}

// alike compares role, name, states and properties, and nothing below.
func (t *ariaNode) alike(n *ariaNode) bool {
	if t.text != nil || n.text != nil {
		return t.text != nil && n.text != nil && t.text.meets(n.text)
	}
	if t.wrapper {
		return true
	}
	if t.role != n.role || !t.name.meets(n.name) {
		return false
	}
	for k, v := range t.states {
		have := n.states[k]
		if have == "" && k != "level" {
			have = "false"
		}
		if have != v {
			return false
		}
	}
	for k, v := range t.props {
		if !v.meets(n.props[k]) {
			return false
		}
	}
	return true
}

// contained tells that all of a template's lines are there, in their order; others may stand between them.
func contained(want, have []*ariaNode) bool {
	for _, t := range want {
		i := slices.IndexFunc(have, func(n *ariaNode) bool { return t.matches(n, false) })
		if i < 0 {
			return false
		}
		have = have[i+1:]
	}
	return true
}

// within tells that the template is met somewhere in a tree. One line may be met by any node; several must have one
// parent.
func (t *ariaNode) within(n *ariaNode) bool {
	if t.wrapper && len(t.kids) == 1 && (t.mode == "" || t.mode == "contain") {
		t = t.kids[0]
	}
	return t.matches(n, false) || slices.ContainsFunc(n.kids, t.within)
}

// flat lists a tree line by line.
func (t *ariaNode) flat() []*ariaNode {
	var out []*ariaNode
	for _, k := range t.kids {
		out = append(out, k)
		if !(len(k.kids) == 1 && k.kids[0].line == k.line) { // a text that stands on its parent's line
			out = append(out, k.flat()...)
		}
	}
	return out
}

// sameLine compares two lines, with a text that stands on them.
func (t *ariaNode) sameLine(n *ariaNode) bool {
	if !t.alike(n) {
		return false
	}
	if len(t.kids) == 1 && t.kids[0].line == t.line {
		return contained(t.kids, n.kids)
	}
	return true
}

// compareAria makes two texts for a line diff: lines of the page that a template's line matches stand for it, and those
// that it does not speak of are left out, unless they stand where one is missing. missing is the first such line.
func compareAria(template, page *ariaNode) (want, got string, missing *ariaNode) {
	t, n := template.flat(), page.flat()
	common := make([][]int, len(t)+1) // how many lines agree from here on
	for i := range common {
		common[i] = make([]int, len(n)+1)
	}
	for i := len(t) - 1; i >= 0; i-- {
		for j := len(n) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); t[i].sameLine(n[j]) {
				common[i][j] = max(common[i][j], common[i+1][j+1]+1)
			}
		}
	}
	var w, g, gap []string
	lost := 0
	flush := func() {
		if lost > 0 {
			if len(gap) > maxGap {
				gap = append(gap[:maxGap:maxGap], fmt.Sprintf("… %d more lines", len(gap)-maxGap))
			}
			g = append(g, gap...)
		}
		gap, lost = nil, 0
	}
	i, j := 0, 0
	for i < len(t) || j < len(n) {
		switch {
		case i < len(t) && j < len(n) && t[i].sameLine(n[j]) && common[i][j] == common[i+1][j+1]+1:
			flush()
			w, g = append(w, n[j].shown()), append(g, n[j].shown())
			i, j = i+1, j+1
		case j == len(n) || i < len(t) && common[i+1][j] >= common[i][j+1]:
			if missing == nil {
				missing = t[i]
			}
			w = append(w, t[i].shown())
			lost++
			i++
		default:
			gap = append(gap, n[j].shown())
			j++
		}
	}
	flush()
	return strings.Join(w, "\n"), strings.Join(g, "\n"), missing
}

// maxGap is how many lines of the page are shown for those that are missing in one place.
const maxGap = 12

func (t *ariaNode) shown() string { return strings.Repeat(" ", max(t.indent, 0)) + t.source }

// quotedAria reads a double-quoted text.
func quotedAria(s string) (string, error) {
	return strconv.Unquote(hexForm.ReplaceAllStringFunc(s, func(m string) string {
		if m == `\\` {
			return m
		}
		return `\u00` + m[2:]
	}))
}

var hexForm = regexp.MustCompile(`\\\\|\\x[0-9a-fA-F]{2}`)
