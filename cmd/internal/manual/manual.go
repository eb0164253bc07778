// Package manual is what checkrow says about itself beside the tables of rows and steps: what every code of a failure
// means, with causes and remedies, and the recipes of the reference. Whoever adds a code adds a line here; a test reads
// the sources for those that have none.
package manual

import (
	"cmp"
	"slices"
	"strings"
)

// Sort is what a code is.
type Sort string

// The sorts of codes.
const (
	Category Sort = "category"
	Sub      Sort = "finer category"
	Verdict  Sort = "verdict on a test"
	RowState Sort = "state of a row"
	FileWord Sort = "state of a file"
	CheckEnd Sort = "state of a check"
	ExitCode Sort = "exit code"
	Message  Sort = "message about a suite"
)

// Topic is one code: what it means, what usually causes it and what to do.
type Topic struct {
	Code   string   `json:"code"`
	Sort   Sort     `json:"sort"`
	Means  string   `json:"means"`
	Causes []string `json:"causes,omitempty"`
	Do     []string `json:"do,omitempty"`
}

// sorts are the sorts in the order of [Topics].
var sorts = []Sort{Category, Sub, Verdict, RowState, FileWord, CheckEnd, ExitCode, Message}

// Topics are all codes but exit codes, which belong to the command line: by sort, then by code.
func Topics() []Topic {
	out := slices.Concat(categories, subTopics(), states, messages)
	slices.SortStableFunc(out, func(a, b Topic) int {
		return cmp.Or(cmp.Compare(slices.Index(sorts, a.Sort), slices.Index(sorts, b.Sort)), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// Find gives the topics of a code among list. A code may be of several sorts: timeout is a category and a finer one. Of
// what a report joins with a comma, "assertion, no-baseline", every part is found.
func Find(list []Topic, code string) []Topic {
	var out []Topic
	for part := range strings.SplitSeq(code, ",") {
		part = plainCode(part)
		for _, t := range list {
			if plainCode(t.Code) == part {
				out = append(out, t)
			}
		}
	}
	return out
}

// plainCode is a code whatever way it was typed.
func plainCode(code string) string {
	code = strings.ToLower(strings.TrimSpace(code))
	return strings.NewReplacer(" ", "-", "_", "-").Replace(strings.Trim(code, "()"))
}

func subTopics() []Topic {
	out := make([]Topic, 0, len(subs))
	for _, s := range subs {
		t := Topic{Code: s.code, Sort: Sub, Means: s.means}
		if s.do != "" {
			t.Do = []string{s.do}
		}
		out = append(out, t)
	}
	return out
}
