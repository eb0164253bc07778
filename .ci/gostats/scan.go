package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// scan walks the module and measures every Go file outside vendored,
// hidden and fixture folders; nested modules are left out.
func (r *report) scan() error {
	mod, err := os.ReadFile(filepath.Join(*root, "go.mod"))
	if err != nil {
		return err
	}
	m := regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`).FindSubmatch(mod)
	if m == nil {
		return fmt.Errorf("%s: no module line", filepath.Join(*root, "go.mod"))
	}
	r.module = string(m[1])
	return filepath.WalkDir(*root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(*root, p)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			return r.enter(p, rel, d.Name())
		}
		r.fixture(rel)
		if strings.HasSuffix(p, ".go") && !strings.Contains(rel, "testdata/") {
			return r.file(p, rel)
		}
		return nil
	})
}

func (r *report) enter(p, rel, base string) error {
	if rel == "." {
		return nil
	}
	if base == "vendor" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	if *skip != "" && under(rel, *skip) {
		return filepath.SkipDir
	}
	return nil
}

// fixture counts the golden and txtar files that tests read.
func (r *report) fixture(rel string) {
	if !selected(path.Dir(rel)) {
		return
	}
	switch ext := path.Ext(rel); {
	case strings.Contains(path.Base(rel), ".golden"):
		r.count["golden files"]++
	case ext == ".txtar", ext == ".txt" && strings.Contains(rel, "testdata/"):
		r.count["txtar/txt fixtures"]++
	}
}

func (r *report) file(p, rel string) error {
	src, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	if generated.Match(src) {
		if selected(path.Dir(rel)) {
			r.count["generated files (left out)"]++
		}
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, rel, src, parser.ParseComments)
	if err != nil {
		log.Printf("gostats: skipping %v", err)
		return nil
	}
	dir, n := path.Dir(rel), bytes.Count(src, []byte("\n"))
	pk := r.all[dir]
	if pk == nil {
		pk = &pkg{dir: dir, imports: map[string]bool{}, external: map[string]bool{}}
		r.all[dir] = pk
		if selected(dir) {
			r.pkgs[dir] = pk
		}
	}
	if strings.HasSuffix(rel, "_test.go") {
		pk.tests++
		pk.testLine += n
		if selected(dir) {
			r.testFiles = append(r.testFiles, span{rel, n})
			r.testHabits(f)
		}
		return nil
	}
	pk.name = f.Name.Name
	pk.files++
	pk.lines += n
	pk.doc = pk.doc || f.Doc != nil
	for _, imp := range f.Imports {
		ip, _ := strconv.Unquote(imp.Path.Value)
		if rest, ok := strings.CutPrefix(ip+"/", r.module+"/"); ok {
			pk.imports[strings.TrimSuffix(cmp.Or(rest, "./"), "/")] = true
		} else if strings.Contains(strings.SplitN(ip, "/", 2)[0], ".") {
			pk.external[ip] = true
		}
	}
	if selected(dir) {
		r.files = append(r.files, span{rel, n})
		r.codeLines += n
		r.measure(fset, f, rel)
	}
	return nil
}

func (r *report) testHabits(f *ast.File) {
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil {
			continue
		}
		for _, kind := range []string{"Test", "Fuzz", "Benchmark", "Example"} {
			if strings.HasPrefix(fd.Name.Name, kind) {
				r.count[kind+" functions"]++
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fn := call.Fun.(type) {
		case *ast.SelectorExpr:
			if fn.Sel.Name == "Parallel" {
				r.count["t.Parallel calls"]++
			}
			if fn.Sel.Name == "Run" && len(call.Args) == 2 {
				if _, ok := call.Args[1].(*ast.FuncLit); ok {
					r.count["t.Run subtests"]++
				}
			}
		case *ast.Ident:
			if slices.Contains([]string{"Describe", "Context", "When", "It", "DescribeTable", "Entry"}, fn.Name) {
				r.count["ginkgo "+fn.Name]++
			}
		}
		return true
	})
}
