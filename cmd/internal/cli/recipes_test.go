package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/checkrow/checkrow/cmd/internal/manual"
)

// recipeProject is the checkrow.yaml that the recipes leave to the reader.
const recipeProject = `services:
  shop: { exec: [./shop, --port, "${{ self.port }}"], ready: { http: /healthz, within: 1m } }
base_url: "${{ services.shop.url }}"
`

// TestRecipes writes the files of all recipes, compiles the suites among them, and runs them against the shop.
func TestRecipes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("checkrow.yaml", recipeProject)
	suites := 0
	for _, p := range manual.Recipes() {
		for _, s := range manual.Snippets(p.Text) {
			switch {
			case s.File != "":
				write(s.File, s.Text)
			case s.Lang != "sh":
				t.Errorf("%s: a fence of %s names no file, and nothing tries it", p.Name, s.Lang)
			}
			if strings.HasPrefix(s.Text, "suite:") {
				suites++
			}
		}
	}
	if suites < 9 {
		t.Errorf("only %d suites were found", suites)
	}
	checkrow := func(args ...string) string {
		cmd := exec.Command("checkrow", args...)
		cmd.Dir = dir
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "CI=") }), "NO_COLOR=1", "CHECKROW_TIMEOUT_SCALE=3")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("checkrow %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	checkrow("check", "suites")
	checkrow("fmt", "--check", "suites")
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "shop"), "./examples/shop")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the shop: %v\n%s", err, out)
	}
	if out := checkrow("check", "--policy", "gate/policy.yaml", "suites/gate.yaml"); strings.Contains(out, "denied") {
		t.Errorf("the policy denies what its recipe does:\n%s", out)
	}
	if has, err := hasBrowser(); err != nil {
		t.Fatal(err)
	} else if !has {
		t.Skip("no browser")
	}
	checkrow("run", "--update", "suites/visual.yaml")
	if out := checkrow("run"); !strings.Contains(out, "11 passed, 1 quarantined") {
		t.Errorf("not all recipes pass:\n%s", out)
	}
	checkrow("run", "--policy", "gate/policy.yaml", "--tag", "smoke", "suites/gate.yaml")
}
