package plan

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// fragments caches the fragments of a load: a file that many suites use is read and parsed once.
type fragments struct {
	mu    sync.Mutex
	byAbs map[string]*fragment
}

type fragment struct {
	once sync.Once
	file *spec.Fragment
	errs diag.List
	why  string // why there is none, for the place that uses it

	missing bool // it cannot be read
}

// fragment gives the fragment that a `use` names. Its own errors come with those of each suite that uses it.
func (c *compiler) fragment(path spec.Node, l *diag.List) *spec.Fragment {
	text, ok := path.Text()
	if !ok || text == "" {
		l.Add(path.Pos(), "use takes the path of a fragment", "")
		return nil
	}
	says := path.Pos().File
	abs := c.abs(text)
	name := clean(text)
	if !filepath.IsAbs(text) {
		abs = filepath.Join(filepath.Dir(c.abs(says)), text)
		name = clean(filepath.Join(filepath.Dir(says), text))
	}
	c.frags.mu.Lock()
	f := c.frags.byAbs[abs]
	if f == nil {
		f = &fragment{}
		c.frags.byAbs[abs] = f
	}
	c.frags.mu.Unlock()
	f.once.Do(func() { f.load(name, abs, c.o.Overlay) })
	if f.why != "" {
		hint := ""
		if f.missing {
			hint = besideHint(abs, text)
		}
		l.AddWide(path.Pos(), len([]rune(text)), `fragment "`+text+`" `+f.why, hint)
		return nil
	}
	for _, e := range f.errs.All() {
		l.Append(e)
	}
	return f.file
}

func (f *fragment) load(name, abs string, overlay map[string][]byte) {
	s := &source{name: name, abs: abs}
	s.read(overlay)
	if s.err != nil {
		f.why, f.missing = "cannot be read: "+reason(s.err), true
		return
	}
	got := spec.Parse(name, s.src, &f.errs)
	switch {
	case got.Suite != nil:
		f.why = "is a suite: a fragment starts with \"fragment: NAME\""
	case got.Fragment == nil && f.errs.Len() == 0:
		f.why = "is no fragment: it has no \"fragment\" key"
	}
	f.file = got.Fragment
}

// besideHint offers the files beside a missing one.
func besideHint(abs, text string) string {
	entries, err := os.ReadDir(filepath.Dir(abs))
	if err != nil {
		return "the folder " + filepath.ToSlash(filepath.Dir(text)) + " is not there"
	}
	var names []string
	for _, e := range entries {
		if isYAML(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return nearHint(filepath.Base(abs), names, func(n string) string {
		at := filepath.ToSlash(filepath.Join(filepath.Dir(text), n))
		if len(text) > 1 && text[0] == '.' && text[1] == '/' {
			at = "./" + at
		}
		return at
	})
}

// digests lists the fragments that were read.
func (f *fragments) digests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, x := range f.byAbs {
		if x.file != nil {
			out = append(out, "fragment "+x.file.File+" "+x.file.SHA256)
		}
	}
	return out
}

// abs resolves a name as the user gave it.
func (c *compiler) abs(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.o.Dir, name)
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}
