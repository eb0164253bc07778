package plan

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

func isProjectFile(name string) bool { return filepath.Base(name) == spec.ProjectFile }

// projects caches the project files of a load by their folder.
type projects struct {
	mu     sync.Mutex
	byRoot map[string]*project
}

type project struct {
	once sync.Once
	file *spec.Project
	errs diag.List
}

// project gives the project file of a folder, nil if there is none at or above it. Its errors come with those of each suite
// below it: none of them means what its author wrote.
func (c *compiler) project(dir string, l *diag.List) *spec.Project {
	root, ok := c.findRoot(dir)
	if !ok {
		return nil
	}
	c.projects.mu.Lock()
	p := c.projects.byRoot[root]
	if p == nil {
		p = &project{}
		c.projects.byRoot[root] = p
	}
	c.projects.mu.Unlock()
	p.once.Do(func() { p.load(c.shown(filepath.Join(root, spec.ProjectFile)), root, c.o.Overlay) })
	for _, e := range p.errs.All() {
		l.Append(e)
	}
	return p.file
}

func (p *project) load(name, root string, overlay map[string][]byte) {
	s := &source{name: name, abs: filepath.Join(root, spec.ProjectFile)}
	s.read(overlay)
	if s.err != nil {
		p.errs.Append(&diag.Error{Pos: diag.Pos{File: name}, Msg: "cannot be read: " + reason(s.err), Err: s.err})
		return
	}
	p.file = spec.ParseProject(name, s.src, &p.errs)
}

// shown names a file that was found as diagnostics name those that were given: from the folder where paths start.
func (c *compiler) shown(abs string) string {
	if rel, err := filepath.Rel(c.abs("."), abs); err == nil && !strings.HasPrefix(rel, filepath.Join("..", "..", "..")) {
		return clean(rel)
	}
	return clean(abs)
}

// digests lists the project files that were read.
func (p *projects) digests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, x := range p.byRoot {
		if x.file != nil {
			out = append(out, "project "+x.file.File+" "+x.file.SHA256)
		}
	}
	return out
}

// root is the folder of the nearest checkrow.yaml at or above dir, else dir itself.
func (c *compiler) root(dir string) string {
	if root, ok := c.findRoot(dir); ok {
		return root
	}
	return dir
}

// findRoot is the folder of the nearest checkrow.yaml at or above dir.
func (c *compiler) findRoot(dir string) (string, bool) {
	if r, ok := c.roots.Load(dir); ok {
		return r.(string), r != ""
	}
	root := rootOf(dir)
	c.roots.Store(dir, root)
	return root, root != ""
}

func rootOf(dir string) string {
	for at := dir; ; {
		if info, err := os.Stat(filepath.Join(at, spec.ProjectFile)); err == nil && info.Mode().IsRegular() {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return ""
		}
		at = up
	}
}

// FindProject gives the project file of the first path, as far as it can be read: what it says of the run as a whole is
// needed before anything is compiled. nil if there is none. Load reports what is wrong with it.
func FindProject(paths []string, dir string) *spec.Project {
	c := newCompiler(Options{Dir: dir})
	at := c.abs(".")
	if len(paths) > 0 {
		at = c.abs(paths[0])
		if file, _, ok := cutLine(paths[0]); ok {
			if _, err := os.Stat(at); err != nil {
				at = c.abs(file)
			}
		}
		if info, err := os.Stat(at); err != nil || !info.IsDir() {
			at = filepath.Dir(at)
		}
	}
	var errs diag.List
	return c.project(at, &errs)
}
