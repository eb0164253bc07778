package source

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/steps"
)

// The bounds of a look at the project. What is cut off is said as a limitation.
const (
	maxEntries = 50_000
	maxSize    = 1 << 20 // of a file that is read
	maxTime    = 3 * time.Second
)

// skipped are folders that hold no source (CONTRACT R69); hidden ones are skipped too.
var skipped = strings.Fields("node_modules dist build coverage out tmp temp vendor target __pycache__")

// coded are the suffixes of files in which components and URLs are looked for.
var coded = strings.Fields(".ts .tsx .js .jsx .mjs .cjs .vue .svelte .astro .html .htm .tmpl .go .py .rb .php .java .kt .cs .rs .ex")

// workspace is the list of the project's files, as far as it was looked at.
type workspace struct {
	root  string
	files []string // relative, with slashes
	read  int      // how many files may be read
	cut   string   // why the list is not whole, or ""
}

// openWorkspace lists the files below a folder: no links, nothing that .gitignore or the common folders of builds hide.
func openWorkspace(ctx context.Context, root string, read int) *workspace {
	w := &workspace{root: root, read: read}
	if root == "" {
		w.cut = "there is no project folder"
		return w
	}
	limit := time.Now().Add(maxTime)
	entries := 0
	rules := map[string]*ignore{}
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case entries > maxEntries || time.Now().After(limit):
			w.cut = "the project has more files than were looked at"
			return fs.SkipAll
		}
		rel, err := filepath.Rel(root, full)
		if err != nil {
			return nil //nolint:nilerr // it cannot be named, so it is no candidate
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(skipped, d.Name()) || ignored(rules, rel, true)) {
				return fs.SkipDir
			}
			rules[rel] = readIgnore(filepath.Join(full, ".gitignore"))
			return nil
		}
		if d.Type().IsRegular() && !ignored(rules, rel, false) { // a link is neither followed nor read
			w.files = append(w.files, rel)
		}
		return nil
	})
	if err != nil && w.cut == "" {
		w.cut = "the project could not be looked at: " + err.Error()
	}
	return w
}

func (w *workspace) limits() []string {
	if w.cut == "" {
		return nil
	}
	return []string{w.cut}
}

// file finds the file of the project that a path or URL means: the one that has most of its last parts. Two that fit
// equally well are none.
func (w *workspace) file(p string) (string, bool) {
	p = cleanPath(p)
	if p == "" || !strings.Contains(path.Base(p), ".") {
		return "", false
	}
	best, most, tie := "", 0, false
	parts := strings.Split(p, "/")
	for _, f := range w.files {
		if path.Base(f) != parts[len(parts)-1] {
			continue
		}
		n := common(parts, strings.Split(f, "/"))
		switch {
		case f == p:
			return f, true
		case n > most:
			best, most, tie = f, n, false
		case n == most:
			tie = true
		}
	}
	if most < min(2, len(parts)) || tie && best != p { // the name alone is too little
		return "", false
	}
	return best, true
}

// common counts the last parts that two paths share.
func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

var scheme = regexp.MustCompile(`^[a-z-]+://[^/]*/`)

