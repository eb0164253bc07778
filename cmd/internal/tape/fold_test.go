package tape_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/cmd/internal/tape"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

func TestTape(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Tape Suite")
}

// within is a deed in frames.
func within(d steps.Deed, frames ...string) steps.Deed {
	d.Frames = frames
	return d
}

// did makes a deed in the first tab.
func did(kind, target string, values ...string) steps.Deed {
	return steps.Deed{Kind: kind, Target: target, Values: values, Tab: "t1"}
}

// went is a page that came.
func went(url string, values ...string) steps.Deed {
	return steps.Deed{Kind: "url", URL: url, Values: values, Tab: "t1"}
}

// secret is a password.
func secret(target, value string) steps.Deed {
	d := did("fill", target, value)
	d.Secret, d.Name = true, "Pass word*"
	return d
}

const site = "http://localhost:1"

var _ = DescribeTable("deeds become rows", func(deeds []steps.Deed, want ...string) {
	f := &tape.Fold{Base: site}
	f.Start(site + "/a")
	for _, d := range append([]steps.Deed{went(site + "/a")}, deeds...) {
		f.Add(d)
	}
	got := []string{}
	for _, r := range f.Rows()[1:] {
		got = append(got, argv.Row(r.Cells))
	}
	Expect(got).To(Equal(want))
	Expect(argv.Row(f.Rows()[0].Cells)).To(Equal("[open, /a]"))
},
	Entry("typing is one text", []steps.Deed{did("fill", "label=A", "x"), did("fill", "label=A", "xy"), did("fill", "label=B", "${{")},
		"[fill, label=A, xy]", `[fill, label=B, "$${{"]`),
	Entry("a password is a secret", []steps.Deed{secret("label=P", "h"), secret("label=P", "hunter"), secret("label=Q", "again")},
		`[fill, label=P, "${{ secrets.PASS_WORD }}"]`, `[fill, label=Q, "${{ secrets.PASS_WORD_2 }}"]`),
	Entry("Enter in the field that was filled", []steps.Deed{did("fill", "label=A", "x"), did("press", "label=A", "Enter")},
		"[fill, label=A, x]", "[press, Enter]"),
	Entry("Enter in another", []steps.Deed{did("press", "label=A", "Enter"), did("press", "", "Escape")},
		"[focus, label=A]", "[press, Enter]", "[press, Escape]"),
	Entry("a double click", []steps.Deed{did("click", "text=X"), did("click", "text=X"), did("dblclick", "text=X")}, "[dblclick, text=X]"),
	Entry("a page that a click brought", []steps.Deed{did("click", "text=X"), went(site+"/b?x=1", steps.ByPage)}, "[click, text=X]", "[wait, --url, /b]"),
	Entry("redirects", []steps.Deed{did("click", "text=X"), went(site+"/b", steps.ByPage), went(site+"/orders/4711", steps.ByPage)},
		"[click, text=X]", `[wait, --url, "/orders/*"]`),
	Entry("a page that the person went to", []steps.Deed{went(site + "/c?d=1")}, `[open, "/c?d=1"]`),
	Entry("another site", []steps.Deed{did("click", "text=X"), went("https://pay.test/x/y", steps.ByPage)}, "[click, text=X]", `[wait, --url, "https://pay.test/**"]`),
	Entry("what the page says, but no numbers", []steps.Deed{did("click", "text=X"), did("seen", "", "h1", "Working", "role=alert", "1 left"), did("seen", "", "h1", "Done")},
		"[click, text=X]", "[expect, text, h1, Done]"),
	Entry("what a tab says that is not looked at", []steps.Deed{did("click", "text=X"), {Kind: "tab", Tab: "t2", URL: site + "/n"}, did("seen", "", "h1", "Old"),
		{Kind: "closed", Tab: "t2"}, did("click", "text=Y")}, "[click, text=X]", "[wait, --url, /n]", "[click, text=Y]"),
	Entry("what is done in frames", []steps.Deed{within(did("fill", "label=A", "x"), "#f"), within(did("fill", "label=A", "xy"), "#f"), did("fill", "label=A", "z"),
		within(did("click", "text=X"), "#f", "#g"), within(did("click", "text=Y"), "#f", "#g"), did("seen", "", "h1", "Done")},
		`[frame, "#f"]`, "[fill, label=A, xy]", "[frame, main]", "[fill, label=A, z]", `[frame, "#f"]`, `[frame, "#g"]`, "[click, text=X]", "[click, text=Y]",
		"[frame, main]", "[expect, text, h1, Done]"),
	Entry("a page that a click in a frame brought", []steps.Deed{within(did("click", "text=X"), "#f"), went(site+"/b", steps.ByPage), did("click", "text=Y")},
		`[frame, "#f"]`, "[click, text=X]", "[frame, main]", "[wait, --url, /b]", "[click, text=Y]"),
	Entry("the choice that stays", []steps.Deed{did("select", "label=S", "a"), did("select", "label=S", "b", "c")}, "[select, label=S, b, c]"),
)

var _ = Describe("what cannot be recorded", func() {
	It("is noted, and makes no row", func() {
		f := &tape.Fold{Base: site}
		f.Start(site + "/a")
		f.Add(did("click", ""))
		f.Add(did("frame", ""))
		f.Add(did("frame", ""))
		Expect(f.Rows()).To(HaveLen(1))
		Expect(f.Notes()).To(HaveLen(2))
	})

	It("keeps passwords apart from the rows", func() {
		f := &tape.Fold{Base: site}
		f.Start(site + "/a")
		f.Add(secret("label=P", "hunter-22"))
		Expect(f.Secrets()).To(Equal(map[string]string{"PASS_WORD": "hunter-22"}))
		Expect(tape.Suite{Rows: f.Rows()}.Text()).NotTo(ContainSubstring("hunter"))
	})
})
