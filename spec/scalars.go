package spec

import (
	"strconv"
	"strings"
	"time"

	"github.com/checkrow/checkrow/spec/diag"
)

// WantText gives a scalar's text; anything else is reported as "KEY must be text".
func WantText(n Node, key string, l *diag.List) string {
	if n.IsZero() {
		return ""
	}
	if n.Empty() {
		n.report(l, diag.WantKind(key, "text", "nothing"), `write "" for empty text`)
		return ""
	}
	text, ok := n.Text()
	if !ok {
		n.report(l, diag.WantKind(key, "text", n.Sort()), n.QuoteHint()) // text that starts with a bracket may be meant
	}
	return text
}

// QuoteHint gives the line with the list or map in quotes, for text that starts like one: [click, [data-x=1]], and
// [expect, text, h1, Total: 5]. It is empty for anything else, and for a list that spans lines.
func (n Node) QuoteHint() string {
	if n.n == nil || n.n.kind < kindSeq || n.n.doc == nil {
		return ""
	}
	line := n.n.doc.line(n.n.line)
	if n.n.flow {
		return pasteRest(line, n.n.col, true)
	}
	if len(n.n.pairs) == 1 && !n.n.flow && n.n.kind == kindMap {
		// `a: b` as an item of a list in brackets is a map without braces.
		return pasteRest(line, n.n.col, strings.ContainsRune(line, '['))
	}
	return ""
}

// WantTexts gives a list of scalars; one scalar alone is not a list.
func WantTexts(n Node, key string, l *diag.List) []string {
	if n.IsZero() {
		return nil
	}
	items, ok := n.Seq()
	if !ok {
		hint := ""
		if text, isText := n.Text(); isText && !n.Empty() {
			hint = "write [" + text + "]"
		}
		n.report(l, diag.WantKind(key, "a list", n.Sort()), hint)
		return nil
	}
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = WantText(item, "item "+strconv.Itoa(i+1)+" of "+strconv.Quote(key), l)
	}
	return out
}

// WantBool gives true or false; "yes" and quoted "true" are reported with the right spelling.
func WantBool(n Node, key string, l *diag.List) bool {
	if n.IsZero() {
		return false
	}
	text, ok := n.Text()
	if ok && !n.Quoted() {
		if v, isBool := plainValue(text).(bool); isBool {
			return v
		}
	}
	hint := ""
	switch strings.ToLower(text) {
	case "yes", "on", "y", "1", "true":
		hint = "write true"
	case "no", "off", "n", "0", "false":
		hint = "write false"
	}
	n.report(l, diag.WantKind(key, "true or false", n.got()), hint)
	return false
}

// WantInt gives a whole number of at least min.
func WantInt(n Node, key string, min int, l *diag.List) int {
	if n.IsZero() {
		return min
	}
	text, ok := n.Text()
	if ok && !n.Quoted() {
		if v, isInt := plainValue(text).(int); isInt {
			if v < min {
				n.report(l, diag.WantKind(key, "at least "+strconv.Itoa(min), text), "")
				return min
			}
			return v
		}
	}
	hint := ""
	if _, isInt := plainValue(text).(int); isInt && n.Quoted() {
		hint = "write " + text + " without quotes"
	}
	n.report(l, diag.WantKind(key, "a whole number", n.got()), hint)
	return min
}

// WantNumber gives a number above zero.
func WantNumber(n Node, key string, l *diag.List) float64 {
	if n.IsZero() {
		return 0
	}
	text, ok := n.Text()
	if ok && !n.Quoted() {
		switch v := plainValue(text).(type) {
		case int:
			if v > 0 {
				return float64(v)
			}
		case float64:
			if v > 0 && v < 1e9 {
				return v
			}
		}
	}
	n.report(l, diag.WantKind(key, "a number above 0", n.got()), "")
	return 0
}

// WantDuration gives a duration: 5s, 2m, 250ms, 1m30s.
func WantDuration(n Node, key string, l *diag.List) time.Duration {
	if n.IsZero() {
		return 0
	}
	text, ok := n.Text()
	if ok {
		if d, err := time.ParseDuration(text); err == nil && d >= 0 {
			return d
		}
	}
	hint := "write it as 5s, 250ms or 1m30s"
	if i, isInt := plainValue(text).(int); isInt && ok && i >= 0 {
		hint = "write " + text + "s or " + text + "ms"
	}
	n.report(l, diag.WantKind(key, "a duration", n.got()), hint)
	return 0
}

func duration(s string) bool {
	_, err := time.ParseDuration(s)
	return err == nil
}

// got shows what stands there instead: a short scalar as written, anything else by its kind.
func (n Node) got() string {
	text, ok := n.Text()
	if !ok || n.Empty() {
		return n.Sort()
	}
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	if n.Quoted() || strings.ContainsAny(text, " \n") || text == "" {
		return strconv.Quote(text)
	}
	return text
}