// cleanPath makes a path of what names a file: a URL, webpack://app/./src/a.ts?1234, ../src/a.ts.
func cleanPath(p string) string {
	p, _, _ = strings.Cut(p, "?")
	p, _, _ = strings.Cut(p, "#")
	p = scheme.ReplaceAllString(strings.ReplaceAll(p, `\`, "/"), "")
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	return p
}

// content reads a file that is not too large, through no link.
func (w *workspace) content(rel string) ([]byte, bool) {
	root, err := os.OpenRoot(w.root)
	if err != nil {
		return nil, false
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(rel))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, false
	}
	text, err := root.ReadFile(filepath.FromSlash(rel))
	return text, err == nil
}

// scan reads the files with the given suffixes until found says that it has enough.
func (w *workspace) scan(ctx context.Context, suffixes []string, found func(file string, text []byte) bool) (limits []string) {
	n, limit := 0, time.Now().Add(maxTime)
	for _, f := range w.files {
		if !slices.Contains(suffixes, strings.ToLower(path.Ext(f))) {
			continue
		}
		if n++; n > w.read {
			return []string{"only " + strconv.Itoa(w.read) + " files were read (max_workspace_files)"}
		}
		if ctx.Err() != nil || time.Now().After(limit) {
			return []string{"the time for the search was over"}
		}
		if text, ok := w.content(f); ok && found(f, text) {
			return nil
		}
	}
	return nil
}

// components finds where a component is declared (CONTRACT R69).
func (w *workspace) components(ctx context.Context, name string) (hits []candidate, limits []string) {
	n := regexp.QuoteMeta(name)
	form, err := regexp.Compile(`(?m)\b(?:function|class)\s+` + n + `\b|\b(?:const|let|var)\s+` + n + `\s*(?::[^=\n]+)?=|\bexport\s+default\s+function\s+` + n + `\b`)
	if err != nil {
		return nil, nil
	}
	limits = w.scan(ctx, []string{".ts", ".tsx", ".js", ".jsx"}, func(file string, text []byte) bool {
		if at := form.FindIndex(text); at != nil {
			line, column := lineOf(text, at[0])
			hits = append(hits, candidate{file, line, column, low, "workspace", "declares " + name, name})
		}
		return len(hits) >= maxHits
	})
	return hits, limits
}

// literals finds where the project writes one of some texts. Longer ones come first.
func (w *workspace) literals(ctx context.Context, needles []string) (hits []candidate, limits []string) {
	var list []string
	for _, n := range needles {
		if n = strings.TrimSpace(n); len(n) > 1 && !slices.Contains(list, n) && len(list) < maxNeedles {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	limits = w.scan(ctx, coded, func(file string, text []byte) bool {
		for _, n := range list {
			if at := strings.Index(string(text), n); at >= 0 {
				line, column := lineOf(text, at)
				hits = append(hits, candidate{file, line, column, low, "workspace", "names " + Redacted(n), ""})
				break
			}
		}
		return len(hits) >= maxHits
	})
	return hits, limits
}

// lineOf gives the place of an offset, 1-based.
func lineOf(text []byte, at int) (line, column int) {
	before := string(text[:at])
	return strings.Count(before, "\n") + 1, at - strings.LastIndexByte(before, '\n')
}

var (
	fileMark   = regexp.MustCompile(`\bdata-(?:source-file|file|component-file|source)="([^"]+)"`)
	lineMark   = regexp.MustCompile(`\bdata-(?:source-|file-|component-)?line="(\d+)"`)
	columnMark = regexp.MustCompile(`\bdata-(?:source-|file-|component-)?column="(\d+)"`)
	tail       = regexp.MustCompile(`^(.*?):(\d+)(?::(\d+))?$`)
)

// inMarkup reads what development builds leave in the markup of an element and of those around it, nearest first, and
// the files that its markup names.
func (w *workspace) inMarkup(html string, ancestors any) []candidate {
	var out []candidate
	tags := []string{html}
	list, _ := ancestors.([]any)
	for _, x := range list {
		tags = append(tags, text(x))
	}
	for i, tag := range tags {
		own, _, _ := strings.Cut(tag, ">")
		m := fileMark.FindStringSubmatch(own)
		if m == nil {
			continue
		}
		c := candidate{file: m[1], confidence: medium, kind: "dom", evidence: "attribute of the element"}
		if i > 0 {
			c.evidence = "attribute of an element around it"
		}
		if t := tail.FindStringSubmatch(c.file); t != nil {
			c.file, c.line, c.column = t[1], digits(t[2]), digits(t[3])
		}
		if n := lineMark.FindStringSubmatch(own); n != nil {
			c.line = digits(n[1])
		}
		if n := columnMark.FindStringSubmatch(own); n != nil {
			c.column = digits(n[1])
		}
		out = append(out, w.known(c))
	}
	for _, p := range inWords(html) {
		out = append(out, w.known(candidate{p.URL, p.Line, p.Column, medium, "dom", "named in its markup", ""}))
	}
	return out
}

// known gives a candidate the path that its file has in the project, if it is there.
func (w *workspace) known(c candidate) candidate {
	if f, ok := w.file(c.file); ok {
		c.file = f
	}
	return c
}

// place finds the file of the project for a place in a script: through its source map if it has one, else by its path.
func (w *workspace) place(ctx context.Context, maps *maps, p steps.Place) (candidate, bool) {
	c := candidate{file: p.URL, line: p.Line, column: p.Column, confidence: medium, kind: "initiator", evidence: "initiator"}
	if file, line, column, ok := maps.original(ctx, p); ok {
		if f, has := w.file(file); has {
			return candidate{f, line, column, medium, "initiator", "initiator, through its source map", ""}, true
		}
	}
	f, ok := w.file(p.URL)
	c.file = f
	return c, ok
}

func digits(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
