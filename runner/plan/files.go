package plan

import (
	"github.com/checkrow/checkrow/spec/diag"
)

// Files gives the names of the suites, fragments and project files under paths, without compiling any: what a tool that
// rewrites them works on. In folders YAML files of other tools are left out; one that is named itself is an error.
func Files(paths []string, dir string, l *diag.List) []string {
	sources := discover(paths, dir, nil, l)
	results := make([]*result, len(sources))
	each(len(sources), func(i int) {
		s, r := sources[i], &result{src: sources[i]}
		results[i] = r
		s.read(nil)
		kind, keys := sniff(s.src)
		switch {
		case s.err != nil, isProjectFile(s.name): // whoever reads it says what is wrong
		case kind == otherFile && s.explicit:
			noSuite(s.name, keys, &r.errs)
		case kind == otherFile, kind == opaqueFile && !s.explicit:
			r.ignored = true
		}
		s.src = nil
	})
	var out []string
	for _, r := range results {
		for _, e := range r.errs.All() {
			l.Append(e)
		}
		if !r.ignored && r.errs.Len() == 0 {
			out = append(out, r.src.name)
		}
	}
	if len(out) == 0 && l.Len() == 0 {
		l.Add(diag.Pos{}, "no suite found", `a suite is a YAML file with "suite: NAME"`)
	}
	return out
}
