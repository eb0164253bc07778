package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// Shards says which shard of n runs each test of a plan, counted from 1. It is a function of the plan and of how long
// tests took, and of nothing else: every machine that asks gets the same answer.
type Shards struct {
	Of     int
	Digest string // of the plan and of the whole answer
	at     map[steps.TestKey]int
}

// At gives the shard of a test.
func (s Shards) At(k steps.TestKey) int { return s.at[k] }

// shardUnit are tests that must run in one shard: a serial suite, or tests that need each other.
type shardUnit struct {
	name  string // of its first test
	tests []*Test
	took  time.Duration
}

// Split divides a plan. With timings the longest go first, each to the shard that has least to do; a test that is not
// among them counts as the average one. Without any the digest of the name decides.
func (p *Plan) Split(n int, timings map[steps.TestKey]time.Duration) Shards {
	out := Shards{Of: n, at: make(map[steps.TestKey]int, len(p.Tests))}
	units := p.units()
	if known := weigh(units, timings); known {
		slices.SortStableFunc(units, func(a, b *shardUnit) int {
			return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.name, b.name))
		})
		load := make([]time.Duration, n)
		for _, u := range units {
			least := 0
			for i := range load {
				if load[i] < load[least] {
					least = i
				}
			}
			load[least] += u.took
			out.put(u, least+1)
		}
	} else {
		for _, u := range units {
			sum := sha256.Sum256([]byte(u.name))
			out.put(u, int(binary.BigEndian.Uint64(sum[:8])%uint64(n))+1)
		}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n", p.Hash, n)
	for _, t := range p.Tests {
		fmt.Fprintf(h, "%d %q\n", out.at[t.Key], t.Key.String())
	}
	io.WriteString(h, "\n")
	out.Digest = hex.EncodeToString(h.Sum(nil))
	return out
}

func (s *Shards) put(u *shardUnit, shard int) {
	for _, t := range u.tests {
		s.at[t.Key] = shard
	}
}

// weigh gives each unit the time of its tests; false if no test's is known.
func weigh(units []*shardUnit, timings map[steps.TestKey]time.Duration) bool {
	var sum time.Duration
	known := 0
	for _, u := range units {
		for _, t := range u.tests {
			if d, ok := timings[t.Key]; ok {
				sum += d
				known++
			}
		}
	}
	if known == 0 {
		return false
	}
	average := sum / time.Duration(known)
	for _, u := range units {
		for _, t := range u.tests {
			if d, ok := timings[t.Key]; ok {
				u.took += d
			} else {
				u.took += average
			}
		}
	}
	return true
}

// units groups the tests that must stay together.
func (p *Plan) units() []*shardUnit {
	var out []*shardUnit
	for _, s := range p.Suites {
		of := map[*Test]*shardUnit{}
		for _, t := range s.Tests {
			if s.Serial && len(of) > 0 {
				first := of[s.Tests[0]]
				first.tests, of[t] = append(first.tests, t), first
				continue
			}
			u := &shardUnit{name: t.Key.String(), tests: []*Test{t}}
			of[t] = u
		}
		for _, t := range s.Tests {
			for _, n := range t.Needs {
				for _, other := range n.Tests {
					if b := of[other]; b != nil {
						join(of, of[t], b)
					}
				}
			}
		}
		seen := map[*shardUnit]bool{}
		for _, t := range s.Tests {
			if u := of[t]; !seen[u] {
				seen[u] = true
				out = append(out, u)
			}
		}
	}
	return out
}

// join puts the tests of b into a.
func join(of map[*Test]*shardUnit, a, b *shardUnit) {
	if a == b {
		return
	}
	for _, t := range b.tests {
		of[t] = a
	}
	a.tests = append(a.tests, b.tests...)
	a.name = min(a.name, b.name)
}
