package source

import (
	"context"
	"fmt"

	"github.com/checkrow/checkrow/steps"
)

// maxNodes is how many components of one name are looked at: their elements may be written in different places.
const maxNodes = 50

// inReact reads where React says that a component's element is written, and the files that its props and state name.
func (w *workspace) inReact(ctx context.Context, m *maps, node map[string]any) []candidate {
	var out []candidate
	name := text(node["name"])
	if c, ok := w.written(ctx, m, node); ok {
		out = append(out, c)
	}
	for _, p := range inWords(text(node["text"])) {
		c := candidate{p.URL, p.Line, p.Column, high, "react", "React names it", name}
		if f, ok := w.file(p.URL); ok {
			c.file = f
		}
		if len(out) == 0 || c.file != out[0].file { // the text repeats the source
			out = append(out, c)
		}
	}
	return out
}

// inTree reads where React says that the elements of the components of a name are written.
func (w *workspace) inTree(ctx context.Context, m *maps, tree map[string]any, name string) []candidate {
	var out []candidate
	nodes, _ := tree["nodes"].([]any)
	seen := 0
	for _, x := range nodes {
		node, _ := x.(map[string]any)
		if text(node["name"]) != name || name == "" {
			continue
		}
		if seen++; seen > maxNodes {
			break
		}
		if c, ok := w.written(ctx, m, node); ok {
			out = append(out, c)
		}
	}
	return out
}

// written is where the element of a component is written, as React says, through the script's source map if it has one.
func (w *workspace) written(ctx context.Context, m *maps, node map[string]any) (candidate, bool) {
	at, _ := node["source"].(map[string]any)
	p := steps.Place{URL: text(at["file"]), Line: number(at["line"]), Column: number(at["column"])}
	if p.URL == "" {
		return candidate{}, false
	}
	name := text(node["name"])
	c := candidate{p.URL, p.Line, p.Column, high, "react", fmt.Sprintf("React: %s #%d is written here", name, number(node["id"])), name}
	if file, line, column, ok := m.original(ctx, p); ok {
		if f, has := w.file(file); has {
			c.file, c.line, c.column = f, line, column
			c.evidence += ", through its source map"
			return c, true
		}
	}
	return w.known(c), true
}
