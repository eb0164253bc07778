package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// rows reads data and expects no error.
func rows(file, src string) []spec.DataRow {
	GinkgoHelper()
	var l diag.List
	out := spec.ParseData(file, []byte(src), &l)
	Expect(l.Err()).NotTo(HaveOccurred())
	return out
}

var _ = Describe("Data files", func() {
	It("give text from CSV, as it is written, with the place of each row", func() {
		got := rows("d.csv", "\ufeffname,note\r\nAda,007\r\n\"a \"\"b\"\"\nc\",\"x,y\"\r\nEve,\r\n")
		Expect(got).To(HaveExactElements(
			spec.DataRow{Pos: diag.Pos{File: "d.csv", Line: 2, Col: 1}, Value: map[string]any{"name": "Ada", "note": "007"}},
			spec.DataRow{Pos: diag.Pos{File: "d.csv", Line: 3, Col: 1}, Value: map[string]any{"name": "a \"b\"\nc", "note": "x,y"}},
			spec.DataRow{Pos: diag.Pos{File: "d.csv", Line: 5, Col: 1}, Value: map[string]any{"name": "Eve", "note": ""}},
		))
	})
	It("keep the types of JSON and YAML", func() {
		want := []any{map[string]any{"n": 1, "f": 1.5, "ok": true, "l": []any{1, "x"}}, map[string]any{"n": 2}}
		for file, src := range map[string]string{
			"d.json": `[ {"n": 1, "f": 1.5, "ok": true, "l": [1, "x"]},` + "\n" + `  {"n": 2} ]`,
			"d.yaml": "- { n: 1, f: 1.5, ok: true, l: [1, x] }\n- { n: 2 }\n",
		} {
			var got []any
			for _, r := range rows(file, src) {
				got = append(got, r.Value)
			}
			Expect(got).To(Equal(want), file)
		}
	})
	It("count columns of JSON in runes, on one line too", func() {
		got := rows("d.json", `[{"a":"äöü"}, {"a":"b"},`+"\n\t"+`{"a":"c"}]`)
		Expect([]diag.Pos{got[0].Pos, got[1].Pos, got[2].Pos}).To(HaveExactElements(
			diag.Pos{File: "d.json", Line: 1, Col: 2}, diag.Pos{File: "d.json", Line: 1, Col: 15}, diag.Pos{File: "d.json", Line: 2, Col: 2}))
	})
	It("are never code", func() {
		Expect(rows("d.csv", "a\n${{ env.X }}\n")[0].Value).To(Equal(map[string]any{"a": "${{ env.X }}"}))
	})
	DescribeTable("have limits", func(file, src, want string) {
		var l diag.List
		Expect(spec.ParseData(file, []byte(src), &l)).To(BeEmpty())
		Expect(l.Err()).To(MatchError(want))
	},
		Entry("bytes", "d.csv", "a\n"+strings.Repeat("x", spec.MaxDataBytes), "d.csv: is larger than 10 MB"),
		Entry("UTF-8", "d.csv", "a\nb\xff\n", "d.csv:2:2: the file is not UTF-8"),
		Entry("NUL", "d.json", "[\n\x00]", "d.json:2:1: the file holds a NUL byte: it is no text"),
		Entry("nothing", "d.json", "[]", "d.json:1:1: the file holds no row (a test without rows would never run)"),
		Entry("null", "d.json", "null", `d.json:1:1: the data must be a list, got nothing`),
	)
	It("have at most ten thousand rows", func() {
		for _, file := range []string{"d.csv", "d.json"} {
			src := "a\n" + strings.Repeat("x\n", spec.MaxDataRows+1)
			line := spec.MaxDataRows + 2
			if file == "d.json" {
				src = "[1\n" + strings.Repeat(",1\n", spec.MaxDataRows) + "]"
				line = spec.MaxDataRows + 1
			}
			var l diag.List
			spec.ParseData(file, []byte(src), &l)
			Expect(l.Err()).To(MatchError(HavePrefix(fmt.Sprintf("%s:%d:", file, line))), file)
			Expect(l.Err()).To(MatchError(ContainSubstring("each has more than 10000 rows")))
		}
	})
})

var _ = Describe("Devices", func() {
	It("are all complete", func() {
		names := spec.DeviceNames()
		Expect(len(names)).To(BeNumerically(">", 100))
		seen := map[string]bool{}
		for _, name := range names {
			d, ok := spec.FindDevice(name)
			Expect(ok).To(BeTrue())
			Expect(seen[name]).To(BeFalse(), name)
			seen[name] = true
			Expect(d.Viewport).To(MatchRegexp(`^[1-9]\d\d+x[1-9]\d\d+$`), name)
			Expect(d.Scale).To(BeNumerically(">=", 1), name)
			Expect(d.Mobile).To(Equal(d.Touch), name)
			Expect(d.Mobile).To(Equal(!strings.HasPrefix(name, "Desktop")), name)
			Expect(d.UserAgent).To(MatchRegexp(`^Mozilla/5\.0 \([^)]+\) AppleWebKit/[\d.]+ \(KHTML, like Gecko\) .*Safari/[\d.]+( Edg/[\d.]+)?$`), name)
		}
	})
	It("turn to landscape", func() {
		d, _ := spec.FindDevice("iPhone 15 landscape")
		Expect(d).To(Equal(spec.Device{Name: "iPhone 15 landscape", Viewport: "734x343", Scale: 3, Mobile: true, Touch: true,
			UserAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.2 Mobile/15E148 Safari/604.1"}))
	})
})

func FuzzData(f *testing.F) {
	for _, file := range spec.DataFormats {
		for _, src := range []string{"name,n\nAda,1\n", "\"a\nb\",c\nx", `[{"a": 1}, 2]`, "- a: 1\n- b", "[1,", "\ufeffa;b\n1;2", "a,a\n\"", ""} {
			f.Add(file, src)
		}
	}
	f.Fuzz(func(t *testing.T, file, src string) {
		var l diag.List
		got := spec.ParseData("x"+file, []byte(src), &l)
		if len(got) == 0 && l.Len() == 0 {
			t.Error("neither rows nor an error")
		}
		lines := strings.Split(src, "\n")
		for _, r := range got {
			if r.Pos.Line < 1 || r.Pos.Line > len(lines) || r.Pos.Col < 1 || r.Pos.Col > utf8.RuneCountInString(lines[r.Pos.Line-1])+1 {
				t.Errorf("row at %v stands outside the file of %d lines", r.Pos, len(lines))
			}
		}
	})
}
