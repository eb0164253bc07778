package format_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/spec/format"
)

// sources gives every YAML file of the project: suites, examples, and those inside goldens.
func sources() map[string][]byte {
	out := map[string][]byte{}
	root := filepath.Join("..", "..")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return fs.SkipDir
		}
		switch filepath.Ext(path) {
		case ".yaml", ".yml":
			out[path], err = os.ReadFile(path)
		case ".txtar":
			archive, badArchive := txtar.ParseFile(path)
			if badArchive != nil {
				return badArchive
			}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".yaml") {
					out[path+" "+f.Name] = f.Data
				}
			}
		}
		return err
	})
	return out
}

// problem says what is wrong with the formatting of a text; "" for nothing. A text that is no YAML map must give an error.
func problem(src []byte) string {
	var l diag.List
	old := spec.ReadDocument("a.yaml", src, &l)
	readable := l.Len() == 0 && old.Root.IsMap()
	out, ok := format.Source("a.yaml", src, &diag.List{})
	switch {
	case !readable && ok:
		return "formatted what cannot be read"
	case !ok:
		return ""
	}
	now := spec.ReadDocument("a.yaml", out, &l)
	again, ok := format.Source("a.yaml", out, &l)
	switch {
	case l.Len() > 0 || !ok:
		return "the result cannot be read: " + string(out)
	case !old.Same(now):
		return "the result means something else: " + string(out)
	case !bytes.Equal(out, again):
		return "formatting twice changes it again:\n" + string(out) + "\nthen\n" + string(again)
	}
	return ""
}

var _ = Describe("every YAML file of the project", func() {
	It("is formatted without a change of meaning, and once is enough", func() {
		all := sources()
		Expect(len(all)).To(BeNumerically(">", 150))
		formatted := 0
		for name, src := range all {
			Expect(problem(src)).To(BeEmpty(), name)
			var l diag.List
			if spec.ReadDocument(name, src, &l); l.Len() > 0 {
				continue
			}
			_, ok := format.Source(name, src, &l)
			refused := strings.Contains(name, "refused.txtar")
			Expect(ok || refused || !strings.Contains(l.All()[0].Msg, "cannot be formatted")).To(BeTrue(), "%s: %v", name, l.All())
			formatted++
		}
		Expect(formatted).To(BeNumerically(">", 100))
	})

	It("can be corrected and then still reads", func() {
		for name, src := range sources() {
			fixed, done := format.Fix(name, src)
			again, more := format.Fix(name, fixed)
			Expect(more).To(BeEmpty(), "%s: %v", name, more)
			Expect(again).To(Equal(fixed), name)
			if len(done) == 0 {
				Expect(fixed).To(Equal(src), name)
			}
		}
	})
})

func FuzzSource(f *testing.F) {
	for _, src := range sources() {
		f.Add(src)
	}
	for _, once := range []string{ // what has failed before
		"e: s\nh: {1] ", "   A0\n       A0000000000000: {0:\"{}0\"}", "  \n0:\n- [ #0\n] ",
	} {
		f.Add([]byte(once))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			t.Skip()
		}
		if p := problem(src); p != "" {
			t.Error(p)
		}
		fixed, _ := format.Fix("a.yaml", src)
		if p := problem(fixed); p != "" {
			t.Error(p)
		}
	})
}
