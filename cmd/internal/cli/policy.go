package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// policyFlag defines --policy.
func (s *selection) policyFlag(fs *pflag.FlagSet) {
	fs.StringVar(&s.policy, "policy", "", "suites may do only what `FILE` lists: rows that run script, names, files, programs, hosts")
}

// maxPolicy bounds a policy file.
const maxPolicy = 4 << 20

// readPolicy reads the file of --policy; nil if there is none. What is wrong with it is printed: nothing then runs.
func (a *app) readPolicy(path string) (*spec.Policy, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(a.abs(path))
	if err == nil && !info.Mode().IsRegular() {
		return nil, usagef("--policy %s is no file", path)
	}
	if err != nil {
		if pe := new(fs.PathError); errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, usagef("--policy %s cannot be read: %w", path, err)
	}
	text := readBounded(a.abs(path), maxPolicy)
	var list diag.List
	p := spec.ParsePolicy(path, text, &list)
	if err := a.complain(list.All()); err != nil {
		return nil, err
	}
	if p == nil {
		return nil, outcome(ExitUsage)
	}
	return p, nil
}

// askWords are the headings of what suites ask for, in the order in which they are printed.
var askWords = []struct {
	kind steps.AskKind
	word string
}{
	{steps.AskRow, "rows"}, {steps.AskStep, "steps"}, {steps.AskJS, "js"}, {steps.AskEnv, "env"}, {steps.AskChild, "env of programs"},
	{steps.AskSecret, "secrets"}, {steps.AskFile, "files"}, {steps.AskProgram, "programs"}, {steps.AskService, "services"},
	{steps.AskDomain, "domains"}, {steps.AskSwitch, "browser_args"}, {steps.AskAttach, "attach"},
	{steps.AskBare, "unredacted"},
}

// asksText lists what the suites of a plan ask for: each thing once, with the first place that does.
func asksText(p *plan.Plan) string {
	type line struct {
		first plan.Asked
		more  int
	}
	by := map[steps.AskKind][]*line{}
	for _, s := range p.Suites {
		for _, a := range s.Asks {
			list := by[a.Kind]
			if i := slices.IndexFunc(list, func(l *line) bool { return l.first.Name == a.Name && l.first.Denied == a.Denied }); i >= 0 {
				list[i].more++
				continue
			}
			by[a.Kind] = append(list, &line{first: a})
		}
	}
	if len(by) == 0 {
		return "the suites ask for nothing that a policy can deny\n"
	}
	var b strings.Builder
	b.WriteString("the suites ask for\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, k := range askWords {
		list := by[k.kind]
		slices.SortFunc(list, func(a, b *line) int { return strings.Compare(a.first.Name, b.first.Name) })
		for i, l := range list {
			word, verdict := "", "allowed"
			if i == 0 {
				word = k.word
			}
			switch {
			case l.first.Denied:
				verdict = "denied"
			case l.first.Later:
				verdict = "judged when it runs"
			}
			where := l.first.Pos.String()
			if l.more > 0 {
				where += fmt.Sprintf(" and %d more", l.more)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", word, l.first.Name, verdict, where)
		}
	}
	_ = w.Flush() // into memory
	return b.String()
}
