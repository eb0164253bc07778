package plan

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/checkrow/checkrow/spec"
)

// useDirs finds the tests of which a text names test.dir, whose folder must then be there before a row writes into it. What
// stands outside of the tests, and in other files, counts for each of them.
func (s *Suite) useDirs() {
	all, own := ofDirs(s.Spec.Tests, s.Spec.Source)
	for file, src := range s.Sources {
		all = all || file != s.File && bytes.Contains(src, dirName)
	}
	for _, t := range s.Tests {
		t.UsesDir = all || own[t.Pos.Line]
	}
}

// dirName is how a text reads the folder of its test.
var dirName = []byte("test.dir")

// anchored tells a suite in which one test may use the text of another.
var anchored = regexp.MustCompile(`(?m)(?:^|[\s\[{,])&\w`)

// ofDirs tells by the lines of a suite whether what stands outside of its tests names the folder, and which tests do, by
// their first lines. Lines that are several tests', or of which it is not certain, are everybody's.
func ofDirs(tests []spec.Test, src []byte) (all bool, own map[int]bool) {
	if !bytes.Contains(src, dirName) {
		return false, nil
	}
	starts := make([]int, len(tests))
	for i := range tests {
		starts[i] = tests[i].Pos.Line
	}
	if anchored.Match(src) || !slices.IsSorted(starts) || len(slices.Compact(slices.Clone(starts))) < len(starts) {
		return true, nil
	}
	own = map[int]bool{}
	at, n := 0, 0 // the first line of the test that the line belongs to, 0: none
	for line := range bytes.Lines(src) {
		n++
		switch {
		case slices.Contains(starts, n):
			at = n
		case len(line) > 0 && !bytes.ContainsAny(line[:1], " -#\r\n"): // a key of the suite
			at = 0
		}
		switch {
		case !bytes.Contains(line, dirName):
		case at == 0:
			all = true
		default:
			own[at] = true
		}
	}
	return all, own
}
