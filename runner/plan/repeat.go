package plan

import (
	"strconv"

	"github.com/checkrow/checkrow/spec/diag"
)

// maxTests bounds what repetition may make of a suite.
const maxTests = 100_000

// repeat gives the selected tests of a suite as often as asked for: all of them, then all of them again, so that a serial
// suite keeps its order. The first round keeps its names, and so its history; the others are tests of their own, "name #2".
func (c *compiler) repeat(s *Suite, picked []*Test, l *diag.List) []*Test {
	if c.o.Repeat < 2 || len(picked) == 0 {
		return picked
	}
	if len(picked)*c.o.Repeat > maxTests {
		l.Add(diag.Pos{File: s.File}, strconv.Itoa(c.o.Repeat)+" times "+count(len(picked), "test")+" are more than "+
			strconv.Itoa(maxTests), "select fewer")
		return picked
	}
	out := make([]*Test, 0, len(picked)*c.o.Repeat)
	for round := 1; round <= c.o.Repeat; round++ {
		out = append(out, again(picked, round)...)
	}
	return out
}

// again gives the tests of one round. What they need of each other they need of the same round.
func again(picked []*Test, round int) []*Test {
	if round == 1 {
		return picked
	}
	twin := make(map[*Test]*Test, len(picked))
	out := make([]*Test, len(picked))
	for i, t := range picked {
		x := *t
		x.Key.Name += " #" + strconv.Itoa(round)
		x.Round, twin[t], out[i] = round, &x, &x
	}
	for _, t := range out {
		needs := t.Needs
		t.Needs = nil
		for _, n := range needs {
			tests := n.Tests
			n.Tests = nil
			for _, other := range tests {
				if own := twin[other]; own != nil {
					other = own
				}
				n.Tests = append(n.Tests, other)
			}
			t.Needs = append(t.Needs, n)
		}
	}
	return out
}
