package reporters_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/steps"
)

// blocks draws every failure of a run.
func blocks(s *journal.State, style reporters.Style) string {
	GinkgoHelper()
	var out bytes.Buffer
	draw := func(t *journal.Test, a *journal.Attempt, f *journal.Failure) {
		GinkgoHelper()
		Expect(reporters.Block(&out, t, a, f, style)).To(Succeed())
		out.WriteString("\n")
	}
	for _, suite := range s.Suites {
		if suite.SetupFailure != nil {
			draw(nil, nil, suite.SetupFailure)
		}
		for _, f := range suite.TeardownFail {
			draw(nil, nil, f)
		}
	}
	for _, t := range s.Tests {
		for _, f := range reporters.Failures(t.Last()) {
			draw(t, t.Last(), f)
		}
	}
	return out.String()
}

var _ = Describe("Block", func() {
	It("shows all that is needed to mend a failure", func() {
		s := load("full")
		golden("block", "The failure blocks of the recorded run, at three widths.",
			txtar.File{Name: "want.100", Data: []byte(blocks(s, reporters.Style{}))},
			txtar.File{Name: "want.60", Data: []byte(blocks(s, reporters.Style{Width: 60}))},
			txtar.File{Name: "want.40", Data: []byte(blocks(s, reporters.Style{Width: 40}))})
	})

	It("keeps to the width, but for the command to copy and paths to click on", func() {
		for w := 40; w <= 200; w += 7 {
			for _, l := range strings.Split(blocks(load("full"), reporters.Style{Width: w}), "\n") {
				path := strings.HasSuffix(l, ".png") || strings.HasSuffix(l, ".txt")
				if !strings.Contains(l, "rerun") && !path {
					Expect(reporters.Columns(l)).To(BeNumerically("<=", w), l)
				}
			}
		}
	})

	It("has colour only if asked", func() {
		Expect(blocks(load("full"), reporters.Style{})).NotTo(ContainSubstring("\x1b"))
		Expect(blocks(load("full"), reporters.Style{Color: true})).To(ContainSubstring("\x1b[31m"))
	})

	DescribeTable("compares", func(want, got string, lines ...string) {
		var out bytes.Buffer
		if !strings.Contains(want, "\n") {
			want, got = `"`+want+`"`, `"`+got+`"`
		}
		f := &journal.Failure{Message: "m", Detail: &steps.Detail{Want: want, Got: got}}
		Expect(reporters.Block(&out, nil, nil, f, reporters.Style{Width: 60})).To(Succeed())
		_, body, _ := strings.Cut(out.String(), "  m\n")
		Expect(strings.Split(strings.TrimRight(body, "\n"), "\n")).To(HaveExactElements(lines))
	},
		Entry("a character", "total 84", "total 48",
			`  want      "total 84"`, `                   ^`, `  got       "total 48"`, `                    ^`),
		Entry("a missing stretch", "Thank you, Ada", "Thank you",
			`  want      "Thank you, Ada"`, `                      ^^^^^`, `  got       "Thank you"`),
		Entry("nothing alike", "yes", "no", `  want      "yes"`, `  got       "no"`),
		Entry("nothing there", "yes", "", `  want      "yes"`, `  got       ""`),
		Entry("a no-break space", "1 000 €", "1\u00a0000 €",
			`  want      "1 000 €"`, `              ^`, `  got       "1[NBSP]000 €"`, `              ^^^^^^`),
		Entry("spaces at the end, and a tab", "a b c", "a\tb c ",
			`  want      "a b c"`, `              ^`, `  got       "a⇥b c·"`, `              ^   ^`),
		Entry("wide characters", "日本語テスト", "日本语テスト",
			`  want      "日本語テスト"`, `                 ^^`, `  got       "日本语テスト"`, `                 ^^`),
		Entry("a long text, at its difference", strings.Repeat("ab ", 40)+"X", strings.Repeat("ab ", 40)+"Y",
			`  want      "…ab ab ab ab ab X"`, `                             ^`,
			`  got       "…ab ab ab ab ab Y"`, `                             ^`),
		Entry("lines", "a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nd\ne\nF\ng",
			`  diff      - want, + got`, `              …`, `              d`, `              e`, `            - f`, `            + F`,
			`              g`))

	It("quotes nothing that is in words", func() {
		f := &journal.Failure{Message: "m", Detail: &steps.Detail{Want: `a text that contains "€48"`, Got: "no such element",
			Seen: []steps.Seen{{Value: `""`, Times: 2}, {Value: "no such element", Times: 3}}}}
		var out bytes.Buffer
		Expect(reporters.Block(&out, nil, nil, f, reporters.Style{NoTitle: true})).To(Succeed())
		Expect(out.String()).To(Equal("  m\n  want      a text that contains \"€48\"\n  got       no such element\n" +
			"  seen      \"\" ×2, then no such element ×3\n"))
	})

	It("is safe to print whatever a page says", func() {
		f := &journal.Failure{Message: "a\x1b]0;title\x07b\x1b[2Jc\rd\u202ee\u2028f\u009bg", Page: steps.Page{Title: "\x1b[31mx\x00\u200b"}}
		var out bytes.Buffer
		Expect(reporters.Block(&out, nil, nil, f, reporters.Style{})).To(Succeed())
		Expect(out.String()).To(ContainSubstring("abc[CR]d[U+202E]e[LS]f[U+009B]g"))
		Expect(out.String()).To(ContainSubstring("“x[NUL][ZWSP]”"))
	})
})

var _ = DescribeTable("Row", func(want string, cells ...string) {
	Expect(reporters.Row(cells)).To(Equal(want))
},
	Entry("plain", "[click, role=button Pay]", "click", "role=button Pay"),
	Entry("what YAML would read otherwise", `[fill, "#pw", "", "a, b", '"x"', "a: b", " c"]`,
		"fill", "#pw", "", "a, b", `"x"`, "a: b", " c"),
	Entry("flags", `[wait, --url, /thanks, "-", "- x"]`, "wait", "--url", "/thanks", "-", "- x"),
	Entry("both quotes and a line end", `[type, "a'\"\n\\"]`, "type", "a'\"\n\\"))

var _ = Describe("Replace", func() {
	It("makes folders and leaves nothing else behind", func() {
		path := filepath.Join(GinkgoT().TempDir(), "a", "b", "junit.xml")
		for i := range 2 {
			Expect(reporters.Replace(path, fmt.Append(nil, i), i == 1)).To(Succeed())
		}
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(data)).To(Equal("1"))
		Expect(os.ReadDir(filepath.Dir(path))).To(HaveLen(1))
	})

	It("keeps the old report when the new one cannot be put in place", func() {
		dir := GinkgoT().TempDir()
		path := filepath.Join(dir, "taken")
		Expect(os.MkdirAll(filepath.Join(path, "x"), 0o755)).To(Succeed())
		Expect(reporters.Replace(path, []byte("new"), false)).To(MatchError(ContainSubstring("taken")))
		Expect(os.ReadDir(dir)).To(HaveLen(1))
	})
})
