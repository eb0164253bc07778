package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// measure records functions, docs and smells of one non-test file.
func (r *report) measure(fset *token.FileSet, f *ast.File, rel string) {
	line := func(p token.Pos) int { return fset.Position(p).Line }
	at := func(p token.Pos, s string) string { return fmt.Sprintf("%s:%d %s", rel, line(p), s) }
	for _, cg := range f.Comments {
		r.comments += line(cg.End()) - line(cg.Pos()) + 1
		for _, c := range cg.List {
			if strings.Contains(c.Text, "TODO") || strings.Contains(c.Text, "FIXME") {
				r.count["TODO/FIXME"]++
			}
			if strings.HasPrefix(c.Text, "//nolint") {
				r.count["//nolint"]++
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name, pub := d.Name.Name, d.Name.IsExported()
			if recv := receiver(d); recv != "" {
				name, pub = recv+"."+name, pub && ast.IsExported(recv)
			}
			r.funcs = append(r.funcs, span{at(d.Pos(), name), line(d.End()) - line(d.Pos()) + 1})
			if pub && f.Name.Name != "main" && !wellKnown[d.Name.Name] {
				r.docs(d.Name.Name, at(d.Pos(), name), d.Doc, nil)
			}
			if d.Name.Name == "init" && d.Recv == nil {
				r.note(initFunc, at(d.Pos(), "init"))
			}
			r.params(d, at)
		case *ast.GenDecl:
			r.gen(d, f.Name.Name, at)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			r.call(call, f.Name.Name, at)
		}
		return true
	})
}

func (r *report) gen(d *ast.GenDecl, pkgName string, at func(token.Pos, string) string) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			doc := s.Doc
			if doc == nil && len(d.Specs) == 1 {
				doc = d.Doc
			}
			if s.Name.IsExported() && pkgName != "main" {
				r.docs(s.Name.Name, at(s.Pos(), s.Name.Name), doc, s.Comment)
			}
			switch t := s.Type.(type) {
			case *ast.InterfaceType:
				r.count["interfaces"]++
				r.ifaces = append(r.ifaces, span{at(s.Pos(), s.Name.Name), len(t.Methods.List)})
			case *ast.StructType:
				for _, fd := range t.Fields.List {
					if isContext(fd.Type) {
						r.note(ctxInStruct, at(fd.Pos(), s.Name.Name))
					}
				}
			}
		case *ast.ValueSpec:
			if d.Tok == token.VAR {
				r.count["package-level vars"]++
			}
			for _, id := range s.Names {
				if id.IsExported() && pkgName != "main" {
					r.exported++
					if d.Doc == nil && s.Doc == nil && s.Comment == nil {
						r.undoc = append(r.undoc, at(id.Pos(), id.Name))
					}
				}
			}
		}
	}
}

// docs counts an exported identifier, and whether its comment starts with it.
func (r *report) docs(name, where string, doc, trailing *ast.CommentGroup) {
	r.exported++
	if doc == nil && trailing == nil {
		r.undoc = append(r.undoc, where)
		return
	}
	if doc == nil {
		return
	}
	words := strings.Fields(doc.Text())
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || strings.Trim(words[0], "[]*.,:'") != name && words[0] != "Deprecated:" {
		r.misnamed = append(r.misnamed, where)
	}
}

func (r *report) params(d *ast.FuncDecl, at func(token.Pos, string) string) {
	n := 0
	for i, p := range d.Type.Params.List {
		if isContext(p.Type) && i > 0 && !strings.HasPrefix(d.Name.Name, "Test") {
			r.note(ctxNotFirst, at(d.Pos(), d.Name.Name))
		}
		n += max(1, len(p.Names))
	}
	if n > 6 {
		r.note("functions with more than 6 parameters", at(d.Pos(), d.Name.Name))
	}
}

func (r *report) call(c *ast.CallExpr, pkgName string, at func(token.Pos, string) string) {
	switch fn := c.Fun.(type) {
	case *ast.Ident:
		if fn.Name == "panic" {
			r.note("panic calls", at(c.Pos(), "panic"))
		}
	case *ast.SelectorExpr:
		x, ok := fn.X.(*ast.Ident)
		if !ok {
			return
		}
		switch x.Name + "." + fn.Sel.Name {
		case "os.Exit", "log.Fatal", "log.Fatalf":
			if pkgName != "main" {
				r.note(exitOutsideMain, at(c.Pos(), "exit"))
			}
		case "fmt.Print", "fmt.Println", "fmt.Printf":
			if pkgName != "main" {
				r.note(printOutsideMain, at(c.Pos(), "print"))
			}
		case "fmt.Errorf":
			if lit, ok := c.Args[0].(*ast.BasicLit); ok && len(c.Args) > 1 {
				last, _ := c.Args[len(c.Args)-1].(*ast.Ident)
				switch {
				case strings.Contains(lit.Value, "%w"):
					r.count["fmt.Errorf with %w"]++
				case last != nil && strings.HasPrefix(last.Name, "err"):
					r.note(dropsChain, at(c.Pos(), "Errorf"))
				}
			}
		}
	}
}

// gated smells fail the build under -gate; the others are only counted.
var gated = []string{ctxInStruct, ctxNotFirst, dropsChain, exitOutsideMain, printOutsideMain, initFunc}

const (
	ctxInStruct      = "context.Context kept in a struct"
	ctxNotFirst      = "context.Context not the first parameter"
	dropsChain       = "fmt.Errorf that drops the chain (err without %w)"
	exitOutsideMain  = "os.Exit/log.Fatal outside package main"
	printOutsideMain = "fmt.Print* outside package main"
	initFunc         = "init functions"
)

func (r *report) note(kind, where string) { r.notes[kind] = append(r.notes[kind], where) }

// wellKnown methods need no doc comment: their interface documents them.
var wellKnown = map[string]bool{
	"Error": true, "Unwrap": true, "String": true, "Read": true, "Write": true, "ServeHTTP": true,
	"Len": true, "Less": true, "Swap": true,
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func isContext(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Context" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && (x.Name == "context" || x.Name == "stdctx")
}
