package journal

import "github.com/checkrow/checkrow/runner/journal/redact"

// redactBody hides what looks like a credential in the decoded body of an event. Names of tests and files, and texts of a
// closed set, stay as they are: an identity must not change.
func redactBody(kind string, tree any) any {
	m, ok := tree.(map[string]any)
	if !ok || kind == (Planned{}).Kind() {
		return tree
	}
	if obs, ok := m["obs"].(map[string]any); ok {
		command, _ := m["name"].(string)
		redactResult(obs, command)
	}
	return redactFields(m)
}

// redactResult hides credentials in what a row or step gave.
func redactResult(obs map[string]any, command string) {
	data, _ := obs["data"].(map[string]any)
	value, has := obs["value"]
	data, value = redact.Row(command, data, value)
	if data != nil {
		obs["data"] = data
	}
	if has {
		obs["value"] = value
	}
}

// redactFields goes through the fields of an event: texts are prose, rows have rules of their own.
func redactFields(m map[string]any) map[string]any {
	for k, x := range m {
		switch k {
		case "data", "value": // done, or the value of a term
			if k == "value" {
				m[k] = redact.Tree(x)
			}
		case "argv", "row", "paste":
			m[k] = redactRow(x)
		case "status", "state", "category", "phase", "sub", "started", "key", "file", "session", "path", "sha256":
		default:
			m[k] = redactField(x)
		}
	}
	return m
}

func redactField(x any) any {
	switch x := x.(type) {
	case string:
		return redact.Text(x)
	case []any:
		for i := range x {
			x[i] = redactField(x[i])
		}
	case map[string]any:
		return redactFields(x)
	}
	return x
}

// redactRow hides cells of a row.
func redactRow(x any) any {
	list, ok := x.([]any)
	if !ok {
		return redactField(x)
	}
	row := make([]string, len(list))
	for i, c := range list {
		s, ok := c.(string)
		if !ok {
			return redactField(x)
		}
		row[i] = s
	}
	for i, s := range redact.Argv(row) {
		list[i] = s
	}
	return list
}
