package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/steps/argv"
)

// golden tells that generated files shall be rewritten.
func golden() bool { return os.Getenv("CHECKROW_GOLDEN") == "1" }

// readme is README.md seen from this folder.
var readme = filepath.Join("..", "..", "..", "README.md")

// TestGeneratedReadme holds the tables in README.md against the tables in the code.
func TestGeneratedReadme(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for name, table := range map[string]string{
		"exit codes":  exitMarkdown(),
		"variables":   environMarkdown((&app{}).runCmd().Flags()),
		"rows":        commandsMarkdown(argv.Commands()),
		"steps":       stepsMarkdown(standard.Kinds()),
		"conformance": conformanceMarkdown(t),
	} {
		if got, err = between(got, name, table); err != nil {
			t.Fatal(err)
		}
	}
	if got == string(text) {
		return
	}
	if !golden() {
		t.Fatal("the tables in README.md are not those of the code: run make golden")
	}
	if err := os.WriteFile(readme, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between replaces what stands between the markers of a generated table.
func between(text, name, table string) (string, error) {
	begin, end := "<!-- generated: "+name+" -->\n", "<!-- end: "+name+" -->\n"
	head, rest, ok := strings.Cut(text, begin)
	if !ok {
		return "", &missingMarker{begin}
	}
	_, tail, ok := strings.Cut(rest, end)
	if !ok {
		return "", &missingMarker{end}
	}
	return head + begin + "\n" + table + "\n" + end + tail, nil
}

type missingMarker struct{ marker string }

func (e *missingMarker) Error() string { return "README.md has no line " + strings.TrimSpace(e.marker) }

// TestGeneratedSchema holds the published schema of suites against the tables in the code.
func TestGeneratedSchema(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main([]string{"schema"}, World{Stdout: &out, Stderr: &errs}); code != 0 {
		t.Fatalf("checkrow schema: exit code %d: %s", code, errs.String())
	}
	file := filepath.Join("testdata", "schema", "suite.schema.json")
	want, err := os.ReadFile(file)
	if err == nil && bytes.Equal(want, out.Bytes()) {
		return
	}
	if !golden() {
		t.Fatalf("%s is not what checkrow schema prints: run make golden", file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
