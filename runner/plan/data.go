package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// datas caches the files that each names: one that many suites read is read and parsed once.
type datas struct {
	mu    sync.Mutex
	byAbs map[string]*dataFile
}

type dataFile struct {
	once sync.Once
	name string
	sum  string
	rows []spec.DataRow
	typ  spec.Type
	src  []byte
	errs diag.List
	why  string // why it cannot be read, for the place that names it
}

// dataFile gives the rows of the file that an each names; nil if there are none, which is reported.
func (c *compiler) dataFile(path spec.Node, l *diag.List) *dataFile {
	text, _ := path.Text()
	says := path.Pos().File
	abs, name := c.abs(text), clean(text)
	if !filepath.IsAbs(text) {
		abs = filepath.Join(filepath.Dir(c.abs(says)), text)
		name = clean(filepath.Join(filepath.Dir(says), text))
	}
	c.data.mu.Lock()
	d := c.data.byAbs[abs]
	if d == nil {
		d = &dataFile{name: name}
		c.data.byAbs[abs] = d
	}
	c.data.mu.Unlock()
	d.once.Do(func() { d.load(abs) })
	if d.why != "" {
		l.AddWide(path.Pos(), path.Width(), `the data "`+text+`" `+d.why, besideData(abs, text))
		return nil
	}
	for _, e := range d.errs.All() {
		l.Append(e)
	}
	if len(d.rows) == 0 || d.errs.Len() > 0 {
		return nil
	}
	return d
}

func (d *dataFile) load(abs string) {
	info, err := os.Stat(abs)
	if err == nil && !info.Mode().IsRegular() {
		d.why = "is no file"
		return
	}
	if err == nil && info.Size() > spec.MaxDataBytes {
		d.errs.Add(diag.Pos{File: d.name}, "is larger than 10 MB", "")
		return
	}
	if err == nil {
		d.src, err = os.ReadFile(abs)
	}
	if err != nil {
		d.why = "cannot be read: " + reason(err)
		return
	}
	sum := sha256.Sum256(d.src)
	d.sum = hex.EncodeToString(sum[:])
	d.rows = spec.ParseData(d.name, d.src, &d.errs)
	d.typ = rowType(d.rows)
}

// rowType is what each is: a key that not every row has may be absent.
func rowType(rows []spec.DataRow) spec.Type {
	var out spec.Type
	for i, r := range rows {
		t := spec.TypeOf(r.Value)
		if i == 0 {
			out = t
		} else if !sameFields(out, t) {
			out = spec.Unify(out, t)
		}
	}
	return out
}

// sameFields tells that a row adds nothing to what is known: the rows of a CSV file are all of one type.
func sameFields(a, b spec.Type) bool {
	if a.Base != b.Base || len(a.Fields) != len(b.Fields) {
		return false
	}
	for name, f := range a.Fields {
		g, ok := b.Fields[name]
		if !ok || f.Base != g.Base || f.Base >= spec.List {
			return false
		}
	}
	return a.Base < spec.List || a.Base == spec.Struct
}

// besideData offers the data files beside a missing one.
func besideData(abs, text string) string {
	entries, err := os.ReadDir(filepath.Dir(abs))
	if err != nil {
		return "the folder " + filepath.ToSlash(filepath.Dir(text)) + " is not there"
	}
	var names []string
	for _, e := range entries {
		if slices.Contains(spec.DataFormats, strings.ToLower(filepath.Ext(e.Name()))) {
			names = append(names, e.Name())
		}
	}
	return nearHint(filepath.Base(abs), names, func(n string) string {
		return filepath.ToSlash(filepath.Join(filepath.Dir(text), n))
	})
}

// digests lists the data files that were read.
func (d *datas) digests() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, x := range d.byAbs {
		if x.sum != "" {
			out = append(out, "data "+x.name+" "+x.sum)
		}
	}
	return out
}

// has tells that a file was read as data.
func (d *datas) has(abs string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byAbs[abs] != nil
}
