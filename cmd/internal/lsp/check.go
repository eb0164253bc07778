package lsp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// checked is what a check found, by the absolute path of the file that it is in.
type checked struct {
	docs  []*document // that were checked
	found map[string][]*diag.Error
}

// stale makes every open file due at a time: one may use the other.
func (s *server) stale(at time.Time) {
	for _, d := range s.docs {
		d.dirty = at
	}
}

// due tells that a file is to be checked now, and else how long it is until one is; 0: none is.
func (s *server) due(now time.Time) (due bool, wait time.Duration) {
	for _, d := range s.docs {
		if d.dirty.IsZero() {
			continue
		}
		left := d.dirty.Sub(now)
		if left <= 0 {
			return true, 0
		}
		if wait == 0 || left < wait {
			wait = left
		}
	}
	return false, wait
}

// check begins to check the open files, on copies of their texts. Its result comes by s.checked; there is one at a time.
func (s *server) check(ctx context.Context) {
	o := s.o.Plan
	o.Overlay = map[string][]byte{}
	var docs []*document
	for _, uri := range slices.Sorted(maps.Keys(s.docs)) {
		d := s.docs[uri]
		d.dirty = time.Time{}
		if d.path == "" || d.kind() == foreign {
			docs = append(docs, &document{uri: d.uri, path: d.path})
			continue
		}
		o.Overlay[d.path] = []byte(d.text)
		copied := *d
		docs = append(docs, &copied)
	}
	s.busy = true
	go func() {
		c := checked{docs: docs, found: map[string][]*diag.Error{}}
		defer func() {
			if p := recover(); p != nil {
				_, _ = fmt.Fprintf(s.o.Log, "checking failed: %v\n", p)
			}
			s.checked <- c
		}()
		for _, d := range docs {
			if ctx.Err() == nil && d.text != "" {
				c.add(d, o)
			}
		}
	}()
}

// add checks one file.
func (c checked) add(d *document, o plan.Options) {
	var l diag.List
	o.Dir = filepath.Dir(d.path)
	only := ""
	switch d.kind() {
	case projectFile:
		spec.ParseProject(d.path, []byte(d.text), &l)
	case fragmentFile:
		only = d.path
		user := filepath.Join(o.Dir, ".checkrow-lsp.yaml")
		o.Overlay = maps.Clone(o.Overlay)
		o.Overlay[user] = caller(d)
		plan.Load([]string{user}, o, &l)
	default:
		plan.Load([]string{d.path}, o, &l)
	}
	for _, e := range l.All() {
		file := e.Pos.File
		if file == "" {
			file = d.path
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(o.Dir, filepath.FromSlash(file))
		}
		same := func(x *diag.Error) bool { return x.Pos.Line == e.Pos.Line && x.Pos.Col == e.Pos.Col && x.Msg == e.Msg }
		if only != "" && file != only || slices.ContainsFunc(c.found[file], same) { // a fragment comes with each suite that uses it
			continue
		}
		c.found[file] = append(c.found[file], e)
	}
}

// samples are values of the types of inputs.
var samples = map[string]string{"string": "x", "int": "1", "float": "1.5", "bool": "true", "list": "[]", "map": "{}", "any": "x"}

// caller is a suite that uses a fragment: what a fragment does is checked where it is used.
func caller(d *document) []byte {
	var l diag.List
	var with []string
	if f := spec.Parse(d.path, []byte(d.text), &l).Fragment; f != nil {
		for _, in := range f.Inputs {
			if in.Default.IsZero() {
				with = append(with, in.Name+": "+samples[in.Type])
			}
		}
	}
	out := "suite: lsp\ntests:\n  - name: lsp\n    steps:\n      - use: " + strconv.Quote("./"+filepath.Base(d.path)) + "\n"
	if len(with) > 0 {
		out += "        with: { " + strings.Join(with, ", ") + " }\n"
	}
	return []byte(out)
}

// diagnostic is one as the protocol has it.
type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

// publish tells the editor what a check found, and of which files there is nothing any more. Places are looked up in the
// text that was checked; a file that has changed meanwhile is checked again soon.
func (s *server) publish(c checked) error {
	texts, byURI := map[string]*document{}, map[string][]*diag.Error{}
	for _, d := range c.docs {
		texts[d.uri], byURI[d.uri] = d, nil
	}
	for uri := range s.told {
		byURI[uri] = nil
	}
	for file, list := range c.found {
		uri := s.uri(file)
		if _, was := texts[uri]; was && s.docs[uri] == nil { // it was closed
			continue
		}
		if texts[uri] == nil {
			texts[uri] = onDisk(uri)
		}
		byURI[uri] = list
	}
	for _, uri := range slices.Sorted(maps.Keys(byURI)) {
		list := byURI[uri]
		params := map[string]any{"uri": uri, "diagnostics": diagnostics(texts[uri], list)}
		if d := texts[uri]; d != nil && s.docs[uri] != nil {
			params["version"] = d.version
		}
		if err := s.notify("textDocument/publishDiagnostics", params); err != nil {
			return err
		}
		if s.told[uri] = len(list) > 0; !s.told[uri] {
			delete(s.told, uri)
		}
	}
	return nil
}

// diagnostics spells what was found in a file.
func diagnostics(d *document, list []*diag.Error) []diagnostic {
	out := make([]diagnostic, 0, len(list))
	for _, e := range list {
		x := diagnostic{Range: d.spanOf(e.Pos, e.Width), Severity: 1, Source: "checkrow", Message: e.Msg}
		if e.Hint != "" {
			x.Message += "\n" + e.Hint
		}
		if e.Severity == diag.Lint {
			x.Severity = 2
		}
		out = append(out, x)
	}
	return out
}

// uri is that of an open file, as its editor spells it, or of the path.
func (s *server) uri(file string) string {
	for uri, d := range s.docs {
		if d.path == file {
			return uri
		}
	}
	return uriOf(file)
}

// onDisk is a file that is not open, such as a fragment with errors. Without its text all is told of its first column.
func onDisk(uri string) *document {
	d := &document{uri: uri, path: pathOf(uri)}
	if info, err := os.Stat(d.path); err == nil && info.Mode().IsRegular() && info.Size() <= maxFile {
		if text, err := os.ReadFile(d.path); err == nil {
			d.change(0, string(text))
		}
	}
	return d
}

// maxFile is how large a file is read to look a place up.
const maxFile = 4 << 20

// forget takes the diagnostics of a closed file away and has the others checked again.
func (s *server) forget(uri string) error {
	s.stale(time.Now())
	if !s.told[uri] {
		return nil
	}
	delete(s.told, uri)
	return s.notify("textDocument/publishDiagnostics", map[string]any{"uri": uri, "diagnostics": []diagnostic{}})
}
