// Package tape is a list of rows that somebody has done, and the suite that does them again.
package tape

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/steps/argv"
)

// Suite is what becomes a suite file of one test.
type Suite struct {
	By      string // the command that writes it
	Name    string
	BaseURL string   // or ""
	Secrets []string // names, in any order
	Rows    []Row
}

// Row is one row, and a comment above it.
type Row struct {
	Cells []string
	Note  string // or ""
}

// NameOf makes the name of a suite from the name of its file.
func NameOf(file string) string {
	name := filepath.Base(file)
	for _, ext := range []string{".yaml", ".yml"} {
		name = strings.TrimSuffix(name, ext)
	}
	if name == "" || name == "." || name == string(filepath.Separator) {
		return "recorded"
	}
	return name
}

// Text is the file.
func (s Suite) Text() string {
	var b strings.Builder
	b.WriteString("# Written by " + s.By + ".\nsuite: " + scalar(s.Name) + "\n")
	if s.BaseURL != "" {
		b.WriteString("base_url: " + scalar(s.BaseURL) + "\n")
	}
	if len(s.Secrets) > 0 {
		names := slices.Compact(slices.Sorted(slices.Values(s.Secrets)))
		b.WriteString("secrets: " + argv.Row(names) + "\n")
	}
	b.WriteString("\ntests:\n  - name: " + scalar(s.Name) + "\n    steps:\n")
	for _, r := range s.Rows {
		if r.Note != "" {
			b.WriteString("      # " + strings.Join(strings.Fields(r.Note), " ") + "\n")
		}
		b.WriteString("      - " + argv.Row(r.Cells) + "\n")
	}
	return b.String()
}

// scalar spells a text so that YAML reads it as one.
func scalar(text string) string {
	row := argv.Row([]string{text})
	return row[1 : len(row)-1]
}
