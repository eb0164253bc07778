package conformance_test

import (
	"encoding/json"
	"strings"
)

// normal takes out of data what no two runs share, on both sides alike: ids, times, sizes and measures, header names'
// case, and the order of what happens at the same time.
func normal(row []string, data any) any {
	m, ok := data.(map[string]any)
	if !ok {
		return data
	}
	m = drop(m, "targetId").(map[string]any)
	for _, key := range measures[row[0]] {
		measured(m, strings.Split(key, "."))
	}
	if list, ok := m["requests"].([]any); ok {
		for _, e := range list {
			folded(e, "headers")
			folded(e, "responseHeaders")
		}
	}
	if text, ok := m["text"].(string); ok && strings.HasPrefix(text, `{"`) { // the page that tells what was sent to it
		var sent any
		if json.Unmarshal([]byte(text), &sent) == nil {
			m["text"] = sent
		}
	}
	if refs, ok := m["refs"].(map[string]any); ok {
		m["refs"] = meanings(refs)
	}
	return m
}

// measures are keys that are measured: only their being there is compared.
var measures = map[string][]string{
	"get": {"x", "y", "width", "height", "styles"}, "vitals": {"lcp", "cls", "fcp", "ttfb", "inp", "phases"},
	"record": {"frames", "capturedFrames"}, "trace": {"eventCount"}, "profiler": {"eventCount"}, "network": {"requestCount"},
	"state": {"size", "modified"},
}

func measured(m map[string]any, path []string) {
	v, ok := m[path[0]]
	switch {
	case !ok:
	case len(path) > 1:
		if in, ok := v.(map[string]any); ok {
			measured(in, path[1:])
		}
	default:
		m[path[0]] = "measured"
	}
}

// drop copies a value without a key, however deep: ids of the browser's protocol, whose values are masked in the vectors.
func drop(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if k != key {
				out[k] = drop(e, key)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = drop(e, key)
		}
		return out
	}
	return v
}

// folded writes the names of headers in lower case: HTTP does not tell them apart.
func folded(entry any, key string) {
	m, _ := entry.(map[string]any)
	h, ok := m[key].(map[string]any)
	if !ok {
		return
	}
	out := map[string]any{}
	for k, v := range h {
		out[strings.ToLower(k)] = v
	}
	m[key] = out
}

// meanings gives what refs stand for, instead of their numbers.
func meanings(refs map[string]any) any {
	out := map[string]any{}
	for _, v := range refs {
		m, _ := v.(map[string]any)
		role, _ := m["role"].(string)
		name, _ := m["name"].(string)
		out[strings.ToLower(role)+" "+name] = true
	}
	return out
}
