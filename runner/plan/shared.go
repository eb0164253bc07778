package plan

import (
	"path/filepath"
	"sync"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// sharedServices compiles the services of project files, each once for all suites below it.
type sharedServices struct {
	mu   sync.Mutex
	made map[*spec.Project]*sharedOf
}

type sharedOf struct {
	once  sync.Once
	suite *Suite
	errs  diag.List
}

// of gives what stands for a project file while the run lasts: a suite without tests whose services are run-wide; nil if it
// has none. What is wrong with them is in the list of whoever asks first.
func (s *sharedServices) of(c *compiler, p *spec.Project, l *diag.List) *Suite {
	if p == nil || len(p.Services) == 0 {
		return nil
	}
	s.mu.Lock()
	if s.made == nil {
		s.made = map[*spec.Project]*sharedOf{}
	}
	x := s.made[p]
	first := x == nil
	if first {
		x = &sharedOf{}
		s.made[p] = x
	}
	s.mu.Unlock()
	x.once.Do(func() { x.suite = c.compileShared(p, &x.errs) })
	if first {
		for _, e := range x.errs.All() {
			l.Append(e)
		}
	}
	return x.suite
}

func (c *compiler) compileShared(p *spec.Project, l *diag.List) *Suite {
	s := &spec.Suite{File: p.File, Source: p.Source, Name: spec.ProjectFile, Vars: p.Vars, Env: p.Env, Secrets: p.Secrets,
		Services: p.Services, SHA256: p.SHA256}
	out := &Suite{Spec: s, File: filepath.ToSlash(p.File), Name: s.Name, Sources: map[string][]byte{s.File: s.Source}}
	out.Dir = filepath.Dir(c.abs(p.File))
	out.Root = out.Dir
	u := &unit{compiler: c, s: out, l: l, uses: &spec.EnvUses{}}
	u.scopes()
	u.suiteVars()
	u.environment()
	u.services()
	out.uses = u.uses.Uses
	return out
}

// checked are the projects whose services were checked against the environment.
type checked map[*Suite]bool

// sharing says which run-wide services each suite needs: those that it reads, those that these read, and those that nothing
// reads, for nobody could say otherwise that a service without an address of its own is needed.
func (c *compiler) sharing(results []*result) checked {
	read := map[*Suite]map[string]bool{}
	for _, r := range results {
		p := r.suite.Project
		if p == nil {
			continue
		}
		if read[p] == nil {
			read[p] = map[string]bool{}
			for _, x := range p.Services {
				for _, name := range x.Reads {
					read[p][name] = true
				}
			}
		}
		for name := range r.suite.reads {
			read[p][name] = true
		}
	}
	for _, r := range results {
		if p := r.suite.Project; p != nil {
			r.suite.Shared = r.suite.needed(read[p])
		}
	}
	return checked{}
}

// check reports what the run-wide services need and the environment does not have, once for each project of which a suite
// is selected.
func (k checked) check(c *compiler, p *Plan, s *Suite, l *diag.List) {
	if len(s.Shared) > 0 && !k[s.Project] {
		k[s.Project] = true
		c.checkEnv(p, s.Project, l)
	}
}

// needed gives the run-wide services of a suite in the order they start in; read holds those that any suite reads.
func (s *Suite) needed(read map[string]bool) []*Service {
	own := map[string]bool{}
	for _, x := range s.Services {
		own[x.Spec.Name] = true
	}
	want := map[string]bool{}
	list := s.Project.Services
	for i := len(list) - 1; i >= 0; i-- { // what a service reads stands before it
		name := list[i].Spec.Name
		if want[name] || s.reads[name] && !own[name] || !read[name] {
			want[name] = true
			for _, r := range list[i].Reads {
				want[r] = true
			}
		}
	}
	var out []*Service
	for i := range list {
		if want[list[i].Spec.Name] {
			out = append(out, &list[i])
		}
	}
	return out
}
