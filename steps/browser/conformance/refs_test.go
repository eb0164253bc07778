package conformance_test

import (
	"fmt"
	"regexp"
	"strings"
)

// refs translates the refs of the reference CLI into ours: both number the elements of a page, in another order. What
// stands for the same in two snapshots of one moment is the same element: the n-th of a role and a name.
type refs map[string]string

var (
	refLine  = regexp.MustCompile(`^\s*- '?"?([A-Za-z]+)(?: ("(?:[^"\\]|\\.)*"))?[^\n]*?[\[ ]ref=((?:f\d+)?e\d+)\]`)
	cellRef  = regexp.MustCompile(`^(@|ref=)?(e\d+)$`)
	roleName = map[string]string{"image": "img", "searchbox": "searchbox"}
)

// read lists what the refs of a snapshot stand for.
func readRefs(snapshot string) map[string]string {
	out, seen := map[string]string{}, map[string]int{}
	for _, line := range strings.Split(snapshot, "\n") {
		m := refLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		role := strings.ToLower(m[1])
		if r, ok := roleName[role]; ok {
			role = r
		}
		key := role + " " + m[2]
		seen[key]++
		out[m[3]] = fmt.Sprintf("%s #%d", key, seen[key])
	}
	return out
}

// learn takes what a snapshot row said on both sides. Refs of earlier snapshots keep their meaning.
func (r refs) learn(theirs, ours string) {
	byMeaning := map[string]string{}
	for ref, key := range readRefs(ours) {
		byMeaning[key] = ref
	}
	for ref, key := range readRefs(theirs) {
		r[ref] = byMeaning[key]
	}
}

// cells gives a row with its refs translated. A ref that no snapshot of ours knows gets a number that none has.
func (r refs) cells(row []string) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		out[i] = cell
		m := cellRef.FindStringSubmatch(cell)
		if m == nil {
			continue
		}
		ref := r[m[2]]
		if ref == "" {
			ref = "e9" + fmt.Sprintf("%03s", m[2][1:])
		}
		out[i] = m[1] + ref
	}
	return out
}
