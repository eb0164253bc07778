package reporters_test

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/checkrow/checkrow/reporters"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// FuzzBlock looks for text that a terminal would act on, for a line that is too wide and for a panic.
func FuzzBlock(f *testing.F) {
	f.Add("a\x1b[31mb\x1b]0;t\x07", "line\r\nline\u2028", 60, 3)
	f.Add("日本語 テスト", "日本语\tテスト ", 41, 900)
	f.Add("\x1b", "\xff\x1b[", 0, 0)
	f.Add("👩‍💻 \u200d", "🏃🏽‍♂️‍", 41, 9)
	f.Fuzz(func(t *testing.T, a, b string, width, col int) {
		width = 40 + max(width, 0)%200
		fail := &journal.Failure{Message: a, Pos: diag.Pos{File: "a.yaml", Line: 2, Col: col}, Row: []string{a, b},
			Excerpt: []journal.Line{{N: 1, Text: a}, {N: 2, Text: b + a}}, Category: steps.Assertion, Services: []string{b},
			Page: steps.Page{URL: a, Title: b}, Progress: []journal.RowProgress{{Row: []string{a}}, {Row: []string{b}}},
			Detail: &steps.Detail{Want: a, Got: b, Output: b, Seen: []steps.Seen{{Value: a, Times: 2}},
				Target: &steps.TargetInfo{Source: a, Matches: 1, List: []string{b}, Near: []string{a}},
				Terms:  []steps.Term{{Source: a, Value: b, Evaluated: true, Sub: []steps.Term{{Source: b}}}}}}
		var out bytes.Buffer
		if err := reporters.Block(&out, nil, nil, fail, reporters.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(out.Bytes()) {
			t.Fatalf("no UTF-8: %q", out.String())
		}
		for _, line := range bytes.Split(out.Bytes(), []byte("\n")) {
			if n := reporters.Columns(string(line)); n > width {
				t.Fatalf("%d columns of %d: %q", n, width, line)
			}
			for _, r := range string(line) {
				if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '\u2028' || r == '\u2029' {
					t.Fatalf("%q is left in %q", r, line)
				}
			}
		}
	})
}

// TestCleanJoiners holds that emoji stay whole, and that a joiner which hides elsewhere is shown.
func TestCleanJoiners(t *testing.T) {
	for in, want := range map[string]string{
		"👩‍💻 🏃🏽‍♂️ 👨‍👩‍👧": "👩‍💻 🏃🏽‍♂️ 👨‍👩‍👧",
		"pay\u200dpal":       "pay[ZWJ]pal",
		"\u200d💻":            "[ZWJ]💻",
		"💻\u200d":            "💻[ZWJ]",
		"💻\u200d\u200d💻":     "💻[ZWJ][ZWJ]💻",
		"\ufe0f\u200d💻":      "\ufe0f[ZWJ]💻",
		"\xff\u200d\xff":     "\ufffd[ZWJ]\ufffd",
		"💻 \u200d 💻 \u200db": "💻 [ZWJ] 💻 [ZWJ]b",
	} {
		if got := reporters.Clean(in); got != want {
			t.Errorf("%q became %q, wanted %q", in, got, want)
		}
	}
	if got := reporters.Visible("👩\u200d💻"); got != "👩[ZWJ]💻" {
		t.Errorf("a value that is compared hides a joiner: %q", got)
	}
}
