package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Input is something that a plan was made of, with its digest.
type Input struct {
	What   string // suite, fragment, project, data, var, policy, version
	Name   string
	SHA256 string
}

// inputs takes the lines of a plan's digest apart, and adds what the command line and the program say.
func inputs(lines []string, o Options) []Input {
	out := make([]Input, 0, len(lines)+len(o.Vars)+1)
	for _, line := range lines {
		what, rest, _ := strings.Cut(line, " ")
		at := strings.LastIndexByte(rest, ' ')
		out = append(out, Input{What: what, Name: rest[:at], SHA256: rest[at+1:]})
	}
	for name, value := range o.Vars {
		out = append(out, Input{What: "var", Name: name, SHA256: digestOf(value)})
	}
	if o.PolicySum != "" {
		out = append(out, Input{What: "policy", Name: "--policy", SHA256: o.PolicySum})
	}
	out = append(out, Input{What: "version", Name: "checkrow", SHA256: digestOf(o.Version)})
	slices.SortFunc(out, func(a, b Input) int { return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name)) })
	return out
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Only keeps the tests that keep says yes to, and those that they need. It is for choices that are made of the whole plan:
// what failed last time, and shards.
func (p *Plan) Only(keep func(*Test) bool) {
	var suites []*Suite
	p.Tests = nil
	for _, s := range p.Suites {
		picked := make([]*Test, 0, len(s.Tests))
		for _, t := range s.Tests {
			if keep(t) {
				picked = append(picked, t)
			}
		}
		if s.Tests = closure(s.Tests, picked); len(s.Tests) == 0 {
			continue
		}
		suites = append(suites, s)
		p.Tests = append(p.Tests, s.Tests...)
	}
	p.Suites = suites
}
