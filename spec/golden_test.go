package spec_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// Each archive in testdata is one wrong file: a sentence on what it shows, the input (its name ends in .yaml), and
// want.err, the rendered diagnostics. CHECKROW_GOLDEN=1 rewrites want.err.
var _ = Describe("wrong files", func() {
	archives, _ := filepath.Glob("testdata/*.txtar")
	It("are more than thirty", func() { Expect(len(archives)).To(BeNumerically(">=", 30)) })
	for _, path := range archives {
		It(strings.TrimSuffix(filepath.Base(path), ".txtar"), func() {
			archive, err := txtar.ParseFile(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(archive.Comment)).NotTo(BeEmpty())
			input := archive.Files[0]
			got := render(input.Name, input.Data)
			if os.Getenv("CHECKROW_GOLDEN") == "1" {
				archive.Files = append(archive.Files[:1:1], txtar.File{Name: "want.err", Data: []byte(got)})
				Expect(os.WriteFile(path, txtar.Format(archive), 0o644)).To(Succeed())
				return
			}
			Expect(archive.Files).To(HaveLen(2))
			Expect(got).To(Equal(string(archive.Files[1].Data)))
			for _, internal := range []string{"*ast.", "[]string", "!!str", "goccy", "token.", "map[", "interface"} {
				Expect(got).NotTo(ContainSubstring(internal))
			}
		})
		It("can be mended by pasting: "+strings.TrimSuffix(filepath.Base(path), ".txtar"), func() {
			archive, err := txtar.ParseFile(path)
			Expect(err).NotTo(HaveOccurred())
			src := archive.Files[0].Data
			for _, e := range diagnose("suite.yaml", src) {
				line, ok := strings.CutPrefix(e.Hint, "write: ")
				if !ok {
					continue
				}
				lines := strings.Split(string(src), "\n")
				old := lines[e.Pos.Line-1]
				lines[e.Pos.Line-1] = old[:len(old)-len(strings.TrimLeft(old, " "))] + line
				for _, after := range diagnose("suite.yaml", []byte(strings.Join(lines, "\n"))) {
					Expect(after.Pos.Line != e.Pos.Line || after.Msg != e.Msg).To(BeTrue(), "%v stays after pasting", e)
				}
			}
		})
	}
})

// diagnose gives what is wrong with a file.
func diagnose(file string, src []byte) []*diag.Error {
	var l diag.List
	parsed := spec.Parse(file, src, &l)
	if parsed.Suite != nil {
		compileAll(parsed.Suite, &l)
	}
	return l.All()
}

// render reads a file, compiles every expression and text in it that a suite compiles, and draws what is wrong.
func render(file string, src []byte) string {
	var out bytes.Buffer
	Expect(diag.Render(&out, diagnose(file, src), func(string) []byte { return src }, diag.Style{})).To(Succeed())
	return out.String()
}

// compileAll compiles what stands in the steps of a suite: `if` and `expect` as conditions, the cells of rows as text.
func compileAll(s *spec.Suite, l *diag.List) {
	scope := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Names: map[string]spec.Type{
		"vars": {Base: spec.Struct, Fields: map[string]spec.Type{"user": {Base: spec.String}, "n": {Base: spec.Int}}},
		"env":  {Base: spec.Map, Elem: &spec.Type{Base: spec.String}},
	}}
	for _, t := range s.Tests {
		if !t.If.IsZero() {
			spec.CompileExpr(t.If, scope, spec.Type{Base: spec.Bool}, l)
		}
		steps, _ := t.Steps.Seq()
		for _, step := range steps {
			if cells, ok := step.Seq(); ok {
				for _, cell := range cells {
					if spec.WantText(cell, "a cell", l); cell.Sort() == "text" {
						spec.CompileText(cell, scope, l)
					}
				}
				continue
			}
			for _, key := range []string{"if", "expect"} {
				if cond := step.Get(key); cond.Sort() == "text" {
					spec.CompileExpr(cond, scope, spec.Type{Base: spec.Bool}, l)
				}
			}
		}
	}
}
