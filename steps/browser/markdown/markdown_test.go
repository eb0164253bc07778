package markdown_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser/markdown"
)

func TestMarkdown(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Markdown Suite")
}

var _ = DescribeTable("HTML as Markdown", func(src, want string) {
	got, err := markdown.FromHTML(src)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(want))
},
	Entry("headings and paragraphs", `<title>T</title><h1>A <b>b</b></h1><p>One
		two</p><p>Three</p><h3>C</h3>`, "# A b\n\nOne\ntwo\n\nThree\n\n### C"),
	Entry("inline", `<nav><a href=/a>Home</a> <a href=/b>Two</a></nav><main>
<button>Save</button>
<button>Dup</button>
<img alt=x><p>Blurb with <b>bold</b> text</p></main>`, "Home Two\n\nSave\nDup\n\nBlurb with bold text"),
	Entry("what nobody reads", `<script>x</script><style>y</style><p>z</p><noscript>n</noscript><template>t</template>`, "z"),
	Entry("lists", `<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li></ul><p>e</p>`, "- a\n- b\n  1. c\n  2. d\n\ne"),
	Entry("code", "<p>run <code>go  test</code></p><pre><code>a\n  b\n\n\nc</code></pre>", "run `go test`\n\n```\na\n  b\n\n\nc\n```"),
	Entry("a quote", `<blockquote><p>a</p><p>b</p></blockquote>`, "> a\n>\n> b"),
	Entry("a table", `<table><thead><tr><th>N</th><th>P</th></tr></thead><tbody><tr><td>cup</td><td>1|2</td></tr><tr><td>pot</td><td>3</td></tr></tbody></table>`,
		"| N | P |\n| --- | --- |\n| cup | 1\\|2 |\n| pot | 3 |"),
	Entry("a line end and a rule", `a<br>b<hr>c`, "a\nb\n\n---\n\nc"),
	Entry("nothing", ``, ""),
)

var _ = Describe("parts", func() {
	const md = "intro\n\n# A\n\ncups\n\n## B\n\npots\n\n```\n# no heading\n```\n\n# C\n\nCups again"
	It("lists headings by level", func() {
		Expect(markdown.Outline(md, "http://x/")).To(Equal("# Outline\n\nSource: http://x/\n\n- A\n  - B\n- C"))
		Expect(markdown.Outline("## B\n\n### C", "s")).To(HaveSuffix("\n- B\n  - C"))
		Expect(markdown.Outline("text", "s")).To(HaveSuffix("(no headings)"))
	})
	It("keeps sections with a text", func() {
		Expect(markdown.Filter(md, "cups")).To(Equal("# A\n\ncups\n\n# C\n\nCups again"))
		Expect(markdown.Filter(md, "nowhere")).To(BeEmpty())
	})
})

func FuzzFromHTML(f *testing.F) {
	for _, s := range []string{`<ul><li><ul><li>x`, `<pre><pre>`, `<table><tr><td><table><tr><td>x`, `<blockquote><h1>x`, "\x00", `<svg><p>x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := markdown.FromHTML(s)
		if err != nil {
			return
		}
		if strings.HasPrefix(got, "\n") || strings.HasSuffix(got, "\n") {
			t.Errorf("%q becomes %q", s, got)
		}
		markdown.Outline(got, s)
		markdown.Filter(got, "x")
	})
}
