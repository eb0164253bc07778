package manual

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed recipes/*.md
var recipeFiles embed.FS

// Page is one page of the reference, as Markdown.
type Page struct {
	Name  string // of its file without the ending: rows, login-once
	Title string
	Text  string
}

// Recipes are the pages that are written by hand, in their order; the first is about the language. A fence of them may
// name a file behind its language: the suites among those files run in a test.
func Recipes() []Page {
	entries, err := fs.ReadDir(recipeFiles, "recipes")
	if err != nil {
		panic(err) // it is in the binary
	}
	var out []Page
	for _, e := range entries {
		text, err := fs.ReadFile(recipeFiles, "recipes/"+e.Name())
		if err != nil {
			panic(err)
		}
		_, name, _ := strings.Cut(strings.TrimSuffix(e.Name(), ".md"), "-")
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		out = append(out, Page{Name: name, Title: title, Text: string(text)})
	}
	return out
}

// Snippet is one fence of a page.
type Snippet struct {
	Lang, File, Text string
}

// Snippets are the fences of a page.
func Snippets(text string) []Snippet {
	var out []Snippet
	open := false
	for line := range strings.Lines(text) {
		if info, fence := strings.CutPrefix(line, "```"); fence {
			if open = !open; open {
				lang, file, _ := strings.Cut(strings.TrimSpace(info), " ")
				out = append(out, Snippet{Lang: lang, File: file})
			}
			continue
		}
		if open {
			out[len(out)-1].Text += line
		}
	}
	return out
}
