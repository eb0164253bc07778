package source_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/steps/source"
)

// served is a map of two sources: "x=1;call()" was line 1 of a.ts and line 3, column 3 of b.ts.
const served = `{"version":3,"sourceRoot":"","sources":["webpack://app/./src/a.ts","../src/b.ts"],"names":["n"],"mappings":";AAAA,ICEEA"}`

var _ = DescribeTable("a place of a script in its source map",
	func(text string, line, column int, want ...any) {
		file, atLine, atColumn, ok := source.Original([]byte(text), line, column)
		if len(want) == 0 {
			Expect(ok).To(BeFalse())
			return
		}
		Expect([]any{file, atLine, atColumn}).To(Equal(want))
	},
	Entry("at a mapping", served, 2, 1, "webpack://app/./src/a.ts", 1, 1),
	Entry("between two", served, 2, 4, "webpack://app/./src/a.ts", 1, 1),
	Entry("behind the last", served, 2, 50, "../src/b.ts", 3, 3),
	Entry("a line without one", served, 1, 1),
	Entry("behind the end", served, 9, 1),
	Entry("with a guard before it", ")]}'\n"+served, 2, 1, "webpack://app/./src/a.ts", 1, 1),
	Entry("with a root", `{"version":3,"sourceRoot":"/src/","sources":["a.ts"],"mappings":"AAAA"}`, 1, 1, "/src/a.ts", 1, 1),
	Entry("in sections", `{"version":3,"sections":[{"offset":{"line":4,"column":2},"map":{"version":3,"sources":["s.ts"],"mappings":"AAAA"}}]}`, 5, 3, "s.ts", 1, 1),
	Entry("before the first section", `{"version":3,"sections":[{"offset":{"line":4,"column":2},"map":{"version":3,"sources":["s.ts"],"mappings":"AAAA"}}]}`, 5, 2),
	Entry("a source that is not there", `{"version":3,"sources":[],"mappings":"AAAA"}`, 1, 1),
	Entry("generated, without a source", `{"version":3,"sources":["a.ts"],"mappings":"AAAA,C"}`, 1, 5),
	Entry("another version", `{"version":2,"sources":["a.ts"],"mappings":"AAAA"}`, 1, 1),
	Entry("damaged", `{"version":3,"sources":["a.ts"],"mappings":"A!"}`, 1, 1),
	Entry("no JSON", `<html>`, 1, 1),
)

var _ = DescribeTable("numbers of a mapping",
	func(text string, want []int) {
		got, err := source.VLQ(text)
		if want == nil {
			Expect(err).To(HaveOccurred())
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(want))
	},
	Entry("small", "ACDE", []int{0, 1, -1, 2}),
	Entry("long", "gB2H", []int{16, 123}),
	Entry("cut off", "g", nil),
	Entry("no digit", "A=", nil),
	Entry("too large", "gggggggggggB", nil),
)

var _ = DescribeTable("what .gitignore hides",
	func(rules, rel string, folder, hides bool) {
		Expect(source.Ignored(rules, rel, folder)).To(Equal(hides))
	},
	Entry("a name at any depth", "*.log\n", "a/b/x.log", false, true),
	Entry("a comment", "# x.js\n", "x.js", false, false),
	Entry("anchored", "/gen\n", "a/gen", true, false),
	Entry("anchored at the root", "/gen\n", "gen", true, true),
	Entry("with a slash inside", "web/gen\n", "web/gen", true, true),
	Entry("with a slash inside, deeper", "web/gen\n", "a/web/gen", true, false),
	Entry("folders only", "gen/\n", "gen", false, false),
	Entry("taken back", "*.js\n!keep.js\n", "keep.js", false, false),
	Entry("stars across folders", "a/**/b.js\n", "a/x/y/b.js", false, true),
	Entry("stars at the end", "a/**\n", "a/x/y.js", false, true),
	Entry("a set", "x[0-9].js\n", "x7.js", false, true),
	Entry("not in a set", "x[!0-9].js\n", "x7.js", false, false),
	Entry("an escaped mark", "\\#x.js\n", "#x.js", false, true),
	Entry("one character", "x?.js\n", "x/.js", false, false),
	Entry("Windows line ends", "*.tmp\r\n", "a.tmp", false, true),
)

var _ = DescribeTable("a URL without the values of its query",
	func(raw, want string) { Expect(source.Redacted(raw)).To(Equal(want)) },
	Entry("none", "http://h/a", "http://h/a"),
	Entry("some", "http://h/a?token=x&q=y#top", "http://h/a?token=[REDACTED]&q=[REDACTED]#top"),
	Entry("a bare word", "http://h/a?x", "http://h/a?x"),
)

func FuzzSourceMap(f *testing.F) {
	f.Add([]byte(served), 2, 4)
	f.Add([]byte(`{"version":3,"sections":[{"offset":{"line":1},"map":{"version":3,"sources":["a"],"mappings":"AAAA;gB"}}]}`), 2, 1)
	f.Fuzz(func(_ *testing.T, text []byte, line, column int) {
		if line < 100_000 && line > -100_000 {
			source.Original(text, line, column)
		}
	})
}

func FuzzGitignore(f *testing.F) {
	f.Add("*.js\n!a/**\n[x\n\\", "a/b.js")
	f.Fuzz(func(_ *testing.T, rules, rel string) {
		if rel != "" && rel[0] != '/' {
			source.Ignored(rules, rel, false)
		}
	})
}
