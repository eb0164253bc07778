package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// conformanceMarkdown is the first paragraph of the counts that the conformance tests keep.
func conformanceMarkdown(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "steps", "browser", "conformance", "testdata", "counts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n\n")
	return strings.TrimSpace(first) + "\n"
}
