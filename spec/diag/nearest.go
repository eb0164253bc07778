package diag

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longList is how many valid names a hint lists at most when none of them is near.
const longList = 10

// Nearest gives the candidates that word may have been meant to be: at most three, the nearest first. A word of up to
// four runes may be one edit away, a longer one two. Upper case, "-" and "_" do not count as edits, so that baseUrl and
// base-url find base_url.
func Nearest(word string, candidates []string) []string {
	limit := 2
	if utf8.RuneCountInString(word) <= 4 {
		limit = 1
	}
	type match struct {
		name string
		dist int
	}
	var found []match
	folded := fold(word)
	for _, c := range candidates {
		d := distance(word, c, limit)
		if f := distance(folded, fold(c), limit); f < d {
			d = f
		}
		// A word that must be replaced as a whole is no misspelling of anything.
		if d <= limit && d < utf8.RuneCountInString(c) && d < utf8.RuneCountInString(word) {
			found = append(found, match{c, d})
		}
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.name, b.name))
	})
	found = slices.CompactFunc(found, func(a, b match) bool { return a.name == b.name })
	out := make([]string, 0, 3)
	for _, m := range found[:min(3, len(found))] {
		if m.dist > 0 && found[0].dist == 0 {
			break // the same word in another spelling leaves no doubt
		}
		out = append(out, m.name)
	}
	return out
}

// Suggest gives a hint about a word that is none of candidates: `did you mean "x"?` if some are near, the list of
// candidates if it is short, else nothing.
func Suggest(word string, candidates []string) string {
	if near := Nearest(word, candidates); len(near) > 0 {
		return DidYouMean(near)
	}
	return OneOf(candidates)
}

// DidYouMean gives the hint that names what was probably meant.
func DidYouMean(names []string) string { return "did you mean " + quoteAll(names, " or ") + "?" }

// OneOf gives the hint "one of a, b" for up to ten names, sorted; for more it gives nothing.
func OneOf(names []string) string {
	switch {
	case len(names) == 0 || len(names) > longList:
		return ""
	case len(names) == 1:
		return "write " + names[0]
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return "one of " + strings.Join(slices.Compact(sorted), ", ")
}

func quoteAll(names []string, last string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	end := len(quoted) - 1
	return strings.Join(quoted[:end], ", ") + last + quoted[end]
}

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance is the optimal string alignment distance (insert, delete, replace, swap of neighbours); more than limit is
// limit+1, which is found without filling the whole table for words of very different length.
func distance(a, b string, limit int) int {
	ra, rb := []rune(a), []rune(b)
	if diff := len(ra) - len(rb); diff > limit || -diff > limit {
		return limit + 1
	}
	before, prev, cur := make([]int, len(rb)+1), make([]int, len(rb)+1), make([]int, len(rb)+1)
	for j := range prev {
		prev[j] = j
	}
	for i, x := range ra {
		cur[0] = i + 1
		best := cur[0]
		for j, y := range rb {
			cost := 1
			if x == y {
				cost = 0
			}
			cur[j+1] = min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
			if i > 0 && j > 0 && x == rb[j-1] && ra[i-1] == y {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
			best = min(best, cur[j+1])
		}
		if best > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return min(prev[len(rb)], limit+1)
}
