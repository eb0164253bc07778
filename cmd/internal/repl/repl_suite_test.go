package repl_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/cmd/internal/repl"
	"github.com/checkrow/checkrow/cmd/internal/tape"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

func TestRepl(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Repl Suite")
}

var _ = DescribeTable("a line becomes cells", func(line string, want ...string) {
	got, err := repl.Split(line)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(want))
},
	Entry("words", "click #buy", "click", "#buy"),
	Entry("spaces in quotes", `click "role=button Buy now"`, "click", "role=button Buy now"),
	Entry("quotes inside a word", `click li:has-text("Tea")`, "click", `li:has-text("Tea")`),
	Entry("single quotes take all as it is", `eval 'a + "\n"'`, "eval", `a + "\n"`),
	Entry("escapes in double quotes", `fill #a "x\n\"y\" \\ \d"`, "fill", "#a", "x\n\"y\" \\ \\d"),
	Entry("empty text", `fill #a ""`, "fill", "#a", ""),
	Entry("a comment", "reload # again", "reload"),
)

var _ = Describe("the loop's words", func() {
	It("refuses an open quote", func() {
		_, err := repl.Split(`click "a`)
		Expect(err).To(MatchError("a quote is not closed"))
	})

	DescribeTable("complete", func(line string, from int, want ...string) {
		got, at := repl.Complete(line)
		Expect(got).To(Equal(want))
		Expect(at).To(Equal(from))
	},
		Entry("commands of the loop", "und", 0, "undo"),
		Entry("rows", "reloa", 0, "reload"),
		Entry("second words", "expect foc", 7, "focused"),
		Entry("flags", "wait --lo", 5, "--load"),
		Entry("behind help", "help dblcl", 5, "dblclick"),
	)
})

var _ = Describe("a tape", func() {
	It("is a suite with the cells as they were", func() {
		cells := []string{"fill", "label=E-mail", "a\n\"b\": ${{ x }} 'c' é \U0001f375", "", "yes", "1e3", "- x"}
		text := tape.Suite{By: "a test", Name: "on: 1", BaseURL: "http://localhost:1", Secrets: []string{"B", "A", "B"},
			Rows: []tape.Row{{Cells: cells, Note: "why\nnot"}}}.Text()
		var l diag.List
		doc := spec.ReadDocument("x.yaml", []byte(text), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(doc.Comments).To(ContainElement(" why not"))
		name, _ := doc.Root.Get("suite").Text()
		Expect(name).To(Equal("on: 1"))
		secrets, _ := doc.Root.Get("secrets").Seq()
		Expect(secrets).To(HaveLen(2))
		tests, _ := doc.Root.Get("tests").Seq()
		list, _ := tests[0].Get("steps").Seq()
		row, _ := list[0].Seq()
		var got []string
		for _, c := range row {
			t, _ := c.Text()
			got = append(got, t)
		}
		Expect(got).To(Equal(cells))
	})
})

func FuzzSplit(f *testing.F) {
	for _, s := range []string{`click "a b"`, `fill #a 'x' # y`, `a\`, `"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		cells, err := repl.Split(line)
		if err == nil && len(cells) > len(line) {
			t.Fatalf("%q gave %d cells", line, len(cells))
		}
		repl.Complete(line)
	})
}
