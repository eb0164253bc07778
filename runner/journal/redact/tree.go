package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds JSON in JSON; deeper text is looked at as text.
const maxDepth = 6

// Tree hides credentials in decoded JSON, by the names of fields and by the form of texts. What is given may be changed in
// place; what comes back is it.
func Tree(v any) any { return tree(v, "", 0) }

// Cookies is Tree of a list of cookies: the value of each goes.
func Cookies(v any) any { return tree(v, "cookies", 0) }

func tree(v any, under string, depth int) any {
	switch v := v.(type) {
	case string:
		return value(v, depth)
	case []any:
		all := Sensitive(under)
		for i, x := range v {
			if all && scalar(x) {
				v[i] = Mark
			} else {
				v[i] = tree(x, under, depth)
			}
		}
	case map[string]any:
		pair := pairOf(v, under)
		for k, x := range v {
			switch {
			case scalar(x) && (Sensitive(k) || pair != "" && strings.EqualFold(k, "value")):
				v[k] = Mark
			case strings.EqualFold(k, "responseBase64"):
				v[k] = Mark
			default:
				v[k] = tree(x, folded(k), depth)
			}
		}
		if pair != "" && pair != "name" && v["value"] == Mark {
			v["valueRedacted"], v["valueRedactionReason"] = true, pair
		}
	}
	return v
}

// scalar tells a value that can be a credential: a text that is not empty, or a number.
func scalar(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case json.Number, float64, int, int64:
		return true
	}
	return false
}

// pairOf tells a map that names its value, as HAR, cookies and storage have it, and whose value must go: why, or "".
func pairOf(m map[string]any, under string) string {
	val, ok := m["value"].(string)
	if !ok || val == "" {
		return ""
	}
	if under == "cookies" {
		return "name"
	}
	if name, ok := m["name"].(string); ok {
		switch {
		case under == "querystring" && query(name, val, true), Sensitive(name):
			return "name"
		case under == "localstorage" || under == "sessionstorage":
			if Stored(name, val) != "" {
				return "name"
			}
		}
		return ""
	}
	if key, ok := m["key"].(string); ok && len(m) <= 3 {
		return Stored(key, val)
	}
	return ""
}

// value hides what a text holds: JSON, a form, or prose.
func value(s string, depth int) string {
	if !Suspicious([]byte(s)) {
		return s
	}
	if depth < maxDepth {
		if t := strings.TrimSpace(s); len(t) > 1 && (t[0] == '{' || t[0] == '[') {
			if out, changed := inner([]byte(t), depth+1); changed {
				return string(out)
			}
		}
		if out, changed := Form(s); changed {
			return out
		}
	}
	return scrub(s)
}

// JSON hides credentials in a text of JSON. Changed is false if it is none or holds nothing to hide: then it comes back as
// it is, to the byte.
func JSON(b []byte) (out []byte, changed bool) {
	if !Suspicious(b) {
		return b, false
	}
	return inner(b, 0)
}

func inner(b []byte, depth int) ([]byte, bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return b, false
	}
	if _, err := d.Token(); err != io.EOF {
		return b, false
	}
	before, err := encode(v)
	if err != nil {
		return b, false
	}
	after, err := encode(tree(v, "", depth))
	if err != nil || bytes.Equal(before, after) {
		return b, false
	}
	return after, true
}

func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Lines is JSON for a file with a value on each line.
func Lines(b []byte) (out []byte, changed bool) {
	for line := range bytes.Lines(b) {
		text := bytes.TrimRight(line, "\r\n")
		clean, did := JSON(text)
		out = append(append(out, clean...), line[len(text):]...)
		changed = changed || did
	}
	if !changed {
		return b, false
	}
	return out, true
}

// keepBody is how much of the body of a request or an answer is journaled.
const keepBody = 280

// Row hides credentials in what a row gave: data and value as they are journaled, by the name of its command.
func Row(command string, data map[string]any, val any) (map[string]any, any) {
	switch {
	case strings.HasPrefix(command, "cookies"):
		return asMap(Cookies(data)), tree(val, "cookies", 0)
	case strings.HasPrefix(command, "storage"):
		return storage(data, val)
	case strings.HasPrefix(command, "network request"):
		return network(data, val)
	}
	return asMap(Tree(data)), Tree(val)
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// storage hides entries of a storage: of one key, or of all of them.
func storage(data map[string]any, val any) (map[string]any, any) {
	if key, ok := data["key"].(string); ok {
		text, _ := data["value"].(string)
		if why := Stored(key, text); why != "" {
			data["value"], data["valueRedacted"], data["valueRedactionReason"] = Mark, true, why
			return data, Mark
		}
		return data, val
	}
	for _, m := range []any{data["data"], val} {
		m, _ := m.(map[string]any)
		for k, x := range m {
			if text, ok := x.(string); ok && Stored(k, text) != "" {
				m[k] = Mark
			}
		}
	}
	return data, val
}

// network hides headers and bodies of requests and keeps of a body its beginning only.
func network(data map[string]any, val any) (map[string]any, any) {
	data = asMap(Tree(data))
	for _, k := range []string{"postData", "responseBody"} {
		if s, ok := data[k].(string); ok {
			data[k] = preview(s)
		}
	}
	list, _ := data["requests"].([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			if s, ok := m["postData"].(string); ok {
				m["postData"] = preview(s)
			}
		}
	}
	if _, one := data["responseBody"]; one {
		return data, data["responseBody"]
	}
	if list != nil {
		return data, nil // it is the list
	}
	return data, Tree(val)
}

func preview(s string) string {
	if utf8.RuneCountInString(s) <= keepBody {
		return s
	}
	return string([]rune(s)[:keepBody]) + "…"
}
