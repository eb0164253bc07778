package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/runner/journal/mask"
	"github.com/checkrow/checkrow/steps"
)

// maskBody masks a body that holds a secret, if m is not nil, and hides what looks like a credential. It goes string by
// string, not over the line, so that what comes out is always JSON of the same shape, whatever the secret is ("passed",
// "123456", a lone quote …).
func maskBody(b Body, text []byte, m Masker) (Body, error) {
	tree, err := decodeTree(text)
	if err != nil {
		return nil, err
	}
	if m != nil {
		tree = maskTree(tree, "", false, m)
	}
	masked, err := json.Marshal(redactBody(b.Kind(), tree)) // masked first: what is cut must hold no half of a secret
	if err != nil {
		return nil, err
	}
	body, err := decodeBody(b.Kind(), masked)
	if err != nil {
		return nil, fmt.Errorf("masking: %w", err)
	}
	return body, nil
}

func decodeTree(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	err := d.Decode(&tree)
	return tree, err
}

// maskTree masks strings, names of keys, and numbers where any value may stand. Free tells that v lies inside such a
// place (data, value); elsewhere the few words that are enumerations and times stay.
func maskTree(v any, key string, free bool, m Masker) any {
	switch v := v.(type) {
	case string:
		if !free && fixed(key, v) {
			return v
		}
		return maskText(m, v)
	case json.Number:
		if free && maskText(m, v.String()) != v.String() {
			return mask.Replacement
		}
		return v
	case []any:
		for i := range v {
			v[i] = maskTree(v[i], key, free, m)
		}
		return v
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			inside := free || k == "data" || k == "value"
			name := k
			if free {
				name = maskText(m, k)
				for n := 2; out[name] != nil; n++ {
					name = maskText(m, k) + strconv.Itoa(n)
				}
			}
			out[name] = maskTree(x, k, inside, m)
		}
		return out
	}
	return v
}

// fixed tells that a text is one of a closed set or a time, where a secret can only be met by accident.
func fixed(key, text string) bool {
	switch key {
	case "status", "state", "category", "phase":
		return true
	case "started", "at":
		_, err := time.Parse(time.RFC3339Nano, text)
		return err == nil
	}
	return false
}

func maskText(m Masker, s string) string {
	b := []byte(s)
	if out := m.Mask(b); !same(out, b) {
		return string(out)
	}
	return s
}

// names maps identities to their masked form. It is made once, from the plan: a secret that becomes known later cannot
// take a name away that is already written, and an identity must not change within a run.
type names struct {
	suites map[string]string
	tests  map[steps.TestKey]steps.TestKey
}

// learn notes how the identities of a plan were masked. Two tests whose names differ in a secret only are told apart by
// a number; the plan that comes back has these names.
func learn(plan, masked Planned) (Planned, *names) {
	n := &names{suites: map[string]string{}, tests: map[steps.TestKey]steps.TestKey{}}
	for i, s := range plan.Suites {
		if s.File != masked.Suites[i].File {
			n.suites[s.File] = masked.Suites[i].File
		}
	}
	taken := map[steps.TestKey]bool{}
	for i, t := range plan.Tests {
		key := masked.Tests[i].Key
		for k := 2; taken[key]; k++ {
			key = steps.TestKey{Suite: masked.Tests[i].Key.Suite, Name: masked.Tests[i].Key.Name + " #" + strconv.Itoa(k)}
		}
		taken[key] = true
		masked.Tests[i].Key = key
		if key != t.Key {
			n.tests[t.Key] = key
		}
	}
	return masked, n
}

// identify masks the parts of e outside its body.
func (w *Writer) identify(e *Event) {
	if e.Test != nil && e.Suite == "" {
		e.Suite = e.Test.Suite
	}
	if w.mask == nil {
		return
	}
	if e.Session != "" {
		e.Session = maskText(w.mask, e.Session)
	}
	if e.Pos.File != e.Suite {
		e.Pos.File = maskText(w.mask, e.Pos.File)
	}
	if w.names == nil {
		return
	}
	if name, ok := w.names.suites[e.Suite]; ok {
		if e.Pos.File == e.Suite {
			e.Pos.File = name
		}
		e.Suite = name
	}
	if e.Test != nil {
		if key, ok := w.names.tests[*e.Test]; ok {
			e.Test = &key
		}
	}
}
