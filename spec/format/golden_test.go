package format_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/spec/format"
)

// Each archive in testdata is one subject of the style: a sentence, the input, and what becomes of it.
var _ = Describe("Source", func() {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range archives {
		It(strings.TrimSuffix(filepath.Base(path), ".txtar"), func() {
			archive, err := txtar.ParseFile(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(archive.Comment)).NotTo(BeEmpty())
			src := archive.Files[0].Data
			fixing := archive.Files[0].Name == "fix.yaml"
			var log strings.Builder
			if fixing {
				var done []format.Correction
				src, done = format.Fix("a.yaml", src)
				for _, c := range done {
					fmt.Fprintf(&log, "%d: %s\n- %s\n+ %s\n", c.Line, c.Why, c.Old, c.New)
				}
			}
			var l diag.List
			out, ok := format.Source("a.yaml", src, &l)
			if !ok {
				var text bytes.Buffer
				Expect(diag.Render(&text, l.All(), func(string) []byte { return src }, diag.Style{})).To(Succeed())
				out = text.Bytes()
			}
			files := []txtar.File{archive.Files[0], {Name: "want", Data: out}}
			if fixing {
				files = append(files, txtar.File{Name: "corrections", Data: []byte(log.String())})
			}
			if os.Getenv("CHECKROW_GOLDEN") == "1" {
				Expect(os.WriteFile(path, txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: files}), 0o644)).To(Succeed())
				return
			}
			Expect(archive.Files).To(Equal(files))
		})
	}
})
