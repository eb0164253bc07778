package reporters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps"
)

// detail shows what the failed row saw.
func (b *block) detail(d *steps.Detail) {
	if d == nil {
		return
	}
	if d.Want != "" || d.Got != "" {
		b.compare(d.Want, d.Got)
	}
	b.seen(d.Seen)
	b.target(d.Target)
	if d.Covered != "" {
		b.field("covered", "by "+d.Covered)
	}
	if d.Dialog != "" {
		b.field("dialog", d.Dialog)
	}
	name := "values"
	for _, t := range d.Terms {
		b.term(&name, t, "", "")
	}
	for i, line := range d.Found {
		b.field(once("found", i), line)
	}
	if d.Output != "" {
		b.field("output", tail(d.Output, 12))
	}
}

// compare shows what was wanted and what was there, with the characters that differ.
func (b *block) compare(want, got string) {
	if strings.Contains(want, "\n") || strings.Contains(got, "\n") {
		b.compareLines(strings.Split(want, "\n"), strings.Split(got, "\n"))
		return
	}
	w, g := []rune(want), []rune(got)
	inW, inG := differ(w, g)
	texts := quotes(w) > 0 && quotes(g) > 0
	if !texts || alike(inW, len(w)) < 5 { // words, or nothing in common but the quotes: carets say nothing
		inW, inG = make([]bool, len(w)), make([]bool, len(g))
	}
	b.marked("want", marked{inQuotes(w), inW})
	b.marked("got", marked{inQuotes(g), inG})
}

// quotes counts the quotes around a value: what a row wants and sees comes in words, its texts in quotes.
func quotes(value []rune) int {
	if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' {
		return 2
	}
	return 0
}

// inQuotes is visible for what stands between the quotes of a text: a space at its end is one at its end.
func inQuotes(value []rune) []string {
	if quotes(value) == 0 {
		return visible(value)
	}
	out := append([]string{`"`}, visible(value[1:len(value)-1])...)
	return append(out, `"`)
}

// alike counts the runes that are not marked.
func alike(diff []bool, n int) int {
	for _, d := range diff {
		if d {
			n--
		}
	}
	return n
}

// marked writes a line with carets under what differs.
func (b *block) marked(name string, m marked) {
	room := b.wide - label - 2
	if n := len(m.cells); n > 1 && m.cells[0] == `"` && m.cells[n-1] == `"` && !m.diff[0] && !m.diff[n-1] {
		in := marked{m.cells[1 : n-1], m.diff[1 : n-1]}.window(room - 2) // the quotes stay in sight
		m.cells = slices.Concat([]string{`"`}, in.cells, []string{`"`})
		m.diff = slices.Concat([]bool{false}, in.diff, []bool{false})
	}
	m = m.window(room)
	b.put(name, strings.Join(m.cells, ""))
	if !slices.Contains(m.diff, true) {
		return
	}
	var under strings.Builder
	for i, c := range m.cells {
		sign := " "
		if m.diff[i] {
			sign = "^"
		}
		under.WriteString(strings.Repeat(sign, Columns(c)))
	}
	b.put("", b.style.Paint(red, strings.TrimRight(under.String(), " ")))
}

// compareLines shows the lines that differ, and two around them.
func (b *block) compareLines(want, got []string) {
	inW, inG := differ(want, got)
	b.put("diff", "- want, + got")
	skipped, w, g := false, 0, 0
	for w < len(want) || g < len(got) {
		switch {
		case w < len(want) && inW[w]:
			b.put("", b.style.Paint(red, Cut("- "+Visible(want[w]), b.wide-label-2)))
			w++
		case g < len(got) && inG[g]:
			b.put("", b.style.Paint(green, Cut("+ "+Visible(got[g]), b.wide-label-2)))
			g++
		case near(inW, w, 2) || near(inG, g, 2):
			b.put("", Cut("  "+Clean(want[w]), b.wide-label-2))
			w, g, skipped = w+1, g+1, false
		default:
			if !skipped {
				b.put("", "  …")
			}
			w, g, skipped = w+1, g+1, true
		}
	}
}

// near tells that something is marked at most n away from i.
func near(diff []bool, i, n int) bool {
	return slices.Contains(diff[min(max(0, i-n), len(diff)):min(len(diff), i+n+1)], true)
}

// seen shows the values that were read while waiting.
func (b *block) seen(list []steps.Seen) {
	if len(list) == 0 || len(list) == 1 && list[0].Times <= 1 {
		return
	}
	var parts []string
	for i, s := range list {
		if i == maxList {
			parts = append(parts, fmt.Sprintf("… and %d more", len(list)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s ×%d", Cut(strings.Join(inQuotes([]rune(s.Value)), ""), 62), s.Times))
	}
	b.field("seen", strings.Join(parts, ", then "))
}

func (b *block) target(t *steps.TargetInfo) {
	if t == nil {
		return
	}
	matches := fmt.Sprintf("%d matches", t.Matches)
	switch t.Matches {
	case 0:
		matches = "no match"
	case 1:
		matches = "1 match"
	}
	if t.Matches > 0 {
		matches += fmt.Sprintf(", %d visible", t.Visible)
	}
	b.field("target", t.Source+": "+matches)
	for i, m := range t.List {
		if i == maxList {
			b.put("", fmt.Sprintf("… and %d more", t.Matches-i))
			break
		}
		b.put("", Cut("• "+strings.ReplaceAll(Clean(m), "\n", " "), b.wide-label-2))
	}
	if len(t.Near) > 0 {
		b.field("nearest", strings.Join(t.Near, ", "))
	}
}

// term draws one sub-expression and those below it. A literal says nothing that its source does not.
func (b *block) term(name *string, t steps.Term, lead, below string) {
	value := "not evaluated"
	if t.Evaluated {
		value = format(t.Value)
	}
	text := lead + strings.Join(strings.Fields(Clean(t.Source)), " ") + " → " + value
	b.put(*name, Cut(text, b.wide-label-2))
	*name = ""
	var sub []steps.Term
	for _, s := range t.Sub {
		if !s.Evaluated || s.Source != format(s.Value) {
			sub = append(sub, s)
		}
	}
	for i, s := range sub {
		if i == len(sub)-1 {
			b.term(name, s, below+"└ ", below+"  ")
		} else {
			b.term(name, s, below+"├ ", below+"│ ")
		}
	}
}
