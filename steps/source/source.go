// Package source holds the step kinds that look for the code behind what a page shows or asks for: source for an element
// or component, network_source for a request. They name candidates with their confidence and evidence; what follows from
// them is left to expect. The same search names the file to mend in failures.
package source

import (
	"context"
	"fmt"
	"strconv"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// Kind is the source step.
var Kind = steps.Kind{
	Name: "source",
	Doc: "Looks for the code that an element or a React component comes from: in the attributes that development builds leave on elements, in React, " +
		"and in the files of the project. It names candidates and judges nothing; expect does.",
	Example: "- source: { selector: \"#total\" }\n  id: where\n" +
		"- source: { component_name: SaveButton }\n  expect: data.candidates[0].file == \"src/SaveButton.tsx\"\n",
	Keys:   []spec.Key{{Name: "source", Type: "map", Doc: "what is looked for", Required: true, Keys: sourceKeys}},
	Decode: decodeSource,
}

var sourceKeys = []spec.Key{
	{Name: "selector", Type: "text", Doc: "a target", Aka: []string{"target", "element"}},
	{Name: "react_fiber_id", Type: "text", Doc: "the id of a component of react tree", Aka: []string{"fiberid", "fiber", "id"}},
	{Name: "component_name", Type: "text", Doc: "the name of a component", Aka: []string{"component", "name"}},
	{Name: "include_dom_hints", Type: "bool", Doc: "read the markup of the element and its ancestors", Default: "true", Aka: []string{"domhints"}},
	filesKey,
}

var filesKey = spec.Key{Name: "max_workspace_files", Type: "int", Doc: "how many files of the project are read, at most 5000", Default: "2000",
	Aka: []string{"maxfiles", "files"}}

const (
	defaultFiles = 2000
	mostFiles    = 5000
)

// The confidences of a candidate.
const (
	high   = "high"
	medium = "medium"
	low    = "low"
)

// candidate is a file that may be the source.
type candidate struct {
	file         string
	line, column int
	confidence   string
	kind         string // react, dom, initiator, workspace
	evidence     string
	component    string // of React, or ""
}

func (c candidate) data() map[string]any {
	out := map[string]any{"file": c.file, "line": c.line, "column": c.column, "confidence": c.confidence, "kind": c.kind, "evidence": c.evidence}
	if c.component != "" {
		out["component"] = c.component
	}
	return out
}

// place is "src/cart.ts:12:5".
func (c candidate) place() string {
	out := c.file
	if c.line > 0 {
		out += ":" + strconv.Itoa(c.line)
		if c.column > 0 {
			out += ":" + strconv.Itoa(c.column)
		}
	}
	return out
}

// String is the candidate as a failure shows it.
func (c candidate) String() string {
	return fmt.Sprintf("%s (%s, %s)", c.place(), c.evidence, c.confidence)
}

// result is the type of steps.ID of both kinds.
func result(more map[string]spec.Type) spec.Type {
	candidates := spec.Type{Base: spec.List, Elem: &spec.Type{Base: spec.Any}, Doc: "{file, line, column, confidence, kind, evidence, component} of each, the likeliest first"}
	fields := map[string]spec.Type{
		"status": {Base: spec.String, Doc: "candidates-found, no-candidates …"}, "candidates": candidates,
		"limitations":      {Base: spec.List, Elem: &spec.Type{Base: spec.String}, Doc: "what was not looked at, and why"},
		"summary":          {Base: spec.String, Doc: "the outcome in one sentence"},
		"workspace_root":   {Base: spec.String, Doc: "the folder that was searched"},
		"electron_context": {Base: spec.Any, Doc: "{name, id, path, executable, url} of the app that the session is in; nothing elsewhere"},
	}
	for k, t := range more {
		fields[k] = t
	}
	return steps.Result(map[string]spec.Type{"value": candidates, "data": {Base: spec.Struct, Fields: fields}})
}

// lookup is a compiled source step.
type lookup struct {
	component *spec.Text
	files     int
	roles     []string // of the rows: visible, html, inspect, tree
}

func decodeSource(d *steps.Decoder, m map[string]spec.Node, at spec.Node) (steps.Body, spec.Type) {
	typ := result(nil)
	n, ok := m["source"]
	if !ok {
		return nil, typ
	}
	k, ok := n.Map(`"source"`, sourceKeys, d.Errs)
	if !ok {
		return nil, typ
	}
	before := d.Errs.Len()
	x := &lookup{files: filesOf(d, k)}
	var rows []steps.Row
	add := func(role string, cells ...spec.Text) {
		if r, ok := d.Generated("source."+role, at.Pos(), cells, nil); ok {
			rows, x.roles = append(rows, r), append(x.roles, role)
		}
	}
	if s, has := k["selector"]; has {
		if t, ok := d.TextOf(s, "selector"); ok {
			add("visible", append(steps.Cells(at.Pos(), "is", "visible"), t)...)
			if hints, has := k["include_dom_hints"]; !has || spec.WantBool(hints, "include_dom_hints", d.Errs) {
				add("html", append(append(steps.Cells(at.Pos(), "get", "html"), t), steps.Cells(at.Pos(), "--outer", "--ancestors")...)...)
			}
		}
	}
	if f, has := k["react_fiber_id"]; has {
		if t, ok := d.TextOf(f, "react_fiber_id"); ok {
			add("inspect", append(steps.Cells(at.Pos(), "react", "inspect"), t)...)
		}
	}
	if c, has := k["component_name"]; has {
		if t, ok := d.TextOf(c, "component_name"); ok {
			x.component = &t
			add("tree", steps.Cells(at.Pos(), "react", "tree")...)
		}
	}
	if d.Errs.Len() == before && len(rows) == 0 && len(n.Keys()) == len(k) {
		d.Errs.Add(n.Pos(), `"source" names nothing to look for`, "write selector, component_name or react_fiber_id")
	}
	if d.Errs.Len() > before {
		return nil, typ
	}
	return steps.Rows{Rows: rows, Whole: true, Verdict: x.verdict}, typ
}

func filesOf(d *steps.Decoder, k map[string]spec.Node) int {
	n, ok := k["max_workspace_files"]
	if !ok {
		return defaultFiles
	}
	before := d.Errs.Len()
	files := spec.WantInt(n, "max_workspace_files", 0, d.Errs)
	if d.Errs.Len() == before && files > mostFiles {
		d.Errs.AddWide(n.Pos(), n.Width(), diag.WantKind("max_workspace_files", "at most 5000", strconv.Itoa(files)), "the default is 2000")
	}
	return files
}

// verdict gathers the candidates. It fails only if a row did; React that cannot be asked is no failure while something
// else was found.
func (x *lookup) verdict(ctx context.Context, e steps.Env, gave []steps.Observation) steps.Observation {
	w := openWorkspace(ctx, e.Root, x.files)
	maps := newMaps(e.BaseURL, e.Jar)
	name, err := x.name(ctx, e)
	if err != nil {
		return steps.Fail(steps.Validation, "expression", err.Error())
	}
	var found []candidate
	var broken, noReact *steps.Observation
	for i, role := range x.roles {
		o := gave[i]
		switch {
		case !o.Success && (role == "inspect" || role == "tree"):
			noReact = &o
		case !o.Success:
			broken = &o
		case role == "html":
			found = append(found, w.inMarkup(text(o.Data["html"]), o.Data["ancestors"])...)
		case role == "inspect":
			found = append(found, w.inReact(ctx, maps, whole(o))...)
		case role == "tree":
			found = append(found, w.inTree(ctx, maps, whole(o), name)...)
		}
	}
	limits := w.limits()
	if name != "" {
		hits, cut := w.components(ctx, name)
		found = append(found, hits...)
		limits = append(limits, cut...)
	}
	found = ranked(found)
	status := "candidates-found"
	if len(found) == 0 {
		status = "no-candidates"
		if noReact != nil {
			status = "unsupported"
		}
	}
	if noReact != nil {
		limits = append(limits, "React could not be asked: "+noReact.Error)
		if broken == nil && len(found) == 0 {
			broken = noReact
		}
	}
	o := outcome(status, found, limits)
	inProject(e, gave, &o)
	if broken != nil {
		o.Success, o.Category, o.Sub, o.Error, o.NextActions = false, broken.Category, broken.Sub, broken.Error, broken.NextActions
	}
	return o
}

// name is that of the component that is looked for, or "".
func (x *lookup) name(ctx context.Context, e steps.Env) (string, error) {
	if x.component == nil {
		return "", nil
	}
	return x.component.String(ctx, e.Values, e.Reader)
}

// whole is all that a row gave, where its data are only a preview.
func whole(o steps.Observation) map[string]any {
	if o.Full != nil && o.Full.Data != nil {
		return o.Full.Data
	}
	return o.Data
}

// outcome is the observation of both kinds.
func outcome(status string, found []candidate, limits []string) steps.Observation {
	list, words := make([]any, len(found)), make([]any, len(limits))
	o := steps.Observation{Success: true, Summary: status, Detail: &steps.Detail{}}
	for i, c := range found {
		list[i] = c.data()
		o.Detail.Found = append(o.Detail.Found, c.String())
	}
	for i, l := range limits {
		words[i] = l
	}
	if len(found) > 0 {
		o.Summary += ": " + found[0].String()
	}
	o.Data = map[string]any{"status": status, "candidates": list, "limitations": words, "summary": o.Summary}
	o.Value = list
	return o
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
