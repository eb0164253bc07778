package browser_test

import (
	"strings"
	"testing"

	"github.com/checkrow/checkrow/steps/browser"
)

func FuzzCurlCookies(f *testing.F) {
	f.Add("a=1; b=2")
	f.Add("curl 'https://h' -b 'x=1' \\\n -H \"Cookie: a=1\"")
	f.Add("#HttpOnly_h.test\tFALSE\t/\tTRUE\t1\tb\t2\n")
	f.Fuzz(func(t *testing.T, text string) {
		for name := range browser.CurlCookies(text) {
			if name == "" && !strings.Contains(text, "\t") {
				t.Fatalf("%q: a cookie without a name", text)
			}
		}
	})
}

func FuzzShapeTree(f *testing.F) {
	f.Add(tree, "home", 2)
	f.Add("- a:\n  - /url: x\n    - 'b: c':", "", 0)
	f.Fuzz(func(t *testing.T, text, search string, depth int) {
		out := browser.ShapeTree(text, search, depth)
		if strings.Count(out, "\n") > strings.Count(text, "\n") {
			t.Fatalf("%q: more lines came out than went in: %q", text, out)
		}
	})
}
