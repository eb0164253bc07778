package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// result is one file after parse and compile.
type result struct {
	suite    *Suite
	errs     diag.List
	ignored  bool
	fragment bool
	src      *source
	names    map[string]bool // of --var that the suite has
}

// Load finds suites under paths, parses and compiles them on all cores, and selects tests. Everything wrong goes to l;
// with KeepGoing the errors of a file go to Plan.Broken instead. A selection that matches nothing is an error.
func Load(paths []string, o Options, l *diag.List) *Plan {
	c := newCompiler(o)
	sources := discover(paths, o.Dir, o.Overlay, l)
	results := make([]*result, len(sources))
	each(len(sources), func(i int) { results[i] = c.load(sources[i]) })
	return c.assemble(results, l)
}

// Compile is Load for files that are parsed already.
func Compile(files []spec.File, o Options, l *diag.List) *Plan {
	c := newCompiler(o)
	results := make([]*result, 0, len(files))
	for _, f := range files {
		if f.Suite == nil {
			continue
		}
		r := &result{src: &source{name: f.Suite.File, abs: c.abs(f.Suite.File), explicit: true, src: f.Suite.Source}}
		r.suite = c.compile(f.Suite, &r.errs)
		results = append(results, r)
	}
	return c.assemble(results, l)
}

// each runs fn for 0..n-1 on all cores and waits.
func each(n int, fn func(int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				fn(i)
			}
		})
	}
	wg.Wait()
}

// load reads, parses and compiles one file.
func (c *compiler) load(s *source) *result {
	r := &result{src: s}
	s.read(c.o.Overlay)
	if s.err != nil {
		r.errs.Append(&diag.Error{Pos: diag.Pos{File: s.name}, Msg: "cannot be read: " + reason(s.err), Err: s.err})
		return r
	}
	if isProjectFile(s.name) {
		if r.ignored = true; s.explicit {
			r.ignored = false
			r.errs.Add(diag.Pos{File: s.name}, "is the project file, not a suite", "name a suite, or the folder")
		}
		return r
	}
	kind, keys := sniff(s.src)
	if kind == fragmentFile {
		if s.explicit {
			r.errs.Add(diag.Pos{File: s.name}, "is a fragment, not a suite", "run a suite that uses it")
		}
		r.ignored, r.fragment = !s.explicit, true
		return r
	}
	if kind == otherFile && !s.explicit {
		r.ignored = true
		return r
	}
	if kind == otherFile {
		noSuite(s.name, keys, &r.errs)
		return r
	}
	var parsed diag.List
	f := spec.ParseIn(s.name, s.src, c.project(filepath.Dir(s.abs), &parsed), &parsed)
	if kind == opaqueFile && f.Suite == nil && !s.explicit {
		r.ignored = true
		return r
	}
	for _, e := range parsed.All() {
		r.errs.Append(e)
	}
	if f.Suite == nil {
		if r.errs.Len() == 0 {
			noSuite(s.name, keys, &r.errs)
		}
		return r
	}
	r.suite = c.compile(f.Suite, &r.errs)
	return r
}

// assemble joins the files to a plan: broken files out, selection, digest.
func (c *compiler) assemble(results []*result, l *diag.List) *Plan {
	p := &Plan{Dir: c.abs(".")}
	var good []*result
	suites := 0
	for _, r := range results {
		if r.ignored {
			if !r.fragment && !isProjectFile(r.src.name) && !c.data.has(r.src.abs) {
				p.Ignored = append(p.Ignored, r.src.name)
			}
			continue
		}
		suites++
		if r.errs.Len() > 0 && c.o.KeepGoing {
			p.Broken = append(p.Broken, Broken{r.src.name, r.errs.All()})
			continue
		}
		for _, e := range r.errs.All() {
			l.Append(e)
		}
		if r.suite != nil {
			good = append(good, r)
		}
	}
	p.Files = suites
	barren(results, l)
	c.checkVars(results, l)
	if suites == 0 && l.Len() == 0 {
		l.Add(diag.Pos{}, "no suite found", `a suite is a YAML file with "suite: NAME"`)
	}
	c.choose(p, good, l)
	p.Hash = c.digest(p, good)
	return p
}

// barren reports folders that hold YAML files but no suite.
func barren(results []*result, l *diag.List) {
	var order []string
	alive := map[string]bool{}
	for _, r := range results {
		at := r.src.folder
		if at == "" {
			continue
		}
		if _, seen := alive[at]; !seen {
			order = append(order, at)
			alive[at] = false
		}
		alive[at] = alive[at] || !r.ignored
	}
	for _, at := range order {
		if !alive[at] {
			l.Add(diag.Pos{File: at}, "holds no suite", `a suite is a YAML file with "suite: NAME"`)
		}
	}
}

// digest names what the plan was made of.
func (c *compiler) digest(p *Plan, results []*result) string {
	var lines []string
	for _, r := range results {
		lines = append(lines, "suite "+r.suite.File+" "+r.suite.Spec.SHA256)
	}
	lines = append(lines, c.frags.digests()...)
	lines = append(lines, c.projects.digests()...)
	lines = append(lines, c.data.digests()...)
	if c.o.Policy != nil {
		lines = append(lines, "policy "+c.o.Policy.File+" "+c.o.Policy.SHA256)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	p.Inputs = inputs(lines, c.o)
	for _, k := range slices.Sorted(maps.Keys(c.o.Vars)) {
		lines = append(lines, fmt.Sprintf("var %q=%q", k, c.o.Vars[k]))
	}
	if c.o.PolicySum != "" {
		lines = append(lines, "policy "+c.o.PolicySum)
	}
	h := sha256.New()
	io.WriteString(h, "checkrow "+c.o.Version+"\n")
	for _, line := range lines {
		io.WriteString(h, line+"\n")
	}
	return hex.EncodeToString(h.Sum(nil))
}
