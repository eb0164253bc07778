// Package markdown turns HTML into Markdown that reads well, and picks parts of Markdown by its headings.
package markdown

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FromHTML gives the text of a document: headings, paragraphs, lists, quotes, code and tables keep their form, links and
// buttons are their text, what no reader sees (scripts, styles, the head) is left out.
func FromHTML(src string) (string, error) {
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return "", fmt.Errorf("reading HTML: %w", err)
	}
	w := &writer{}
	w.node(doc)
	return tidy(w.b.String()), nil
}

// writer walks a document. Blocks end with a blank line; tidy drops those that are too many.
type writer struct {
	b     strings.Builder
	pre   int
	lists []int // of each list around: -1, or the number of the next item
}

// unseen are elements that show no text of their own.
var unseen = map[atom.Atom]bool{atom.Head: true, atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true,
	atom.Svg: true, atom.Iframe: true, atom.Object: true, atom.Canvas: true, atom.Video: true, atom.Audio: true, atom.Select: true,
	atom.Datalist: true, atom.Textarea: true}

// blocks are elements that stand alone.
var blocks = map[atom.Atom]bool{atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Header: true,
	atom.Footer: true, atom.Nav: true, atom.Aside: true, atom.Form: true, atom.Fieldset: true, atom.Figure: true, atom.Figcaption: true,
	atom.Address: true, atom.Details: true, atom.Summary: true, atom.Dl: true, atom.Dt: true, atom.Dd: true, atom.Ul: true, atom.Ol: true,
	atom.Table: true, atom.Caption: true, atom.Legend: true, atom.Body: true, atom.Hr: true, atom.Dialog: true}

var levels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

func (w *writer) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data)
	case n.Type == html.ElementNode && !unseen[n.DataAtom]:
		w.element(n)
	case n.Type == html.DocumentNode:
		w.inside(n)
	}
}

func (w *writer) inside(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

// text writes a text; runs of white space become one space, or one line end if they hold one.
func (w *writer) text(s string) {
	if w.pre > 0 {
		w.b.WriteString(s)
		return
	}
	space := ""
	for _, r := range s {
		switch {
		case r == '\n':
			space = "\n"
		case r == ' ' || r == '\t' || r == '\r' || r == '\f':
			if space == "" {
				space = " "
			}
		default:
			w.b.WriteString(space)
			space = ""
			w.b.WriteRune(r)
		}
	}
	w.b.WriteString(space)
}

func (w *writer) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Br:
		w.b.WriteString("\n")
	case atom.Hr:
		w.b.WriteString("\n\n---\n\n")
	case atom.Pre:
		w.b.WriteString("\n\n```\n")
		w.pre++
		w.inside(n)
		w.pre--
		w.b.WriteString("\n```\n\n")
	case atom.Code:
		w.around(n, "`")
	case atom.Blockquote:
		w.b.WriteString("\n\n" + prefix(tidy(w.apart(n)), "> ", "> ") + "\n\n")
	case atom.Ul, atom.Ol:
		w.list(n)
	case atom.Li:
		w.item(n)
	case atom.Tr:
		w.row(n)
	default:
		w.block(n)
	}
}

func (w *writer) block(n *html.Node) {
	switch level := levels[n.DataAtom]; {
	case level > 0:
		w.b.WriteString("\n\n" + strings.Repeat("#", level) + " " + oneLine(w.apart(n)) + "\n\n")
	case blocks[n.DataAtom]:
		w.b.WriteString("\n\n")
		w.inside(n)
		w.b.WriteString("\n\n")
	default:
		w.inside(n)
	}
}

// apart writes what is inside an element into a text of its own.
func (w *writer) apart(n *html.Node) string {
	in := &writer{pre: w.pre, lists: w.lists}
	in.inside(n)
	return in.b.String()
}

func (w *writer) around(n *html.Node, mark string) {
	if w.pre > 0 {
		w.inside(n)
		return
	}
	if text := oneLine(w.apart(n)); text != "" {
		w.b.WriteString(mark + text + mark)
	}
}

func (w *writer) list(n *html.Node) {
	first := -1
	if n.DataAtom == atom.Ol {
		first = 1
	}
	w.lists = append(w.lists, first)
	start, end := "\n\n", "\n\n"
	if len(w.lists) > 1 {
		start, end = "", "\n"
	}
	w.b.WriteString(start)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode { // the white space between items is nothing
			w.node(c)
		}
	}
	w.b.WriteString(end)
	w.lists = w.lists[:len(w.lists)-1]
}

func (w *writer) item(n *html.Node) {
	mark := "- "
	if at := len(w.lists) - 1; at >= 0 && w.lists[at] > 0 {
		mark = fmt.Sprintf("%d. ", w.lists[at])
		w.lists[at]++
	}
	text := tidy(w.apart(n))
	if text != "" {
		w.b.WriteString("\n" + prefix(text, mark, strings.Repeat(" ", len(mark))))
	}
}

// row writes a row of a table; the first one of a table is followed by a rule.
func (w *writer) row(n *html.Node) {
	var cells []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			cells = append(cells, strings.ReplaceAll(oneLine(w.apart(c)), "|", `\|`))
		}
	}
	if len(cells) == 0 {
		return
	}
	w.b.WriteString("\n| " + strings.Join(cells, " | ") + " |")
	if isFirst(n) {
		w.b.WriteString("\n|" + strings.Repeat(" --- |", len(cells)))
	}
}

// isFirst tells the first row of a table.
func isFirst(n *html.Node) bool {
	for p := n; p != nil && p.DataAtom != atom.Table; p = p.Parent {
		for b := p.PrevSibling; b != nil; b = b.PrevSibling {
			if b.DataAtom == atom.Tr || b.DataAtom == atom.Thead || b.DataAtom == atom.Tbody {
				return false
			}
		}
	}
	return true
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// prefix puts first before the first line and rest before the others.
func prefix(text, first, rest string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		mark := rest
		if i == 0 {
			mark = first
		}
		lines[i] = strings.TrimRight(mark+lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// tidy trims the lines outside of code and leaves one blank line where there are several.
func tidy(s string) string {
	var out []string
	code := false
	for _, l := range strings.Split(s, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(l), "```")
		if !code || fence {
			l = keepIndent(l)
		}
		if fence {
			code = !code
		}
		if l == "" && !code && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, l)
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// keepIndent trims a line; what stands below an item of a list keeps its indentation.
func keepIndent(l string) string {
	text := strings.Trim(l, " \t")
	if in := len(l) - len(strings.TrimLeft(l, " ")); in >= 2 && text != "" {
		return strings.Repeat(" ", in) + text
	}
	return text
}
