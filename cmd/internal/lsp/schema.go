package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// schema is a JSON Schema that is walked by the keys of a file. Its objects come as they were built or as they were read.
type schema struct{ root map[string]any }

// plain gives a schema as JSON has it: maps, lists, texts and numbers.
func plain(s map[string]any) (map[string]any, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("reading a schema: %w", err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("reading a schema: %w", err)
	}
	return out, nil
}

// flat gives the alternatives that an object stands for, itself among them, without references. fragment chooses between
// those of a file. row tells that one of them is a row.
func (s schema) flat(o map[string]any, fragment bool, depth int) (out []map[string]any, row bool) {
	if o == nil || depth > 16 {
		return nil, false
	}
	if name, ok := o["$ref"].(string); ok {
		name = strings.TrimPrefix(name, "#/definitions/")
		defs, _ := s.root["definitions"].(map[string]any)
		def, _ := defs[name].(map[string]any)
		out, row = s.flat(def, fragment, depth+1)
		return out, row || name == "row"
	}
	out = append(out, o)
	var more []map[string]any
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := o[word].([]any)
		for _, x := range list {
			if m, ok := x.(map[string]any); ok {
				more = append(more, m)
			}
		}
	}
	branch := "else"
	if fragment {
		branch = "then"
	}
	if m, ok := o[branch].(map[string]any); ok {
		more = append(more, m)
	}
	for _, m := range more {
		list, isRow := s.flat(m, fragment, depth+1)
		out, row = append(out, list...), row || isRow
	}
	return out, row
}

// walk gives the alternatives at a path, and whether a row may stand there.
func (s schema) walk(path []string, fragment bool) (out []map[string]any, row bool) {
	out, _ = s.flat(s.root, fragment, 0)
	for _, step := range path {
		var next []map[string]any
		row = false
		for _, o := range out {
			for _, m := range below(o, step) {
				list, isRow := s.flat(m, fragment, 0)
				next, row = append(next, list...), row || isRow
			}
		}
		out = next
	}
	return out, row
}

// below is what an object says of one of its keys, or of its items.
func below(o map[string]any, step string) []map[string]any {
	var out []map[string]any
	add := func(x any) bool {
		m, ok := x.(map[string]any)
		if ok {
			out = append(out, m)
		}
		return ok
	}
	if step == item {
		add(o["items"])
		return out
	}
	props, _ := o["properties"].(map[string]any)
	if add(props[step]) {
		return out
	}
	patterns, _ := o["patternProperties"].(map[string]any)
	for form, x := range patterns {
		if re, err := regexp.Compile(form); err == nil && re.MatchString(step) && add(x) {
			return out
		}
	}
	add(o["additionalProperties"])
	return out
}

// property is a key that may be written.
type property struct{ name, doc string }

// properties lists the keys that may stand beside those that are there. An alternative counts if it knows all of them.
func properties(list []map[string]any, present []string) []property {
	var fit []map[string]any
	for _, o := range list {
		props, _ := o["properties"].(map[string]any)
		if props != nil && !slices.ContainsFunc(present, func(k string) bool { return len(below(o, k)) == 0 }) {
			fit = append(fit, props)
		}
	}
	docs := map[string]string{}
	for _, props := range fit {
		for name, x := range props {
			m, _ := x.(map[string]any)
			if doc, _ := m["description"].(string); !slices.Contains(present, name) && docs[name] == "" {
				docs[name] = doc
			}
		}
	}
	out := make([]property, 0, len(docs))
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		out = append(out, property{name, docs[name]})
	}
	return out
}

// values lists the texts that may be written.
func values(list []map[string]any) []string {
	var out []string
	add := func(x any) {
		text := fmt.Sprint(x)
		if x != nil && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, o := range list {
		enum, _ := o["enum"].([]any)
		for _, x := range enum {
			add(x)
		}
		if c, ok := o["const"]; ok {
			add(c)
		}
		if o["type"] == "boolean" {
			add(true)
			add(false)
		}
	}
	return out
}

// docs are what the alternatives say of themselves, each once.
func docs(list []map[string]any) []string {
	var out []string
	for _, o := range list {
		if text, _ := o["description"].(string); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
