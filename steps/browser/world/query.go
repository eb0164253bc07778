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
	Frames [][]any `json:"f,omitempty"`
	Parts  []any   `json:"p"`
}

func compile(t target.Target, frames []target.Target) (Query, bool) {
	var w wire
	for _, f := range frames {
		parts, ok := partsOf(f)
		if !ok {
			return Query{}, false
		}
		w.Frames = append(w.Frames, parts)
	}
	parts, ok := partsOf(t)
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
