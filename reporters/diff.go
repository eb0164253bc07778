package reporters

import "slices"

// maxDiff bounds the table of the longest common subsequence; a longer difference is marked as one stretch.
const maxDiff = 1 << 20

// differ marks the elements of a and b that are not in both, in order.
func differ[T comparable](a, b []T) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	midA, midB := a[from:endA], b[from:endB]
	if len(midA)*len(midB) > maxDiff {
		mark(inA[from:endA])
		mark(inB[from:endB])
		return inA, inB
	}
	common(midA, midB, inA[from:endA], inB[from:endB])
	return inA, inB
}

func mark(list []bool) {
	for i := range list {
		list[i] = true
	}
}

// common fills the marks by the longest common subsequence.
func common[T comparable](a, b []T, inA, inB []bool) {
	wide := len(b) + 1
	table := make([]int32, (len(a)+1)*wide)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*wide+j] = table[(i+1)*wide+j+1] + 1
			} else {
				table[i*wide+j] = max(table[(i+1)*wide+j], table[i*wide+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			i, j = i+1, j+1
		case table[(i+1)*wide+j] >= table[i*wide+j+1]:
			inA[i] = true
			i++
		default:
			inB[j] = true
			j++
		}
	}
	mark(inA[i:])
	mark(inB[j:])
}

// marked is a line of text whose runes may be marked as different.
type marked struct {
	cells []string // one per rune, as shown
	diff  []bool
}

// window cuts a line to n columns around its first difference.
func (m marked) window(n int) marked {
	total := 0
	for _, c := range m.cells {
		total += Columns(c)
	}
	if total <= n {
		return m
	}
	from := max(slices.Index(m.diff, true), 0)
	for back := 0; from > 0 && back < n/3; from-- {
		back += Columns(m.cells[from-1])
	}
	out := marked{}
	if from > 0 {
		out = marked{[]string{"…"}, []bool{false}}
	}
	used := 1
	for i := from; i < len(m.cells); i++ {
		used += Columns(m.cells[i])
		if used > n-1 {
			out.cells, out.diff = append(out.cells, "…"), append(out.diff, false)
			break
		}
		out.cells, out.diff = append(out.cells, m.cells[i]), append(out.diff, m.diff[i])
	}
	return out
}
