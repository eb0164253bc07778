package browser_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/browser"
)

// cart is a tree as the driver spells it.
const cart = `- banner:
  - heading "Cart (2)" [level=1]
  - link "Home":
    - /url: /home?a=1
- main:
  - list "Items":
    - listitem: Teapot €12
    - listitem:
      - checkbox "Gift \"wrap\"" [checked]
      - text: "Cup: blue"
  - 'button "Pay: now" [disabled]'
  - paragraph: /total/
`

var _ = Describe("accessibility trees", func() {
	DescribeTable("match", func(template string) {
		ok, want, got, err := browser.MatchAria(template, cart)
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeTrue(), "want:\n%s\ngot:\n%s", want, got)
	},
		Entry("one line anywhere", `- heading "Cart (2)"`),
		Entry("a role alone", `- checkbox`),
		Entry("a regular expression as the name", `- heading /cart \(\d+\)|Cart \(\d+\)/ [level=1]`),
		Entry("a regular expression as the text", "- listitem: /Teapot €\\d+/"),
		Entry("a part of the children, in order", "- main:\n  - list:\n    - listitem: Teapot €12\n  - paragraph: /total/"),
		Entry("several lines of one parent", "- banner\n- main"),
		Entry("a property", "- link \"Home\":\n  - /url: /^\\/home/"),
		Entry("a state, and one that is not there", "- checkbox [checked] [disabled=false]"),
		Entry("quoted keys and texts", "- 'button \"Pay: now\"'\n"),
		Entry("quoted text", "- listitem:\n  - text: 'Cup: blue'"),
		Entry("brackets of a snapshot row", `- button "Pay: now" [disabled] [ref=e12] [cursor=pointer]`),
		Entry("comments and empty lines", "# what must be there\n\n- main:\n    # indented as one likes\n    - paragraph\n"),
		Entry("equal children", "- listitem:\n  - /children: equal\n  - checkbox\n  - text: 'Cup: blue'"),
		Entry("equal children at the top", "- /children: equal\n- banner\n- main"),
		Entry("a deep copy", "- banner:\n  - /children: deep-equal\n  - heading \"Cart (2)\" [level=1]\n  - link \"Home\""),
		Entry("the whole tree", cart))

	DescribeTable("do not match", func(template, missing, there string) {
		ok, want, got, err := browser.MatchAria(template, cart)
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeFalse())
		Expect(want).To(ContainSubstring(missing))
		Expect(got).To(ContainSubstring(there))
	},
		Entry("another name", `- heading "Cart"`, `- heading "Cart"`, `- heading "Cart (2)" [level=1]`),
		Entry("another level", `- heading "Cart (2)" [level=2]`, "[level=2]", "[level=1]"),
		Entry("a state", `- checkbox [checked=false]`, "[checked=false]", "[checked]"),
		Entry("another order", "- main:\n  - paragraph\n  - list", "- paragraph", "- list"),
		Entry("a line too many in equal children", "- listitem:\n  - /children: equal\n  - checkbox", "- checkbox", "- checkbox"),
		Entry("another parent", "- list:\n  - paragraph: /total/", "- paragraph", "- paragraph"),
		Entry("lines of several parents", "- heading\n- list", "- list", "- list"),
		Entry("a text that is no regular expression of the page", "- paragraph: total", "- paragraph: total", "- paragraph: /total/"))

	It("leave out of the diff what the template does not speak of", func() {
		_, want, got, err := browser.MatchAria("- banner:\n  - link \"Home\"\n- main:\n  - button \"Pay\"\n  - paragraph", cart)
		Expect(err).NotTo(HaveOccurred())
		Expect(want).To(Equal("- banner:\n  - link \"Home\":\n- main:\n  - button \"Pay\"\n  - paragraph: /total/"))
		Expect(got).To(HavePrefix("- banner:\n  - link \"Home\":\n- main:\n  - list \"Items\":\n"))
		Expect(got).To(ContainSubstring(`- 'button "Pay: now" [disabled]'`))
		Expect(got).NotTo(ContainSubstring("heading"))
	})

	DescribeTable("refuse", func(template, text string) {
		_, _, _, err := browser.MatchAria(template, cart)
		Expect(err).To(MatchError(text))
	},
		Entry("nothing", "# only a comment\n", "1:1: it holds no tree"),
		Entry("a line without a dash", "- main:\n  button", `2:3: each line of an accessibility tree begins with "- "`),
		Entry("a tab", "- main:\n\t- button", "2:1: a tab cannot indent: use spaces"),
		Entry("a crooked indentation", "- main:\n    - button\n  - link", "3:3: the indentation is that of no line above"),
		Entry("an unknown state", `- checkbox [cheked]`, `1:12: unknown state "cheked" (did you mean "checked"?)`),
		Entry("a bad value", `- checkbox [checked=yes]`, `1:12: "checked" has no value "yes" (one of false, mixed, true)`),
		Entry("a bad level", `- heading [level=big]`, "1:11: level expects a number: [level=2]"),
		Entry("a bad mode", "- list:\n  - /children: all", `2:16: "/children" has no value "all" (one of contain, deep-equal, equal)`),
		Entry("a bad regular expression", "- heading /Cart (/", "1:11: /Cart (/ is no regular expression: missing closing ): `Cart (`"),
		Entry("a name that does not end", `- button "Buy`, `1:10: the name does not end: "Buy`),
		Entry("a name without quotes", "- button Buy", `1:10: not understood: "Buy" (a name stands in quotes or between slashes, a state in brackets: button "Buy" [disabled])`),
		Entry("a comment in a text", "- text: Order #5", "1:15: a # behind a space begins a comment: write the text in quotes"),
		Entry("YAML's own signs", "- text: |", "1:9: YAML reads a text that begins so in another way: write it in quotes"),
		Entry("something below a text", "- text: a\n  - button", "2:11: a text has nothing below it"))
})

func FuzzAria(f *testing.F) {
	f.Add("- heading /x/ [level=1]: a")
	f.Add(cart)
	f.Add("- 'a \"b\"': \"\\x41\"\n  - text: 'it''s'")
	f.Fuzz(func(t *testing.T, text string) {
		ok, _, _, err := browser.MatchAria(text, text)
		_, _ = ok, err // neither panics nor hangs
	})
}
