package steps_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/action"
	"github.com/checkrow/checkrow/steps/expect"
	"github.com/checkrow/checkrow/steps/flow"
	"github.com/checkrow/checkrow/steps/httpcheck"
	"github.com/checkrow/checkrow/steps/process"
	"github.com/checkrow/checkrow/steps/qa"
	"github.com/checkrow/checkrow/steps/source"
)

// kinds are the kinds that are built.
var kinds = func() map[string]steps.Kind {
	m := map[string]steps.Kind{}
	for _, k := range []steps.Kind{qa.Kind, qa.A11y, source.Kind, source.Network, action.Kind, flow.Row, flow.Rows, flow.Set, flow.If, flow.For, flow.Group, flow.Use, flow.While, expect.Kind, process.Kind, httpcheck.Kind} {
		m[k.Name] = k
	}
	return m
}()

// decoded is a suite of which the steps of every test are decoded, as a plan does it.
type decoded struct {
	steps []steps.Step // of the first test
	errs  *diag.List
}

// decode reads a suite; files are the fragments beside it.
func decode(file string, src []byte, files map[string][]byte) decoded {
	GinkgoHelper()
	out := decoded{errs: &diag.List{}}
	s := spec.Parse(file, src, out.errs).Suite
	if s == nil {
		return out
	}
	vars := map[string]spec.Type{}
	for _, v := range s.Vars {
		vars[v.Name] = spec.TypeOf(v.Value.Value(out.errs))
	}
	for i, t := range s.Tests {
		sc := &spec.Scope{Page: true, Env: &spec.EnvUses{}, Used: map[string]bool{}, Steps: map[string]spec.Type{},
			Names: map[string]spec.Type{"vars": {Base: spec.Struct, Fields: vars}, "attempt": {Base: spec.Int},
				"secrets": {Base: spec.Map, Elem: &spec.Type{Base: spec.String}}}}
		d := &steps.Decoder{Errs: out.errs, Scope: sc, Kinds: kinds, Using: []string{file}}
		d.Load = func(n spec.Node) *spec.Fragment {
			name, _ := n.Text()
			name = path.Clean(name)
			return spec.Parse(name, files[name], out.errs).Fragment
		}
		list := d.Steps(t.Steps, sc)
		finally := d.Steps(t.Finally, sc.Child())
		steps.Unused(list, sc.Used, out.errs)
		steps.Unused(finally, sc.Used, out.errs)
		if i == 0 {
			out.steps = list
		}
	}
	return out
}

// Each archive in testdata is a suite with mistakes of one sort: a sentence, suite.yaml and its fragments, and want.err,
// one line for each diagnostic. CHECKROW_GOLDEN=1 rewrites want.err.
var _ = Describe("wrong steps", func() {
	archives, _ := filepath.Glob("testdata/*.txtar")
	It("are there", func() { Expect(len(archives)).To(BeNumerically(">", 10)) })
	for _, name := range archives {
		It(strings.TrimSuffix(filepath.Base(name), ".txtar"), func() {
			archive, err := txtar.ParseFile(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(archive.Comment)).NotTo(BeEmpty())
			files := map[string][]byte{}
			inputs := 0
			for _, f := range archive.Files {
				files[f.Name] = f.Data
				if strings.HasSuffix(f.Name, ".yaml") {
					inputs++
				}
			}
			got := lines(decode("suite.yaml", files["suite.yaml"], files).errs)
			if os.Getenv("CHECKROW_GOLDEN") == "1" {
				archive.Files = append(archive.Files[:inputs:inputs], txtar.File{Name: "want.err", Data: []byte(got)})
				Expect(os.WriteFile(name, txtar.Format(archive), 0o644)).To(Succeed())
				return
			}
			Expect(got).To(Equal(string(files["want.err"])))
		})
	}
})

func lines(l *diag.List) string {
	var b strings.Builder
	for _, e := range l.All() {
		if e.Severity == diag.Lint {
			b.WriteString("lint: ")
		}
		b.WriteString(e.Error() + "\n")
	}
	return b.String()
}
