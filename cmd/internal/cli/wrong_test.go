package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestWrongFiles checks wrong files, one trap each, as users do: suite.yaml in a folder of its own with the files beside
// it. The archive holds what check prints. CHECKROW_GOLDEN=1 rewrites it; read every message then as somebody who has
// never seen the program.
func TestWrongFiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/wrong/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archives) < 100 {
		t.Errorf("there are %d wrong files", len(archives))
	}
	messages := map[string]string{}
	for _, path := range archives {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := checkFiles(t, archive.Files)
			lookAt(t, got)
			if other, twice := messages[got]; twice {
				t.Errorf("says the same as %s", other)
			}
			messages[got] = name
			files := archive.Files
			var want string
			if last := len(files) - 1; files[last].Name == "want" {
				files, want = files[:last], string(files[last].Data)
			}
			if golden() {
				archive.Files = append(files[:len(files):len(files)], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got\n%s\nwanted\n%s", got, want)
			}
		})
	}
}

// checkFiles puts files into a folder, checks suite.yaml and gives what is printed.
func checkFiles(t *testing.T, files []txtar.File) string {
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	w := World{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Now: time.Now}
	if code := Main([]string{"check", "suite.yaml"}, w); code != ExitUsage {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	return strings.ReplaceAll(errs.String(), dir, "DIR")
}

// lookAt holds a message against what every message has: a place, no word of the machinery, one mistake told once.
func lookAt(t *testing.T, got string) {
	if !strings.HasSuffix(got, "1 error in 1 file\n") {
		t.Errorf("one trap is not one error:\n%s", got)
	}
	for _, internal := range []string{"*ast.", "[]string", "!!str", "goccy", "token.", "map[", "interface", "nil pointer", "strconv", "<nil>"} {
		if strings.Contains(got, internal) {
			t.Errorf("%q of the machinery is in\n%s", internal, got)
		}
	}
	first, _, _ := strings.Cut(got, "\n")
	if strings.HasSuffix(first, ".") || strings.Contains(first, ": error: \"\"") {
		t.Errorf("the style of %s", first)
	}
}
