package world

import (
	"encoding/json"
	"regexp"

	"github.com/checkrow/checkrow/steps/target"
)

// ownPseudo are the driver's pseudo-classes that this world knows too; they are taken out before target.Native judges.
var ownPseudo = regexp.MustCompile(`:has-text\(\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\)|:visible\b`)

// attributes are the engines that match one attribute.
var attributes = map[target.Engine]string{
	target.TestID: "data-testid", target.Placeholder: "placeholder", target.Alt: "alt", target.Title: "title",
}

// intricate are the roles that depend on more of a table than the script looks at.
var intricate = map[string]bool{"columnheader": true, "rowheader": true}

// wire is a query as the script reads it.
type wire struct {
	Frames [][]any  `json:"f,omitempty"`
	Scopes [][2]any `json:"c,omitempty"`
	Parts  []any    `json:"p"`
}

// Level is one scope around a target: exactly one element must match it, inside the level before. A frame's is the
// document in it.
type Level struct {
	Target target.Target
	Frame  bool
}

// CompileIn is Compile inside scopes, outermost first. A target without parts is the innermost scope itself. What the
// scopes lack is an Answer with Reason NoScope or ManyScopes, which waits as a missing element does.
func CompileIn(t target.Target, frames []target.Target, in []Level) (Query, bool) {
	return compile(t, frames, in...)
}

// Under gives the query with overlays: a waiting op that is not possible ends with Reason Overlay as soon as one of them
// is visible. All must be queries of Compile.
func (q Query) Under(overlays []Query) Query {
	list := make([]json.RawMessage, len(overlays))
	for i, o := range overlays {
		list[i] = o.json
	}
	data, err := json.Marshal(list)
	if err == nil { // never: each was made by json.Marshal
		q.over = data
	}
	return q
}

func compile(t target.Target, frames []target.Target, in ...Level) (Query, bool) {
	var w wire
	for _, l := range in {
		parts, ok := partsOf(l.Target)
		if !ok {
			return Query{}, false
		}
		w.Scopes = append(w.Scopes, [2]any{l.Frame, parts})
	}
	for _, f := range frames {
		parts, ok := partsOf(f)
		if !ok {
			return Query{}, false
		}
		w.Frames = append(w.Frames, parts)
	}
	parts, ok := partsOf(t)
	if len(t.Parts) == 0 && len(in) > 0 {
		parts, ok = []any{}, true
	}
	if !ok {
		return Query{}, false
	}
	w.Parts = parts
	data, err := json.Marshal(w)
	if err != nil {
		return Query{}, false // never: strings, numbers and booleans only
	}
	return Query{json: data}, true
}

func partsOf(t target.Target) ([]any, bool) {
	var out []any
	for _, p := range t.Parts {
		switch p.Engine {
		case target.CSS:
			plain := ownPseudo.ReplaceAllString(p.Value, "*")
			if !(target.Target{Parts: []target.Part{{Engine: target.CSS, Value: plain}}}).Native() {
				return nil, false
			}
			out = append(out, []any{"css", p.Value})
		case target.XPath:
			out = append(out, []any{"xpath", p.Value})
		case target.Nth:
			out = append(out, []any{"nth", p.N})
		case target.TextIs:
			out = append(out, []any{"text", p.Value, p.Exact})
		case target.Label:
			out = append(out, []any{"label", p.Value, p.Exact})
		case target.TestID, target.Placeholder, target.Alt, target.Title:
			// A test id is a name that was chosen, so it is always exact.
			out = append(out, []any{attributes[p.Engine], p.Value, p.Exact || p.Engine == target.TestID})
		case target.Role:
			if intricate[p.Value] {
				return nil, false
			}
			var named any
			if p.Named {
				named = p.Name
			}
			out = append(out, []any{"role", p.Value, p.Exact, named})
		default:
			return nil, false
		}
	}
	return out, len(out) > 0
}
