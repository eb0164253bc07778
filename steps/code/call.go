package code

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
	"github.com/checkrow/checkrow/steps"
)

// callKeys are the keys of the argument of browser(), sorted.
var callKeys = []string{"args", "stdin", "timeoutMs"}

// readCall reads the argument of browser(): {args: [text…], stdin: text, timeoutMs: number}. why is what is wrong with it.
func readCall(text json.RawMessage) (row steps.InnerRow, why string) {
	const usage = `: write browser({args: ["click", "#buy"]})`
	m, ok := decodeJSON(text).(map[string]any)
	if !ok {
		return row, "browser() takes an object" + usage
	}
	for key := range m {
		if !slices.Contains(callKeys, key) {
			msg := fmt.Sprintf("browser() knows no %q", key)
			if near := diag.Nearest(key, callKeys); len(near) > 0 {
				return row, msg + ", " + diag.DidYouMean(near)
			}
			return row, msg + ", only args, stdin and timeoutMs"
		}
	}
	list, ok := m["args"].([]any)
	if !ok || len(list) == 0 {
		return row, "browser() needs args, a list of texts" + usage
	}
	for i, v := range list {
		cell, ok := v.(string)
		if !ok {
			return row, "cell " + strconv.Itoa(i+1) + " of args is no text but " + jsSort(v) + ": write String(value)"
		}
		row.Cells = append(row.Cells, cell)
	}
	if v, given := m["timeoutMs"]; given {
		ms, ok := v.(int)
		if !ok || ms <= 0 || time.Duration(ms)*time.Millisecond > maxTimeout {
			return row, "timeoutMs is a whole number from 1 to 300000"
		}
		row.Limit = time.Duration(ms) * time.Millisecond
	}
	if v, given := m["stdin"]; given {
		input, ok := v.(string)
		if !ok || !slices.Equal(row.Cells, []string{"eval", "--stdin"}) {
			return row, `stdin is a text for ["eval", "--stdin"]; other rows read none`
		}
		row.Cells = []string{"eval", "--", input}
	}
	return row, ""
}

// jsSort names what a value is.
func jsSort(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}
