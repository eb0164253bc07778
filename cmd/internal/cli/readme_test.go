package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeSuites compiles every suite that README.md shows.
func TestReadmeSuites(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for part := range strings.SplitSeq(string(text), "```yaml\n") {
		suite, _, ok := strings.Cut(part, "```")
		if !ok || !strings.HasPrefix(suite, "suite:") {
			continue
		}
		found++
		file := filepath.Join(t.TempDir(), "readme.yaml")
		if err := os.WriteFile(file, []byte(suite), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := &exec.Cmd{Path: self, Args: []string{"checkrow", "check", file}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("a suite in README.md does not compile: %v\n%s", err, out)
		}
	}
	if found == 0 {
		t.Error("README.md shows no suite")
	}
}

// TestExamplesAreFormatted holds the examples to the form that checkrow fmt gives.
func TestExamplesAreFormatted(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: self, Args: []string{"checkrow", "fmt", "--check", "examples"}, Dir: filepath.Join("..", "..", "..")}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("make build && bin/checkrow fmt examples: %v\n%s", err, out)
	}
}
