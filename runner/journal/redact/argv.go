package redact

import (
	"slices"
	"strings"
)

// valued are flags whose value is not shown.
var valued = set("--body --headers --password --proxy")

// hidden gives the number of the first cell of a row that is not shown, counted from 0, and whether all behind it are not;
// 0 is none.
func hidden(row []string) (from int, all bool) {
	has := func(words ...string) bool { return len(row) >= len(words) && slices.Equal(row[:len(words)], words) }
	switch {
	case has("cookies", "set"):
		return 3, false
	case has("storage", "local", "set"), has("storage", "session", "set"):
		return 4, false
	case has("set", "credentials"), has("set", "auth"), has("clipboard", "write"):
		return 2, true
	}
	return 0, false
}

// Argv hides cells of a row: values that it sets, bodies, headers; of the others what looks like a credential.
func Argv(row []string) []string {
	from, all := hidden(row)
	var out []string
	put := func(i int, s string) {
		if out == nil {
			out = slices.Clone(row)
		}
		out[i] = s
	}
	for i, cell := range row {
		name, _, joined := strings.Cut(cell, "=")
		switch {
		case from > 0 && (i == from || all && i > from) && !strings.HasPrefix(cell, "--") && cell != masked && cell != "":
			put(i, Mark)
		case i > 0 && valued[row[i-1]] && cell != masked:
			put(i, Mark)
		case joined && valued[name]:
			put(i, name+"="+Mark)
		default:
			if clean := Text(cell); clean != cell {
				put(i, clean)
			}
		}
	}
	if out == nil {
		return row
	}
	return out
}

// masked is a cell that the engine has hidden already.
const masked = "•••"

// Learn gives the credentials that a row brought to light, by the name of its command: those that it sets and those that
// it read. Whoever calls has them masked from then on, so that they cannot come back in a message.
func Learn(command string, row []string, data map[string]any) []string {
	var out []string
	learn := func(name, value string) {
		if value != "" && Stored(name, value) != "" {
			out = append(out, value)
		}
	}
	switch command {
	case "cookies set":
		if len(row) > 3 {
			learn(row[2], row[3])
		}
	case "storage local set", "storage session set":
		if len(row) > 4 {
			learn(row[3], row[4])
		}
	case "set credentials":
		if len(row) > 3 {
			out = append(out, row[3])
		}
	case "cookies get":
		list, _ := data["cookies"].([]any)
		for _, x := range list {
			m, _ := x.(map[string]any)
			name, _ := m["name"].(string)
			value, _ := m["value"].(string)
			if only, _ := m["httpOnly"].(bool); only && value != "" {
				out = append(out, value)
			} else {
				learn(name, value)
			}
		}
	case "storage local get", "storage session get", "storage local", "storage session":
		if key, ok := data["key"].(string); ok {
			value, _ := data["value"].(string)
			learn(key, value)
		}
		all, _ := data["data"].(map[string]any)
		for k, x := range all {
			value, _ := x.(string)
			learn(k, value)
		}
	}
	return out
}
