package manual_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/gomega"
)

// module is the root of the checkout, seen from this folder.
var module = filepath.Join("..", "..", "..")

// usedSubs reads the sources of steps and runner and gives every sub that a failure there can have, with a place. What
// is put together when it runs is not found: see composed.
func usedSubs() map[string]string {
	packages := map[string][]*ast.File{}
	fset := token.NewFileSet()
	for _, top := range []string{"steps", "runner"} {
		err := filepath.WalkDir(filepath.Join(module, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err == nil {
				packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], f)
			}
			return err
		})
		Expect(err).NotTo(HaveOccurred())
	}
	found := map[string]string{}
	consts := map[string]map[string]string{}
	for dir, files := range packages {
		consts[dir] = constants(files)
	}
	steps := consts[filepath.Join(module, "steps")]
	for dir, files := range packages {
		s := &subScan{fset: fset, consts: consts[dir], steps: steps, found: found}
		for _, f := range files {
			ast.Inspect(f, s.node)
		}
		for name, value := range consts[dir] {
			if strings.HasPrefix(name, "sub") && !strings.Contains(value, " ") {
				found[value] = dir + ": " + name
			}
		}
	}
	return found
}

// constants are the text constants of a package.
func constants(files []*ast.File) map[string]string {
	out := map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i < len(v.Values) {
						if text, ok := literal(v.Values[i]); ok {
							out[name.Name] = text
						}
					}
				}
			}
		}
	}
	return out
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

type subScan struct {
	fset          *token.FileSet
	consts, steps map[string]string
	found         map[string]string
}

// text is the value of a constant text.
func (s *subScan) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literal(e)
	case *ast.Ident:
		text, ok := s.consts[e.Name]
		return text, ok
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "steps" {
			text, ok := s.steps[e.Sel.Name]
			return text, ok
		}
	}
	return "", false
}

func (s *subScan) add(e ast.Expr) {
	if text, ok := s.text(e); ok && text != "" {
		s.found[text] = s.fset.Position(e.Pos()).String()
	}
}

// node finds calls that begin with a category, and what is assigned to Sub.
func (s *subScan) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "acting" && len(n.Args) > 0 {
			s.add(n.Args[0])
		}
		for i := range len(n.Args) - 1 {
			if _, ok := s.category(n.Args[i]); ok {
				s.add(n.Args[i+1])
			}
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if sel, ok := l.(*ast.SelectorExpr); ok && sel.Sel.Name == "Sub" && len(n.Rhs) == len(n.Lhs) {
				s.add(n.Rhs[i])
			}
			if id, ok := l.(*ast.Ident); ok && id.Name == "sub" && len(n.Rhs) == len(n.Lhs) {
				s.add(n.Rhs[i])
			}
		}
	case *ast.CompositeLit: // Limit{"test", …}: the sub is test-limit
		if t, ok := n.Type.(*ast.Ident); ok && t.Name == "Limit" && len(n.Elts) == 2 {
			if what, ok := s.text(n.Elts[0]); ok && !strings.Contains(what, " ") && what != "evidence" {
				s.found[what+"-limit"] = s.fset.Position(n.Pos()).String()
			}
		}
	case *ast.KeyValueExpr:
		if k, ok := n.Key.(*ast.Ident); ok && (k.Name == "Sub" || k.Name == "sub") {
			s.add(n.Value)
		}
	}
	return true
}

// category tells that an expression is a category: steps.Assertion, or a constant of it inside the package.
func (s *subScan) category(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "steps" {
			return e.Sel.Name, slices.Contains(categoryNames, e.Sel.Name)
		}
	case *ast.Ident:
		return e.Name, slices.Contains(categoryNames, e.Name)
	}
	return "", false
}

// categoryNames are the names of the constants of steps.Category.
var categoryNames = []string{"Assertion", "NotFound", "NotActionable", "StaleRef", "DialogBlocked", "Timeout", "Crash", "ArtifactBad",
	"Navigation", "Process", "HTTP", "Health", "Setup", "PolicyDenied", "Validation", "Environment", "Interrupted", "Internal"}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
