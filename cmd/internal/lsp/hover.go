package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// hover says what the word at a place is: a key, a row's command or flag, a function that reads the page.
func (s *server) hover(d *document, at position) any {
	line := []rune(d.line(at.Line))
	from := d.runes(at)
	to := from
	for from > 0 && wordy(line[from-1]) {
		from--
	}
	for to < len(line) && wordy(line[to]) {
		to++
	}
	if from == to {
		return nil
	}
	word := string(line[from:to])
	text := s.about(d, d.around(d.at(at.Line, to)), word, strings.HasPrefix(strings.TrimLeft(string(line[to:]), `"'`), ":"))
	if text == "" && to < len(line) && line[to] == '(' {
		text, _ = pageFunc(word)
	}
	if text == "" {
		return nil
	}
	return map[string]any{"contents": map[string]string{"kind": "markdown", "value": text},
		"range": span{d.at(at.Line, from), d.at(at.Line, to)}}
}

func wordy(r rune) bool {
	return r == '_' || r == '-' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// about is the reference of a word at a place.
func (s *server) about(d *document, p place, word string, key bool) string {
	sc, kind := s.schemaOf(d)
	if kind == foreign {
		return ""
	}
	if p.row {
		if _, row := sc.walk(p.path, kind == fragmentFile); row {
			return s.aboutCell(append(slices.Clone(p.cells), word))
		}
		return ""
	}
	if !key || !p.key || p.word != word {
		return ""
	}
	list, _ := sc.walk(p.path, kind == fragmentFile)
	var out []string
	for _, o := range list {
		if slices.ContainsFunc(p.present, func(k string) bool { return len(below(o, k)) == 0 }) {
			continue
		}
		props, _ := o["properties"].(map[string]any)
		m, _ := props[word].(map[string]any)
		if doc, _ := m["description"].(string); doc != "" && !slices.Contains(out, doc) {
			out = append(out, doc)
		}
	}
	return strings.Join(out, "\n\n")
}

// aboutCell is the reference of the last of some cells: of the command that it is part of, or of a flag.
func (s *server) aboutCell(cells []string) string {
	word := cells[len(cells)-1]
	c := commandOf(cells)
	if c == nil {
		return ""
	}
	if f, ok := flagNamed(c, word); ok && len(cells) > len(c.Words) {
		text := "`" + f.Name + "` " + f.Doc
		if len(f.Values) > 0 {
			text += ": " + strings.Join(f.Values, ", ")
		}
		return text
	}
	if len(cells) > len(c.Words) {
		return ""
	}
	return s.o.Reference(c)
}

// definition leads from the fragment that a use names, or the data of a test, to its file.
func (s *server) definition(d *document, at position) any {
	if d.path == "" {
		return nil
	}
	line := []rune(d.line(at.Line))
	end := d.runes(at)
	for end < len(line) && !strings.ContainsRune(",}", line[end]) {
		end++
	}
	p := d.around(d.at(at.Line, end))
	if len(p.path) == 0 || p.key {
		return nil
	}
	switch p.path[len(p.path)-1] {
	case "use", "each", "storage_state":
	default:
		return nil
	}
	name := p.word
	if i := strings.Index(name, " #"); i >= 0 {
		name = name[:i]
	}
	name = unquote(name)
	file := name
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(d.path), filepath.FromSlash(name))
	}
	if info, err := os.Stat(file); name == "" || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return map[string]any{"uri": s.uri(file), "range": span{}}
}

// symbol is a part of a file, as the protocol has it.
type symbol struct {
	Name      string   `json:"name"`
	Detail    string   `json:"detail,omitempty"`
	Kind      int      `json:"kind"`
	Range     span     `json:"range"`
	Selection span     `json:"selectionRange"`
	Children  []symbol `json:"children,omitempty"`
}

// The kinds of symbols that the protocol has icons for.
const (
	symbolModule = 2
	symbolMethod = 6
)

// symbols lists the suite or fragment and its tests.
func (d *document) symbols() []symbol {
	var l diag.List
	f := spec.Parse(d.path, []byte(d.text), &l)
	whole := span{position{}, d.at(len(d.lines)-1, len([]rune(d.line(len(d.lines)-1))))}
	switch {
	case f.Fragment != nil:
		return []symbol{{Name: f.Fragment.Name, Detail: "fragment", Kind: symbolModule, Range: whole, Selection: d.spanOf(f.Fragment.Pos, len("fragment"))}}
	case f.Suite == nil:
		return []symbol{}
	}
	top := symbol{Name: f.Suite.Name, Detail: "suite", Kind: symbolModule, Range: whole, Selection: d.spanOf(f.Suite.Pos, len("suite"))}
	for i, t := range f.Suite.Tests {
		name, _ := t.Name.Text()
		if name == "" || t.Pos.Line == 0 {
			continue
		}
		end := len(d.lines)
		if i+1 < len(f.Suite.Tests) {
			end = f.Suite.Tests[i+1].Pos.Line - 1
		} else {
			for n := t.Pos.Line; n < len(d.lines); n++ { // a key of the suite ends the tests
				if line := d.lines[n]; line != "" && line[0] != ' ' && line[0] != '#' && line[0] != '-' {
					end = n
					break
				}
			}
		}
		end = max(end, t.Pos.Line)
		top.Children = append(top.Children, symbol{Name: name, Detail: strings.Join(t.Tags, ", "), Kind: symbolMethod,
			Range:     span{d.at(t.Pos.Line-1, max(t.Pos.Col-1, 0)), d.at(end-1, len([]rune(d.line(end-1))))},
			Selection: d.spanOf(t.Name.Pos(), t.Name.Width())})
	}
	return []symbol{top}
}
