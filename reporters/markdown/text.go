package markdown

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/checkrow/checkrow/reporters"
)

// maxText is how many columns of a message or name are shown outside of its block.
const maxText = 240

// short is text in one line of bearable length.
func short(text string) string {
	return reporters.Cut(strings.Join(strings.Fields(reporters.Clean(text)), " "), maxText)
}

// code is text as a code span: what is in it is no markup, no HTML, no mention and no link.
func code(text string) string {
	text = short(text)
	if text == "" {
		return "–"
	}
	fence := strings.Repeat("`", longest(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cell is text as a code span in a table, where a bar would end the cell even in code.
func cell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// html is text as HTML in code, for places where Markdown is not read.
func html(text string) string { return "<code>" + entities.Replace(short(text)) + "</code>" }

// fenced is text of many lines as it is. The fence is longer than any in the text.
func fenced(text string) string {
	fence := strings.Repeat("`", max(3, longest(text, '`')+1))
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// longest is the length of the longest run of a byte.
func longest(text string, c byte) int {
	most, now := 0, 0
	for i := range len(text) {
		if text[i] != c {
			now = 0
			continue
		}
		now++
		most = max(most, now)
	}
	return most
}

// clip shortens text to at most n bytes, at the end of a line.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	const note = "… the rest is in the other reports\n"
	cut := strings.LastIndexByte(text[:max(n-len(note), 0)], '\n')
	return text[:cut+1] + note
}

// link is the address of an artifact, seen from the folder of the text.
func (p *page) link(path string) string {
	rel, err := filepath.Rel(p.opts.Base, filepath.Join(p.dir, filepath.FromSlash(path)))
	if err != nil { // another drive
		rel = filepath.Join(p.dir, path)
	}
	return (&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath()
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
