package world

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// Elsewhere is the source of a function for documents that no world is in, such as frames that run in a process of their own:
// of the matches of a locator, given in document order, it answers a request as the world does. Point only tells that the
// element can be used: whether a press gets there, and where it is on the page, the driver finds out.
var Elsewhere = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(all, request) => {\nclass Refuse { constructor(s, d, x) { this.s = s; this.d = d; this.x = x; } }\n")
	b.WriteString("const arm = el => usable(el, el) || { f: fieldOf(control(el)) };\n")
	for _, name := range []string{"dom", "ops", "once"} {
		b.WriteString(source(name))
	}
	b.WriteString("const o = JSON.parse(request);\nlet a;\n" +
		"try { a = attempt(o, all); a.met = met(o, a); } catch (e) { a = { s: 'error', d: String(e && e.stack || e) }; }\n" +
		"return JSON.stringify(a);\n}")
	return b.String()
})

// Ask encodes a request for Elsewhere.
func Ask(op Op, u Until) (string, error) {
	data, err := json.Marshal(request{Op: op, Until: &u})
	if err != nil {
		return "", fmt.Errorf("encoding a request: %w", err)
	}
	return string(data), nil
}

// Answered decodes what Elsewhere has answered.
func Answered(text string) (Answer, error) {
	var a Answer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return Answer{}, fmt.Errorf("decoding an answer: %w", err)
	}
	if a.Reason == "error" {
		return Answer{}, fmt.Errorf("running the page world: %s", a.Detail)
	}
	return a, nil
}
