package plan_test

import (
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/runner/plan"
)

var _ = DescribeTable("Tag expressions", func(src string, tags []string, want bool, bad string) {
	got, _, why := plan.Tags(src, tags)
	Expect(why).To(Equal(bad))
	Expect(got).To(Equal(want))
},
	Entry(nil, "a", []string{"a"}, true, ""),
	Entry(nil, "a", nil, false, ""),
	Entry(nil, "not a", nil, true, ""),
	Entry(nil, "not not a", []string{"a"}, true, ""),
	Entry(nil, "a and b", []string{"a"}, false, ""),
	Entry(nil, "a or b and c", []string{"a"}, true, ""),
	Entry(nil, "(a or b) and c", []string{"a"}, false, ""),
	Entry(nil, "(a or b)and(c)", []string{"b", "c"}, true, ""),
	Entry(nil, "a AND NOT b", []string{"a"}, true, ""),
	Entry(nil, "", nil, false, "expected a tag"),
	Entry(nil, "a b", nil, false, `expected "and" or "or" before "b"`),
	Entry(nil, "a and", nil, false, "expected a tag"),
	Entry(nil, "(a", nil, false, `"(" is not closed`),
	Entry(nil, "a)", nil, false, `expected "and" or "or" before ")"`),
	Entry(nil, "and", nil, false, `expected a tag, got "and"`),
	Entry(nil, "!a", nil, false, `"!a" is no tag`),
)

var _ = DescribeTable("FILE:LINE", func(arg, file string, line int, ok bool) {
	f, l, is := plan.CutLine(arg)
	Expect(is).To(Equal(ok))
	if ok {
		Expect(f).To(Equal(file))
		Expect(l).To(Equal(line))
	}
},
	Entry(nil, "a.yaml:3", "a.yaml", 3, true), Entry(nil, "a.yaml:3:7", "a.yaml", 3, true),
	Entry(nil, "a.yaml", "", 0, false), Entry(nil, "a.yaml:0", "", 0, false), Entry(nil, "a.yaml:x", "", 0, false),
	Entry(nil, `C:\a.yaml:4`, `C:\a.yaml`, 4, true), Entry(nil, ":4", "", 0, false))

var _ = DescribeTable("One edit", func(a, b string, want bool) {
	Expect(plan.OneEdit(a, b)).To(Equal(want))
	Expect(plan.OneEdit(b, a)).To(Equal(want))
},
	Entry(nil, "suite", "suit", true), Entry(nil, "suite", "usite", true), Entry(nil, "suite", "siute", true),
	Entry(nil, "suite", "suites", true), Entry(nil, "suite", "suita", true), Entry(nil, "suite", "state", false),
	Entry(nil, "suite", "suite", false), Entry(nil, "suite", "title", false), Entry(nil, "suite", "", false))

func FuzzTags(f *testing.F) {
	for _, s := range []string{"a", "a and not (b or c)", "((((", "not", "ä or ö"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, names, bad := plan.Tags(src, []string{"a"})
		for _, n := range names {
			if n == "" {
				t.Fatal("an empty name")
			}
		}
		if bad == "" && utf8.ValidString(src) && len(names) == 0 {
			t.Fatalf("%q selects without a name", src)
		}
	})
}

func FuzzSniff(f *testing.F) {
	for _, s := range []string{"suite: x\n", "# c\ntests:\n", "\xef\xbb\xbfsuite: x", "{suite: x}", "a:\r\nb: 1", "\"suite\": x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, src []byte) { plan.Sniffed(src) })
}
