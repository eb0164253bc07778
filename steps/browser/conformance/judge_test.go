package conformance_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/gomega"
)

// verdict is what all rows come to.
type verdict struct {
	rows, equal, more, decided, away int
	silent                           int // rows that the reference did not run
	printed                          int // of which only the text is known that it printed
	byDecision, byAbsence            map[string]int
	used                             map[string]bool // rules and further keys that were needed
	open                             []string        // differences that nothing covers
}

// judge holds every row against the decisions.
func judge(rows []ours, unlike []string) verdict {
	v := verdict{rows: len(rows), byDecision: map[string]int{}, byAbsence: map[string]int{}, used: map[string]bool{}}
	for _, o := range rows {
		if id := v.absent(o, unlike); id != "" {
			v.away++
			v.byAbsence[id]++
			continue
		}
		var by []string
		more, open := false, false
		for _, d := range compare(o) {
			if v.further(o, d) {
				more = true
				continue
			}
			id := v.covering(o, d)
			switch {
			case id == "":
				open = true
				v.open = append(v.open, fmt.Sprintf("%s#%d %s: %s", o.vector.Name, o.index, strings.Join(o.answer.Row, " "), d))
			case !slices.Contains(by, id):
				by = append(by, id)
			}
		}
		for _, id := range by {
			v.byDecision[id]++
		}
		switch {
		case open:
		case len(by) > 0:
			v.decided++
		default:
			v.equal++
			if more {
				v.more++
			}
		}
	}
	return v
}

// framing are the vectors that are about how the reference is handed its rows.
var framing = []string{"batch-badjson", "batch-empty", "batch-nonstring"}

// unasked counts the rows that have no answer, and finds that every vector without rows has a name.
func (v *verdict) unasked(list []vector) {
	var empty []string
	for _, one := range list {
		if len(one.Rows) == 0 {
			empty = append(empty, one.Name)
		}
		for _, a := range one.Rows {
			switch {
			case a.Absent:
				v.silent++
			case a.OK && a.Data == nil && a.Text != "":
				v.printed++
			}
		}
	}
	Expect(empty).To(Equal(framing))
}

// further tells that a difference is a key more, and one that is documented.
func (v *verdict) further(o ours, d difference) bool {
	key, ok := strings.CutPrefix(d.form, "+")
	if !ok {
		return false
	}
	if _, ok := further[key]; ok {
		v.used["further "+key] = true
		return true
	}
	return documented(o.command, key)
}

// absent gives the name under which a row cannot be compared, or "".
func (v *verdict) absent(o ours, unlike []string) string {
	for _, a := range absences {
		if (a.lack == "" || slices.Contains(unlike, a.lack)) && within(a.at, o) {
			v.used["absence "+a.id] = true
			return a.id
		}
	}
	return ""
}

// covering gives the decision that covers a difference, or "".
func (v *verdict) covering(o ours, d difference) string {
	row := strings.Join(o.answer.Row, " ") + " "
	for _, dec := range decisions() {
		for i, r := range dec.rules {
			if like(r.form, d.form) && (r.row == "" || strings.HasPrefix(row, r.row+" ")) && (r.at == "" || within(r.at, o)) {
				v.used[ruleName(dec, i)] = true
				return dec.id
			}
		}
	}
	return ""
}

func ruleName(d decision, i int) string {
	r := d.rules[i]
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s %s", d.id, r.form, r.row, r.at))
}

// idle lists rules, further keys and absences that nothing needed.
func (v *verdict) idle() []string {
	var names []string
	for _, d := range decisions() {
		for i := range d.rules {
			names = append(names, ruleName(d, i))
		}
	}
	for key := range further {
		names = append(names, "further "+key)
	}
	for _, a := range absences {
		if a.lack == "" {
			names = append(names, "absence "+a.id)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return v.used[n] })
}

// String is the page of counts; its first paragraph stands in README.md.
func (v verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Of %d rows that the reference CLI answered, checkrow answers %d alike, %d otherwise by one of %d decisions,\n"+
		"and %d have no counterpart here. `make conformance` asks all of them and lists the decisions.\n",
		v.rows, v.equal, v.decided, len(decisions()), v.away)
	b.WriteString("\nDifferent by decision (a row may differ in several ways):\n")
	for _, d := range decisions() {
		fmt.Fprintf(&b, "%5d  %s: %s (%s)\n", v.byDecision[d.id], d.id, d.why, d.where)
	}
	b.WriteString("\nNot applicable:\n")
	for _, a := range absences {
		if a.lack == "" || v.byAbsence[a.id] > 0 {
			fmt.Fprintf(&b, "%5d  %s: %s\n", v.byAbsence[a.id], a.id, a.why)
		}
	}
	fmt.Fprintf(&b, "\nNot asked:\n%5d  rows that the reference did not run: empty ones, and those behind a row that ended its batch\n", v.silent)
	fmt.Fprintf(&b, "%5d  batches without rows, %s: a suite is YAML, and what is no row in it is a compile error\n", len(framing), strings.Join(framing, ", "))
	fmt.Fprintf(&b, "%5d  text alone, as the reference prints it without --json: rows answer data, which the journal and the console\n"+
		"       show in their own form (DESIGN §3); whether the row succeeded is compared\n", v.printed)
	return b.String()
}

// like tells that a form is as a rule has it.
func like(pattern, form string) bool {
	return regexp.MustCompile("^(?:" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + ")$").MatchString(form)
}

// within tells that a row is in one of the places "find#3 find#5-7 form".
func within(places string, o ours) bool {
	for _, p := range strings.Fields(places) {
		name, span, part := strings.Cut(p, "#")
		if name != o.vector.Name {
			continue
		}
		if !part {
			return true
		}
		from, to, many := strings.Cut(span, "-")
		if !many {
			to = from
		}
		first, err := strconv.Atoi(from)
		Expect(err).NotTo(HaveOccurred(), p)
		last, err := strconv.Atoi(to)
		Expect(err).NotTo(HaveOccurred(), p)
		if first <= o.index && o.index <= last {
			return true
		}
	}
	return false
}
