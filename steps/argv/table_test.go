package argv_test

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps/argv"
)

// parse reads a row whose cells stand ten columns apart; "$" before a cell makes it dynamic.
func parse(row ...string) (*argv.Call, *diag.List) {
	cells := make([]argv.Cell, len(row))
	for i, text := range row {
		cells[i] = argv.Cell{Text: text, Pos: diag.Pos{File: "a.yaml", Line: 1, Col: 10 * (i + 1)}}
		cells[i].Text, cells[i].Dynamic = strings.CutPrefix(text, "$")
	}
	var l diag.List
	return argv.Parse(cells, diag.Pos{File: "a.yaml", Line: 1, Col: 5}, &l), &l
}

var _ = Describe("the table", func() {
	It("is sorted and its names are unique", func() {
		var names []string
		for _, c := range argv.Commands() {
			names = append(names, c.Name())
		}
		Expect(slices.IsSorted(names)).To(BeTrue())
		Expect(slices.Compact(slices.Clone(names))).To(Equal(names))
	})

	It("holds the commands of the browser and no others", func() {
		var names []string
		for _, c := range argv.Commands() {
			names = append(names, c.Name())
		}
		Expect(names).To(ConsistOf(everyCommand()))
	})

	for _, c := range argv.Commands() {
		Describe(c.Name(), func() {
			It("has an example that parses and binds", func() {
				call, l := parse(c.Example...)
				Expect(l.Err()).NotTo(HaveOccurred())
				Expect(call.Command).To(BeIdenticalTo(c))
				args, err := call.Bind(c.Example)
				Expect(err).NotTo(HaveOccurred())
				Expect(args.Argv).To(Equal(c.Example))
			})
			It("is told in full", func() {
				Expect(c.Doc).To(HaveSuffix("."))
				ref := argv.Reference(c)
				Expect(ref).To(HavePrefix(argv.Usage(c) + "\n"))
				for _, d := range c.Data {
					Expect(ref).To(ContainSubstring("  " + d.Name + " ("))
				}
				for _, f := range c.Flags {
					Expect(ref).To(ContainSubstring("  " + f.Name))
					Expect(f.Doc).NotTo(BeEmpty())
				}
				for i, o := range c.Operands {
					Expect(o.Doc).NotTo(BeEmpty())
					Expect(o.Variadic && i < len(c.Operands)-1).To(BeFalse(), "only the last operand takes all")
				}
			})
			It("has a value that its data holds", func() {
				if c.Value == "" {
					return
				}
				Expect(c.Data).To(ContainElement(HaveField("Name", c.Value)))
			})
			It("is found by each of its names", func() {
				for _, name := range append([][]string{c.Words}, c.Aliases...) {
					got, ok := argv.Lookup(strings.Join(name, " "))
					Expect(ok).To(BeTrue())
					Expect(got).To(BeIdenticalTo(c))
				}
			})
			It("says by its traits what its family is", func() {
				Expect(c.Traits.Has(argv.Asserts)).To(Equal(c.Words[0] == "expect"))
				if c.Traits.Has(argv.ReadsOnly) {
					Expect(c.Traits.Has(argv.Repeatable)).To(BeTrue())
					Expect(c.Traits & argv.Mutates).To(BeZero())
				}
			})
		})
	}
})

func everyCommand() []string {
	families := map[string]string{
		"": "open back forward reload click dblclick hover focus fill type press check uncheck select scroll scrollintoview drag " +
			"upload wait snapshot eval screenshot frame tab console errors keydown keyup tap swipe highlight pushstate download pdf a11y vitals read",
		"react": "tree inspect suspense", "react renders": "start stop", "webmcp": "list invoke result cancel",
		"mouse": "move down up wheel", "clipboard": "read write copy paste", "trace": "start stop", "profiler": "start stop",
		"record": "start stop restart", "state": "save load show", "cookies": "get set clear", "window": "new",
		"storage local": "get set clear", "storage session": "get set clear", "network har": "start stop",
		"set": "viewport device geo offline headers credentials media", "diff": "snapshot screenshot url",
		"keyboard": "type inserttext", "find": "role text label placeholder alt title testid first last nth",
		"get": "text html value attr title url count box styles", "is": "visible enabled checked",
		"expect": "text visible hidden enabled disabled checked unchecked focused editable count value attr url title dialog image aria",
		"tab":    "list new close", "dialog": "status accept dismiss", "network": "requests request route unroute",
	}
	var out []string
	for family, names := range families {
		for _, n := range strings.Fields(names) {
			out = append(out, strings.TrimSpace(family+" "+n))
		}
	}
	return out
}
