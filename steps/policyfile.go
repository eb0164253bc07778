package steps

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec"
)

// real follows the symbolic links of a path as far as it is there.
func real(name string) string {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		return to
	}
	if dir, base := filepath.Split(filepath.Clean(name)); dir != "" && base != "" && filepath.Clean(dir) != filepath.Clean(name) {
		return filepath.Join(real(filepath.Clean(dir)), base)
	}
	return name
}

// File judges that a file is read: by where it really is, whatever links lead to it. free are folders whose files may be
// read anyway: those of the run itself.
func (p *Policy) File(name string, free ...string) error {
	if p == nil {
		return nil
	}
	at := real(name)
	for _, dir := range free {
		if inside(real(dir), at) != "" {
			return nil
		}
	}
	shown, rel := at, inside(real(p.root), at)
	if rel != "" {
		shown = rel
	}
	return p.each("files", "reading the file "+strconv.Quote(shown), shown, func(l *spec.Policy) bool {
		return slices.ContainsFunc(l.Files, func(n spec.Named) bool {
			if filepath.IsAbs(n.Name) {
				return globbed(filepath.ToSlash(n.Name), at)
			}
			return rel != "" && globbed(filepath.ToSlash(n.Name), rel) // never what is outside the project
		})
	})
}

// inside gives the path of a file below a folder, with slashes, or "" if it is not there.
func inside(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// globbed matches a path against a glob: ** is any number of folders.
func globbed(glob, name string) bool {
	name = filepath.ToSlash(name)
	return matched(strings.Split(strings.TrimPrefix(glob, "./"), "/"), strings.Split(name, "/"))
}

func matched(glob, name []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for i := range len(name) + 1 {
				if matched(glob[1:], name[i:]) {
					return len(glob) > 1 || len(name) > 0
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(glob[0], name[0]); err != nil || !ok {
			return false
		}
		glob, name = glob[1:], name[1:]
	}
	return len(name) == 0
}

// Program judges that a program is started, by the file that it really is: a name is looked up as whoever starts it will.
func (p *Policy) Program(name string) error {
	if p == nil {
		return nil
	}
	at, err := p.lookup(name)
	if err != nil {
		return &Denied{fmt.Sprintf("the program %q cannot be found, so no policy allows it", name), ""}
	}
	return p.each("programs", fmt.Sprintf("the program %q", at), at, func(l *spec.Policy) bool {
		return slices.ContainsFunc(l.Programs, func(n spec.Named) bool { return p.isProgram(n.Name, at) })
	})
}

func (p *Policy) isProgram(entry, at string) bool {
	if !strings.ContainsAny(entry, `/\`) { // a name: the program that the run's PATH has
		found, err := p.lookup(entry)
		return err == nil && found == at
	}
	if !filepath.IsAbs(entry) {
		rel := inside(real(p.root), at)
		return rel != "" && globbed(filepath.ToSlash(filepath.Clean(entry)), rel)
	}
	return real(entry) == at || globbed(entry, at)
}

// lookup finds a program and gives the file that it is.
func (p *Policy) lookup(name string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.root, filepath.FromSlash(name))
		}
		return filepath.EvalSymlinks(name)
	}
	for _, dir := range filepath.SplitList(p.path) {
		at := filepath.Join(dir, name)
		if !filepath.IsAbs(at) {
			continue
		}
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return filepath.EvalSymlinks(at)
		}
	}
	return "", exec.ErrNotFound
}
