package plan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/checkrow/checkrow/spec/diag"
)

// maxRead is how much of a file is read: one byte over the limit of DESIGN §14, so that the parser can refuse the file
// while a huge one costs nothing.
const maxRead = 4<<20 + 1

// source is one file to parse.
type source struct {
	name     string // as given by the user, cleaned, with slashes
	abs      string
	explicit bool   // named by itself, not found in a folder
	folder   string // the folder of the command line that it was found under
	lines    []int  // the lines of FILE:LINE; empty: the whole file
	err      error  // of reading
	src      []byte
}

// finder collects the files under the paths of the user, each once.
type finder struct {
	dir   string // relative paths start here
	over  map[string][]byte
	errs  *diag.List
	order []*source
	byAbs map[string]*source
}

// discover finds the files under paths in the order given; files of a folder come sorted.
func discover(paths []string, dir string, over map[string][]byte, l *diag.List) []*source {
	f := &finder{dir: dir, over: over, errs: l, byAbs: map[string]*source{}}
	for _, p := range paths {
		f.path(p)
	}
	return f.order
}

// path handles one argument: a file, FILE:LINE or a folder.
func (f *finder) path(arg string) {
	name, line := arg, 0
	if _, ok := f.over[f.abs(name)]; ok {
		f.add(clean(name), true, 0)
		return
	}
	info, err := os.Stat(f.abs(name))
	if err != nil {
		if file, n, ok := cutLine(arg); ok {
			name, line = file, n
			info, err = os.Stat(f.abs(name))
		}
	}
	name = clean(name)
	switch {
	case err != nil:
		f.missing(name, err)
	case info.IsDir() && line > 0:
		f.errs.Add(diag.Pos{File: name}, "is a folder; FILE:LINE needs a file", "")
	case info.IsDir():
		f.walk(name)
	default:
		f.add(name, true, line)
	}
}

// cutLine splits FILE:LINE and FILE:LINE:COL.
func cutLine(arg string) (file string, line int, ok bool) {
	file, tail, found := cutLast(arg)
	n, err := strconv.Atoi(tail)
	if !found || err != nil || n < 1 {
		return "", 0, false
	}
	if shorter, tail, found := cutLast(file); found {
		if m, err := strconv.Atoi(tail); err == nil && m > 0 {
			return shorter, m, true
		}
	}
	return file, n, true
}

func cutLast(s string) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func (f *finder) abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(f.dir, name)
}

func clean(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// add records a file; a second mention joins the first: whole file wins over lines.
func (f *finder) add(name string, explicit bool, line int) *source {
	abs := f.abs(name)
	if s := f.byAbs[abs]; s != nil {
		s.explicit = s.explicit || explicit
		if line == 0 {
			s.lines = nil
		} else if len(s.lines) > 0 {
			s.lines = append(s.lines, line)
		}
		return s
	}
	s := &source{name: clean(name), abs: abs, explicit: explicit}
	if line > 0 {
		s.lines = []int{line}
	}
	f.byAbs[abs] = s
	f.order = append(f.order, s)
	return s
}

// missing reports a path that matches nothing, with the nearest names beside it.
func (f *finder) missing(name string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		f.errs.Append(&diag.Error{Pos: diag.Pos{File: name}, Msg: "cannot be read: " + reason(err), Err: err})
		return
	}
	dir := filepath.Dir(f.abs(name))
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	rest, _ := filepath.Rel(dir, f.abs(name))
	first, deeper, _ := strings.Cut(filepath.ToSlash(rest), "/")
	entries, _ := os.ReadDir(dir)
	var near []string
	for _, e := range entries {
		if n := e.Name(); e.IsDir() || (deeper == "" && isYAML(n)) {
			near = append(near, n)
		}
	}
	prefix := strings.TrimSuffix(strings.TrimSuffix(name, rest), first)
	f.errs.Add(diag.Pos{File: name}, "there is no such file or folder", nearHint(first, near, func(n string) string {
		return clean(prefix + n)
	}))
}

// walk adds the YAML files under a folder. Hidden folders, node_modules and run folders are left out.
func (f *finder) walk(root string) {
	before := len(f.order)
	known := 0
	err := filepath.WalkDir(f.abs(root), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDir(p, d.Name(), p == f.abs(root))
		}
		if !isYAML(d.Name()) || strings.HasPrefix(d.Name(), ".") {
			return nil
		}
		rel, err := filepath.Rel(f.abs(root), p)
		if err != nil {
			return fmt.Errorf("placing %q: %w", p, err)
		}
		known++
		f.add(filepath.Join(root, rel), false, 0).folder = root
		return nil
	})
	if err != nil {
		f.errs.Append(&diag.Error{Pos: diag.Pos{File: root}, Msg: "cannot be read: " + reason(err), Err: err})
	}
	if known == 0 && len(f.order) == before && err == nil {
		f.errs.Add(diag.Pos{File: root}, "holds no YAML file", "name a suite, or a folder with suites")
	}
}

func skipDir(path, name string, top bool) error {
	if top {
		return nil
	}
	if strings.HasPrefix(name, ".") || name == "node_modules" {
		return filepath.SkipDir
	}
	if _, err := os.Lstat(filepath.Join(path, "journal.jsonl")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

func isYAML(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// read loads the text of a source, which an overlay may have.
func (s *source) read(overlay map[string][]byte) {
	if text, ok := overlay[s.abs]; ok {
		s.src = text
		return
	}
	file, err := os.Open(s.abs)
	if err != nil {
		s.err = err
		return
	}
	defer file.Close()
	size := int64(512)
	if info, err := file.Stat(); err == nil {
		size = min(info.Size(), maxRead)
	}
	buf := make([]byte, 0, size+1)
	for len(buf) < maxRead {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, min(cap(buf)+1, maxRead-len(buf)))
		}
		n, err := file.Read(buf[len(buf):min(cap(buf), maxRead)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			s.err = err
			return
		}
	}
	s.src = buf
}

// reason gives the cause of a path error without the path, which the position names already.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
