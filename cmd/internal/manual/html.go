package manual

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// HTML gives a page as a file that stands alone, with links to all pages.
func HTML(p Page, all []Page) string {
	var nav strings.Builder
	for _, o := range all {
		class := ""
		if o.Name == p.Name {
			class = ` aria-current="page"`
		}
		fmt.Fprintf(&nav, "<li><a href=\"%s.html\"%s>%s</a></li>\n", o.Name, class, html.EscapeString(o.Title))
	}
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>` + html.EscapeString(p.Title) + ` · checkrow</title><style>` + style + `</style></head>
<body><nav aria-label="Pages"><ul>
` + nav.String() + `</ul></nav>
<main>
` + body(p.Text) + `</main></body></html>
`
}

const style = `:root{color-scheme:light dark;--line:light-dark(#d6d9de,#3a3f47);--soft:light-dark(#f3f4f6,#22262c);--link:light-dark(#0b57d0,#8ab4f8)}
body{margin:0;font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:15rem minmax(0,1fr)}
nav{border-right:1px solid var(--line);padding:1rem;font-size:.9rem}nav ul{list-style:none;margin:0;padding:0;position:sticky;top:1rem}
main{padding:1rem 2rem 4rem;max-width:60rem;overflow-wrap:anywhere}a{color:var(--link)}a[aria-current]{font-weight:bold}
code,pre{font:.88em/1.45 ui-monospace,monospace;background:var(--soft)}code{padding:.1em .25em}pre{padding:.8rem;overflow:auto}pre code{padding:0;background:none}
table{border-collapse:collapse;display:block;overflow:auto}th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
figure{margin:0}figcaption{font-size:.85rem}h3{margin-top:2.2rem}@media(max-width:45rem){body{display:block}nav{border:0;border-bottom:1px solid var(--line)}}`

// body turns the Markdown that the reference is written in into HTML: headings, paragraphs, lists of one level, tables,
// fences. It is not meant for other Markdown.
func body(text string) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case strings.HasPrefix(line, "```"):
			i = fence(&b, lines, i)
		case strings.HasPrefix(line, "#"):
			level := len(line) - len(strings.TrimLeft(line, "#"))
			title := strings.TrimSpace(line[level:])
			fmt.Fprintf(&b, "<h%d id=\"%s\">%s</h%d>\n", level, Anchor(title), inline(title), level)
			i++
		case strings.HasPrefix(line, "|"):
			i = table(&b, lines, i)
		case strings.HasPrefix(line, "- "):
			i = list(&b, lines, i)
		default:
			var words []string
			for i < len(lines) && plainLine(lines[i]) {
				words = append(words, lines[i])
				i++
			}
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(strings.Join(words, "\n")))
		}
	}
	return b.String()
}

func plainLine(line string) bool {
	if strings.TrimSpace(line) == "" {
		return false
	}
	for _, start := range []string{"```", "#", "|", "- "} {
		if strings.HasPrefix(line, start) {
			return false
		}
	}
	return true
}

func fence(b *strings.Builder, lines []string, i int) int {
	_, file, _ := strings.Cut(strings.TrimPrefix(lines[i], "```"), " ")
	var code []string
	for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
		code = append(code, lines[i])
	}
	pre := "<pre tabindex=\"0\"><code>" + html.EscapeString(strings.Join(code, "\n")) + "</code></pre>\n"
	if file != "" {
		pre = "<figure><figcaption><code>" + html.EscapeString(file) + "</code></figcaption>\n" + pre + "</figure>\n"
	}
	b.WriteString(pre)
	return i + 1
}

func list(b *strings.Builder, lines []string, i int) int {
	b.WriteString("<ul>\n")
	for i < len(lines) && strings.HasPrefix(lines[i], "- ") {
		item := lines[i][2:]
		for i++; i < len(lines) && strings.HasPrefix(lines[i], "  "); i++ {
			item += "\n" + strings.TrimSpace(lines[i])
		}
		fmt.Fprintf(b, "<li>%s</li>\n", inline(item))
	}
	b.WriteString("</ul>\n")
	return i
}

func table(b *strings.Builder, lines []string, i int) int {
	b.WriteString("<table>\n")
	for n := 0; i < len(lines) && strings.HasPrefix(lines[i], "|"); i, n = i+1, n+1 {
		if n == 1 {
			continue // |---|---|
		}
		word := "td"
		if n == 0 {
			word = "th"
		}
		b.WriteString("<tr>")
		for _, c := range cells(lines[i]) {
			fmt.Fprintf(b, "<%s>%s</%s>", word, inline(c), word)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
	return i
}

// cells splits a row of a table at the bars that are not escaped.
func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	const held = "\x00"
	parts := strings.Split(strings.ReplaceAll(line, `\|`, held), "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(p, held, "|"))
	}
	return parts
}

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	escaped  = regexp.MustCompile(`\\[*_<]`)
	link     = regexp.MustCompile(`\[([^\]\n]+)\]\(([a-z0-9-]+)\.md(#[a-z0-9-]+)?\)`)
	strong   = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	notWord  = regexp.MustCompile(`[^a-z0-9]+`)
)

// inline is the text inside a block. Code spans are set aside first: nothing in them is markup.
func inline(text string) string {
	var spans []string
	text = codeSpan.ReplaceAllStringFunc(text, func(s string) string {
		spans = append(spans, "<code>"+html.EscapeString(strings.Trim(s, "`"))+"</code>")
		return fmt.Sprintf("\x00%d\x00", len(spans)-1)
	})
	text = escaped.ReplaceAllStringFunc(text, func(s string) string {
		spans = append(spans, html.EscapeString(s[1:]))
		return fmt.Sprintf("\x00%d\x00", len(spans)-1)
	})
	text = html.EscapeString(text)
	text = link.ReplaceAllString(text, `<a href="$2.html$3">$1</a>`)
	text = strong.ReplaceAllString(text, "<strong>$1</strong>")
	for i, s := range spans {
		text = strings.ReplaceAll(text, fmt.Sprintf("\x00%d\x00", i), s)
	}
	return text
}

// Anchor is the id of a heading.
func Anchor(title string) string {
	return strings.Trim(notWord.ReplaceAllString(strings.ToLower(title), "-"), "-")
}
