package manual_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/cmd/internal/manual"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

func TestManual(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "manual")
}

// codes are the codes of a sort.
func codes(s manual.Sort) []string {
	var out []string
	for _, t := range manual.Topics() {
		if t.Sort == s {
			out = append(out, t.Code)
		}
	}
	return out
}

var _ = Describe("explanations", func() {
	It("are there for every finer category in the sources, and for no other", func() {
		used := usedSubs()
		for _, k := range spec.HealthKeys {
			used[k.Name] = "health"
		}
		for _, s := range []steps.ArtifactState{steps.Pending, steps.Missing, steps.Stale, steps.Invalid, steps.Unverified} {
			used["artifact-"+string(s)] = "a state of a file"
		}
		Expect(len(used)).To(BeNumerically(">", 150))
		have := map[string]bool{}
		for _, code := range codes(manual.Sub) {
			Expect(have[code]).To(BeFalse(), "%s is there twice", code)
			have[code] = true
			Expect(used).To(HaveKey(code), "nothing in steps or runner fails with it")
		}
		for _, code := range sorted(used) {
			Expect(have).To(HaveKey(code), "%s fails with it", used[code])
		}
	})
	// The constants are read from the source, so that a new one cannot be forgotten.
	DescribeTable("are there for every constant of a type", func(typ string, sort manual.Sort) {
		want := typed(typ)
		Expect(len(want)).To(BeNumerically(">", 3))
		Expect(codes(sort)).To(ConsistOf(want))
	},
		Entry("category", "Category", manual.Category),
		Entry("verdict", "Status", manual.Verdict),
		Entry("row", "RowState", manual.RowState),
		Entry("file", "ArtifactState", manual.FileWord),
		Entry("check", "CheckState", manual.CheckEnd),
	)
	It("are there for every phrase about suites", func() {
		text, err := os.ReadFile(filepath.Join(module, "spec", "diag", "phrases.go"))
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Count(string(text), "\n// ")).To(BeNumerically(">=", 7))
		for _, code := range codes(manual.Message) {
			Expect(string(text)).To(ContainSubstring(code), "a phrase")
		}
		Expect(codes(manual.Message)).To(HaveLen(exported(string(text))))
	})
	It("say something, in sentences", func() {
		for _, t := range manual.Topics() {
			Expect(t.Means).To(MatchRegexp(`(?s)^[A-Za-z-].*[.)]$`), t.Code)
		}
	})
	It("name rows that there are", func() {
		rows := regexp.MustCompile(`\[([a-z][a-z0-9]*(?:, [a-z][a-z0-9]*){0,2})`)
		known := func(words string) bool {
			_, ok := argv.Lookup(words)
			return ok || words == "expect" // a family, as it is spoken of
		}
		n := 0
		for _, t := range manual.Topics() {
			for _, m := range rows.FindAllStringSubmatch(t.Means+strings.Join(t.Do, " "), -1) {
				if m[1] == "sh" || m[1] == "a, b" || m[1] == "scope" {
					continue // a program, any list, a step
				}
				words := strings.Split(m[1], ", ")
				name := func(n int) string { return strings.Join(words[:min(n, len(words))], " ") }
				Expect(known(name(3)) || known(name(2)) || known(name(1))).To(BeTrue(), "%s: there is no row %q", t.Code, m[1])
				n++
			}
		}
		Expect(n).To(BeNumerically(">", 15))
	})
	It("are found however they are written", func() {
		find := func(code string) []string {
			var out []string
			for _, t := range manual.Find(manual.Topics(), code) {
				out = append(out, string(t.Sort)+" "+t.Code)
			}
			return out
		}
		Expect(find("timeout")).To(Equal([]string{"category timeout", "finer category timeout"}))
		Expect(find("Stale_Ref")).To(Equal([]string{"category stale-ref", "finer category stale-ref"}))
		Expect(find("(setup, login)")).To(Equal([]string{"category setup", "finer category login"}))
		Expect(find("unknown-key")).To(ContainElement("message about a suite unknown key"))
		Expect(find("nothing such")).To(BeEmpty())
	})
})

// exported counts the phrases: the functions with an upper-case name.
func exported(src string) int {
	f, err := parser.ParseFile(token.NewFileSet(), "phrases.go", src, 0)
	Expect(err).NotTo(HaveOccurred())
	n := 0
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
			n++
		}
	}
	return n
}

// typed are the values of the constants of a type of package steps.
func typed(typ string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(module, "steps", "observation.go"), nil, 0)
	Expect(err).NotTo(HaveOccurred())
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == typ {
				for _, e := range v.Values {
					if text, ok := literal(e); ok {
						out = append(out, text)
					}
				}
			}
		}
		return true
	})
	return out
}
