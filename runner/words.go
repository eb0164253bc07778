package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/spec/diag"
)

// unmetWords says in one sentence what an expression wanted and what its parts were.
func unmetWords(source string, t spec.Term) string {
	if t = culprit(t); t.Source != "" {
		source = t.Source
	}
	out := "expected " + oneLine(source)
	if parts := leaves(t, nil); len(parts) > 0 {
		out += ", but " + strings.Join(parts, " and ")
	} else {
		out += ", but it is false"
	}
	return out
}

// culprit finds the part that made a condition false: of "a and b" the one that is.
func culprit(t spec.Term) spec.Term {
	for {
		var bad *spec.Term
		others := 0
		for i := range t.Sub {
			yes, isBool := t.Sub[i].Value.(bool)
			switch {
			case t.Sub[i].Evaluated && isBool && !yes && bad == nil && len(t.Sub[i].Sub) > 0:
				bad = &t.Sub[i]
			case t.Sub[i].Evaluated && !(isBool && yes):
				return t // both sides are false, or this is no "and"
			default:
				others++
			}
		}
		if bad == nil || others == 0 {
			return t
		}
		t = *bad
	}
}

// leaves lists what was read: "text(\"h1\") is \"Sorry\"". At most four, each once.
func leaves(t spec.Term, out []string) []string {
	if len(t.Sub) > 0 {
		for _, sub := range t.Sub {
			out = leaves(sub, out)
		}
		return out
	}
	if !t.Evaluated || len(out) >= 4 {
		return out
	}
	src, value := oneLine(t.Source), show(t.Value)
	if src == value || src == "" {
		return out
	}
	word := src + " is " + value
	for _, have := range out {
		if have == word {
			return out
		}
	}
	return append(out, word)
}

// show prints a value on one line, with invisible characters made visible, at most 200 runes of it.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return `"` + clip(diag.Visible(v), 200) + `"`
	case bool, int, int64, float64:
		return fmt.Sprint(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return clip(fmt.Sprint(v), 200)
	}
	return clip(string(b), 200)
}

func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
