package spec_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

const oneTest = "tests: [{name: a, steps: [[open, /]]}]\n"

var _ = Describe("input over the limits", Serial, func() {
	many := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	// peak is the highest heap that is seen while f runs; garbage counts, for a process pays for it too.
	peak := func(f func()) uint64 {
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&now)
		return now.TotalAlloc - before.TotalAlloc
	}
	DescribeTable("is one clear error, soon and in little memory", func(src func() []byte, line, col int, message string) {
		input := src()
		var l diag.List
		var memory uint64
		took := time.Hour
		for range 3 { // the best of three: the machine may be busy with something else
			l = diag.List{}
			start := time.Now()
			memory = peak(func() { spec.Parse("a.yaml", input, &l) })
			if took = min(took, time.Since(start)); took < time.Second {
				break
			}
		}
		Expect(took).To(BeNumerically("<", time.Second))
		Expect(memory).To(BeNumerically("<", 200<<20))
		Expect(l.All()).To(HaveLen(1))
		Expect(l.All()[0].Error()).To(ContainSubstring(message))
		Expect(l.All()[0].Pos).To(Equal(diag.Pos{File: "a.yaml", Line: line, Col: col}))
	},
		Entry("100 MB", func() []byte { return bytes.Repeat([]byte("a: b # xx\n"), 10<<20) }, 1, 1, "the file is larger than 4 MB"),
		Entry("200,000 brackets", func() []byte { return []byte("suite: " + strings.Repeat("[", 200_000)) }, 1, 108, "nests deeper than 100 levels"),
		Entry("200,000 braces", func() []byte { return []byte("suite: " + strings.Repeat("{a: ", 200_000)) }, 1, 408, "nests deeper than 100 levels"),
		Entry("200,000 dashes", func() []byte { return []byte("suite:\n  " + strings.Repeat("- ", 200_000)) }, 2, 201, "nests deeper than 100 levels"),
		Entry("deep indentation", func() []byte {
			return []byte("suite: s\n" + many(300, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }))
		}, 102, 102, "nests deeper than 100 levels"),
		Entry("50,000 anchors", func() []byte {
			return []byte(many(50_000, func(i int) string { return fmt.Sprintf("x-%d: &a%d 1\n", i, i) }))
		},
			10_001, 10, "more than 1000 anchors"),
		Entry("1,500 anchors", func() []byte {
			return []byte(many(1_500, func(i int) string { return fmt.Sprintf("x-%d: &a%d 1\n", i, i) }))
		},
			1001, 9, "more than 1000 anchors"),
		Entry("50,000 keys", func() []byte { return []byte(many(50_000, func(i int) string { return fmt.Sprintf("x-%d: 1\n", i) })) },
			2001, 7, "a map has more than 2000 keys"),
		Entry("4 MB of brackets", func() []byte { return bytes.Repeat([]byte("[]"), 2<<20-10) }, 1, 200_001, "the file holds too many values"),
		Entry("4 MB of quotes", func() []byte { return bytes.Repeat([]byte(`""`), 2<<20-10) }, 1, 800_001, "the file holds too many values"),
		Entry("an alias bomb", func() []byte {
			return []byte("suite: s\nx-0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" + many(30, func(i int) string {
				return fmt.Sprintf("x-%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
			}) + oneTest)
		}, 6, 11, "aliases expand to more than 10000 values"),
		Entry("NUL", func() []byte { return []byte("suite: s\n# \x00\n" + oneTest) }, 2, 3, "NUL byte"),
		Entry("not UTF-8", func() []byte { return []byte("suite: s\n# ü\xff\n" + oneTest) }, 2, 4, "not UTF-8"),
		Entry("UTF-16", func() []byte { return []byte("\xff\xfes\x00u\x00") }, 1, 4, "NUL byte"),
	)
	It("leaves large and honest files alone", func() {
		var l diag.List
		start := time.Now()
		f := spec.Parse("a.yaml", []byte("suite: s\ntests:\n- name: a\n  steps:\n"+many(10_000, func(i int) string {
			return fmt.Sprintf("  - [fill, \"#field%d\", some text]\n", i)
		})), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		steps, _ := f.Suite.Tests[0].Steps.Seq()
		Expect(steps).To(HaveLen(10_000))
		Expect(time.Since(start)).To(BeNumerically("<", 2*time.Second))
	})
	It("skips a byte order mark", func() {
		var l diag.List
		f := spec.Parse("a.yaml", []byte("\ufeffsuite: s\n"+oneTest), &l)
		Expect(l.Err()).NotTo(HaveOccurred())
		Expect(f.Suite.Name).To(Equal("s"))
	})
})
