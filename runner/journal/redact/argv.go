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
	case (has("fill") || has("type")) && len(row) > 2 && keyhole(row[1]):
		return 2, false
	case has("find") && len(row) > 4 && keyhole(row[2]) && (row[3] == "fill" || row[3] == "type"):
		return 4, false
	}
	return 0, false
}

// keyhole tells a target whose name says that a password goes into it. The engine hides what it knows to have gone into such
// a field; a row that never reached its field is shown as it was to be sent.
func keyhole(target string) bool {
	target = strings.ToLower(target)
	return slices.ContainsFunc([]string{"passw", "pwd", "passphrase", "secret"}, func(w string) bool { return strings.Contains(target, w) })
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

// Typed gives what a row has put into a password field: sent is the row as it was, shown as the engine gives it, with what
// went into such a field hidden. The page's tree and a trace show it without saying what it is. A word of small letters is
// left out: it is no password that anybody has to keep, and hiding it would hide ordinary text.
func Typed(sent, shown []string) []string {
	if len(sent) == 0 || len(sent) != len(shown) {
		return nil
	}
	switch sent[0] {
	case "fill", "type", "keyboard", "find":
	default:
		return nil
	}
	var out []string
	for i, cell := range sent {
		if cell = strings.TrimRight(cell, "\t\r\n"); shown[i] == masked && strings.ContainsFunc(cell, unlikeWord) {
			out = append(out, cell)
		}
	}
	return out
}

func unlikeWord(r rune) bool { return r < 'a' || r > 'z' }

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
