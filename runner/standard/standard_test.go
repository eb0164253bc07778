package standard_test

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

var _ = Describe("The table of kinds", func() {
	It("is sorted and has each name once", func() {
		var names []string
		for _, k := range standard.Kinds() {
			names = append(names, k.Name)
		}
		Expect(slices.IsSorted(names)).To(BeTrue())
		Expect(slices.Compact(slices.Clone(names))).To(Equal(names))
		Expect(names).To(ContainElements("row", "rows", "expect", "exec", "set", "if", "for", "group", "use"))
	})

	for _, k := range standard.Kinds() {
		It("has a sentence and an example that compiles: "+k.Name, func() {
			Expect(k.Doc).To(HaveSuffix("."))
			text := "suite: s\nsecrets: [SHOP_PASSWORD]\nvars: { user: ada, users: [ada], order: x }\ntests:\n  - name: t\n    steps:\n" +
				"      - { exec: [./x], id: order }\n" + indented(k.Example)
			var l diag.List
			f := spec.Parse("s.yaml", []byte(text), &l)
			plan.Compile([]spec.File{f}, plan.Options{Kinds: standard.Kinds()}, &l)
			for _, e := range l.All() {
				if e.Severity == diag.Fatal && k.Name != "use" { // its fragment is not here
					Expect(e).NotTo(HaveOccurred(), text)
				}
			}
		})
	}
})

func indented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("      " + line)
	}
	return b.String()
}
